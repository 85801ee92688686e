/** Messages about mistakes, by the program that the steps run. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { plan } from '../../scripts/github/action/plan-step.js';
import { splitCases } from '../../scripts/github/split-run.js';
import { sampleRun } from '../report/sample.js';
import { scratch } from '../store/scratch.js';
import { assertHarmless, HOSTILE } from './hostile-log.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SCRATCH = scratch();
const { signal } = new AbortController();

/**
 * @param {string} name
 * @param {Record<string, string>} [files]
 */
function folderOf(name, files = {}) {
  const folder = join(SCRATCH, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

/**
 * @param {string} step
 * @param {string} cwd
 * @param {Record<string, string>} [env]
 */
const runStep = (step, cwd, env = {}) =>
  spawnSync(process.execPath, [join(ROOT, 'scripts/github/action.js'), step], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: SCRATCH, GITHUB_ACTIONS: 'true', PERF_INPUTS: '{}', ...env },
  });

test('a job without a checkout gets an error that says to add one', () => {
  const { status, stdout } = runStep('plan', folderOf('empty'));
  assert.equal(status, 2);
  assert.match(
    stdout,
    /^::error title=perf-action::there is nothing in .*; add actions\/checkout before this step$/m,
  );
});

test('a mistake in perf.yml is shown beside its line', () => {
  const cwd = folderOf('mistaken', { 'perf.yml': 'servers: [express]\nbudgt: 5m\n' });
  assert.match(
    runStep('plan', cwd).stdout,
    /^::error title=perf-action,file=perf\.yml,line=2::perf\.yml:2: unknown key "budgt"/m,
  );
});

test('the keys of a YAML file are text', () => {
  const keys = HOSTILE.map((line) => `? ${JSON.stringify(line)}\n: 1\n`).join('');
  const cwd = folderOf('keys', { 'perf.yml': `servers: [node-http]\n${keys}` });
  const { status, stdout, stderr } = runStep('plan', cwd);
  assert.equal(status, 2);
  const shown = /^::error title=perf-action,file=perf\.yml,line=\d+::.*unknown key.*EVIL-a/m;
  assertHarmless(stdout + stderr, shown);
});

test('mistakes in the inputs are annotations of the step that plans, in one job or for several', () => {
  const cwd = folderOf('asked', { 'perf.yml': 'servers: [node-http]\n' });
  /** @type {[step: string, inputs: object, messages: RegExp[]][]} */
  const mistakes = [
    ['plan', { servers: 'expres', duration: '10' }, [/^::error.*"expres".*express/m, /^::error.*duration/m]],
    ['split', { servers: 'expres', shards: '2' }, [/^::error.*"expres".*express/m]],
  ];
  for (const [step, inputs, messages] of mistakes) {
    const { status, stdout } = runStep(step, cwd, { PERF_INPUTS: JSON.stringify(inputs) });
    assert.equal(status, 2, stdout);
    for (const message of messages) assert.match(stdout, message);
  }
});

test('mistakes in the inputs of several jobs say how to mend them', async () => {
  const cwd = folderOf('several', { 'perf.yml': 'servers: [node-http]\n' });
  /** @type {[inputs: object, message: RegExp][]} */
  const mistakes = [
    [{ machines: 'ubuntu-latest' }, /^machines: ubuntu-latest is not JSON; use a JSON list/],
    [{ machines: '[]' }, /^machines: \[\] is not a list of texts/],
    [{ machines: '["a b"]' }, /^machines: "a b" cannot name an artifact/],
    [{ machines: '["a", "a"]' }, /^machines: a label is listed twice/],
    [{ machines: '["a", "b"]' }, /^machines: .*set against, like against: base/],
    [{ machines: '["a"]', 'baseline-store': 'cache' }, /^machines: .*leave out baseline-store/],
    [
      { baseline: 'baselines/nightly.json' },
      /baseline: there is no baselines\/nightly\.json; copy the run\.json/,
    ],
  ];
  for (const [inputs, message] of mistakes) {
    const env = { PERF_INPUTS: JSON.stringify(inputs) };
    await assert.rejects(splitCases({ env, cwd, signal }), { name: 'UserError', message });
  }
});

test('a results folder from which an upload could take other files along is refused', async () => {
  const cwd = folderOf('outside', { 'perf.yml': 'servers: [node-http]\n' });
  symlinkSync('/etc', join(cwd, 'away'));
  for (const out of ['.', '..', '../../../../etc', '/etc', 'away', 'away/results', '../results']) {
    const PERF_INPUTS = JSON.stringify({ options: JSON.stringify({ out }) });
    const env = { PERF_INPUTS, GITHUB_WORKSPACE: cwd, RUNNER_TEMP: join(cwd, '..') };
    await assert.rejects(plan({ env, cwd, signal }), {
      name: 'UserError',
      message: /out: .*; use a folder .*$/,
    });
  }
});

test('a push gets no notice that there is no comment; a pull request that cannot be written to does', () => {
  const dir = folderOf('results', { 'run.json': JSON.stringify(sampleRun()) });
  const noticesFor = (/** @type {object} */ event) => {
    const file = join(SCRATCH, 'event.json');
    writeFileSync(file, JSON.stringify(event));
    const env = { PERF_OUT: dir, GITHUB_EVENT_PATH: file, GITHUB_REPOSITORY: 'octo/app' };
    return runStep('comment', dir, env).stdout.match(/::notice.*No comment was posted/g)?.length ?? 0;
  };
  assert.equal(noticesFor({ ref: 'refs/heads/main' }), 0);
  assert.equal(noticesFor({ pull_request: { number: 7, base: {}, head: {} } }), 1);
});

test('a runner without npm gets an error that names the input that installs it', () => {
  const { steps } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')).runs;
  const { run } = steps.find((/** @type {{ id?: string }} */ { id }) => id === 'key');
  const { status, stdout } = spawnSync('/bin/bash', ['-eo', 'pipefail', '-c', run], {
    encoding: 'utf8',
    env: { PATH: SCRATCH, GITHUB_ACTION_PATH: ROOT, GITHUB_OUTPUT: join(SCRATCH, 'outputs') },
  });
  assert.equal(status, 1);
  assert.match(
    stdout,
    /^::error title=perf-action::there is no npm on this runner; set the input node-version/,
  );
});
