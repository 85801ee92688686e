import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { knownBesideSeconds } from '../../scripts/session/results.js';
import { scratch } from '../store/scratch.js';

const load = { tool: 'autocannon', connections: 100, warmupSeconds: 1, durationSeconds: 2 };
const cases = /** @type {any[]} */ (['api /', 'admin /'].map((id) => ({ id, load })));

/**
 * @param {Record<string, number[]>} ends by case: when the only window of each start ended
 * @param {object} [facts]
 */
const run = (ends, facts) => ({
  schema: 'perf-action/run@1',
  id: 'r',
  startedAt: '2026-11-20T10:00:00Z',
  environment: { fingerprint: 'here' },
  cases: Object.entries(ends).map(([id, all]) => ({
    id,
    load: { ...load, warmupSeconds: id === 'other /' ? 9 : 1 },
    trials: all.map((end) => ({ windows: [{ at: end - 2, seconds: 2, requests: 1 }] })),
  })),
  ...facts,
});

test('what a start took beside its load comes from the last run, otherwise from the baseline', async () => {
  const cwd = scratch();
  const config = { out: 'out', cases };
  assert.deepEqual(await knownBesideSeconds(config, { cwd }), {});
  mkdirSync(join(cwd, 'out/base'), { recursive: true });
  writeFileSync(join(cwd, 'out/run.json'), JSON.stringify(run({ 'api /': [5, 10], 'other /': [] })));
  const stored = /** @type {any} */ (run({ 'api /': [9], 'admin /': [18] }));
  assert.deepEqual(await knownBesideSeconds(config, { cwd, stored }), { 'api /': 3, 'admin /': 7 });
  const compared = { ...stored, against: 'main' };
  assert.deepEqual(await knownBesideSeconds(config, { cwd, stored: compared }), { 'api /': 3 });
  writeFileSync(join(cwd, 'out/base/run.json'), JSON.stringify(run({ 'api /': [5, 10] })));
  assert.deepEqual(await knownBesideSeconds(config, { cwd }), { 'api /': 0.5 });
  writeFileSync(join(cwd, 'out/run.json'), 'no run');
  assert.deepEqual(await knownBesideSeconds(config, { cwd }), {});
});
