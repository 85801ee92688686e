/** Inputs become options of a run. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  INPUTS,
  WORKFLOW_INPUTS,
  keyOf,
  readInputs,
  readOptions,
  warningOfSharedKey,
} from '../../scripts/github/contract/inputs.js';
import { STEPS } from '../../scripts/github/action/steps.js';
import { readRunConfig } from '../../scripts/session/run-config.js';
import { scratch } from '../store/scratch.js';
import { reveal } from '../../scripts/secrets/secrets.js';

/** @param {Record<string, unknown>} inputs */
const read = (inputs) => readInputs({ PERF_INPUTS: JSON.stringify(inputs) });

test('an empty input counts as not given', () => {
  assert.deepEqual(readOptions(read({ servers: '', tool: '  ' })), {});
  assert.deepEqual(readInputs({}), {});
});

test('names keep their dashes, values their commas, equal signs and lines', () => {
  const inputs = read({ title: '--a=b\nand more\n', 'keep-alive': 'true,false' });
  assert.deepEqual(readOptions(inputs), {
    'keep-alive': 'true,false',
    title: '--a=b\nand more',
  });
});

test("the action's own inputs and unknown names are no options", () => {
  const inputs = read({ 'github-token': 'x', comment: 'true', json: 'true', 'runs-on': 'a', what: 'b' });
  assert.deepEqual(readOptions(inputs), {});
});

test('options add what was not given by name, through any number of workflows', () => {
  const asked = { connections: '50', rounds: '9', shards: '2' };
  const inner = { duration: '3s', rounds: '', options: JSON.stringify(asked) };
  const outer = read({ connections: '7', options: JSON.stringify(inner) });
  assert.deepEqual(outer, { connections: '7', duration: '3s', rounds: '9', shards: '2' });
});

test('a list in options is one value with commas', () => {
  const connections = [50, 200];
  assert.deepEqual(read({ options: JSON.stringify({ connections }) }), { connections: '50,200' });
});

for (const [options, message] of /** @type {const} */ ([
  ['connections=50', /^options: not a JSON object; use one like \{"connections": "50,200"\}$/],
  ['[1]', /^options: not a JSON object/],
  ['{"conections": 50}', /^options: there is no option "conections"; did you mean "connections"\?$/],
  ['{"capacity": true}', /^options: there is no option "capacity"/],
  [
    '{"rounds": {"toString": 5}}',
    /^"rounds": an option must be text, a number, true, false, or a list of them$/,
  ],
  ['{"rounds": [{"a": 1}]}', /^"rounds": an option must be text/],
])) {
  test(`the options ${options} are refused`, () => {
    assert.throws(() => read({ options }), { name: 'UserError', message });
  });
}

test("options that an input's default would override are refused", () => {
  const options = '{"baseline-store": "branch"}';
  assert.throws(() => read({ 'baseline-store': 'off', options }), {
    name: 'UserError',
    message: 'options: "baseline-store" has no effect there; set the input baseline-store instead',
  });
  assert.deepEqual(read({ 'baseline-store': 'branch', options }), { 'baseline-store': 'branch' });
});

for (const file of ['action.yml', '.github/workflows/perf.yml'])
  test(`options cannot set what an expression of ${file} reads`, () => {
    const text = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');
    const known = [...INPUTS, ...WORKFLOW_INPUTS].map(({ name }) => name);
    const used = [...text.matchAll(/\binputs\.([\w-]+)/g)].map(([, name = '']) => name);
    const names = [...new Set(used)].filter((name) => known.includes(name));
    assert.ok(names.includes('node-version'), names.join());
    for (const name of names)
      assert.throws(() => read({ [name]: '', options: JSON.stringify({ [name]: 'x' }) }), {
        name: 'UserError',
        message: `options: "${name}" has no effect there; set the input ${name} instead`,
      });
    // The reusable workflow hands all its inputs to the action, which has none of these.
    assert.deepEqual(read({ shard: '1/2', options: '{"ref":"x","runs-on":"y"}' }), {
      shard: '1/2',
      ref: 'x',
      'runs-on': 'y',
    });
  });

const CONFIG = 'servers: [{ id: a, runtime: go, start: go run ., routes: [{ path: / }] }]\nagainst: self\n';
const { signal } = new AbortController();

for (const [step, inputs, message, text = CONFIG] of /** @type {const} */ ([
  [
    'split',
    '{"options":"{\\"shard\\":\\"1/2\\"}"}',
    /^options: "shard" has no effect there; use the input shards/,
  ],
  // Both are used after measuring.
  ['plan', '{"comment":"off"}', /^comment: "off" is not valid; use true or false$/],
  ['plan', '{"baseline-store":"brnch"}', /^baseline-store: "brnch" is not valid; use off, branch or cache$/],
  ['plan', '{"rounds":"2"}', /^there is no perf\.yml here; `perf-action init` writes one/, ''],
]))
  test(`the step ${step} refuses ${text && inputs}`, async () => {
    const cwd = scratch();
    writeFileSync(join(cwd, text === '' ? 'README.md' : 'perf.yml'), text);
    const env = { PERF_INPUTS: inputs, RUNNER_TEMP: cwd };
    await assert.rejects(async () => STEPS[step]({ env, cwd, signal }), { name: 'UserError', message });
  });

test('the plan leaves what is asked in a file without secrets, which the step that measures removes before it starts anything', async () => {
  const cwd = scratch();
  const secret = "{ path: /, headers: { authorization: 'Bearer tok-8f1c0a77' } }";
  writeFileSync(join(cwd, 'perf.yml'), CONFIG.replace('against: self', '').replace('{ path: / }', secret));
  const env = { PATH: '/nowhere', RUNNER_TEMP: cwd, PERF_INPUTS: '{"options":"{\\"seed\\":1}"}' };
  const { plan = '' } = (await STEPS.plan({ env, cwd, signal })) ?? {};
  assert.equal(statSync(plan).mode & 0o777, 0o600);
  assert.doesNotMatch(readFileSync(plan, 'utf8'), /tok-/);
  const { options, own } = JSON.parse(readFileSync(plan, 'utf8'));
  const config = readRunConfig(options, cwd, own);
  assert.deepEqual(config, readRunConfig({ seed: '1' }, cwd));
  const [{ headers = {} } = {}] = config.servers.flatMap(({ routes }) => routes);
  assert.equal(
    reveal(headers.authorization ?? '', () => ''),
    'Bearer tok-8f1c0a77',
  );
  const measured = async () => STEPS.run({ env: { ...env, PERF_PLAN: plan }, cwd, signal });
  await assert.rejects(measured, { name: 'UserError', message: /^server "a": go is not installed/ });
  assert.equal(existsSync(plan), false);
});

test('options may ask for counts, whose results have a folder of their own, in one job and in several', async () => {
  const cwd = scratch();
  writeFileSync(join(cwd, 'perf.yml'), CONFIG);
  const env = { RUNNER_TEMP: cwd, PERF_INPUTS: '{"options":"{\\"counts\\":\\"true\\"}"}' };
  const { plan = '', out } = (await STEPS.plan({ env, cwd, signal })) ?? {};
  assert.equal(out, join(realpathSync(cwd), 'perf-results/counts'));
  assert.equal(JSON.parse(readFileSync(plan, 'utf8')).options.counts, 'true');
  assert.equal((await STEPS.split({ env, cwd, signal }))?.count, '1');
});

test('a job that counts is compared with no stored run', async () => {
  const cwd = scratch();
  writeFileSync(join(cwd, 'perf.yml'), CONFIG.replace('against: self', ''));
  const inputs = { options: '{"counts":"true"}', 'baseline-store': 'cache' };
  const env = { RUNNER_TEMP: cwd, PERF_INPUTS: JSON.stringify(inputs) };
  const { plan = '' } = (await STEPS.plan({ env, cwd, signal })) ?? {};
  const { own, options, warnings } = JSON.parse(readFileSync(plan, 'utf8'));
  assert.deepEqual([own, options.baseline, warnings], [undefined, undefined, undefined]);
});

test('a comment-key must be able to name an artifact', () => {
  const keyIn = (/** @type {string} */ key) => keyOf(read({ 'comment-key': key }));
  assert.deepEqual(['perf-api', 'v1.2_x', ''].map(keyIn), ['perf-api', 'v1.2_x', 'perf']);
  for (const key of ['a/b', '../x', 'a b', 'a@1', 'a*', '.git'])
    assert.throws(() => keyIn(key), {
      name: 'UserError',
      message: /^comment-key: ".*" cannot name .*perf-api$/,
    });
});

test('jobs of a matrix that would overwrite each other fail, and the error names the key to set', () => {
  const check = (/** @type {Record<string, string>} */ inputs, /** @type {unknown} */ matrix, jobs = '2') =>
    warningOfSharedKey(read(inputs), { PERF_JOBS: jobs, PERF_MATRIX: JSON.stringify(matrix) });
  const values = { node: 20, os: 'ubuntu', more: { a: 1 } };
  assert.throws(() => check({}, values), {
    name: 'UserError',
    message:
      'comment-key: 2 jobs of this matrix share the key "perf" and would overwrite each other\'s artifact and comment; ' +
      'set comment-key: perf-${{ matrix.node }}-${{ matrix.os }}',
  });
  assert.throws(() => check({}, { more: {} }), {
    message: /set comment-key: perf-\$\{\{ strategy\.job-index \}\}$/,
  });
  assert.match(
    String(check({ 'comment-key': 'api' }, values)),
    /may share the key "api".*; if they do, set comment-key/,
  );
  assert.equal(check({ 'comment-key': 'api-20' }, values), undefined);
  // One job alone, a job without a matrix (act leaves the number empty), and shards, which leave no artifact
  // of this name.
  for (const jobs of ['1', '']) assert.equal(check({}, values, jobs), undefined);
  assert.equal(check({ shard: '1/2' }, values), undefined);
});
