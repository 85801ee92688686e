/** What a first start says about servers, with real ones. */

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { startOnce } from '../../scripts/session/first-start.js';
import { toy } from '../deploy/toys/toys.js';
import { configOf } from '../run/fakes.js';

/**
 * @param {import('../../scripts/types.js').Server[]} servers
 * @param {AbortSignal} [signal]
 * @param {number} [mostSeconds]
 */
function startToys(servers, signal = new AbortController().signal, mostSeconds = 60) {
  const config = configOf([], { servers, load: { tool: 'autocannon', connections: 100 } });
  const surroundings = { cwd: tmpdir(), env: process.env, stderr: { write: () => {} }, signal };
  return startOnce(config, surroundings, mostSeconds);
}

const [root] = toy('x').routes;
const answers = {
  routes: [{ .../** @type {import('../../scripts/types.js').Route} */ (root), expect: { status: 200 } }],
};

test('each server is started once, checked and stopped; the others do not suffer from one that fails', async () => {
  const [fine, broken] = await startToys([toy('fine'), toy('exits-at-start')]);
  assert.ok(Number(fine?.startupMs) > 0);
  assert.equal(fine?.failure, null);
  assert.deepEqual(
    fine?.routes.map(({ id, answer }) => [id, answer?.status, answer?.bytes]),
    [
      ['/', 200, 12],
      ['/json', 200, 17],
    ],
  );
  assert.ok(fine?.routes.every(({ seconds }) => Number(seconds) > 0));
  assert.equal(broken?.failure?.kind, 'exited-at-start');
  assert.deepEqual(broken?.failure?.logTail?.slice(-1), ['cannot open the database']);
});

test('connections that only wait are named, unless the server works on many answers at once', async () => {
  const [working, waiting] = await startToys([toy('works-long', answers), toy('waits-long', answers)]);
  const { queue } = working?.routes[0] ?? {};
  assert.deepEqual([queue?.connections, queue?.enough], [100, 8]);
  assert.ok(Number(queue?.waitSeconds) >= 3, `${queue?.waitSeconds}`);
  assert.ok(Number(waiting?.routes[0]?.seconds) >= 0.03);
  assert.equal(waiting?.routes[0]?.queue, undefined);
});

test('a route that writes is asked as often as a run asks it before its load', async () => {
  const routes = answers.routes.map((route) => ({ ...route, method: 'POST' }));
  const [written] = await startToys([toy('x', { routes })]);
  assert.equal(written?.routes[0]?.answer?.status, 200);
  assert.equal(written?.routes[0]?.seconds, undefined);
});

test('a first start that is cancelled says so', async () => {
  await assert.rejects(startToys([toy('never-ready')], AbortSignal.timeout(300)), {
    kind: 'cancelled',
    message: 'before every server had started',
  });
  await assert.rejects(startToys([toy('never-ready')], undefined, 0.3), {
    kind: 'cancelled',
    message: 'after 0.005 min, before every server had started',
  });
});
