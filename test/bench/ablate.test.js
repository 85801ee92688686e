import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ABLATIONS } from '../../bench/verdicts/ablate.js';

for (const { name, file, from } of ABLATIONS)
  test(`the ablation "${name}" changes a line that the judge has`, () => {
    const source = readFileSync(new URL(`../../scripts/${file}`, import.meta.url), 'utf8');
    assert.equal(source.split(from).length, 2);
  });
