/** Errors: a new kind is a regression whatever its number, a known one is compared as a rate. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { figureIn } from '../../scripts/samples/window-figures.js';
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

/** @param {number} share @param {number} [count] */
const often = (share, count = 12) => Array.from({ length: count }, () => share);

/** @param {Trial[]} base @param {Trial[]} head */
function judge(base, head) {
  const [only] = compare(runOf([caseOf('a', base)]), runOf([caseOf('a', head)]), ALLOWED).cases;
  return { verdict: only?.verdict, errors: only?.metrics.find(({ metric: id }) => id === 'errors') };
}

test('one error of a kind that the base did not have is a regression, one of a known kind is not', () => {
  const one = (/** @type {Partial<Errors>} */ errors) => {
    const [first, ...others] = failing(often(0.001), 2);
    const [window] = first?.windows ?? [];
    assert.ok(first && window);
    const more = { ...window, errors: { ...window.errors, ...errors } };
    return [{ ...first, windows: [more] }, ...others];
  };
  const base = failing(often(0.001), 1);
  assert.equal(judge(base, one({ read: 1 })).verdict, 'regressed');
  assert.deepEqual(judge(base, one({ read: 1 })).errors?.why, { code: 'new-errors', kinds: ['read'] });
  assert.notEqual(judge(base, one({})).verdict, 'regressed');
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
  /** @param {number} requests @param {Partial<Errors>} errors */
  const share = (requests, errors) => figureIn('errors', [{ seconds: 1, requests, errors }]);
  assert.equal(share(0, { connect: 50 }), 1);
  assert.equal(share(75, { timeouts: 25 }), 0.25);
  assert.equal(share(100, { non2xx: 25 }), 0.25);
  assert.equal(share(0, {}), undefined);
});

/** @param {number[]} rates of the stored runs, a run each @param {Trial[]} head */
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
