/** @import { LimitRule, RunCase, Window } from '../../scripts/types.js' */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decidedCases } from '../../scripts/judge/alpha-spending.js';
import { compare } from '../../scripts/judge/compare.js';
import { failWrongAnswers } from '../../scripts/judge/wrong-answers.js';
import { renderTerminal } from '../../scripts/report/render/terminal.js';
import { judge } from '../../scripts/session/finish.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

const random = seededNormal(4);
const RULES = { margin: 0.05, failOn: /** @type {const} */ ('regressed') };

/**
 * @param {Partial<Window>} more of each window
 * @param {Partial<RunCase>} [facts]
 */
const runWith = (more, facts = {}) => {
  const starts = startsOf({ level: 1000, noise: 0, starts: 4, random, more });
  return runOf([{ ...caseOf('a', starts), ...facts }]);
};
const wrong = (/** @type {number} */ non2xx, wrongStatuses = {}) => ({ errors: { non2xx }, wrongStatuses });
const CPU = { serverSeconds: 0.9, clientSeconds: 0.4, foreignShare: 0, stealShare: 0 };
const RIGHT = runWith(wrong(0));
const RAISE = '; raise its limit of requests while it is measured';
const LIMITED = runWith(wrong(984, { 429: 984 }));

/** @type {(head: import('../../scripts/types.js').Run, limits?: LimitRule[]) => string | undefined} */
const failureOf = (head, limits) =>
  failWrongAnswers({ head }, { limits }).head.cases[0]?.trials[0]?.failure?.message;

test('what was answered instead is said by status where the load tool tells it', () => {
  assert.equal(failureOf(LIMITED), `98 % of the answers were 429, expected 200${RAISE}`);
  assert.match(failureOf(runWith(wrong(210, { 503: 210 }))) ?? '', /503, expected 200; fewer connections/);
  assert.equal(
    failureOf(runWith(wrong(900, { 503: 100, 429: 800 }))),
    `90 % of the answers were 429 (3200 times) or 503 (400 times), expected 200${RAISE}`,
  );
  assert.equal(failureOf(runWith(wrong(984))), '98 % of the answers were not 200');
  const created = runWith(wrong(984)).cases.map((runCase) => ({
    ...runCase,
    trials: runCase.trials.map((start) => ({ ...start, answers: [{ status: 201, bytes: 2, times: 1 }] })),
  }));
  assert.equal(failureOf({ ...RIGHT, cases: created }), '98 % of the answers were not 201');
  const missing = { request: { method: 'GET', path: '/', headers: {}, expectedStatus: 404 } };
  assert.equal(
    failureOf(runWith(wrong(20, { 200: 20 }), missing)),
    '2 % of the answers were 200, expected 404',
  );
  const [{ load } = caseOf('a', [])] = RIGHT.cases;
  assert.equal(
    failureOf(runWith({ errors: { failed: 50 } }, { load: { ...load, script: 'shop.js' } })),
    '5 % of the requests failed, as the script counts them',
  );
});

test('where a token was accepted at first and refused later, its life is the cause', () => {
  const request = { method: 'GET', path: '/me', headers: { authorization: 'Bearer ${token}' } };
  const refused = (/** @type {number} */ status) => runWith(wrong(984, { [status]: 984 }), { request });
  for (const status of [401, 403])
    assert.match(failureOf(refused(status)) ?? '', /expected 200; the token lives shorter than a start/);
  assert.equal(failureOf(refused(500)), '98 % of the answers were 500, expected 200');
  assert.equal(failureOf(runWith(wrong(984, { 401: 984 }))), '98 % of the answers were 401, expected 200');
});

test('wrong answers gain nothing, come first, and end the measurement', () => {
  const slow = runWith(wrong(0));
  const cheap = runWith({ ...wrong(984, { 401: 984 }), cpu: { ...CPU, serverSeconds: 0.1 } });
  const compared = compare(slow, cheap);
  const [only] = compared.cases;
  assert.deepEqual(
    only?.metrics.filter(({ verdict }) => verdict === 'improved'),
    [],
  );
  assert.deepEqual([compared.verdict, only?.decisive], ['regressed', 'errors']);
  const why = only?.metrics.find(({ metric }) => metric === 'errors')?.why;
  assert.deepEqual(why, {
    code: 'wrong-answers',
    message: '98 % of the answers were 401, expected 200',
  });
  assert.equal(decidedCases(compared).size, 1);
  const text = renderTerminal(cheap, { comparison: compared });
  assert.match(text, /^🔴 a: 98 % of the answers were 401/);
});

test('of a server against itself, the wrong answers are told', () => {
  const head = runWith(wrong(984, { 401: 984 }));
  const comparison = { ...compare(head, head), against: 'self' };
  assert.match(renderTerminal(head, { comparison }), /98 % of the answers were 401/);
});

test('up to one answer in a hundred may be wrong, and as many as a limit of errors allows', () => {
  assert.equal(failureOf(runWith(wrong(10))), undefined);
  assert.equal(failureOf(runWith({ errors: { timeouts: 500, resets: 100 } })), undefined);
  assert.equal(failureOf(LIMITED, [{ metric: 'errors', bound: 1 }]), undefined);
  assert.ok(failureOf(LIMITED, [{ metric: 'errors', bound: 0.5 }]));
  assert.ok(failureOf(LIMITED, [{ metric: 'errors', bound: 1, server: 'b' }]));
  assert.equal(failureOf({ ...LIMITED, shard: { index: 1, of: 2, cases: [] } }), undefined);
});

test('wrong answers of the base, or of both sides, are not compared; those of the head alone are a regression', () => {
  const whyOf = (/** @type {ReturnType<typeof compare>} */ { cases }) => cases[0]?.metrics[0]?.why;
  const why = {
    code: 'failed',
    kind: 'wrong-answer',
    message: `98 % of the answers were 429, expected 200${RAISE}`,
  };
  for (const head of [RIGHT, LIMITED]) {
    const compared = compare(LIMITED, head);
    assert.equal(compared.verdict, 'failed');
    assert.deepEqual(whyOf(compared), why);
  }
  const compared = compare(RIGHT, LIMITED);
  assert.equal(compared.verdict, 'regressed');
  assert.equal(compared.cases[0]?.metrics.find(({ metric }) => metric === 'errors')?.verdict, 'regressed');
  assert.equal(compare(LIMITED, LIMITED, { limits: [{ metric: 'errors', bound: 1 }] }).verdict, 'same');
});

test('a case that is not measured keeps no limit but that of errors, which it breaks', () => {
  const limits = [
    { metric: 'errors', bound: 0.5 },
    { metric: 'cpuPerRequest', bound: 1e9 },
  ];
  const { run } = judge({ head: LIMITED }, { ...RULES, limits });
  assert.deepEqual(
    run.limits?.map(({ metric, verdict, why }) => [metric, verdict, why?.code]),
    [
      ['errors', 'fails', undefined],
      ['cpuPerRequest', 'unsure', 'not-measured'],
    ],
  );
  assert.equal(judge({ base: RIGHT, head: LIMITED }, RULES).run.cases[0]?.trials[0]?.failure, null);
  assert.ok(judge({ base: LIMITED, head: LIMITED }, RULES).run.cases[0]?.trials[0]?.failure);
});
