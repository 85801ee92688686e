/** action.yml, the tables of inputs, the steps and docs/inputs.md say the same. */

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { outputsOf } from '../../scripts/github/commands/bisect.js';
import { generated } from '../../tools/generate.js';
import { publish } from '../../scripts/github/action/results.js';
import { LIGHT } from '../../scripts/github/action/step.js';
import { STEPS } from '../../scripts/github/action/steps.js';
import { sampleComparison, sampleRun } from '../report/sample.js';

/** @param {string} path */
const read = (path) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WORKFLOWS = fileURLToPath(new URL('../../.github/workflows', import.meta.url));
const TEXT = read('action.yml');
const ACTION = parse(TEXT);
/** @type {{ id?: string, if?: string, run?: string, uses?: string, env?: Record<string, string>, with?: Record<string, unknown> }[]} */
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
  const root = mkdtempSync(join(tmpdir(), 'perf-generate-'));
  try {
    for (const { file } of await generated(ROOT)) cpSync(join(ROOT, file), join(root, file));
    cpSync(join(ROOT, '.prettierrc.json'), join(root, '.prettierrc.json'));
    const written = join(root, 'action.yml');
    writeFileSync(written, TEXT.replace(/^ {2}margin:\n.*\n/m, ''));
    const stale = (await generated(root)).filter(({ isStale }) => isStale);
    assert.deepEqual(
      stale.map(({ file, text }) => [file, text]),
      [['action.yml', TEXT]],
    );
  } finally {
    rmSync(root, { recursive: true });
  }
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

test('docs/inputs.md lists the outputs, in order', () => {
  const [, outputs = ''] = read('docs/inputs.md').split(/^# (?:Outputs|Permissions)$/m);
  const named = [...outputs.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(named, Object.keys(ACTION.outputs));
});

test('every step calls an existing command', () => {
  const texts = [TEXT, ...readdirSync(WORKFLOWS).map((name) => readFileSync(join(WORKFLOWS, name), 'utf8'))];
  const called = texts.flatMap((text) => [...text.matchAll(/action\.js"? (\w+)$/gm)].map(([, name]) => name));
  assert.deepEqual([...new Set(called)].sort(), Object.keys({ ...STEPS, ...LIGHT }).sort());
});

/** @type {import('../../scripts/types.js').Bisection} */
const SEARCH = {
  schema: 'perf-action/bisection@1',
  good: 'a',
  bad: 'b',
  out: '.',
  options: {},
  steps: [],
  outcome: { code: 'found', commit: 'b', parent: 'a' },
};

/** @param {string} id @returns {string[]} what the step's outputs are read by */
const readOf = (id) =>
  [...TEXT.matchAll(/steps\.(\w+)\.outputs\.([\w-]+)/g)].flatMap(([, step, output = '']) =>
    step === id ? [output] : [],
  );

test('every output that is read is also written', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'contract-'));
  try {
    writeFileSync(
      join(dir, 'perf.yml'),
      'servers: [{ id: app, runtime: java, start: java, routes: [{ path: / }] }]\n',
    );
    const { signal } = new AbortController();
    const planned = await STEPS.plan?.({
      env: { PATH: '', RUNNER_TEMP: dir, PERF_INPUTS: '{"tool":"wrk"}' },
      cwd: dir,
      signal,
    });
    const outcome = { run: sampleRun(), comparison: sampleComparison(), code: 0, text: () => '' };
    /** @type {Record<string, string[]>} */
    const written = {
      plan: Object.keys(planned ?? {}),
      run: [await publish(dir, outcome), outputsOf(dir, SEARCH)].flatMap(Object.keys),
      ...Object.fromEntries(
        ACTION_STEPS.filter(({ uses, run = '' }) => uses || run.includes('GITHUB_OUTPUT')).map(
          ({ id = '', uses, run = '' }) => [
            id,
            uses ? recordedOutputs(uses) : [...run.matchAll(/echo "([\w-]+)=/g)].map(([, name = '']) => name),
          ],
        ),
      ),
    };
    const read = Object.keys(written).flatMap((id) => readOf(id).map((output) => ({ id, output })));
    assert.ok(read.length > 20);
    assert.deepEqual(
      read.filter(({ id, output }) => !written[id]?.includes(output)),
      [],
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('no script contains an expression, whose value would be executed', () => {
  for (const { run } of ACTION_STEPS) assert.doesNotMatch(run ?? '', /\$\{\{/);
});

test('third-party actions are pinned by their full commit, with the version beside it', () => {
  const uses = TEXT.match(/uses: .*/g) ?? [];
  assert.equal(uses.length, ACTION_STEPS.filter((step) => step.uses).length);
  for (const line of uses)
    assert.match(line, /^uses: [\w-]+\/[\w-]+(\/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test("only GitHub's own actions are used, so an organization that allows no others can run this one", () => {
  const steps = [
    ACTION,
    ...readdirSync(WORKFLOWS).map((name) => parse(readFileSync(join(WORKFLOWS, name), 'utf8'))),
  ]
    .flatMap(({ runs, jobs = {} }) => (runs ? [runs] : Object.values(jobs)))
    .flatMap((job) => job.steps ?? []);
  const named = steps.flatMap(({ uses }) => (uses && !uses.startsWith('./') ? [uses.split('/')[0]] : []));
  assert.ok(named.length > 10);
  assert.deepEqual([...new Set(named)], ['actions']);
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

/** @param {string} uses @returns {string[]} */
function recordedOutputs(uses) {
  return JSON.parse(read('test/e2e/actions/recorded.json'))[uses.split('@')[0] ?? ''].outputs;
}
