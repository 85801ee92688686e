/** What machines hand over, and what becomes of it where some of it is missing. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { handOver, joinShards } from '../../scripts/github/shards.js';
import { writeRun } from '../../scripts/store/run-file.js';
import { run, runCase } from '../store/runs.js';

const CASES = ['a', 'b'].map((server) => `${server} / autocannon c10`);
const SKIPPED = { code: 'skipped', message: 'no changed file affects a server' };

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'perf-shards-'));
  mkdirSync(join(cwd, 'app'));
  writeFileSync(join(cwd, 'app/server.yml'), 'start: node server.js\nroutes: [{ path: / }]\n');
});
afterEach(() => rmSync(cwd, { recursive: true }));

/** @param {Record<string, string>} env */
const contextOf = (env) => ({ env, cwd, signal: new AbortController().signal });

/**
 * @param {number} index
 * @param {NonNullable<Parameters<typeof run>[0]>} facts
 * @param {'head' | 'base'} [label]
 */
async function hand(index, facts, label = 'head') {
  const shard = { index, of: 2, cases: CASES };
  const made = run({ id: `${index}-${label}`, session: `${index}`, seed: 4, shard, ...facts });
  const revision = { ...made.revision, label };
  await writeRun(join(cwd, `out-${index}`, label === 'base' ? 'base' : '.'), { ...made, revision });
  const env = { PERF_OUT: join(cwd, `out-${index}`), PERF_SHARDS: join(cwd, 'shards') };
  if (label === 'head') await handOver(contextOf(env));
}

async function join2() {
  const env = {
    PERF_INPUTS: JSON.stringify({ servers: './app' }),
    PERF_SEED: '4',
    PERF_COUNT: '2',
    PERF_SHARDS: join(cwd, 'shards'),
  };
  const outputs = await joinShards(contextOf(env));
  const dir = String(outputs['results-path']);
  const result = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8'));
  return { code: outputs.code, result, isCompared: existsSync(join(dir, 'comparison.json')) };
}

test('two machines are one run, with both sides', async () => {
  for (const [index, server] of /** @type {[number, string][]} */ ([
    [1, 'a'],
    [2, 'b'],
  ]))
    for (const label of /** @type {const} */ (['base', 'head']))
      await hand(index, { cases: [runCase(server)] }, label);
  const { result, isCompared } = await join2();
  assert.deepEqual(
    result.cases.map((/** @type {any} */ { server }) => server),
    ['a', 'b'],
  );
  assert.ok(isCompared);
});

test('a machine for which nothing was left is no lost one', async () => {
  await hand(1, { cases: [runCase('a'), runCase('b')] });
  await hand(2, { warnings: [SKIPPED], cases: [] });
  const { code, result } = await join2();
  assert.deepEqual([code, result.cases.length, result.warnings], ['0', 2, undefined]);
});

test('where no machine had anything to measure, the whole is skipped', async () => {
  for (const index of [1, 2])
    await hand(index, { shard: { index, of: 2, cases: [] }, warnings: [SKIPPED], cases: [] });
  const { code, result } = await join2();
  assert.deepEqual([code, result.cases, result.warnings], ['0', [], [SKIPPED]]);
});

test('what an earlier attempt left is not taken for this one’s', async () => {
  await hand(1, { cases: [runCase('a')] });
  await hand(2, { cases: [runCase('b')], seed: 3 });
  const { code, result } = await join2();
  assert.equal(code, '3');
  assert.deepEqual(result.warnings, [
    { code: 'shards-missing', shards: [2], of: 2, cases: ['b / autocannon c10'] },
  ]);
});

test('a machine is missed also where the others had nothing to measure, and where there is no other', async () => {
  await hand(1, { shard: { index: 1, of: 2, cases: [] }, warnings: [SKIPPED], cases: [] });
  const { code, result } = await join2();
  assert.equal(code, '3');
  assert.deepEqual(result.warnings.at(-1), { code: 'shards-missing', shards: [2], of: 2 });
  rmSync(join(cwd, 'shards'), { recursive: true });
  await assert.rejects(join2(), {
    name: 'UserError',
    message: /^shard 1, 2 of 2 left no results; see the logs/,
  });
});
