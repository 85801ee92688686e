/** Two sides that insist on one port: real servers, and a load that only notes where it went. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/system/free-port.js';
import { makePlan } from '../../scripts/plan/plan.js';
import { conduct } from '../../scripts/run/conduct.js';
import { realDependencies } from '../../scripts/run/dependencies.js';
import { toy } from '../deploy/toys/toys.js';
import { configOf } from './fakes.js';

/** loaded: the addresses. @param {string} runtime */
async function measured(runtime) {
  const port = await freePort();
  const server = toy('ignores-port', { runtime, env: { OWN_PORT: String(port) } });
  const config = configOf([], {
    servers: [server],
    rounds: 2,
    load: { durationSeconds: 0.1, warmupSeconds: 0 },
  });
  const sides = ['base', 'head'].map((label) => ({ label, servers: { [server.id]: server } }));
  /** @type {Set<string>} */
  const loaded = new Set();
  const { trials, warnings } = await conduct(makePlan(config, sides), {
    signal: new AbortController().signal,
    env: process.env,
    dependencies: {
      ...realDependencies(),
      load: async ({ url, seconds }) => {
        loaded.add(url);
        await sleep(1000 * seconds);
        return { seconds, requests: 100 };
      },
      enter: async () => [],
      observe: () => ({ stop: async () => ({}) }),
    },
    services: [],
    onProgress: () => {},
    onMeasured: async () => {},
  });
  for (const own of trials.values())
    assert.deepEqual(
      own.map(({ round, failure }) => [round, failure]),
      [
        [0, null],
        [1, null],
      ],
    );
  return { own: `http://127.0.0.1:${port}`, loaded, warnings };
}

test('servers that ignore PORT and share a port are measured there separately', async () => {
  const { own, loaded, warnings } = await measured('python3');
  assert.deepEqual([...loaded], [own]);
  assert.deepEqual(
    warnings.map((/** @type {any} */ { code, beside }) => [code, beside]),
    [['measured-alone', 'its port is taken: read PORT']],
  );
});

test('Node servers that share a port are measured beside each other', async () => {
  const { own, loaded, warnings } = await measured('node');
  assert.ok(loaded.has(own) && loaded.size > 1, [...loaded].join());
  assert.deepEqual(warnings, []);
});
