/**
 * How a session ends.
 * @import { CaseComparison, Comparison, Config } from '../../scripts/types.js'
 */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { defined } from '../../scripts/model/defined.js';
import { saveBaseline } from '../../scripts/history/baselines.js';
import { documentOf } from '../../scripts/report/document/document.js';
import { summarize } from '../../scripts/samples/summary.js';
import { readBaseline } from '../../scripts/session/base.js';
import { finish, withFunctions } from '../../scripts/session/finish.js';
import { readResults } from '../../scripts/session/results.js';
import { configOf } from '../run/fakes.js';
import { ofDay } from '../store/days.js';
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

test("a preset's stored runs come last and decide nothing, unless they are named as the baseline", async () => {
  const folder = scratch();
  const ofQuick = (/** @type {number} */ day, /** @type {number} */ level) => ({
    ...ofDay(day, { level, preset: 'quick' }),
    preset: 'quick',
  });
  for (const day of [1, 2]) await saveBaseline(ofQuick(day, 50_000), folder);
  const measured = ofQuick(3, 20_000);
  const cases = measured.cases.map((each) => defined({ ...each, summary: summarize(each.trials, each) }));
  const head = { ...measured, cases };
  const io = { cwd: folder, signal: new AbortController().signal };
  const endOf = async (/** @type {Partial<Config>} */ setting) => {
    const out = scratch();
    const config = { ...configOf([]), preset: 'quick', ...setting, out };
    const { base } = await readBaseline(config, { ...io, cases: head.cases, fingerprint: 'here' });
    const { code, comparison, presetRuns } = await finish({ head, base }, config, io);
    assert.equal((await readResults(out)).presetRuns?.base.id, presetRuns?.base.id);
    const report = readFileSync(join(out, 'report.md'), 'utf8');
    const isAlone = report.startsWith(`## ${documentOf(head, {}).headline}\n`);
    return { report, ended: { code, isAlone, verdict: comparison?.verdict } };
  };
  const { report, ended } = await endOf({ presetRuns: folder });
  assert.deepEqual(ended, { code: 0, isAlone: true, verdict: undefined });
  const [, last = ''] = report.split('Compared with the stored runs of this preset');
  assert.match(
    last,
    /\| app .*\| regressed .* 49,909.req\/s \| 20,056.req\/s [^]*\nCompared with 2 stored runs/,
  );
  assert.doesNotMatch(last, /<summary>/);
  const named = await endOf({ baseline: '.' });
  assert.deepEqual(named.ended, { code: 1, isAlone: false, verdict: 'regressed' });
});

/** @type {(id: string, changes: object) => CaseComparison} */
const caseOf = (id, changes) => /** @type {any} */ ({ id, verdict: 'regressed', metrics: [], ...changes });
/** @type {(...cases: CaseComparison[]) => Comparison} */
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
