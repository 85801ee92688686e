/** action.yml, the tables of inputs, the steps and docs/inputs.md say the same. */

import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { generated } from '../../tools/generate.js';
import { OUTPUTS } from '../../scripts/github/contract/outputs.js';
import { LIGHT } from '../../scripts/github/action/run-step.js';
import { STEPS } from '../../scripts/github/action/steps.js';
import { scratch } from '../store/scratch.js';

/** @param {string} path */
const read = (path) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WORKFLOWS = fileURLToPath(new URL('../../.github/workflows', import.meta.url));
const TEXT = read('action.yml');
const ACTION = parse(TEXT);
/**
 * @type {{ id?: string, if?: string, run?: string, uses?: string, env?: Record<string, string>, with?:
 *   Record<string, unknown> }[]}
 */
const ACTION_STEPS = ACTION.runs.steps;

test('files generated from the table of inputs are up to date', async () => {
  const stale = (await generated(ROOT)).filter(({ isStale }) => isStale);
  assert.deepEqual(
    stale.map(({ file }) => file),
    [],
    'run: npm run generate',
  );
});

test('a row that is missing in a generated file is noticed and written', async () => {
  const root = scratch();
  for (const { file } of await generated(ROOT)) cpSync(join(ROOT, file), join(root, file));
  cpSync(join(ROOT, '.prettierrc.json'), join(root, '.prettierrc.json'));
  const written = join(root, 'action.yml');
  writeFileSync(written, TEXT.replace(/^ {2}margin:\n.*\n/m, ''));
  const stale = (await generated(root)).filter(({ isStale }) => isStale);
  assert.deepEqual(
    stale.map(({ file, text }) => [file, text]),
    [['action.yml', TEXT]],
  );
});

test('a step that reads inputs gets all of them as data', () => {
  for (const id of ['plan', 'comment', 'baseline'])
    assert.equal(ACTION_STEPS.find((step) => step.id === id)?.env?.PERF_INPUTS, '${{ toJSON(inputs) }}');
});

test('an input that an expression reads is declared', () => {
  const used = [...JSON.stringify(ACTION.runs).matchAll(/\binputs\.([\w-]+)/g)].map(([, name = '']) => name);
  assert.ok(used.length > 5);
  assert.deepEqual(
    used.filter((name) => !(name in ACTION.inputs)),
    [],
  );
});

test('every step exists, and declares exactly the outputs that are read', () => {
  const jobs = readdirSync(WORKFLOWS)
    .map((name) => parse(readFileSync(join(WORKFLOWS, name), 'utf8')))
    .flatMap((workflow) => Object.values(workflow.jobs));
  /**
   * Of the steps that run ours, by their names there: the type checker compares OUTPUTS with what they
   * return.
   * @type {Record<string, string[]>}
   */
  const read = {};
  for (const job of [{ ...ACTION, steps: ACTION_STEPS }, ...jobs])
    for (const { id, uses = '', run = '' } of job.steps ?? []) {
      const names = [...JSON.stringify(job).matchAll(/steps\.(\w+)\.outputs\.([\w-]+)/g)].flatMap(
        ([, step, name = '']) => (step === id ? [name] : []),
      );
      const [, ours] = /action\.js"? (\w+)$/m.exec(run) ?? [];
      if (ours) (read[ours] ??= []).push(...names);
      else if (names.length > 0) {
        const written = uses
          ? recordedOutputs(uses)
          : [...run.matchAll(/echo "([\w-]+)=/g)].map(([, name = '']) => name);
        for (const name of names) assert.ok(written.includes(name), `${id}: ${name}`);
      }
    }
  assert.deepEqual(Object.keys(read).sort(), Object.keys({ ...STEPS, ...LIGHT }).sort());
  // What merges machines hands on what a run does.
  read.merge = read.run = [...(read.run ?? []), ...(read.merge ?? [])];
  for (const [step, declared] of Object.entries(OUTPUTS))
    assert.deepEqual([...new Set(read[step])].sort(), Object.keys(declared).sort(), step);
});

test('third-party actions get only inputs that they declare', () => {
  /** @typedef {{ ref: string, inputs: Record<string, 'required' | 'optional'> }} Recorded */
  /** @type {Record<string, Recorded>} */
  const recorded = JSON.parse(read('test/e2e/actions/recorded.json'));
  const steps = ACTION_STEPS.filter(({ uses }) => uses);
  assert.ok(steps.length >= 4);
  for (const { uses = '', with: given = {} } of steps) {
    const [name = '', ref] = uses.split('@');
    const { ref: known, inputs } = recorded[name] ?? { ref: 'none', inputs: {} };
    assert.equal(ref, known, `${name}: another version than the one recorded`);
    const required = Object.keys(inputs).filter((input) => inputs[input] === 'required');
    assert.deepEqual(
      Object.keys(given).filter((input) => !(input in inputs)),
      [],
    );
    assert.deepEqual(
      required.filter((input) => !(input in given)),
      [],
    );
  }
});

/** @type {(uses: string) => string[]} */
function recordedOutputs(uses) {
  return JSON.parse(read('test/e2e/actions/recorded.json'))[uses.split('@')[0] ?? ''].outputs;
}
