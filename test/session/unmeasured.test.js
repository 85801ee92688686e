/**
 * Commands that hold sessions of their own: how they end where nothing was measured.
 * @import { Run, Trial } from '../../scripts/types.js'
 */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { readRunConfig } from '../../scripts/session/run-config.js';
import { searchCapacity } from '../../scripts/session/experiments/capacity-search.js';
import { ALONE } from '../../scripts/session/experiments/experiment.js';
import { prove, PROVE_OPTIONS } from '../../scripts/session/experiments/prove.js';
import { soak, SOAK_OPTIONS } from '../../scripts/session/experiments/soak.js';
import { run, runCase, trial } from '../store/runs.js';
import { scratch } from '../store/scratch.js';

const PERF_YML = `
servers: [{ id: api, start: node x, routes: [{ path: / }] }]
limits: { p99: 50ms, at: 500/s }
`;
const SCHEDULE = { cycles: 12, loadSeconds: 1, restSeconds: 1 };

/**
 * @typedef {(io: any, hold: typeof import('../../scripts/session/session.js').runSession) => Promise<any>}
 *   Command
 */

/** @type {Record<'capacity' | 'prove' | 'soak', Command>} */
const COMMANDS = {
  capacity: (io, hold) => hold(searchCapacity(readRunConfig(ALONE, cwd), io), io),
  prove: (io, hold) => prove(readRunConfig(PROVE_OPTIONS, cwd), 0.05, { ...io, hold }),
  soak: (io, hold) => hold(soak(readRunConfig(SOAK_OPTIONS, cwd), SCHEDULE, io), io),
};

let cwd = '';
beforeEach(() => {
  cwd = scratch();
  writeFileSync(join(cwd, 'perf.yml'), PERF_YML);
});

/**
 * @param {Command} command
 * @param {{ run: Run, base?: Run }} runs of its session
 * @param {boolean} [isCancelled]
 */
function held(command, runs, isCancelled = false) {
  const io = {
    ...{ cwd, env: process.env, stderr: { write: () => true } },
    signal: new AbortController().signal,
  };
  const measured = { ...runs, code: 3, seconds: 0, isCancelled, text: () => '' };
  return command(io, async ({ answer }) => answer(measured));
}

/** @param {Trial[]} trials */
const runOf = (...trials) => ({ run: run({ cases: [runCase('api', trials)] }) });

for (const [name, command] of Object.entries(COMMANDS)) {
  test(`${name} of a server that fails ends with its failure`, async () => {
    const failure = { kind: /** @type {const} */ ('exited-at-start'), message: '`node x` ended with 1' };
    await assert.rejects(held(command, runOf(trial({ failure }))), { name: 'MeasureError', ...failure });
  });

  test(`${name} that is cancelled says so, whatever was measured`, async () => {
    await assert.rejects(held(command, runOf(trial()), true), { kind: 'cancelled' });
  });
}

test('a stored baseline is no other side of a search for the capacity', async () => {
  const kept = { rate: 500, requests: 1000, latencyMs: { p99: 10 } };
  const missed = { rate: 520, requests: 800, latencyMs: { p99: 90 } };
  const windows = Array.from({ length: 10 }, () => [kept, missed]).flat();
  const base = run({ session: 'stored', cases: [runCase('api')] });
  const { found } = await held(COMMANDS.capacity, { ...runOf(trial({}, ...windows)), base });
  assert.deepEqual([found.base, found.compared], [undefined, undefined]);
});

test('a server that keeps its limit at every rate of the search asks for a higher one', async () => {
  const kept = { rate: 500, requests: 1000, latencyMs: { p99: 10 } };
  await assert.rejects(
    held(COMMANDS.capacity, runOf(trial({}, kept, { ...kept, rate: 800, requests: 1600 }))),
    {
      name: 'UserError',
      message:
        /^capacity: api .* is not found within 20 windows from 500 requests per second on; set a higher at$/,
    },
  );
});

/**
 * @param {'head' | 'base'} below the side that breaks its limit at the first rate
 * @param {boolean} [isBoth]
 */
async function searched(below, isBoth = false) {
  const kept = { rate: 500, requests: 1000, latencyMs: { p99: 10 } };
  const missed = { rate: 500, requests: 600, latencyMs: { p99: 90 } };
  const up = { rate: 1000, requests: 2000, latencyMs: { p99: 10 } };
  const above = { rate: 1100, requests: 1800, latencyMs: { p99: 90 } };
  const sideOf = (/** @type {'head' | 'base'} */ side) => {
    const windows =
      side === below || isBoth ? Array(20).fill(missed) : [kept, ...Array(9).fill([up, above]).flat()];
    return run({
      cases: [
        runCase(
          'api',
          Array.from({ length: 5 }, (_, round) => trial({ round }, ...windows)),
        ),
      ],
    });
  };
  const { code, text } = await held(COMMANDS.capacity, { base: sideOf('base'), run: sideOf('head') });
  return { code, text: text() };
}

test('a head that breaks its limit at the first rate, which the base keeps, has regressed', async () => {
  const { code, text } = await searched('head');
  assert.equal(code, 1);
  assert.match(
    text,
    /^Capacity of api .*: below 500 req\/s, where the search begins\n\nCapacity of the base: 1,0/,
  );
  assert.match(text, /🔴 Regressed, by at least 5\d\.\d %/);
  const better = await searched('base');
  assert.equal(better.code, 0);
  assert.match(better.text, /🟢 Improved, by at least 1\d\d\.\d %/);
  await assert.rejects(searched('head', true), {
    name: 'UserError',
    message: /at the first rate already.*; set a lower at$/,
  });
});
