/** What `run --counts` counts again, and what it says about it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { outcomeOf } from '../../scripts/judge/gate.js';
import { judgeLimits } from '../../scripts/judge/judge-limits.js';
import { documentOf } from '../../scripts/report/document/document.js';
import { renderHtml } from '../../scripts/report/page/page.js';
import { renderReport } from '../../scripts/report/render/markdown.js';
import { renderTerminal } from '../../scripts/report/render/terminal.js';
import { countOnly } from '../../scripts/session/experiments/count-only.js';
import { caseOf, runOf } from '../judge/runs.js';
import { configOf } from '../run/fakes.js';

/** @import { Run, RunCase, Trial, Window } from '../../scripts/types.js' */

/**
 * A route with bytes per request for each of its starts; undefined: they did not settle.
 * @type {(starts: (number | undefined)[], sent?: number, more?: { window?: Partial<Window>, trial?:
 *   Partial<Trial> }) => RunCase}
 */
const caseWith = (starts, sent = 0, { window, trial } = {}) => ({
  ...caseOf(
    'shop',
    starts.map((bytes, round) => ({
      ...{ round, failure: null, ...trial },
      ...(bytes === undefined && { unsettled: /** @type {const} */ (true) }),
      windows: [
        {
          ...{ seconds: 1, requests: 1000, outgoing: { count: sent, idle: 0, by: {} }, ...window },
          ...(bytes !== undefined && { allocatedBytes: 1000 * bytes }),
        },
      ],
    })),
  ),
  counted: true,
});
const { looks } = countOnly({ ...configOf(['shop']), out: 'out' });
const isAgainIn = (/** @type {Run[]} */ runs) =>
  /** @type {any} */ (looks?.look(runs, 1 / 3)).decided.size === 0;

/** @type {(from: (number | undefined)[], to: (number | undefined)[]) => object} */
function counted(from, to) {
  const [base, head] = [from, to].map((starts) => runOf([caseWith(starts)]));
  assert.ok(base && head);
  const comparison = compare(base, head);
  const { verdict } = comparison.cases[0]?.metrics.find(({ metric }) => metric === 'allocated') ?? {};
  const text = renderTerminal(head, { base, comparison });
  return { isAgain: isAgainIn([base, head]), verdict, isUnsettled: text.includes('did not settle') };
}

test('a route is counted again where a start differs by more than half a percent, or where it has none', () => {
  const isAgain = { isAgain: true, isUnsettled: false };
  assert.deepEqual(counted([1000], [1004]), { ...isAgain, isAgain: false, verdict: undefined });
  assert.deepEqual(counted([1000], [1006]), { ...isAgain, verdict: 'unsure' });
  assert.deepEqual(counted([1000, 1000], [1006, 1001]), { ...isAgain, isAgain: false, verdict: undefined });
  assert.deepEqual(counted([], []), { ...isAgain, verdict: undefined });
});

test('a change is told once three starts of both sides show it', () => {
  const told = { isAgain: true, isUnsettled: false, verdict: 'regressed' };
  const base = [1000, 1002, 1004];
  assert.deepEqual(counted(base, [1016, 1018, 1016]), told);
  assert.deepEqual(counted([1016, 1018, 1016], base), { ...told, verdict: 'improved' });
  assert.deepEqual(counted(base, [1040, 1040, 1003]), { ...told, isAgain: false, verdict: 'unsure' });
});

test('bytes that did not settle in a start of either side are said to be left out, and change nothing', () => {
  const open = { isAgain: true, isUnsettled: true, verdict: 'unsure' };
  assert.deepEqual(counted([1000, 1000, 1000], [1020, 1020, undefined]), open);
  assert.deepEqual(counted([1000, undefined, 1000], [1020, 1020, 1020]), open);
  assert.deepEqual(counted([undefined], [1000]), { ...open, isAgain: false, verdict: undefined });
});

test('a count of whole numbers is counted again where it differs at all, another where it does by half', () => {
  const isAgain = (/** @type {number} */ from, /** @type {number} */ to) =>
    isAgainIn([from, to].map((sent) => runOf([caseWith([1000], 1000 * sent)])));
  assert.deepEqual(
    [isAgain(1, 1), isAgain(1, 2), isAgain(1.49, 1.53), isAgain(1.49, 2.1)],
    [false, true, false, true],
  );
});

test('what changed is told by a report without clocks, whose verdict they do not decide', () => {
  const [base, head] = [0, 2000].map((sent) => runOf([caseWith([1000, 1000, 1000], sent)]));
  assert.ok(base && head);
  const comparison = compare(base, head, { failOn: 'regressed', gates: { outgoing: 'regressed' } });
  assert.equal(comparison.verdict, 'same');
  assert.equal(
    outcomeOf({ run: head, comparison }, { failOn: 'regressed', gates: { outgoing: 'regressed' } }),
    1,
  );
  for (const render of [renderTerminal, renderReport, renderHtml]) {
    const text = render(head, { base, comparison });
    assert.match(text, /The counts of 1 of 1 case changed/);
    assert.match(text, /Outgoing requests per request regressed: 0 → 2/);
    assert.doesNotMatch(text, /req\/s|CPU|rounds/);
  }
  const page = renderHtml(head, { base, comparison });
  assert.match(page, /<header class="regressed">/, 'in the colour of what changed');
});

test('routes of which nothing changed are counted in the title alone, and what stays open has a line', () => {
  /** @type {(from: number[], to: number[]) => { title?: string, lines: string[] }} */
  const told = (from, to) => {
    const [base, head] = [from, to].map((starts) => runOf([caseWith(starts)]));
    assert.ok(base && head);
    const text = renderTerminal(head, { base, comparison: compare(base, head) });
    const [title, ...lines] = text.split('\n');
    return { title, lines: lines.filter((line) => /^[=?✗✓] /.test(line)) };
  };
  assert.deepEqual(told([1000], [1005]), { title: '🟢 The counts of 0 of 1 case changed', lines: [] });
  assert.deepEqual(told([1000, 1002, 1004], [1040, 1040, 1003]), {
    title: '🟡 The counts of 0 of 1 case changed',
    lines: ['? shop: Allocated per request unsure: 1,002 B → 1,028 B, −29.5 to +49.2 % at 99.8 %'],
  });
  const improved = told([1016, 1018, 1016], [1000, 1002, 1004]);
  assert.equal(improved.title, '🟢 The counts of 1 of 1 case changed');
});

test('the verdict of a report of counts is that of a limit that fails', () => {
  const run = runOf([caseWith([1000])]);
  const limit = { case: 'shop', metric: 'allocated', bound: 900, value: 1000 };
  const verdictWith = (/** @type {'fails' | 'passes'} */ verdict) =>
    documentOf({ ...run, limits: [{ ...limit, verdict }] }, { comparison: compare(run, run) }).verdict;
  assert.equal(verdictWith('fails'), 'regressed');
  assert.notEqual(verdictWith('passes'), 'regressed');
});

test('a gate that fails on what is unsure lets pass what one start shows to lie within half the margin', () => {
  const rules = {
    failOn: /** @type {const} */ ('unsure'),
    gates: { allocated: /** @type {const} */ ('regressed') },
  };
  const outcome = (/** @type {number[]} */ from, /** @type {number[]} */ to) => {
    const [base, head] = [from, to].map((starts) => runOf([caseWith(starts)]));
    assert.ok(base && head);
    return outcomeOf({ run: head, comparison: compare(base, head, rules) }, rules);
  };
  assert.equal(outcome([1000], [1004]), 0);
  assert.equal(outcome([1000], [1006]), 1, 'as of a run that was cancelled');
  assert.equal(outcome([1000, 1002, 1004], [1040, 1040, 1003]), 1);
});

test('routes of which nobody counts bytes are named, and not as unsettled', () => {
  const {
    trials: [trial],
    ...rest
  } = caseWith([undefined]);
  const { unsettled: _, ...counting } = trial ?? assert.fail();
  const text = renderTerminal(runOf([{ ...rest, trials: [counting] }]), {});
  assert.match(text, /Allocated bytes are of Node 18\.15 or newer alone, not of shop\./);
  assert.doesNotMatch(text, /settle/);
});

const STARTS = [1000, 1000, 1000];
const GATED = { failOn: /** @type {const} */ ('regressed') };

/** @type {(base: RunCase, head: RunCase) => { code: number, title: string | undefined, text: string }} */
function toldOf(base, head) {
  const [before, after] = [runOf([base]), runOf([head])];
  const comparison = compare(before, after, GATED);
  const text = renderTerminal(after, { base: before, comparison });
  const [title] = text.split('\n');
  return { code: outcomeOf({ run: after, comparison }, GATED), title, text };
}

test('wrong answers under load fail the check, whatever their counts gained', () => {
  const failing = { errors: { non2xx: 200 }, wrongStatuses: { 503: 200 } };
  const right = caseWith(STARTS, 3000, { window: { errors: { non2xx: 0 } } });
  const { code, title, text } = toldOf(right, caseWith(STARTS, 2400, { window: failing }));
  assert.equal(code, 1);
  assert.match(title ?? '', /^🔴 Shop: 20 % of the answers were 503.*\. The counts of 0 of 1 case changed$/i);
  assert.match(text, /✗ shop: Errors regressed: 20 % of the answers were 503/);
  assert.doesNotMatch(text, /improved/);
});

test('a head that answers nothing in time has got slower, and its run fails', () => {
  const failure = { kind: /** @type {const} */ ('too-slow'), message: 'answered no request in 1 s of load' };
  const hanging = caseOf('shop', [{ round: 0, failure, windows: [], startupMs: 100 }]);
  const base = caseWith(STARTS, 0, { trial: { startupMs: 100 } });
  const { code, title } = toldOf(base, { ...hanging, counted: true });
  assert.equal(code, 1);
  assert.match(title ?? '', /^🔴 Shop: .*answered no request/i);
});

test('errors that are too few to be sure of are noted', () => {
  const rare = { errors: { non2xx: 2 } };
  const { code, text } = toldOf(
    caseWith(STARTS, 0, { window: { errors: { non2xx: 0 } } }),
    caseWith(STARTS, 0, { window: rare }),
  );
  assert.equal(code, 0);
  assert.match(text, /shop ¹ .*\n\n¹ only the head has this kind of error: non2xx, in 6 of 3,000 requests/);
});

test('with another answer no count gains, and the title says so', () => {
  const answering = (/** @type {number} */ bytes) => ({ answers: [{ status: 200, bytes, times: 4 }] });
  const { title, text } = toldOf(
    caseWith(STARTS, 3000, { trial: answering(44_012) }),
    caseWith([500, 500, 500], 1000, { trial: answering(2) }),
  );
  assert.equal(title, '🟡 The answer changed: 44,012 to 2 bytes. The counts of 0 of 1 case changed');
  assert.doesNotMatch(text, /improved/);
});

test('what was counted with other data, or on another kind of machine, says nothing of a change', () => {
  const base = runOf([caseWith(STARTS)]);
  const head = runOf([caseWith([2000, 2000, 2000])], { session: 'two', fingerprint: 'elsewhere' });
  const [only] = compare(base, head).cases;
  const bytes = only?.metrics.find(({ metric }) => metric === 'allocated');
  assert.deepEqual([bytes?.verdict, bytes?.why.code], ['unsure', 'other-machine']);
});

test('a limit that is broken leads the title, also of a run that was compared with nothing', () => {
  const titleOf = (/** @type {'fails' | 'passes'} */ verdict) => {
    const limit = { case: 'shop', metric: 'allocated', bound: 900, value: 1000, verdict };
    return renderTerminal({ ...runOf([caseWith([1000])]), limits: [limit] }, {}).split('\n')[0];
  };
  assert.equal(titleOf('fails'), '🔴 Beyond a limit: shop');
  assert.equal(titleOf('passes'), '🟢 Within all limits');
});

test('a case that differs from another one by its rate alone is counted once', () => {
  const [planned] = configOf(['shop']).cases;
  assert.ok(planned);
  const atRate = { ...planned, id: 'shop r500', load: { ...planned.load, rate: 500 } };
  const other = { ...planned, id: 'shop /other', route: '/other' };
  const { cases } = countOnly({ ...configOf(['shop']), cases: [planned, atRate, other], out: 'out' }).config;
  assert.deepEqual(
    cases.map(({ id }) => id),
    [planned.id, other.id],
  );
});

test('limits of clocks are not judged in a run that only counts, and those of counts hold at any rate', () => {
  const { cases } = runOf([caseWith([1000], 3000)]);
  const rules = [
    ...['throughput', 'memory', 'cpuPerRequest'].map((id) => ({ metric: id, bound: 1 })),
    ...['p99', 'errors'].map((id) => ({ metric: id, bound: 0.001, rate: 500 })),
    { metric: 'outgoing', bound: 2, rate: 500 },
  ];
  assert.deepEqual(
    judgeLimits({ cases }, rules).map(({ metric, verdict }) => [metric, verdict]),
    [['outgoing', 'fails']],
  );
});

test('a stored run is refused as the base of counts alone, in one line that says what to use', () => {
  const alone = { ...configOf(['shop']), out: 'out', baseline: 'baselines' };
  assert.throws(() => countOnly(alone), {
    name: 'UserError',
    message: /^baseline: .*use --against main instead$/,
  });
  assert.ok(countOnly({ ...alone, against: 'main' }));
});

test('a head that fails is a failure, whatever its counts', () => {
  const failure = { kind: /** @type {const} */ ('never-ready'), message: 'not ready after 30 s' };
  const dead = caseOf('shop', [{ round: 0, failure, windows: [] }]);
  const { code, title } = toldOf(caseWith(STARTS), { ...dead, counted: true });
  assert.equal(code, 3);
  assert.match(title ?? '', /^🔴 Something could not be measured: shop\. /);
});

test('a gate on what a clock measures is not open in a run without one', () => {
  const [base, head] = [runOf([caseWith([1000, 1002, 1004])]), runOf([caseWith([1040, 1040, 1003])])];
  const gates = { throughput: /** @type {const} */ ('regressed') };
  const rules = { failOn: /** @type {const} */ ('unsure'), gates };
  const comparison = compare(base, head, rules);
  assert.deepEqual(comparison.warnings, []);
  assert.doesNotMatch(renderTerminal(head, { base, comparison }), /throughput/i);
});
