/** Whether a job fails, and what its page shows. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotate, linesOf } from '../../scripts/github/annotations.js';
import { judgeGate } from '../../scripts/github/gate.js';

/** @type {any} */
const FAILED = {
  cases: [
    { id: 'a', trials: [{ failure: null }] },
    {
      id: 'b',
      trials: [
        { failure: { kind: 'never-ready', message: 'no answer in 2 s' } },
        { failure: { kind: 'never-ready', message: 'no answer in 2 s' } },
      ],
    },
  ],
};
/** @type {any} */
const RUN = { cases: [{ id: 'a', trials: [{ failure: null }] }] };

/** @param {string} id @param {string} verdict @param {string} [why] */
const caseOf = (id, verdict, why = 'because') => ({ id, verdict, metrics: [{ verdict, why }] });
/** @param {any[]} cases @param {any[]} [warnings] @returns {any} */
const comparisonOf = (cases, warnings = []) => ({ cases, warnings });

const WORSE = comparisonOf([
  caseOf('a', 'same'),
  {
    id: 'b',
    verdict: 'regressed',
    metrics: [
      { verdict: 'same', why: 'x' },
      { verdict: 'regressed', why: 'throughput fell by 9 %' },
    ],
  },
  caseOf('c', 'unsure'),
  { ...caseOf('new', 'unsure'), only: 'head' },
]);

/** @param {ReturnType<typeof judgeGate>} gate */
const told = ({ level, lines }) => [level, ...lines.map(({ message }) => message)];

test('a run that went well fails nothing and shows nothing', () => {
  assert.deepEqual(told(judgeGate(0, { run: RUN, comparison: comparisonOf([caseOf('a', 'same')]) })), [
    'warning',
  ]);
  assert.deepEqual(told(judgeGate(0, { run: RUN })), ['warning']);
});

test('a closed gate names the cases that got worse and why, and none of the others', () => {
  assert.deepEqual(told(judgeGate(1, { run: RUN, comparison: WORSE })), [
    'error',
    'b: regressed; throughput fell by 9 %',
  ]);
});

test('a gate that wants to be sure names the cases that are unsure', () => {
  const comparison = comparisonOf([caseOf('a', 'same'), caseOf('c', 'unsure', 'too few boots')]);
  assert.deepEqual(told(judgeGate(1, { run: RUN, comparison })), ['error', 'c: unsure; too few boots']);
});

test("a gate that a metric's own rule closed says so", () => {
  const message = 'Memory: unsure; its own gate (unsure) fails the check';
  const comparison = comparisonOf([caseOf('a', 'same')], [{ code: 'gate-closed', case: 'a', message }]);
  assert.deepEqual(told(judgeGate(1, { run: RUN, comparison })), ['error', `a: ${message}`]);
});

test('a gate that was never to close shows the regression all the same', () => {
  assert.deepEqual(told(judgeGate(0, { run: RUN, comparison: WORSE }))[0], 'warning');
  assert.equal(judgeGate(0, { run: RUN, comparison: WORSE }).lines.length, 1);
});

test('acceptance opens the gate, and does not hide what could not be measured', () => {
  assert.deepEqual(told(judgeGate(1, { run: RUN, comparison: WORSE }, true)), [
    'warning',
    'b: regressed; throughput fell by 9 %',
  ]);
  assert.deepEqual(told(judgeGate(1, { run: FAILED, comparison: WORSE }, true)), [
    'error',
    'b: never-ready: no answer in 2 s',
  ]);
  assert.deepEqual(told(judgeGate(3, { run: FAILED }, true))[0], 'error');
});

test('what could not be measured is told once; a run that left nothing fails all the same', () => {
  assert.deepEqual(told(judgeGate(3, { run: FAILED })), ['error', 'b: never-ready: no answer in 2 s']);
  assert.deepEqual(told(judgeGate(3, undefined)), ['error', 'the run ended before everything was measured']);
});

/**
 * @param {() => void} act
 * @returns {string[]} the lines it printed
 */
function printed(act) {
  const write = process.stdout.write;
  let text = '';
  process.stdout.write = (/** @type {any} */ chunk) => {
    text += chunk;
    return true;
  };
  try {
    act();
  } finally {
    process.stdout.write = write;
  }
  return text.split('\n').filter(Boolean);
}

test('a text with line ends and colons is one command, and begins no other', () => {
  const id = 'a,b::c\n::set-output name=x::y\r100%0A';
  const lines = linesOf(comparisonOf([caseOf(id, 'regressed', 'x\n::error::y')]));
  const [only = '', ...others] = printed(() => annotate(lines, 'error'));
  assert.deepEqual(others, []);
  const [, properties = '', message = ''] = /^::error (.*?)::(.*)$/.exec(only) ?? [];
  assert.equal(
    properties,
    'title=perf-action%3A regressed%3A a%2Cb%3A%3Ac%0A%3A%3Aset-output name=x%3A%3Ay%0D100%250A',
  );
  assert.match(message, /^a,b::c%0A::set-output name=x::y%0D100%250A: regressed; x%0A::error::y$/);
});

test('a page shows ten at most, and says how many more there are', () => {
  const many = comparisonOf(Array.from({ length: 30 }, (_, n) => caseOf(`case ${n}`, 'regressed')));
  const lines = printed(() => annotate(linesOf(many), 'warning'));
  assert.equal(lines.length, 10);
  assert.match(lines[9] ?? '', /^::warning title=perf-action::and 21 more/);
});
