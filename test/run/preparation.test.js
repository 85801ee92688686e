/** What is installed and built side by side, and what is not. */

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MeasureError } from '../../scripts/model/errors.js';
import { prepareAll } from '../../scripts/run/prepare/preparation.js';
import { serverOf } from './fakes.js';
import { scratchFolder } from '../scratch.js';

const SIDE = { label: 'head', servers: {} };

/**
 * @param {Record<string, string>} folders by server
 * @param {string} [broken]
 * @param {string} [leaving] leaves a process behind
 */
async function prepareIn(folders, broken, leaving) {
  let under = 0;
  let most = 0;
  /** @type {string[]} */
  const words = [];
  const tasks = Object.entries(folders).map(([id, folder]) => ({
    side: SIDE,
    server: serverOf(id, { folder }),
  }));
  await prepareAll(tasks, {
    dependencies: {
      cores: 2,
      now: () => performance.now(),
      async prepare({ id }) {
        most = Math.max(most, ++under);
        words.push(`begin ${id}`);
        await sleep(5);
        words.push(`end ${id}`);
        under--;
        if (id === broken) throw new MeasureError('build-failed', 'no compiler');
        return id === leaving ? ['builder'] : [];
      },
      setUp: async () => [],
    },
    signal: new AbortController().signal,
    onProgress: () => {},
    onLeft: ({ server }, names) => words.push(`${server.id} left ${names}`),
    onFailure: ({ server }, { kind }) => words.push(`${server.id} ${kind}`),
  });
  return { most, words };
}

test('servers in separate folders are prepared in parallel, one a core', async () => {
  const { most, words } = await prepareIn({ a: '/a', b: '/b', c: '/c' }, 'a');
  assert.equal(most, 2);
  assert.equal(words.filter((word) => word.startsWith('end')).length, 3);
  assert.ok(words.includes('a build-failed'));
});

test('servers that share a folder or a workspace, or lie in one another, wait for each other', async () => {
  const top = scratchFolder();
  for (const app of ['orders', 'users']) mkdirSync(join(top, 'apps', app), { recursive: true });
  const shared = { one: '/x', two: '/x' };
  assert.equal((await prepareIn(shared)).most, 1);
  assert.equal((await prepareIn({ inner: '/x/y', outer: '/x' })).most, 1);
  assert.equal((await prepareIn({ one: '/x', other: '/xy' })).most, 2);
  const apps = { orders: join(top, 'apps/orders'), users: join(top, 'apps/users') };
  assert.equal((await prepareIn(apps)).most, 2);
  writeFileSync(join(top, 'package-lock.json'), '{}');
  assert.equal((await prepareIn(apps)).most, 1);
  for (const folder of Object.values(apps)) writeFileSync(join(folder, 'package-lock.json'), '{}');
  assert.equal((await prepareIn(apps)).most, 2);
});

test('processes that an installation or a build left behind are reported with the server', async () => {
  const { words } = await prepareIn({ a: '/a' }, undefined, 'a');
  assert.deepEqual(words, ['begin a', 'end a', 'a left builder']);
});

test('a long preparation reports every ten seconds what it runs', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  let now = 0;
  /** @type {unknown[]} */
  const still = [];
  await prepareAll([{ side: SIDE, server: serverOf('a') }], {
    dependencies: {
      cores: 2,
      now: () => now,
      async prepare(_server, { onStep }) {
        onStep?.('npm ci');
        for (now of [10_000, 20_000, 25_000]) context.mock.timers.tick(now - 1000 * 10 * still.length);
        return [];
      },
      setUp: async () => [],
    },
    signal: new AbortController().signal,
    onProgress: (event) => {
      if (event.type === 'prepare' && event.seconds !== undefined) still.push([event.command, event.seconds]);
    },
    onLeft: () => {},
    onFailure: (_task, error) => assert.fail(error),
  });
  assert.deepEqual(still, [
    ['npm ci', 10],
    ['npm ci', 20],
  ]);
});
