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

test('servers that ignore PORT and share a port are measured there separately', async () => {
  const port = await freePort();
  const server = toy('ignores-port', { env: { OWN_PORT: String(port) } });
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
      own.map(({ round, failure, fixedPort }) => [round, failure, fixedPort]),
      [
        [0, null, port],
        [1, null, port],
      ],
    );
  assert.deepEqual([...loaded], [`http://127.0.0.1:${port}`]);
  assert.deepEqual(
    warnings.map((/** @type {any} */ { code, beside }) => [code, /^its port is taken$/.test(String(beside))]),
    [['measured-alone', true]],
  );
});
