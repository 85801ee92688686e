/** Controls: what counts of them, which share of the risk they have, and which become full cases. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { controlsToPromote } from '../../scripts/judge/control-cases.js';
import { failedCases, outcomeOf } from '../../scripts/judge/gate.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

/** @import { Run, RunCase } from '../../scripts/types.js' */
/** @typedef {{ base: Run, head: Run }} Sides */

const CONTROL = /** @type {const} */ ({ role: 'control' });

/** slower: of the head. @typedef {{ slower?: number, noise?: number, starts?: number }} Truth */
/** @type {(cases: Record<string, Truth & { facts?: Partial<RunCase> }>, seed?: number) => Sides} */
function runsOf(cases, seed = 5) {
  const random = seededNormal(seed);
  const side = (/** @type {boolean} */ isHead) =>
    runOf(
      Object.entries(cases).map(([id, { slower = 0, noise = 0.01, starts = 8, facts }]) => {
        const trials = startsOf({ level: isHead ? 1000 * (1 - slower) : 1000, noise, starts, random });
        return { ...caseOf(id, trials), ...facts };
      }),
    );
  return { base: side(false), head: side(true) };
}

/** @param {Sides} runs */
const verdictsOf = ({ base, head }) => {
  const { verdict, cases } = compare(base, head);
  return { verdict, cases: Object.fromEntries(cases.map((each) => [each.id, each.verdict])) };
};

const NOISY = { noise: 0.3, facts: CONTROL };

test('what a control leaves open does not count for the whole, and its regression does', () => {
  assert.deepEqual(verdictsOf(runsOf({ touched: {}, control: NOISY })), {
    verdict: 'same',
    cases: { touched: 'same', control: 'unsure' },
  });
  const slower = runsOf({ touched: {}, control: { slower: 0.3, facts: CONTROL } });
  assert.equal(verdictsOf(slower).verdict, 'regressed');
  assert.deepEqual(failedCases(compare(slower.base, slower.head), { failOn: 'regressed' }), ['control']);
});

test('a control that is open fails no check that fails on unsure cases, and one that was promoted does', () => {
  const rules = { failOn: /** @type {const} */ ('unsure') };
  const open = runsOf({ touched: {}, control: NOISY });
  assert.deepEqual(failedCases(compare(open.base, open.head), rules), []);
  const promoted = runsOf({ touched: {}, control: { noise: 0.3, facts: { ...CONTROL, promotedAt: 1 } } });
  assert.deepEqual(failedCases(compare(promoted.base, promoted.head), rules), ['control']);
});

test('where no route executes changed code, the whole is the same only if every control is', () => {
  assert.equal(verdictsOf(runsOf({ a: { facts: CONTROL }, b: { facts: CONTROL } })).verdict, 'same');
  assert.equal(verdictsOf(runsOf({ a: { facts: CONTROL }, b: NOISY })).verdict, 'unsure');
});

test('where no route executes changed code, a promoted control that is the same says nothing of the others', () => {
  const promoted = { facts: { ...CONTROL, promotedAt: 1 } };
  assert.equal(verdictsOf(runsOf({ a: promoted, b: NOISY })).verdict, 'unsure');
  assert.equal(verdictsOf(runsOf({ a: promoted, b: { facts: CONTROL } })).verdict, 'same');
  assert.equal(verdictsOf(runsOf({ a: { ...promoted, slower: 0.3 }, b: NOISY })).verdict, 'regressed');
});

test('beside the base of another run, routes are no controls, whatever they were when they were measured', () => {
  const { base, head } = runsOf({ a: {}, b: { facts: CONTROL } });
  const touched = { reasons: [], routes: [] };
  const compared = compare({ ...base, session: 'another' }, { ...head, touched });
  assert.deepEqual(
    [compared.touched, compared.cases.map(({ role }) => role)],
    [undefined, [undefined, undefined]],
  );
});

test('a promoted control keeps its small share of the risk', () => {
  const level = (/** @type {Partial<RunCase>} */ facts) => {
    const { base, head } = runsOf({ touched: {}, control: { noise: 0.3, facts } });
    const [, { metrics = [] } = {}] = compare(base, head).cases;
    return metrics.find(({ metric }) => metric === 'throughput')?.ciLevelPct ?? 0;
  };
  const [full = 0, control = 0, promoted = 0] = [{}, CONTROL, { ...CONTROL, promotedAt: 0 }].map(level);
  assert.ok(full < control && control <= promoted, `${full}, ${control}, ${promoted}`);
});

test('a control that never started leaves the whole unmeasured', () => {
  const { base, head } = runsOf({ touched: {}, control: { facts: CONTROL } });
  const failure = /** @type {const} */ ({ kind: 'exited-at-start', message: 'ended with 1' });
  for (const { role, trials } of head.cases)
    if (role) trials.splice(0, Infinity, { round: 0, failure, windows: [] });
  const comparison = compare(base, head);
  assert.equal(comparison.verdict, 'failed');
  assert.equal(outcomeOf({ run: head, comparison }, { failOn: 'regressed' }), 3);
});

test('rounds that promoted a control do not judge it', () => {
  const runs = runsOf({ touched: {}, control: { facts: { ...CONTROL, promotedAt: 2 } } });
  for (const { trials } of runs.head.cases)
    for (const trial of trials.filter(({ round }) => round < 2))
      for (const window of trial.windows) window.requests /= 2;
  const [, control] = compare(runs.base, runs.head).cases;
  assert.deepEqual([control?.role, control?.promoted, control?.verdict], ['control', true, 'same']);
});

test('a run that ends before a promoted control starts again is open, and not failed', () => {
  const { base, head } = runsOf({ control: { starts: 2, facts: { ...CONTROL, promotedAt: 2 } } });
  assert.equal(compare(base, head).cases[0]?.verdict, 'unsure');
});

test('controls take a small share of the risk from the cases that execute changed code', () => {
  const p = (/** @type {Partial<RunCase> | undefined} */ facts) => {
    const others = Array.from({ length: 18 }, (_, index) => [`c${index}`, { noise: 0.3, starts: 4, facts }]);
    const { base, head } = runsOf({
      touched: { slower: 0.03, noise: 0.03, starts: 12 },
      ...Object.fromEntries(others),
    });
    const [touched] = compare(base, head).cases;
    return touched?.metrics.find(({ metric }) => metric === 'throughput')?.ciLevelPct ?? 0;
  };
  assert.ok(p(CONTROL) < p(undefined), `${p(CONTROL)} against ${p(undefined)}`);
});

test('a control is judged by its speed alone: memory and starts are those of all', () => {
  const { base, head } = runsOf({ touched: {}, control: { facts: CONTROL } });
  for (const { cases } of [base, head])
    for (const { trials } of cases)
      for (const trial of trials) for (const window of trial.windows) window.rssBytes = 1e8;
  const [touched, control] = compare(base, head).cases.map(({ metrics }) =>
    metrics.map(({ metric }) => metric),
  );
  assert.ok(touched?.includes('memory'));
  assert.deepEqual(control?.filter((id) => id !== 'errors').toSorted(), ['cpuPerRequest', 'throughput']);
});

const SHORT = { starts: 2, noise: 0.02, facts: CONTROL };
const many = (/** @type {object} */ changes = {}) =>
  Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`c${index}`, { ...SHORT, ...changes }]));
const promotedOf = (/** @type {Sides} */ { base, head }) => [...controlsToPromote(base, head)];

test('a control whose sides differ in two starts becomes a full case', () => {
  assert.deepEqual(promotedOf(runsOf({ touched: { slower: 0.3, starts: 2 }, ...many() })), []);
  assert.deepEqual(promotedOf(runsOf({ ...many(), c3: { ...SHORT, starts: 1, slower: 0.25 } })), []);
  assert.deepEqual(promotedOf(runsOf({ ...many(), c3: { ...SHORT, slower: 0.25 } })), ['c3']);
});

test('a control that is decided stays one, so that its rounds still judge it', () => {
  const facts = { ...CONTROL, decidedAt: 0.2 };
  assert.deepEqual(promotedOf(runsOf({ ...many(), c3: { ...SHORT, slower: 0.25, facts } })), []);
});

test('where the controls of a run scatter as much, none is promoted by chance', () => {
  const seeds = Array.from({ length: 40 }, (_, seed) => promotedOf(runsOf(many({ noise: 0.15 }), seed + 1)));
  const falsely = seeds.filter(({ length }) => length > 0).length;
  assert.ok(falsely <= 8, `${falsely} of 40 runs`);
});

test('what slows all controls makes two of them full cases at a time', () => {
  const runs = runsOf(many({ slower: 0.25 }));
  const first = promotedOf(runs);
  assert.equal(first.length, 2);
  const asked = (/** @type {Partial<RunCase>} */ facts) => ({
    ...runs,
    head: {
      ...runs.head,
      cases: runs.head.cases.map((each) => (first.includes(each.id) ? { ...each, ...facts } : each)),
    },
  });
  assert.deepEqual(promotedOf(asked({ promotedAt: 1 })), [], 'while they are open');
  const next = promotedOf(asked({ promotedAt: 1, decidedAt: 0.2 }));
  assert.equal(next.length, 2);
  assert.ok(next.every((id) => !first.includes(id)));
});

test('what slows each control by another share hides none of them', () => {
  const shares = [0.3, 0.25, 0.5, 0.35, 0.6, 0.3, 0.4, 0.2];
  const each = shares.map((slower, place) => [`c${place}`, { ...SHORT, noise: 0.01, slower }]);
  assert.deepEqual(promotedOf(runsOf(Object.fromEntries(each))), ['c4', 'c2']);
});
