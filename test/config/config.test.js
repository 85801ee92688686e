import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { test } from 'node:test';
import { configOf, DATA, inFolder, loadsOf, readIn, routesOf } from '../plan/sources.js';

/** Any file of the working directory. */
const THERE = 'perf.yml';

test('a preset is measured over the defaults', () => {
  const { servers, reference, cases, file: _, ...config } = configOf({ preset: 'quick' });
  assert.deepEqual(
    servers.map(({ id }) => id),
    ['alpha', 'beta'],
  );
  assert.equal(reference?.id, 'gauge');
  assert.deepEqual(config, {
    asked: { preset: 'quick' },
    title: 'Quick',
    explain: true,
    controls: true,
    preset: 'quick',
    relativeTo: 'alpha',
    rounds: 2,
    free: {},
    seed: 7,
    out: 'perf-results',
    margin: 0.05,
    failOn: 'regressed',
    ignore: ['**/*.md', 'docs/**', '**/LICENSE*', '.github/**', '!.github/workflows/perf*'],
  });
  assert.deepEqual(
    cases.map(({ id }) => id),
    ['gauge / autocannon c100', 'alpha / autocannon c100', 'beta / autocannon c100'],
  );
  assert.deepEqual(cases[1]?.load, {
    tool: 'autocannon',
    connections: 100,
    durationSeconds: 3,
    warmupSeconds: 1,
    keepAlive: true,
    pipelining: 1,
    threads: 1,
  });
});

test('flags go before perf.yml, perf.yml before the preset, the preset before the defaults', () => {
  const config = configOf(
    { preset: 'long', connections: '5' },
    'title: Mine\nrounds: 4\nload: { connections: 6, duration: 8s }\n',
  );
  const { connections, durationSeconds, warmupSeconds, windows } = loadsOf(config)[0] ?? {};
  assert.deepEqual(
    { title: config.title, rounds: config.rounds, connections, durationSeconds, warmupSeconds, windows },
    { title: 'Mine', rounds: 4, connections: 5, durationSeconds: 8, warmupSeconds: 5, windows: undefined },
  );
});

test('a preset brings its published figures along', () => {
  assert.deepEqual(configOf({ preset: 'long' }).published, {
    source: 'a paper',
    conditions: 'a laptop',
    servers: { alpha: { throughput: 100 } },
  });
});

test('lists make a matrix, each combination once', () => {
  const loads = loadsOf(
    configOf({ connections: '50,100,50', 'keep-alive': 'true,false', tool: 'autocannon,wrk' }),
  );
  assert.equal(loads.length, 2 * 2 * 2);
  assert.equal(new Set(loads.map((load) => JSON.stringify(load))).size, 8);
  const same = configOf(
    {},
    'load: { connections: [50, 100], keepAlive: [true, false], tool: [autocannon, wrk] }\n',
  );
  assert.deepEqual(loadsOf(same), loads);
});

test('scale shortens duration and warm-up to whole seconds, one at least', () => {
  const scaled = (/** @type {string} */ scale) => {
    const { durationSeconds, warmupSeconds } = loadsOf(configOf({ preset: 'long', scale }))[0] ?? {};
    return [durationSeconds, warmupSeconds];
  };
  assert.deepEqual(scaled('0.1'), [3, 1]);
  assert.deepEqual(scaled('2'), [60, 10]);
  assert.equal(loadsOf(configOf({ servers: 'alpha', warmup: '0', scale: '0.5' }))[0]?.warmupSeconds, 0);
});

for (const [given, sent] of /** @type {const} */ ([
  [
    'body: { name: new, tags: [a, 1] }',
    [{ 'content-type': 'application/json' }, '{"name":"new","tags":["a",1]}'],
  ],
  ['body: [1, "${HOME}"]', [{ 'content-type': 'application/json' }, '[1,"${HOME}"]']],
  ['headers: { Content-Type: text/x-json }, body: {}', [{ 'Content-Type': 'text/x-json' }, '{}']],
  ["body: '{}'", [{}, '{}']],
]))
  test(`a body that is no text is sent as JSON: ${given}`, () => {
    const file = `servers: [alpha]\nreference: off\nroutes: [{ path: /, method: POST, ${given} }]\n`;
    const { headers, body } = configOf({}, file).cases[0]?.request ?? {};
    assert.deepEqual([headers, body], sent);
  });

test('a server may be a folder or be written out in perf.yml', () => {
  inFolder(undefined, (cwd) => {
    const own = relative(cwd, join(DATA, 'own'));
    const [server] = readIn(cwd, { servers: own }).servers;
    assert.equal(server?.id, 'own');
    assert.equal(server?.folder, join(DATA, 'own'));
  });
  inFolder('servers:\n  - id: mine\n    start: node x.js\n    routes: [{ path: /api }]\n', (cwd) => {
    const config = readIn(cwd);
    assert.equal(config.servers[0]?.name, 'mine');
    assert.equal(config.servers[0]?.folder, cwd);
    assert.deepEqual(routesOf(config), ['/api']);
  });
});

test('the server of the folder of perf.yml is chosen by the name that reports print', () => {
  inFolder('servers: [., alpha]\n', (cwd) => {
    writeFileSync(join(cwd, 'server.yml'), 'start: node x\nroutes: [{ path: / }]\n');
    const asked = basename(cwd);
    const { servers } = readIn(cwd, { servers: asked });
    assert.deepEqual(
      servers.map(({ id }) => id),
      [asked],
    );
  });
});

test('paths in a configuration file are relative to the file', () => {
  inFolder(undefined, (cwd) => {
    const sub = join(cwd, 'perf');
    mkdirSync(join(sub, 'own'), { recursive: true });
    writeFileSync(join(sub, 'own', 'server.yml'), 'start: node x\nroutes: [{ path: / }]\n');
    writeFileSync(join(sub, 'main.json'), '{}');
    writeFileSync(join(sub, 'my.yml'), 'servers: [./own]\nbaseline: main.json\nout: results\n');
    const config = readIn(cwd, { config: 'perf/my.yml' });
    assert.equal(config.servers[0]?.folder, join(sub, 'own'));
    assert.equal(config.baseline, join('perf', 'main.json'));
    assert.equal(config.out, join('perf', 'results'));
  });
});

test('a baseline that is not there is a mistake, with its place: compared with nothing, no check can fail', () => {
  assert.throws(() => configOf({}, 'seed: 1\nbaseline: nowhere.json\n'), {
    name: 'UserError',
    message:
      'perf.yml:2: baseline: there is no nowhere.json; copy the run.json of an earlier run there, or leave the baseline out to measure a first one',
  });
  assert.throws(() => configOf({ baseline: 'baselines' }), /^UserError: --baseline: there is no baselines;/);
});

test('margins and gates of single metrics are taken from perf.yml', () => {
  const { margin, margins, failOn, gates } = configOf(
    { margin: '2%' },
    'margins: { p99: 10%, memory: 0.5% }\nfailOn: unsure\ngates: { p99: never, memory: regressed }\n',
  );
  assert.deepEqual(
    { margin, margins, failOn, gates },
    {
      margin: 0.02,
      margins: { p99: 0.1, memory: 0.005 },
      failOn: 'unsure',
      gates: { p99: 'never', memory: 'regressed' },
    },
  );
});

test('the configuration says what is set and which rounds are a default; two sides have many short starts', () => {
  const settingsOf = (/** @type {Record<string, unknown>} */ options) => {
    const config = configOf({ servers: 'alpha', ...options });
    const [load] = loadsOf(config);
    const rounds = config.free?.rounds ? [config.rounds] : config.rounds;
    return [rounds, config.budgetSeconds, load?.warmupSeconds, load?.durationSeconds];
  };
  assert.deepEqual(settingsOf({}), [[3], 300, 2, 10]);
  assert.deepEqual(settingsOf({ duration: '5s' }), [[3], undefined, 2, 5]);
  assert.deepEqual(settingsOf({ against: 'main' }), [[3], 300, 1, 2]);
  assert.deepEqual(settingsOf({ against: 'main', rounds: '4' }), [4, undefined, 1, 2]);
  assert.deepEqual(settingsOf({ against: 'main', rounds: '4', budget: '1m', duration: '5s' }), [4, 60, 1, 5]);
  assert.deepEqual(settingsOf({ against: 'off' }), [[3], 300, 2, 10]);
  assert.deepEqual(settingsOf({ budget: '1m' }), [[3], 60, 2, 10]);
  assert.deepEqual(settingsOf({ budget: '1m', baseline: THERE }), [[3], 60, 2, 10]);
});

test('two sides are loaded by ten connections, unless somebody fixed them, or at a rate', () => {
  const connectionsOf = (/** @type {Record<string, unknown>} */ options, /** @type {string} */ file = '') =>
    loadsOf(configOf({ servers: 'alpha', ...options }, file)).map(({ connections }) => connections);
  assert.deepEqual(connectionsOf({}), [100]);
  assert.deepEqual(connectionsOf({ baseline: THERE }), [100]);
  assert.deepEqual(connectionsOf({ against: 'main' }), [10]);
  assert.deepEqual(connectionsOf({ against: 'main', rate: '500' }), [100]);
  assert.deepEqual(connectionsOf({ against: 'main', connections: '50,100' }), [50, 100]);
  assert.deepEqual(connectionsOf({ against: 'main' }, 'include: [{ rate: 500 }]\n'), [100]);
  assert.deepEqual(connectionsOf({ against: 'main' }, 'include: [{ rate: 500, connections: 20 }]\n'), [20]);
  assert.deepEqual(connectionsOf({ against: 'main' }, 'limits: { p99: 50ms, at: 500/s }\n'), [10, 100]);
});

test('between two sides a start is measured for two seconds, unless anybody fixed its time', () => {
  const settingsOf = (/** @type {Record<string, unknown>} */ options, /** @type {string} */ file = '') => {
    const config = configOf({ servers: 'alpha', reference: 'off', ...options }, file);
    const { durationSeconds, windows } = loadsOf(config)[0] ?? {};
    return [durationSeconds, windows];
  };
  assert.deepEqual(settingsOf({ against: 'main' }), [2, undefined]);
  assert.deepEqual(settingsOf({ against: 'main', duration: '6s' }), [6, undefined]);
  assert.deepEqual(settingsOf({ against: 'main', windows: '6' }), [6, 6]);
  assert.deepEqual(settingsOf({ against: 'main', scale: '0.5' }), [1, undefined]);
  assert.deepEqual(settingsOf({ baseline: THERE }), [10, undefined]);
  assert.deepEqual(settingsOf({ against: 'main' }, 'include: [{ server: alpha, duration: 8s }]\n'), [
    8,
    undefined,
  ]);
});

test('what a route alone needs is provided for, and checked, only where that route is measured', () => {
  const server =
    'servers:\n  - id: mine\n    start: node x.js\n    needs: [postgres]\n    routes:\n' +
    '      - { path: /cached, needs: [redis] }\n      - { path: /plain }\n';
  const measured = (/** @type {Record<string, unknown>} */ options) => {
    const [mine] = configOf({ ...options, reference: 'off' }, server).servers;
    return [mine?.needs, mine?.routes.map(({ id }) => id), mine?.ready.path];
  };
  assert.deepEqual(measured({ routes: '/plain' }), [['postgres'], ['/plain'], '/plain']);
  assert.deepEqual(measured({}), [['postgres', 'redis'], ['/cached', '/plain'], '/plain']);
});

const plainly = (/** @type {ReturnType<typeof configOf>} */ config) => {
  const [load] = loadsOf(config);
  return [config.rounds, load?.durationSeconds, load?.warmupSeconds];
};

/**
 * @type {[title: string, options: import('../../scripts/types.js').Asked, file: string | undefined, what:
 *   (config: ReturnType<typeof configOf>) => unknown, is: unknown][]}
 */
const SETTINGS = [
  ['perf.yml may name its preset', {}, 'preset: long\n', ({ rounds }) => rounds, 9],
  ['a flag may name another preset', { preset: 'quick' }, 'preset: long\n', ({ rounds }) => rounds, 2],
  ['who names servers gets the plain defaults', { servers: 'alpha' }, '', plainly, [3, 10, 2]],
  [
    'an empty flag counts as not given',
    { connections: '', baseline: '' },
    '',
    (config) => loadsOf(config)[0]?.connections,
    100,
  ],
  [
    'the reference can be another server',
    { reference: 'beta' },
    '',
    ({ reference }) => reference?.id,
    'beta',
  ],
  ['there can be no reference', {}, 'reference: off\n', ({ reference }) => reference, undefined],
  [
    'servers named twice are measured once',
    { servers: 'alpha,beta,alpha' },
    '',
    ({ servers }) => servers.length,
    2,
  ],
  [
    'ratios to a server that the preset chose are dropped with that server',
    { preset: 'quick', servers: 'beta' },
    '',
    ({ relativeTo }) => relativeTo,
    undefined,
  ],
  [
    'a route can be named with its method',
    { servers: 'alpha', routes: 'GET /json,POST /items,/json' },
    '',
    routesOf,
    ['/json', 'POST /items'],
  ],
  ['a seed of 0 is kept', { seed: '0' }, '', ({ seed }) => seed, 0],
  [
    'another commit replaces a baseline',
    { baseline: 'nowhere.json', against: 'main' },
    '',
    ({ baseline }) => baseline,
    undefined,
  ],
  [
    'without another commit the baseline stays',
    { baseline: THERE, against: 'off' },
    '',
    ({ baseline }) => baseline,
    THERE,
  ],
];
for (const [title, options, file, what, is] of SETTINGS)
  test(title, () => assert.deepEqual(what(configOf(options, file || undefined)), is));
