/**
 * include, exclude, versions of Node and routes written out: what of servers × routes × loads becomes a case.
 */

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { makePlan } from '../../scripts/plan/plan.js';
import { configOf, inFolder, readIn, routesOf } from '../plan/sources.js';

const LISTS = `servers: [alpha, beta]
routes: [/, /json]
reference: off
load: { tool: [autocannon, wrk], connections: [50, 100] }
`;

/** @type {(perfYml: string, flags?: import('../../scripts/types.js').Asked) => string[]} */
const ids = (perfYml, flags = {}) => makePlan(configOf(flags, perfYml)).cases.map(({ id }) => id);

const ALL = ids(LISTS);

test('the lists alone make every combination', () => {
  assert.equal(ALL.length, 2 * 2 * 2 * 2);
});

/** @type {[entry: string, isOut: (id: string) => boolean][]} */
const EXCLUDES = [
  ['{ connections: 50 }', (id) => id.endsWith('c50')],
  ['{ server: alpha, route: /json }', (id) => id.startsWith('alpha /json')],
  ['{ route: GET /json, tool: wrk }', (id) => / \/json wrk/.test(id)],
  ['{ server: beta, route: /, tool: wrk, connections: 100 }', (id) => id === 'beta / wrk c100'],
  ['{ keepAlive: true, connections: 100 }', (id) => id.endsWith('c100')],
];

for (const [entry, isOut] of EXCLUDES) {
  test(`exclude ${entry} takes out what has all its values`, () => {
    const left = ids(`${LISTS}exclude: [${entry}]\n`);
    assert.deepEqual(
      left,
      ALL.filter((id) => !isOut(id)),
    );
    assert.ok(left.length < ALL.length);
  });
}

test('a script in an entry is relative to its file, as in load', () => {
  inFolder(undefined, (cwd) => {
    mkdirSync(join(cwd, 'sub'));
    const load = 'load: { tool: k6, script: [a.js, b.js] }';
    for (const script of ['a.js', 'b.js']) writeFileSync(join(cwd, 'sub', script), '');
    const read = (/** @type {string} */ entry) => {
      writeFileSync(
        join(cwd, 'sub/perf.yml'),
        `servers: [{ id: a, start: x, routes: [{ path: / }] }]\nreference: off\n${load}\n${entry}\n`,
      );
      return readIn(cwd, { config: 'sub/perf.yml' });
    };
    assert.deepEqual(
      read('exclude: [{ script: a.js }]').cases.map(({ load: { script = '' } }) => resolve(script)),
      [join(cwd, 'sub/b.js')],
    );
    assert.throws(
      () => read('include: [{ script: c.js }]'),
      /perf\.yml:4: include: there is no file c\.js in/,
    );
  });
});

test('instances and proxies are lists of the matrix, 2x counts cores, and a case tells both', () => {
  const file = 'servers: alpha\nroutes: /\nreference: off\n';
  const four =
    'proxy: [nginx, https]\ninclude: [{ proxy: direct, rate: 500 }, { proxy: direct, instances: 2 }]\n';
  assert.deepEqual(ids(file + four), [
    'alpha / autocannon c100 nginx',
    'alpha / autocannon c100 https',
    'alpha / autocannon c100 r500',
    'alpha / autocannon c100 i2',
  ]);
  const [, twice] = makePlan(
    configOf({}, `${file}instances: [1, 2x]\nmanager: pm2\nproxy: https+nginx\n`),
  ).cases;
  const cores = 2 * availableParallelism();
  assert.equal(twice?.id, `alpha / autocannon c100 i${cores} pm2 https+nginx`);
  assert.deepEqual([twice?.instances, twice?.proxy], [cores, 'https+nginx']);
});

test('a server, route or load of which nothing is left is not in the configuration either', () => {
  const file = `${LISTS}exclude: [{ server: alpha }, { route: / }, { tool: wrk }]\n`;
  assert.deepEqual(
    configOf({}, file).servers.map(({ id }) => id),
    ['beta'],
  );
  assert.deepEqual(ids(file), ['beta /json autocannon c50', 'beta /json autocannon c100']);
});

test('include extends the combinations it agrees with, and leaves the others', () => {
  const plan = makePlan(
    configOf({ rounds: '3' }, `${LISTS}include: [{ connections: 100, duration: 30s, windows: 3 }]\n`),
  );
  assert.deepEqual(
    plan.cases.map(({ id }) => id),
    ALL,
  );
  for (const { load } of plan.cases) {
    const expected = load.connections === 100 ? [30, 3] : [10, undefined];
    assert.deepEqual([load.durationSeconds, load.windows], expected);
  }
});

test('include changes what is no list, and later entries what earlier ones changed', () => {
  const file = `${LISTS}include:\n  - { tool: autocannon, pipelining: 4 }\n  - { server: beta, tool: autocannon, pipelining: 8 }\n`;
  assert.deepEqual(
    ids(file),
    ALL.map((id) => (id.includes('autocannon') ? `${id} ${id.startsWith('beta') ? 'p8' : 'p4'}` : id)),
  );
});

/** @param {string} entry */
const added = (entry) => ids(`${LISTS}include: [${entry}]\n`).filter((id) => !ALL.includes(id));

test('include that agrees with nothing adds every value of what it leaves open', () => {
  assert.deepEqual(added('{ server: alpha, connections: 1000 }'), [
    'alpha / autocannon c1000',
    'alpha / wrk c1000',
    'alpha /json autocannon c1000',
    'alpha /json wrk c1000',
  ]);
  assert.deepEqual(added('{ server: alpha, route: POST /items, tool: ab, connections: 10, duration: 1s }'), [
    'alpha POST /items ab c10',
  ]);
});

test('what was excluded, include may bring back', () => {
  const file = `${LISTS}exclude: [{ tool: wrk }]\ninclude: [{ server: alpha, route: /, tool: wrk, connections: 50 }]\n`;
  assert.deepEqual(
    ids(file).toSorted(),
    ALL.filter((id) => !id.includes('wrk') || id === 'alpha / wrk c50').toSorted(),
  );
});

test('a value equal to the default is a list where it was written', () => {
  const plain = 'servers: [alpha]\nroutes: /\nreference: off\n';
  assert.deepEqual(ids(`${plain}include: [{ connections: 7 }]\n`), ['alpha / autocannon c7']);
  assert.deepEqual(ids(`${plain}load: { connections: 100 }\ninclude: [{ connections: 7 }]\n`), [
    'alpha / autocannon c100',
    'alpha / autocannon c7',
  ]);
});

test('flags may replace what the entries of a file speak of', () => {
  const file = `${LISTS}exclude: [{ server: beta, tool: wrk }]\ninclude: [{ server: beta, connections: 1 }]\n`;
  assert.deepEqual(
    ids(file, { servers: 'alpha' }),
    ALL.filter((id) => id.startsWith('alpha')),
  );
  assert.deepEqual(ids(file, { connections: '5', tool: 'ab', routes: '/' }), [
    'alpha / ab c5',
    'beta / ab c5',
    'beta / ab c1',
  ]);
});

test('the reference is loaded as the others are, each load once', () => {
  const file = `servers: [alpha, beta]\nroutes: /\nload: { connections: [50, 100] }\nexclude: [{ connections: 50, server: alpha }]\ninclude: [{ server: beta, connections: 1 }]\n`;
  assert.deepEqual(ids(file), [
    'gauge / autocannon c100',
    'gauge / autocannon c50',
    'gauge / autocannon c1',
    'alpha / autocannon c100',
    'beta / autocannon c50',
    'beta / autocannon c100',
    'beta / autocannon c1',
  ]);
});

test('scale shortens what include makes longer, too', () => {
  const [measured] = makePlan(
    configOf(
      { scale: '0.5' },
      'servers: [alpha]\nreference: off\ninclude: [{ duration: 20s, warmup: 0s }]\n',
    ),
  ).cases;
  assert.deepEqual([measured?.load.durationSeconds, measured?.load.warmupSeconds], [10, 0]);
});

test('a server runs on the version of Node that it names, under its own name, and the reference on the one on the PATH', () => {
  const server = (/** @type {string} */ rest) => `  - { ${rest}, start: node x, routes: [{ path: / }] }\n`;
  const config = configOf(
    {},
    `servers:\n${server('id: a')}${server('id: b, node: 22')}${server('id: c, node: "24.10"')}`,
  );
  assert.deepEqual(
    config.servers.map(({ id, name, version }) => [id, name, version]),
    [
      ['a', 'a', undefined],
      ['b', 'b', '22'],
      ['c', 'c', '24.10'],
    ],
  );
  assert.deepEqual([config.reference?.id, config.reference?.version], ['gauge', undefined]);
  assert.equal(makePlan(config).cases.at(-1)?.id, 'c / autocannon c100');
});

test('an entry may count instances by the cores, as the list does', () => {
  const file = `servers: [alpha, gauge]\nroutes: /\nreference: off\ninstances: [100, 1x]\nload: { connections: 5 }\nexclude:\n  - { server: alpha, instances: 1x }\n  - { server: gauge, instances: 100 }\n`;
  const cores = availableParallelism();
  assert.deepEqual(
    configOf({}, file).cases.map(({ server, instances }) => [server, instances]),
    [
      ['alpha', 100],
      ['gauge', cores],
    ],
  );
  assert.throws(
    () => configOf({}, file.replace('instances: 100 }', 'instances: 0x }')),
    /exclude\[?1?\]?.*"0x" is not a valid number of instances/,
  );
});

test("a route that perf.yml writes out is every server's, and goes before their own", () => {
  const file = `servers: [alpha, beta]
reference: off
routes:
  - /
  - { path: /json, headers: { accept: text/html }, expect: { status: 406 } }
  - { path: /search, method: POST, body: { q: 1 }, expect: { json: [] } }
`;
  const config = configOf({}, file);
  assert.deepEqual(routesOf(config), ['/', '/json', 'POST /search']);
  for (const { routes } of config.servers) {
    const { headers, expect } = routes.find(({ id }) => id === '/json') ?? {};
    assert.deepEqual([headers, expect], [{ accept: 'text/html' }, { status: 406 }]);
  }
  const post = makePlan(config).cases.find(({ route }) => route === 'POST /search');
  const headers = { 'content-type': 'application/json' };
  assert.deepEqual(post?.request, { method: 'POST', path: '/search', headers, body: '{"q":1}' });
  assert.deepEqual(routesOf(configOf({ routes: 'POST /search' }, file)), ['POST /search']);
});
