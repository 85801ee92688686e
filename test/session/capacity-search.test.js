/** The load of a search: a rate for each window, by what the windows of the same start showed. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searching } from '../../scripts/session/experiments/capacity-search.js';

const WANTED = { firstRate: 500, mostMs: 50 };

/** A server that answers in time up to a rate, by its address. @param {Record<string, number>} capacities */
function fakes(capacities) {
  /** @type {(number | undefined)[]} */
  const asked = [];
  /** @type {any} */
  const dependencies = {
    startServer: async (/** @type {string} */ url) => ({ url }),
    load: async (/** @type {any} */ { url, load, seconds }) => {
      asked.push(load.rate);
      const p99 = load.rate > (capacities[url] ?? 0) ? 90 : 10;
      return { seconds, requests: (load.rate ?? 0) * seconds, latencyMs: { p99 } };
    },
  };
  return { asked, dependencies: /** @type {any} */ (searching(dependencies, WANTED)) };
}

const target = (/** @type {string} */ url) => ({ url, seconds: 1, load: { tool: 'any', rate: 500 } });

test('the warm-up keeps to its load, the first window the first one, and each start has a search of its own', async () => {
  const { asked, dependencies } = fakes({ a: 5000, b: 600 });
  await dependencies.startServer('a');
  await dependencies.startServer('b');
  await dependencies.load({ ...target('a'), load: { tool: 'any' } });
  const first = await dependencies.load(target('a'));
  assert.equal(first.rate, 500);
  await dependencies.load(target('b'));
  await dependencies.load(target('a'));
  await dependencies.load(target('b'));
  await dependencies.load(target('b'));
  assert.deepEqual(asked.slice(0, 3), [undefined, 500, 500]);
  const [a = 0, b = 0, again = 0] = asked.slice(3);
  assert.ok(a > 500 && b > 600 && again < b);
  await dependencies.startServer('a');
  assert.equal((await dependencies.load(target('a'))).rate, 500);
});
