/** Errors: a new kind and the rate of all are tested start by start, too few of them are told. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { compareErrors } from '../../scripts/judge/compare-errors.js';
import { FALSE_ALARMS } from '../../scripts/judge/alpha-spending.js';
import { seededRandom } from '../../scripts/plan/random.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { ERRORS } from '../../scripts/samples/figures.js';
import { figureIn } from '../../scripts/samples/case-figures.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

/** @import { Errors, Trial } from '../../scripts/types.js' */

const NONE = { timeouts: 0, connect: 0, read: 0, write: 0, non2xx: 0 };
const REQUESTS = 30_000;
/** So many are compared only where a limit of errors allows them. */
const ALLOWED = { limits: [{ metric: 'errors', bound: 1 }] };

/**
 * A start each, with the given shares of requests answered by an error; counts vary as counts do.
 * @param {number[]} shares
 * @param {number} seed
 * @returns {Trial[]}
 */
function failing(shares, seed) {
  const random = seededNormal(seed);
  return shares.map((share, round) => {
    const expected = share * REQUESTS;
    const non2xx = Math.max(0, Math.round(expected + Math.sqrt(expected) * random()));
    const [trial] = startsOf({
      level: REQUESTS,
      noise: 0.02,
      starts: 1,
      random,
      more: { errors: { ...NONE, non2xx } },
    });
    return { .../** @type {Trial} */ (trial), round };
  });
}

/**
 * @param {number} share
 * @param {number} [count]
 */
const often = (share, count = 12) => Array.from({ length: count }, () => share);

/**
 * @param {Trial[]} base
 * @param {Trial[]} head
 */
function judge(base, head) {
  const [only] = compare(runOf([caseOf('a', base)]), runOf([caseOf('a', head)]), ALLOWED).cases;
  return { verdict: only?.verdict, errors: only?.metrics.find(({ metric: id }) => id === 'errors') };
}

/**
 * @param {Partial<Errors>[]} errors of each start
 * @param {number} seed
 * @returns {Trial[]}
 */
const withErrors = (errors, seed) =>
  failing(often(0, errors.length), seed).map((trial, round) => ({
    ...trial,
    windows: trial.windows.map((window) => ({ ...window, errors: { ...NONE, ...errors[round] } })),
  }));
/**
 * @param {Partial<Errors>} errors
 * @param {number} [count]
 */
const each = (errors, count = 12) => Array.from({ length: count }, () => errors);

test('one error of a kind that the base did not have is told with its requests, and judged by nobody', () => {
  const head = withErrors([{ timeouts: 1 }, ...each({}, 11)], 2);
  const { cases, warnings } = compare(runOf([caseOf('a', failing(often(0), 1))]), runOf([caseOf('a', head)]));
  assert.equal(cases[0]?.verdict, 'same');
  const [note] = warnings.filter(({ code }) => code === 'new-errors');
  assert.ok(note);
  assert.match(
    wordsIn().warning(note),
    /^only the head has this kind of error: timeouts, in 1 of 3\d\d,\d{3} requests; too few to tell from chance$/,
  );
});

test('a kind that only the head has, in every start, is a regression after as many starts as chance needs', () => {
  const verdictOf = (/** @type {Partial<Errors>} */ errors, /** @type {number} */ count) =>
    judge(failing(often(0, count), 1), withErrors(each(errors, count), 2)).errors?.verdict;
  // Of one error a start, each may fall to either side.
  assert.deepEqual([verdictOf({ read: 1 }, 4), verdictOf({ read: 1 }, 24)], ['unsure', 'regressed']);
  assert.deepEqual([verdictOf({ read: 300 }, 4), verdictOf({ read: 300 }, 1)], ['regressed', 'unsure']);
  const { errors } = judge(
    withErrors(each({ timeouts: 9 }), 3),
    withErrors(each({ timeouts: 9, read: 90 }), 4),
  );
  assert.ok(errors?.why.code === 'new-errors' && errors.verdict === 'regressed');
  assert.deepEqual(errors.why.kinds, ['read']);
});

test('wrong answers that only the head gives, more than one in a hundred, need no second start', () => {
  const once = (/** @type {Partial<Errors>} */ errors) =>
    judge(failing(often(0, 1), 1), withErrors([errors], 2)).errors?.verdict;
  assert.equal(once({ non2xx: 9000 }), 'regressed');
  assert.equal(once({ non2xx: 100 }), 'unsure');
  assert.equal(once({ timeouts: 9000 }), 'unsure');
});

test('new kinds of rare errors raise an alarm no oftener than the promise allows', () => {
  const uniform = seededRandom(5);
  // A burst on a crowded machine ends some requests of one of the sides.
  const burst = () => (uniform() < 0.3 ? { timeouts: Math.ceil(20 * uniform()) } : {});
  let alarms = 0;
  for (let report = 0; report < 1000; report++) {
    const [base, head] = [report, report + 0.5].map((seed) =>
      withErrors(Array.from({ length: 5 }, burst), seed),
    );
    const { changes } = compareErrors(
      { base: { trials: base ?? [] }, head: { trials: head ?? [] } },
      { alpha: FALSE_ALARMS * ERRORS.judged.weight, margin: 0.05, isPaired: true },
    );
    if (changes.some(({ verdict }) => verdict === 'regressed')) alarms++;
  }
  // With a risk of 0.0005 each, more than 3 happen once in 600 times.
  assert.ok(alarms <= 3, `${alarms}`);
});

test('where requests of both sides wait too long, that is said, and no share of them is a regression', () => {
  const late = (/** @type {number} */ timeouts) => withErrors([{ timeouts }], timeouts);
  const { errors } = judge(late(13_000), late(22_000));
  assert.equal(errors?.verdict, 'unsure');
  assert.ok(errors.why.code === 'too-slow-for-load' && errors.why.baseShare < errors.why.headShare);
  assert.equal(
    wordsIn().reason({ code: 'too-slow-for-load', baseShare: 0.31, headShare: 0.43 }),
    'both sides are too slow for this load: 31 % of the base’s requests and 43 % of the head’s waited too long for an answer',
  );
  const stalled = judge(withErrors([{ timeouts: 13_000 }], 1), withErrors([{ stalls: 22_000 }], 2));
  assert.equal(stalled.errors?.why.code, 'too-slow-for-load');
});

test('a known kind is compared as a rate, with an interval and the sign as measured', () => {
  const { verdict, errors } = judge(failing(often(0.01), 3), failing(often(0.02), 4));
  assert.equal(verdict, 'regressed');
  assert.ok(errors?.ciPct && errors.ciPct[0] > 50 && errors.ciPct[1] < 150, `${errors?.ciPct}`);
  assert.equal(judge(failing(often(0.02), 5), failing(often(0.01), 6)).errors?.verdict, 'improved');
});

test('twice the requests with twice the errors is the same rate', () => {
  const twice = failing(often(0.2, 24), 7).map((trial) => ({
    ...trial,
    windows: [...trial.windows, ...trial.windows],
  }));
  const { errors } = judge(failing(often(0.2, 24), 8), twice);
  assert.equal(errors?.verdict, 'same', `${errors?.ciPct}`);
});

test('the same is earned: rare errors are not called the same for want of evidence', () => {
  const { verdict, errors } = judge(failing(often(0.0002), 9), failing(often(0.0002), 10));
  assert.equal(errors?.verdict, 'unsure');
  const why = errors?.why;
  assert.ok(why?.code === 'rare-errors' || (why?.code === 'error-rate' && (why.moreRounds ?? 0) >= 1));
  assert.equal(verdict, 'same', 'speed decides where errors are open');
});

test('an error that only the base was unlucky to see is no improvement', () => {
  const base = failing(often(0), 11);
  const [first] = base;
  assert.ok(first?.windows[0]);
  base[0] = { ...first, windows: [{ ...first.windows[0], errors: { ...NONE, timeouts: 1 } }] };
  const { verdict, errors } = judge(base, failing(often(0), 12));
  assert.equal(errors?.verdict, 'unsure');
  assert.equal(verdict, 'same');
});

test('a kind that only an unpaired start of the base knew is compared with the rate of all of them', () => {
  const base = failing([0, 0, 0, 0, 0.01], 16);
  const { errors } = judge(base, failing(often(0.01, 4), 17));
  assert.equal(errors?.verdict, 'regressed');
  assert.ok(Number.isFinite(errors.effectPct) && errors.ciPct?.every(Number.isFinite), `${errors.ciPct}`);
});

test('an interval without an end is given with the largest figure there is', () => {
  const [base, head] = [failing(often(0.01, 4), 18), failing(often(0.02, 4), 19)];
  // All of the risk was spent on looks before.
  const [only] = compare(
    runOf([caseOf('a', base)]),
    { ...runOf([caseOf('a', head)]), looks: [1, 1] },
    ALLOWED,
  ).cases;
  const errors = only?.metrics.find(({ metric: id }) => id === 'errors');
  assert.deepEqual([errors?.verdict, errors?.ciPct], ['unsure', [-100, 1e9]]);
  assert.ok(only?.metrics.every(({ verdict }) => verdict !== 'regressed' && verdict !== 'improved'));
  assert.ok(errors?.why && 'moreRounds' in errors.why && Number.isFinite(errors.why.moreRounds));
});

test('a wrecked start is no higher rate, and does not hide one', () => {
  const wrecked = (/** @type {number} */ share) => [0.6, ...often(share, 19)];
  const base = failing(often(0.01, 20), 13);
  assert.notEqual(judge(base, failing(wrecked(0.01), 14)).verdict, 'regressed');
  assert.equal(judge(base, failing(wrecked(0.015), 15)).verdict, 'regressed');
});

test('equal rates raise an alarm no oftener than the promise allows', () => {
  let alarms = 0;
  for (let seed = 100; seed < 500; seed += 2) {
    const luck = seededNormal(seed);
    const shares = Array.from({ length: 24 }, () => 0.01 * Math.exp(0.5 * luck()));
    const { errors } = judge(failing(shares.slice(0, 12), seed), failing(shares.slice(12), seed + 1));
    if (errors?.verdict === 'regressed' || errors?.verdict === 'improved') alarms++;
  }
  // Of 200 with a risk of 0.001 each: more than 3 happen once in 20,000 times.
  assert.ok(alarms <= 3, `${alarms}`);
});

test('a share of requests stays one where nothing was answered at all', () => {
  /**
   * @param {number} requests
   * @param {Partial<Errors>} errors
   */
  const share = (requests, errors) => figureIn('errors', [{ seconds: 1, requests, errors }]);
  assert.equal(share(0, { connect: 50 }), 1);
  assert.equal(share(75, { timeouts: 25 }), 0.25);
  assert.equal(share(100, { non2xx: 25 }), 0.25);
  assert.equal(share(0, {}), undefined);
});

/**
 * @param {number[]} rates of the stored runs, a run each
 * @param {Trial[]} head
 */
function beside(rates, head) {
  const base = rates.flatMap((rate, run) =>
    failing(often(rate, 6), run + 50).map((trial) => ({
      ...trial,
      block: run + 1,
      round: trial.round + 6 * run,
    })),
  );
  const stored = runOf([caseOf('a', base)], { session: 'earlier' });
  const [only] = compare(stored, runOf([caseOf('a', head)]), ALLOWED).cases;
  return only?.metrics.find(({ metric: id }) => id === 'errors');
}

test('a known kind is compared with stored runs by how far those lie apart', () => {
  const few = [0.01, 0.011, 0.009, 0.01, 0.0105];
  assert.equal(beside(few, failing(often(0.3, 6), 60))?.verdict, 'regressed');
  assert.notEqual(beside([0.01, 0.05, 0.002, 0.02, 0.03], failing(often(0.04, 6), 61))?.verdict, 'regressed');
  assert.deepEqual(beside([0.01], failing(often(0.02, 6), 62))?.why, { code: 'one-run' });
});
