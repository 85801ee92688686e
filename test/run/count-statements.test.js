import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MeasureError } from '../../scripts/model/errors.js';
import { conductFakes, configOf, routesOf, serverOf } from './fakes.js';

/** @import { Behaviour } from './fakes.js' */

const BOTH = { sides: ['base', 'head'], services: ['redis'] };
const SHOP = serverOf('shop', { needs: ['redis'] });

/**
 * Each of the 100 requests of a window costs a transaction with a statement that is about items, of which the
 * head reads two more; the head has a job, which runs whenever it is asked what was counted.
 * @param {Behaviour} [behaviour]
 */
async function conductShop(behaviour, servers = [SHOP], sides = BOTH) {
  const asked = { base: 0, head: 0 };
  let jobs = 0;
  return conductFakes(configOf([], { servers, rounds: 2, load: { durationSeconds: 2 } }), sides, {
    answers(name) {
      asked[name.endsWith('head') ? 'head' : 'base'] += 100;
      return 100;
    },
    async statements(side) {
      const n = asked[side === 0 ? 'base' : 'head'];
      const counted = { BEGIN: n, COMMIT: n, 'SELECT hidden-pw FROM items': side === 0 ? n : 3 * n };
      return new Map(Object.entries(side === 0 ? counted : { ...counted, 'DELETE FROM old': ++jobs }));
    },
    ...behaviour,
  });
}

test('a window has the statements of its own requests, and apart from them those of its transactions', async () => {
  const { trialsOf } = await conductShop();
  const [first, second] = trialsOf('shop')[0]?.windows ?? [];
  const one = { count: 100, idle: 0, by: { 'SELECT ${PW} FROM items': 100 } };
  assert.deepEqual([first?.statements, first?.controlStatements], [one, 200]);
  assert.deepEqual(second?.statements, one, 'its neighbour was loaded meanwhile, and has its own database');
});

test('what is counted without load is told, for a second before the first window and between windows', async () => {
  const { trialsOf } = await conductShop();
  const idle = trialsOf('shop', 1).map(({ windows }) => windows.map(({ statements }) => statements?.idle));
  assert.deepEqual(idle, [
    [1, 1],
    [undefined, 1],
  ]);
  const { by } = trialsOf('shop', 1)[0]?.windows[0]?.statements ?? {};
  assert.deepEqual(Object.values(by ?? {}), [300, 1], 'the most frequent comes first');
});

test('nothing is counted of a server whose statements go on after its load, or whose counters have lost something', async () => {
  let jobs = 0;
  const statements = async () => new Map([['DELETE FROM old', ++jobs]]);
  for (const behaviour of [{ staysBusy: true, statements }, { statements: async () => undefined }]) {
    const { trialsOf } = await conductShop(behaviour);
    const windows = trialsOf('shop').flatMap((trial) => trial.windows);
    assert.ok(windows.length > 0);
    assert.deepEqual(
      windows.flatMap(({ statements }) => statements ?? []),
      [],
    );
  }
});

test('a server that is still at work, but asks nothing any more, is counted', async () => {
  const { trialsOf } = await conductShop({ staysBusy: true });
  assert.equal(trialsOf('shop')[0]?.windows[0]?.statements?.count, 100);
});

test('two servers of a side, which share a database, are counted one at a time', async () => {
  const servers = [SHOP, serverOf('twin', { needs: ['redis'] })];
  const counted = async (/** @type {boolean} */ interleaves) => {
    const { trialsOf } = await conductShop({ interleaves }, servers, { ...BOTH, sides: ['base'] });
    return trialsOf('shop').flatMap(({ windows }) => windows.map(({ statements }) => statements?.count));
  };
  assert.deepEqual(new Set(await counted(false)), new Set([100]));
  assert.deepEqual(new Set(await counted(true)), new Set([undefined]));
});

test('counters that cannot be read fail the start, and the others go on', async () => {
  const { trialsOf } = await conductShop({
    statements: async (side) => {
      if (side === 1) throw new MeasureError('service-failed', 'psql ended');
      return new Map();
    },
  });
  const failures = [0, 1].map((side) => trialsOf('shop', side)[0]?.failure?.message);
  assert.deepEqual(failures, [undefined, 'psql ended']);
});

test('routes that share a start are counted apart from what their checks ask, and so without load', async () => {
  const servers = [{ ...SHOP, routes: routesOf(['/', '/b']) }];
  const config = configOf([], { servers, rounds: 2, load: { durationSeconds: 1 } });
  const cases = config.cases.flatMap((planned) =>
    ['/', '/b'].map((route) => ({ ...planned, id: route, route })),
  );
  const routes = ['/', '/b'].map((route) => ({
    ...{ server: 'shop', route, touched: route === '/' },
    functions: [],
  }));
  const asked = { base: 0, head: 0 };
  const ask = (/** @type {number} */ times) => (/** @type {string} */ name) =>
    void (asked[name.endsWith('head') ? 'head' : 'base'] += times);
  /** @type {string[]} */
  const words = [];
  const { trials } = await conductFakes(
    { ...config, cases },
    { ...BOTH, touched: { routes, reasons: [] } },
    {
      ...{ interleaves: true, load: ask(100), verify: ask(1) },
      onEvent: (word) => void words.push(word.replace(/ .*/, '')),
      inside: [{ counts: true, rest: async () => void words.push('rest'), stop: async () => {} }],
      statements: async (side) => new Map([['SELECT 1', asked[side === 0 ? 'base' : 'head']]]),
    },
  );
  for (const own of trials.values()) {
    const counted = own.flatMap((trial) => trial.windows).flatMap(({ statements }) => statements ?? []);
    assert.deepEqual(
      counted.map(({ count }) => count),
      [100, 100],
    );
    assert.equal(counted[0]?.idle, 0, 'of the route that leads, and of the one that rides');
  }
  const loads = words.filter((word) => word === 'rest' || word === 'interleave').join(' ');
  assert.equal(
    loads,
    'rest rest interleave rest rest interleave interleave rest rest interleave',
    'a check of a rider may ask other servers, too',
  );
});

test('each case is watched between its warm-up and its first window, and each server once for a second', async () => {
  const servers = [SHOP, serverOf('twin')];
  const config = configOf([], { servers, rounds: 2 });
  const cases = config.cases.flatMap((planned) => [planned, { ...planned, id: `${planned.id} again` }]);
  let watched = 0;
  const inside = [{ counts: true, rest: async () => void watched++, stop: async () => {} }];
  const sides = ['base', 'head'];
  const { words } = await conductFakes({ ...config, cases }, { sides }, { inside, saysIdle: true });
  assert.equal(watched, sides.length * cases.length);
  assert.equal(words.filter((word) => word === 'idle ').length, sides.length * servers.length);
});
