/** @import { Answer, Trial } from '../../scripts/types.js' */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decidedCases } from '../../scripts/judge/alpha-spending.js';
import { changedAnswer } from '../../scripts/judge/changed-answer.js';
import { compare } from '../../scripts/judge/compare.js';
import { documentOf } from '../../scripts/report/document/document.js';
import { poolRuns } from '../../scripts/history/pooled-base.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

const random = seededNormal(1);

/**
 * @param {...Partial<Answer & { times: number }>} answers of each of two starts
 * @returns {Trial[]}
 */
const answering = (...answers) =>
  startsOf({ level: 1000, noise: 0.01, starts: 2, random }).map((start) => ({
    ...start,
    answers: answers.map((answer) => ({ status: 200, bytes: 100, times: 2, ...answer })),
  }));
/**
 * @param {Trial[]} base
 * @param {Trial[]} head
 */
const changed = (base, head) => changedAnswer({ base: { trials: base }, head: { trials: head } });

test('what differs is told part by part; a header that a side lacks is absent', () => {
  assert.deepEqual(changed(answering({ bytes: 44_012, type: 'text/html' }), answering({ bytes: 2 })), {
    base: { type: 'text/html', bytes: 44_012 },
    head: { bytes: 2 },
  });
  assert.deepEqual(changed(answering({ status: 200 }), answering({ status: 201 })), {
    base: { status: 200 },
    head: { status: 201 },
  });
});

test('streams have no size', () => {
  const stream = (/** @type {object} */ more) =>
    answering({ ...more, bytes: /** @type {any} */ (undefined) }).map(({ answers = [], ...start }) => ({
      ...start,
      answers: answers.map(({ bytes: _, ...answer }) => answer),
    }));
  assert.equal(changed(stream({}), stream({})), undefined);
  assert.deepEqual(changed(stream({ type: 'text/plain' }), stream({ type: 'text/event-stream' })), {
    base: { type: 'text/plain' },
    head: { type: 'text/event-stream' },
  });
});

test('a part that varies on one side says nothing, and neither do few answers', () => {
  assert.equal(changed(answering({ bytes: 90 }, { bytes: 400 }), answering({ bytes: 2 })), undefined);
  assert.equal(changed(answering({ bytes: 400, times: 1 }), answering({ bytes: 2 })), undefined);
  assert.equal(
    changed(startsOf({ level: 1, noise: 0, starts: 2, random }), answering({ bytes: 2 })),
    undefined,
  );
});

test('a counter that gains a digit between two runs is no change', () => {
  assert.equal(changed(answering({ bytes: 9 }), answering({ bytes: 11 })), undefined);
  assert.equal(changed(answering({ bytes: 44_000 }), answering({ bytes: 44_300 })), undefined);
  assert.ok(changed(answering({ bytes: 9 }), answering({ bytes: 12 })));
  assert.ok(changed(answering({ bytes: 44_000 }), answering({ bytes: 44_500 })));
});

test('nothing counts as faster where the answer changed, which is told first; more rounds would not show it', () => {
  const cheaper = (/** @type {Trial[]} */ trials, seconds = 0.4) =>
    trials.map((trial) => ({
      ...trial,
      windows: trial.windows.map((window) => ({
        ...window,
        cpu: { serverSeconds: seconds, clientSeconds: 0.4, foreignShare: 0, stealShare: 0 },
      })),
    }));
  const four = (/** @type {number} */ bytes) => [
    ...answering({ bytes }),
    ...answering({ bytes }).map((trial) => ({ ...trial, round: trial.round + 2 })),
  ];
  const judged = (/** @type {number} */ bytes, seconds = 0.4) => {
    const head = runOf([caseOf('a', cheaper(four(bytes), seconds))]);
    const comparison = compare(runOf([caseOf('a', four(17_012))]), head);
    const { headline, verdict } = documentOf(head, { comparison });
    const change = comparison.cases[0]?.metrics.find(({ metric }) => metric === 'cpuPerRequest');
    return { comparison, headline, sign: verdict, why: change?.why.code };
  };
  assert.equal(judged(17_012).comparison.verdict, 'improved');
  const { comparison, headline, sign, why } = judged(66);
  assert.deepEqual([comparison.verdict, sign, why], ['unsure', 'unsure', 'other-answer']);
  assert.equal(
    headline,
    '🟡 The answer changed: 17,012 to 66 bytes. With other answers, nothing counts as faster',
  );
  assert.equal(decidedCases(comparison).size, 1);
  assert.equal(comparison.cases[0]?.decisive, 'cpuPerRequest');
  assert.equal(judged(66, 1.8).comparison.verdict, 'regressed', 'a loss is one');
});

test('a failed start has no answer', () => {
  const failed = answering({ bytes: 2 }).map((start) => ({
    ...start,
    failure: { kind: /** @type {const} */ ('wrong-answer'), message: '' },
  }));
  assert.equal(changed(answering({}), [...answering({}), ...failed]), undefined);
});

test('of several stored runs, only the latest says what the base answers', () => {
  const stored = (/** @type {number} */ bytes) =>
    runOf([caseOf('a', answering({ bytes })), caseOf('ref', answering({}), { reference: true })]);
  const pooled = poolRuns([stored(500), stored(44_012)]);
  assert.deepEqual(
    changed(pooled.cases.find(({ id }) => id === 'a')?.trials ?? [], answering({ bytes: 2 })),
    { base: { bytes: 500 }, head: { bytes: 2 } },
  );
});
