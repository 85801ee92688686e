import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { conclude } from '../../scripts/session/judge-and-write.js';
import { configOf } from '../run/fakes.js';
import { run, runCase } from '../store/runs.js';

test('an explanation that fails leaves the whole report', async (context) => {
  const out = mkdtempSync(join(tmpdir(), 'perf-conclude-'));
  context.after(() => rmSync(out, { recursive: true }));
  const sides = { head: run({ id: 'head', cases: [runCase('a')] }), base: run({ cases: [runCase('a')] }) };
  const explain = () => Promise.reject(new Error('the disk is full'));
  await assert.rejects(conclude({ ...sides, explain }, { ...configOf(['a']), out }, out), /the disk is full/);
  for (const name of ['run.json', 'base/run.json', 'comparison.json', 'report.md', 'report.html'])
    assert.ok(existsSync(join(out, name)), name);
});
