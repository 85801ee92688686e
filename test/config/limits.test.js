/** Limits in perf.yml: what they are, the cases that they add, and the line of each mistake. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configOf, inFolder, readIn } from '../plan/sources.js';

/**
 * @param {string} limits
 * @param {import('../../scripts/types.js').Asked} [options]
 */
const read = (limits, options = {}) => {
  const { cases, ...config } = configOf({ servers: 'alpha,beta', ...options }, `limits: ${limits}\n`);
  return { limits: config.limits, ids: cases.filter(({ reference }) => !reference).map(({ id }) => id) };
};

/** @type {(yaml: string, options?: import('../../scripts/types.js').Asked) => string[]} */
const mistakes = (yaml, options = {}) =>
  inFolder(yaml, (cwd) => {
    try {
      readIn(cwd, options);
    } catch (error) {
      return /** @type {Error} */ (error).message.split('\n');
    }
    return [];
  });

test('a limit has one bound for each metric, in the units of the figures', () => {
  assert.deepEqual(read('{ p50: 10ms, p99: 0.2s, errors: 0.1%, at: 500/s }').limits, [
    { metric: 'p50', bound: 10, rate: 500 },
    { metric: 'p99', bound: 200, rate: 500 },
    { metric: 'errors', bound: 0.001, rate: 500 },
  ]);
  assert.deepEqual(
    read(
      '[{ throughput: 1000, server: alpha }, { cpuPerRequest: 50us, memory: 256MB, allocated: 50kB, outgoing: 0, errors: 0% }]',
    ).limits,
    [
      { metric: 'throughput', bound: 1000, server: 'alpha' },
      { metric: 'cpuPerRequest', bound: 50 },
      { metric: 'memory', bound: 256e6 },
      { metric: 'allocated', bound: 50e3 },
      { metric: 'outgoing', bound: 0 },
      { metric: 'errors', bound: 0 },
    ],
  );
});

test('a rate that no load has adds one case to each server and route', () => {
  const options = { connections: '50,100', routes: '/' };
  const { ids } = read('[{ p99: 50ms, at: 500 }, { p50: 5ms, at: 500/s }]', options);
  assert.deepEqual(ids, [
    'alpha / autocannon c50',
    'alpha / autocannon c100',
    'alpha / autocannon c50 r500',
    'beta / autocannon c50',
    'beta / autocannon c100',
    'beta / autocannon c50 r500',
  ]);
});

test('a rate that the loads have adds nothing, and a limit of one server adds to that alone', () => {
  const asked = read('{ p99: 50ms, at: 500/s }', { rate: '500', connections: '50', routes: '/' }).ids;
  assert.deepEqual(asked, ['alpha / autocannon c50 r500', 'beta / autocannon c50 r500']);
  const { ids } = read('{ p99: 50ms, at: 500/s, server: beta }');
  assert.deepEqual(
    [...new Set(ids.filter((id) => id.includes('r500')).map((id) => id.split(' ')[0]))],
    ['beta'],
  );
});

test('flags may leave out the server that a limit of the file names', () => {
  assert.deepEqual(
    mistakes('servers: [alpha, beta]\nlimits: { memory: 1GB, server: beta }\n', { servers: 'alpha' }),
    [],
  );
});

test('a limit of what no limited server counts is refused in one line', () => {
  const ofRuntime = (/** @type {string} */ runtime) =>
    mistakes(
      `limits: { outgoing: 3 }\nservers: [{ id: api, runtime: ${runtime}, start: ./api, routes: [/] }]\n`,
    );
  assert.deepEqual(ofRuntime('go'), [
    'perf.yml:1: limits: outgoing is counted in servers of node alone, and none of them is limited; leave it out',
  ]);
  assert.deepEqual(ofRuntime('node'), []);
});

/** @type {[yaml: string, line: string, options?: import('../../scripts/types.js').Asked][]} */
const MISTAKES = [
  [
    'limits: { p99: 50ms }',
    'perf.yml:1: limits: p99 needs a rate, since the latency of a closed loop only says how fast the server is; add one, like at: 500/s',
  ],
  [
    'limits:\n  - p50: 5ms\n    at: 100/s\n  - p98: 50ms\n    at: 500/s',
    'perf.yml:4: limits: unknown metric "p98"; did you mean "p99"?',
  ],
  [
    'limits: { p99: 50, at: 500/s }',
    'perf.yml:1: limits: "50" is not a valid limit; use a number with its unit, like 50ms',
  ],
  [
    'limits: { memory: 1 elephant }',
    'perf.yml:1: limits: "1 elephant" is not a valid limit; use a number with its unit, like 256MB',
  ],
  [
    'limits: { p99: 50ms, at: 0.5/s }',
    'perf.yml:1: limits: "0.5/s" is not a valid rate; use a whole number, like 500/s',
  ],
  ['limits: { p99: 50ms, at: 5000000/s }', 'perf.yml:1: limits: "5000000" is too large; use at most 1000000'],
  [
    'limits: { throughput: 600/s, at: 500/s }',
    'perf.yml:1: limits: at 500 requests per second none can answer 600; use at most the rate, or leave at out',
  ],
  [
    'limits: { statements: 10 }',
    'perf.yml:1: limits: statements are counted in the PostgreSQL, MariaDB or Redis that a run starts, which no limited server needs; add needs, or leave it out',
  ],
  ['limits: { at: 500/s }', 'perf.yml:1: limits: a limit needs a metric; add one, like p99: 50ms'],
  [
    'limits: { memory: 1GB, server: alpa }',
    'perf.yml:1: limits: server "alpa" is not measured; did you mean "alpha"?',
  ],
  [
    'limits: { throughput: 10/s }',
    'perf.yml:1: limits: every case has a fixed rate, at which throughput is what was asked for; add at, or a load without rate',
    { rate: '500' },
  ],
  [
    'limits: { p99: 50ms, at: 500/s, server: alpha, route: / }',
    'perf.yml:1: limits: no load of alpha / can be sent at a rate; use autocannon or k6, without a script, threads or pipelining',
    { tool: 'wrk' },
  ],
];

for (const [yaml, line, options] of MISTAKES)
  test(`the mistake in ${yaml.replaceAll('\n', ' ')} gets one line`, () =>
    assert.deepEqual(mistakes(`${yaml}\nservers: [alpha, beta]\n`, options), [line]));
