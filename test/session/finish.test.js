/**
 * How a session ends.
 * @import { CaseComparison, Comparison } from '../../scripts/types.js'
 */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { finish, withFunctions } from '../../scripts/session/finish.js';
import { configOf } from '../run/fakes.js';
import { run, runCase } from '../store/runs.js';
import { scratch } from '../store/scratch.js';

test('an explanation that fails leaves the whole report', async () => {
  const out = scratch();
  const sides = { head: run({ id: 'head', cases: [runCase('a')] }), base: run({ cases: [runCase('a')] }) };
  const explain = () => Promise.reject(new Error('the disk is full'));
  const io = { cwd: out, signal: new AbortController().signal };
  await assert.rejects(finish({ ...sides, explain }, { ...configOf(['a']), out }, io), /the disk is full/);
  for (const name of ['run.json', 'base/run.json', 'comparison.json', 'report.md', 'report.html'])
    assert.ok(existsSync(join(out, name)), name);
  assert.match(readFileSync(join(out, 'report.html'), 'utf8'), /<a href="run\.json">/);
});

test('a planned case that was never started ends with 3, and title and notes say so', async () => {
  const out = scratch();
  const warnings = [{ code: /** @type {const} */ ('never-started'), cases: ['b / autocannon c10'] }];
  const io = { cwd: out, signal: new AbortController().signal };
  const ending = async (/** @type {object} */ changes) => {
    const head = run({ id: 'head', cases: [runCase('a')], ...changes });
    const { code, text } = await finish(
      { head, base: run({ cases: [runCase('a')] }) },
      { ...configOf(['a']), out },
      io,
    );
    return { code, text: text() };
  };
  assert.equal((await ending({})).code, 0);
  const { code, text } = await ending({ warnings });
  assert.equal(code, 3);
  assert.match(text, /incomplete: 1 case never started/);
  assert.match(text, /planned, but never started: b \/ autocannon c10/);
});

/** @param {string} id @param {object} changes @returns {CaseComparison} */
const caseOf = (id, changes) => /** @type {any} */ ({ id, verdict: 'regressed', metrics: [], ...changes });
/** @param {CaseComparison[]} cases @returns {Comparison} */
const comparing = (...cases) => /** @type {any} */ ({ verdict: 'regressed', cases });

const SLOWER = { metrics: [{ metric: 'throughput', verdict: 'regressed' }] };
const LEAKING = { metrics: [{ metric: 'memory', verdict: 'regressed' }] };
const FUNCTIONS = {
  functions: [{ name: 'serialize' }],
  blamed: { name: 'audit' },
  sources: 'api',
  calls: [{ parent: -1 }],
};

test('functions are taken over only for slower cases with the same id', () => {
  const handed = [
    comparing(caseOf('a', { ...FUNCTIONS, verdict: 'improved' }), caseOf('b', FUNCTIONS)),
    comparing(caseOf('c', SLOWER), caseOf('unknown', FUNCTIONS)),
  ];
  const whole = comparing(caseOf('a', SLOWER), caseOf('b', LEAKING), caseOf('c', SLOWER));
  assert.deepEqual(
    withFunctions(whole, handed),
    comparing(caseOf('a', { ...SLOWER, ...FUNCTIONS }), caseOf('b', LEAKING), caseOf('c', SLOWER)),
  );
});
