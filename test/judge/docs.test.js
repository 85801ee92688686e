/** The README's figures are those of the page of evidence. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

test('the README repeats the false alarms of the evidence', () => {
  const [readme = '', evidence = ''] = ['README.md', 'docs/evidence.md'].map((file) =>
    readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'),
  );
  const row = /^\| simulated noisy server +\| +none (.*)$/m.exec(evidence)?.[1] ?? '';
  const [, ours, oneRun] = row.split('|').map((cell) => {
    const [slower = 0, faster = 0] = cell.match(/[\d.]+/g)?.map(Number) ?? [];
    return Number((slower + faster).toFixed(1));
  });
  const says = `call\\s+${oneRun} of 100 unchanged servers changed, perf-action ${ours} of 100\\.`;
  assert.match(readme, new RegExp(says));
});
