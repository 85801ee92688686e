import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UserError } from '../../scripts/errors.js';
import { mergeRuns } from '../../scripts/store/merge.js';
import { run, runCase, trial } from './runs.js';

/** @param {number} round @param {number} requests */
const boot = (round, requests) => trial({ round }, { requests });

test('cases are united, trials joined by round, the summary made anew', () => {
  const first = run({ cases: [runCase('a', [boot(0, 2000), boot(2, 4000)]), runCase('b')] });
  const second = run({
    startedAt: '2026-11-20T09:59:00.000Z',
    finishedAt: '2026-11-20T10:05:00.000Z',
    environment: { runtimes: { go: '1.25.0' }, tools: { wrk: '4.1' } },
    cases: [runCase('c'), runCase('a', [boot(1, 3000)])],
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
  assert.deepEqual([merged.cases[0]?.summary?.trials, merged.cases[0]?.summary?.throughput], [3, 1500]);
  assert.deepEqual([merged.startedAt, merged.finishedAt], [second.startedAt, second.finishedAt]);
  assert.deepEqual(merged.environment.runtimes, { node: '20.20.2', go: '1.25.0' });
  assert.deepEqual(merged.environment.tools, { autocannon: '9.0.0', wrk: '4.1' });
  assert.equal(merged.warnings, undefined);
  assert.equal(first.cases[0]?.trials.length, 2, 'what was joined is left as it was');
});

test('warnings stand once, and shards of different machines are warned of', () => {
  const warnings = [{ code: 'cancelled', message: 'early' }];
  const merged = mergeRuns([
    run({ warnings, cases: [runCase('a')] }),
    run({ warnings, cases: [runCase('b')], environment: { fingerprint: 'bbbb1111' } }),
  ]);
  assert.deepEqual(
    merged.warnings?.map(({ code }) => code),
    ['cancelled', 'mixed-machines'],
  );
  assert.match(merged.warnings?.[1]?.message ?? '', /2 kinds of machine \(aaaa0000, bbbb1111\)/);
});

/** @type {[string, Parameters<typeof mergeRuns>[0], RegExp][]} */
const REFUSED = [
  ['nothing', [], /name at least one/],
  [
    'two sessions',
    [run(), run({ id: 'two', session: 'session-2' })],
    /two is of the session session-2.*session-1/,
  ],
  [
    'both sides',
    [run(), run({ revision: { sha: '0123456789abcdef', label: 'base' } })],
    /of the side base.*of head/,
  ],
  [
    'two commits',
    [run(), run({ revision: { label: 'head' } })],
    /of the revision \(none\).*of 0123456789abcdef/,
  ],
  ['the same twice', [run(), run()], /named twice; name it once/],
];

for (const [what, runs, told] of REFUSED) {
  test(`${what} cannot be joined`, () => {
    assert.throws(
      () => mergeRuns(runs),
      (error) => {
        assert.ok(error instanceof UserError);
        assert.match(error.message, told);
        return true;
      },
    );
  });
}
