import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeRuns } from '../../scripts/store/merge.js';
import { run, runCase, trial } from './runs.js';

/**
 * @param {number} round
 * @param {number} requests
 */
const start = (round, requests) => trial({ round }, { requests });

test('cases are united, trials joined by round, the summary made anew', () => {
  const first = run({ cases: [runCase('a', [start(0, 2000), start(2, 4000)]), runCase('b')] });
  const second = run({
    startedAt: '2026-11-20T09:59:00.000Z',
    finishedAt: '2026-11-20T10:05:00.000Z',
    environment: { runtimes: { go: '1.25.0' }, tools: { wrk: '4.1' } },
    cases: [runCase('c'), runCase('a', [start(1, 3000)])],
  });
  const merged = mergeRuns([first, second]);
  assert.deepEqual(
    merged.cases.map(({ server, trials }) => [server, trials.map(({ round }) => round)]),
    [
      ['a', [0, 1, 2]],
      ['b', [0]],
      ['c', [0]],
    ],
  );
  assert.deepEqual(
    [merged.cases[0]?.summary?.trials, Math.round(merged.cases[0]?.summary?.throughput ?? 0)],
    [3, 1442],
  );
  assert.deepEqual([merged.startedAt, merged.finishedAt], [second.startedAt, second.finishedAt]);
  assert.deepEqual(merged.environment.runtimes, { node: '20.20.2', go: '1.25.0' });
  assert.deepEqual(merged.environment.tools, { autocannon: '9.0.0', wrk: '4.1' });
  assert.equal(merged.warnings, undefined);
  assert.equal(first.cases[0]?.trials.length, 2, 'what was joined is left as it was');
});

test('warnings stand once, and shards of different machines are warned of', () => {
  const warnings = [{ code: /** @type {const} */ ('cancelled'), measured: 1, planned: 2 }];
  const merged = mergeRuns([
    run({ warnings, cases: [runCase('a')] }),
    run({ warnings, cases: [runCase('b')], environment: { fingerprint: 'bbbb1111' } }),
  ]);
  assert.deepEqual(
    merged.warnings?.map(({ code }) => code),
    ['cancelled', 'mixed-machines'],
  );
  assert.deepEqual(/** @type {any} */ (merged.warnings?.[1]).machines, ['aaaa0000', 'bbbb1111']);
});

/**
 * @param {number} index
 * @param {Parameters<typeof run>[0]} facts
 */
const shard = (index, facts = {}) =>
  run({
    id: `session-${index}`,
    session: `session-${index}`,
    seed: 4,
    command: `perf-action run --seed=4 --shard=${index}/2 --rounds=3`,
    shard: { index, of: 2, cases: ['b', 'a', 'c'].map((server) => `${server} / autocannon c10`) },
    ...facts,
  });

test('shards of machines of their own are joined in the order of the whole, the reference first, and each trial names its shard', () => {
  const reference = { ...runCase('r'), reference: /** @type {const} */ (true) };
  const [one, two] = [
    shard(1, { cases: [reference, runCase('a')] }),
    shard(2, { cases: [reference, runCase('b')] }),
  ];
  const merged = mergeRuns([two, one]);
  assert.deepEqual(
    merged.cases.map(({ server, trials }) => [server, trials.map((each) => each.block)]),
    [
      ['r', [1, 2]],
      ['b', [2]],
      ['a', [1]],
    ],
  );
  assert.deepEqual([merged.id, merged.session, merged.shard], ['session-1', 'session-1', undefined]);
  assert.equal(merged.command, 'perf-action run --seed=4 --rounds=3');
  assert.equal(merged.warnings, undefined);
  assert.deepEqual(mergeRuns([one, two]), merged);
});

test('a shard that left nothing is reported, with what it should have measured', () => {
  const { warnings, cases } = mergeRuns([shard(1, { cases: [runCase('r'), runCase('a')] })]);
  assert.equal(cases.length, 2);
  const lost = ['b / autocannon c10', 'c / autocannon c10'];
  assert.deepEqual(warnings, [{ code: 'shards-missing', shards: [2], of: 2, cases: lost }]);
});

/** @type {[string, Parameters<typeof mergeRuns>[0], RegExp][]} */
const REFUSED = [
  ['nothing', [], /give at least one/],
  ['two sessions', [run(), run({ id: 'two', session: 'two' })], /two is of the session two.*session-1/],
  [
    'both sides',
    [run(), run({ revision: { sha: '0123456789abcdef', label: 'base' } })],
    /of the side base.*of head/,
  ],
  ['two commits', [run(), run({ revision: { label: 'head' } })], /revision \(none\).*of 0123456789abcdef/],
  ['the same twice', [run(), run()], /given twice; give it once/],
  ['shards of two runs', [shard(1), shard(2, { seed: 5 })], /of the seed 5.*of 4/],
  [
    'shards of two plans',
    [shard(1), shard(2, { shard: { index: 2, of: 2, cases: ['x'] } })],
    /of the cases x/,
  ],
  ['other shards', [shard(1), shard(2, { shard: { index: 2, of: 3, cases: [] } })], /number of shards 3/],
  ['a shard measured twice', [shard(1), shard(1, { id: 'again' })], /shard 1 was measured twice/],
  ['a shard and a whole run', [run({ seed: 4 }), shard(1)], /number of shards 2.*\(none\)/],
];
for (const [what, runs, message] of REFUSED)
  test(`${what} cannot be joined`, () => {
    assert.throws(() => mergeRuns(runs), { name: 'UserError', message });
  });
