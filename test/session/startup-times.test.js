import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { knownStartSeconds } from '../../scripts/session/results.js';
import { scratch } from '../store/scratch.js';

/** @param {Record<string, number[]>} starts milliseconds by server */
const run = (starts) => ({
  schema: 'perf-action/run@1',
  id: 'r',
  startedAt: '2026-11-20T10:00:00Z',
  environment: { fingerprint: 'here' },
  cases: Object.entries(starts).map(([server, all]) => ({
    id: server,
    server,
    trials: all.map((startupMs) => ({ startupMs, windows: [{ seconds: 1, requests: 1 }] })),
  })),
});

test('start times come from the last run, otherwise from the baseline', async () => {
  const cwd = scratch();
  assert.deepEqual(await knownStartSeconds('out', { cwd }), {});
  mkdirSync(join(cwd, 'out'));
  writeFileSync(join(cwd, 'out/run.json'), JSON.stringify(run({ api: [400, 600] })));
  const stored = /** @type {any} */ (run({ api: [2000], admin: [1700], never: [] }));
  assert.deepEqual(await knownStartSeconds('out', { cwd, stored }), { api: 0.5, admin: 1.7 });
  writeFileSync(join(cwd, 'out/run.json'), 'no run');
  assert.deepEqual(await knownStartSeconds('out', { cwd }), {});
});
