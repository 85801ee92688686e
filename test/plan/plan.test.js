import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlan } from '../../scripts/plan/plan.js';
import { planOf } from '../../scripts/plan/shard.js';
import { serversById } from '../../scripts/plan/side-servers.js';
import { shortBudget, windowsOf } from '../../scripts/plan/timetable.js';
import { configOf } from './sources.js';

/** Its groups by side and case. @param {import('../../scripts/types.js').Step[][]} groups */
const named = (groups) => groups.map((group) => group.map(nameOf));

/** @param {import('../../scripts/types.js').Step} step */
const nameOf = (step) => `${step.side.label} ${step.case.server}`;

/** @param {import('../../scripts/types.js').Config} config */
const sidesOf = (config) => ['base', 'head'].map((label) => ({ label, servers: serversById(config) }));

/** @param {import('../../scripts/types.js').Plan} plan */
const ids = ({ cases }) => cases.map(({ id }) => id);

const OWN = `servers:
  - { id: orders, start: node o.js, routes: [{ path: /orders }, { path: /orders, method: POST }] }
  - { id: alpha, start: node mine.js, routes: [{ path: /mine }] }
`;

/** @type {[what: string, options: Record<string, string>, file: string | undefined, ids: string[]][]} */
const CASES = [
  [
    'servers by routes by loads, the reference first',
    { routes: '/,/json', connections: '50,100' },
    undefined,
    ['gauge /', 'alpha /', 'alpha /json', 'beta /', 'beta /json'].flatMap((of) => [
      `${of} autocannon c50`,
      `${of} autocannon c100`,
    ]),
  ],
  [
    'without a reference',
    { reference: 'off', servers: 'alpha', routes: '/' },
    undefined,
    ['alpha / autocannon c100'],
  ],
  [
    'without routes, every server on all of its own',
    {},
    OWN,
    ['gauge /', 'orders /orders', 'orders POST /orders', 'alpha /mine'].map((of) => `${of} autocannon c100`),
  ],
  [
    'servers of the file before the catalogue',
    { servers: 'beta,alpha', reference: 'off' },
    OWN,
    ['beta /', 'beta /json', 'alpha /mine'].map((of) => `${of} autocannon c100`),
  ],
  [
    'each server on the listed routes that it has',
    { servers: 'alpha,beta,orders', reference: 'off' },
    `${OWN}routes: [/mine, /json]\n`,
    ['alpha /mine', 'beta /json', 'orders /orders', 'orders POST /orders'].map(
      (of) => `${of} autocannon c100`,
    ),
  ],
  [
    'what differs from the default load',
    { servers: 'alpha', reference: 'off', routes: '/', 'keep-alive': 'false', rate: '5000' },
    undefined,
    ['alpha / autocannon c100 no-keep-alive r5000'],
  ],
  [
    'no duration',
    { servers: 'alpha', reference: 'off', routes: '/', duration: '20s', warmup: '0', windows: '2' },
    undefined,
    ['alpha / autocannon c100'],
  ],
];
for (const [what, options, file, expected] of CASES)
  test(`the ids of cases say: ${what}`, () => {
    const plan = makePlan(configOf(options, file));
    assert.deepEqual(ids(plan), expected);
    for (const { server, reference } of plan.cases)
      assert.equal(reference, server === 'gauge' ? true : undefined);
  });

test('a reference among the servers keeps its place and is measured once', () => {
  const { cases } = makePlan(configOf({ servers: 'alpha,gauge', routes: '/' }));
  const isReference = cases.map(({ server, reference }) => [server, reference]);
  assert.deepEqual(isReference, Object.entries({ alpha: undefined, gauge: true }));
});

test('a reference without the route is measured on its first route, with its own request', () => {
  const { cases } = makePlan(configOf({ servers: 'alpha', routes: 'POST /items' }));
  const own = { method: 'POST', path: '/items', headers: { 'content-length': '2' }, body: '{}' };
  assert.deepEqual(
    cases.map(({ server, route, request }) => [server, route, request]),
    [
      ['gauge', '/', { method: 'GET', path: '/', headers: {} }],
      ['alpha', 'POST /items', own],
    ],
  );
});

const ALPHA = { servers: 'alpha', routes: '/', reference: 'off' };

test('a number of requests is one window, bounded by the duration, and scaled with it', () => {
  const load = (/** @type {Record<string, string>} */ more) => {
    const [planned] = configOf({ ...ALPHA, tool: 'ab', requests: '5000', ...more }).cases;
    const { requests, durationSeconds } = planned?.load ?? {};
    return { requests, durationSeconds, ...(planned && windowsOf(planned)) };
  };
  const whole = { requests: 5000, durationSeconds: 60, count: 1, seconds: 60, mostSeconds: 0 };
  assert.deepEqual(load({}), whole);
  assert.deepEqual(load({ against: 'self' }), whole);
  const split = { durationSeconds: 20, count: 10, seconds: 2 };
  assert.deepEqual(load({ duration: '20s', windows: '10' }), { ...whole, ...split });
  assert.deepEqual(load({ scale: '0.1' }), { ...whole, requests: 500, durationSeconds: 6, seconds: 6 });
});

test('an entry of include may give one tool a number of requests', () => {
  const { cases } = configOf(ALPHA, 'load: { tool: [wrk, ab] }\ninclude: [{ tool: ab, requests: 900 }]\n');
  assert.deepEqual(
    cases.map(({ id, load }) => [id, load.requests, load.durationSeconds]),
    [
      ['alpha / wrk c100', undefined, 10],
      ['alpha / ab c100', 900, 60],
    ],
  );
});

test('the order comes from the seed, and a longer run begins with the rounds of a shorter one', () => {
  const order = (/** @type {string} */ seed, rounds = '10') => makePlan(configOf({ seed, rounds })).order;
  assert.deepEqual(order('3').slice(0, 5), order('3', '5'));
  assert.notDeepEqual(order('3'), order('4'));
});

test('every round measures every case once, both sides together, and the reference in every sixteenth round', () => {
  const config = configOf({ rounds: '20', seed: '1' });
  const sides = sidesOf(config);
  const plan = makePlan(config, sides);
  const cases = ['base alpha', 'base beta', 'head alpha', 'head beta'];
  const rounds = plan.order.map(named);
  assert.equal(rounds.length, 20);
  for (const [index, round] of rounds.entries()) {
    const expected = index % 16 === 15 ? ['base gauge', 'head gauge', ...cases] : cases;
    assert.deepEqual(round.flat().sort(), expected.sort());
    for (const [first = '', second = ''] of round)
      assert.equal(first.slice(5), second.slice(5), 'sides of one case');
  }
  assert.ok(new Set(rounds.map(String)).size > 5);
  assert.deepEqual(plan.sides, sides);
});

test('a server or route that a side lacks is not measured on it', () => {
  const config = configOf({ servers: 'alpha,beta', reference: 'off', routes: '/', rounds: '1' });
  const { alpha, beta } = serversById(config);
  assert.ok(alpha && beta);
  const steps = (/** @type {Record<string, import('../../scripts/types.js').Server>} */ base) =>
    makePlan(config, [
      { label: 'base', servers: base },
      { label: 'head', servers: { alpha, beta } },
    ])
      .order.flat(2)
      .map(nameOf)
      .sort();
  const expected = ['base alpha', 'head alpha', 'head beta'];
  assert.deepEqual(steps({ alpha }), expected);
  assert.deepEqual(steps({ alpha, beta: { ...beta, routes: [] } }), expected);
  const posts = beta.routes.map((route) => ({ ...route, id: `POST ${route.path}`, method: 'POST' }));
  assert.deepEqual(steps({ alpha, beta: { ...beta, routes: posts } }), expected);
});

test('a budget below one round is refused in one line, with what a round takes and what is enough', () => {
  const config = (/** @type {string} */ budget) => configOf({ ...ALPHA, against: 'main', budget });
  assert.throws(() => planOf(config('1s'), sidesOf(config('1s'))), {
    name: 'UserError',
    message: 'budget: 1s is less than one round, which takes about 12s; use at least 48s, or fewer cases',
  });
  planOf(config('12s'), sidesOf(config('12s')));
  const known = { 'alpha / autocannon c10': 40 };
  assert.throws(() => planOf(config('12s'), sidesOf(config('12s')), known), {
    name: 'UserError',
    message: 'budget: 12s is less than one round, which takes about 84s; use at least 336s, or fewer cases',
  });
});

test("a budget must have time for a round of this machine's cases, not of all", () => {
  const config = (/** @type {Record<string, string>} */ shard) =>
    configOf({
      ...ALPHA,
      against: 'main',
      connections: '50,100',
      budget: '12s',
      duration: '2s',
      seed: '1',
      controls: 'false',
      ...shard,
    });
  const plan = (/** @type {Record<string, string>} */ shard) => planOf(config(shard), sidesOf(config(shard)));
  assert.throws(() => plan({}), /takes about 16s/);
  assert.equal(plan({ shard: '1/2' }).cases.length, 1);
});

test('if only the budget limits the rounds, a single case can fill it', () => {
  const config = configOf({ ...ALPHA, against: 'main', budget: '1m' });
  const plan = makePlan(config);
  assert.equal(plan.order.length, Math.ceil(60 / (0.7 + 3 * 1 + 2 * 1.1)));
  assert.equal(plan.estimateSeconds, 60);
  const slow = makePlan(config, undefined, { 'alpha / autocannon c10': 20 });
  assert.equal(slow.rounds, Math.floor(60 / (20 + 2)));
});

test('between two sides most rounds leave out the reference, unless it is all there is', () => {
  const counts = (/** @type {Parameters<typeof configOf>[0]} */ options) => {
    const config = configOf({ servers: 'alpha', against: 'main', ...options });
    const { order } = makePlan(config, sidesOf(config));
    return order.slice(0, 17).map((groups) => groups.flat().filter((step) => step.case.reference).length);
  };
  assert.deepEqual(counts({ budget: '5m' }), [...Array(15).fill(0), 2, 0]);
  assert.deepEqual(counts({ rounds: '17' }), [...Array(15).fill(0), 2, 0]);
  assert.deepEqual(counts({ rounds: '3' }), [0, 0, 2]);
  assert.deepEqual(counts({ rounds: '3', servers: 'gauge' }), [2, 2, 2]);
});

test('a plain run has five minutes, and its reference a quarter of the starts; a stored run to compare with changes that', () => {
  const counts = (/** @type {Record<string, string>} */ options) => {
    const { order, budgetSeconds } = makePlan(configOf({ servers: 'alpha', ...options }));
    const steps = order.flat(2);
    return [steps.length, steps.filter((step) => step.case.reference).length, budgetSeconds];
  };
  assert.deepEqual(counts({ routes: '/' }), [4, 1, 300]);
  assert.deepEqual(counts({ servers: 'alpha,beta' }), [19, 4, 300]);
  assert.deepEqual(counts({ routes: '/', rounds: '3' }), [6, 3, Infinity]);
  assert.deepEqual(counts({ routes: '/', duration: '3s' }), [6, 3, Infinity]);
  assert.deepEqual(counts({ routes: '/', baseline: import.meta.filename }), [6, 3, Infinity]);
  assert.deepEqual(counts({ routes: '/', servers: 'gauge' }), [3, 3, 300], 'it was asked for');
});

test('a budget shortens windows until the rounds fit, and then the rounds; a duration that is set stays', () => {
  const fitted = (/** @type {Record<string, string>} */ options) => {
    const { rounds, cases, estimateSeconds, budgetSeconds } = planOf(
      configOf({ servers: 'alpha', ...options }),
      [{ label: 'head', servers: serversById(configOf({})) }],
    );
    assert.ok(estimateSeconds <= Number(budgetSeconds));
    return [rounds, cases[0]?.load.durationSeconds, cases[0]?.load.warmupSeconds];
  };
  assert.deepEqual(fitted({ routes: '/' }), [3, 10, 2]);
  assert.deepEqual(fitted({ routes: '/', budget: '30s' }), [3, 5, 1.25]);
  assert.deepEqual(fitted({ routes: '/', budget: '10s' }), [1, 2, 1]);
  assert.deepEqual(fitted({ routes: '/', budget: '30s', duration: '4s' }), [2, 4, 2]);
});

test('the first of a group is the last in the next round', () => {
  const config = configOf({ rounds: '6', seed: '1', routes: '/', connections: '50' });
  const { order } = makePlan(config);
  const [first, second, third] = order.map(named);
  assert.deepEqual(second, [first?.[0]?.toReversed()]);
  assert.deepEqual(third?.[0]?.toSorted(), first?.[0]?.toSorted());
});

test('on one side the servers of a load run at the same time, each on one route, with the reference', () => {
  const { order } = makePlan(configOf({ rounds: '1', routes: '/,/json', connections: '50,100' }));
  const groups = (order[0] ?? []).map((group) => group.map((step) => step.case.id).sort());
  assert.deepEqual(groups.sort(), [
    ['alpha / autocannon c100', 'beta / autocannon c100', 'gauge / autocannon c100'],
    ['alpha / autocannon c50', 'beta / autocannon c50', 'gauge / autocannon c50'],
    ['alpha /json autocannon c100', 'beta /json autocannon c100', 'gauge / autocannon c100'],
    ['alpha /json autocannon c50', 'beta /json autocannon c50', 'gauge / autocannon c50'],
  ]);
});

test('the estimate counts start, warm-up, load and windows of every trial, and uses what an earlier run showed', () => {
  const config = configOf({ rounds: '4', duration: '10s', warmup: '2s' });
  const isNear = (/** @type {number} */ found, /** @type {number} */ expected) =>
    assert.ok(Math.abs(found - expected) < 1e-6, `${found} s, expected ${expected} s`);
  const start = 0.7 + 2 + 10 * 1.1;
  isNear(makePlan(config).estimateSeconds, 3 * 4 * start);
  const known = { 'alpha / autocannon c100': 1.7 };
  isNear(makePlan(config, undefined, known).estimateSeconds, 2 * 4 * start + 4 * (1.7 + 10));
  const counted = configOf({ rounds: '4', duration: '10s', warmup: '2s', tool: 'ab', requests: '6000' });
  isNear(makePlan(counted).estimateSeconds, 3 * 4 * (0.7 + 2 + 1.1));
});

test('a server whose runtime compiles is warmed up until it is level, unless the time is fixed', () => {
  const java = `servers:
  - { id: shop, runtime: java, start: java x, routes: [{ path: / }] }
  - { id: api, start: node x, routes: [{ path: / }] }
`;
  const self = { against: 'self' };
  for (const [
    options,
    isLevel,
    seconds,
  ] of /** @type {[Record<string, string>, true | undefined, number[]][]} */ ([
    [{}, true, [10, 10]],
    [{ scale: '0.1' }, true, [1, 1]],
    // A start that took so long to warm up is worth more windows.
    [self, true, [6, 2]],
    [{ ...self, duration: '3s' }, true, [3, 3]],
    [{ ...self, windows: '2' }, true, [2, 2]],
    [{ ...self, scale: '0.5' }, true, [1, 1]],
    [{ warmup: '5s' }, undefined, [10, 10]],
  ])) {
    const { cases } = makePlan(configOf({ ...options, reference: 'off' }, java));
    assert.deepEqual(
      [cases.map(({ untilLevel }) => untilLevel), cases.map(({ load }) => load.durationSeconds)],
      [[isLevel, undefined], seconds],
      JSON.stringify(options),
    );
  }
});

test('a case says that its server has other routes, measured or not', () => {
  const { cases } = makePlan(configOf({ servers: 'alpha,beta', routes: '/' }));
  assert.deepEqual(
    cases.map(({ oneOfRoutes }) => oneOfRoutes),
    [undefined, true, true],
  );
});

const ENCODED = ['/caf%C3%A9', '/a%20b', 'POST /items/%7Bid%7D', '/?filter={%22a%22:1}'];
const PATHS = `reference: off
servers:
  - id: api
    start: node o.js
    routes: [/café, /a b, { path: '/items/{id}', method: POST }, '/?filter={"a":1}']
limits: { route: /café, throughput: 1/s }
exclude: [{ route: /a b, connections: 50 }]
`;

/** @type {[routes: string | undefined, planned: string[]][]} */
const NAMED = [
  [undefined, ENCODED],
  ['/a b,/café', ['/a%20b', '/caf%C3%A9']],
  ['POST /items/{id}', ['POST /items/%7Bid%7D']],
  ...ENCODED.map((route) => /** @type {[string, string[]]} */ ([route, [route]])),
];
for (const [routes, planned] of NAMED)
  test(`a path that needs encoding is measured under its one name: ${routes ?? 'all'}`, () => {
    const asked = { connections: '100,50', ...(routes !== undefined && { routes }) };
    const plan = makePlan(configOf({ ...asked, rounds: '1' }, PATHS));
    const started = new Set(plan.order.flat(2).map((step) => step.case.route));
    assert.deepEqual([...started].sort(), [...planned].sort());
    assert.ok(!ids(plan).includes('api /a%20b autocannon c50'), 'excluded as it is written');
  });

test('a budget too short for a verdict is one line, with the one that four rounds need', () => {
  const lineOf = (/** @type {Record<string, string>} */ options) => {
    const config = configOf({ servers: 'alpha', routes: '/', ...options });
    return shortBudget(planOf(config, sidesOf(config).slice(config.against === undefined ? 1 : 0)));
  };
  const line = lineOf({ budget: '30s', against: 'main' });
  const [, seconds = ''] =
    /^budget: 30s is enough for about \d of the 4 rounds .*; use at least (\d+)s/.exec(line ?? '') ?? [];
  assert.equal(lineOf({ budget: `${seconds}s`, against: 'main' }), undefined);
  assert.equal(lineOf({ budget: '30s' }), undefined);
  assert.equal(lineOf({ budget: '30s', rounds: '1', against: 'main' }), undefined);
});
