/**
 * This project's own workflows, which use the action in its own checkout, as `uses: ./`. Cut short: fewer
 * servers, less time.
 */

import assert from 'node:assert/strict';
import { appendFileSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { openWorkshop } from '../actions/workshop.js';
import { startGitHub } from '../api/github.js';
import { gitIn, ROOT, runTool } from '../tools.js';
import { scratchFolder } from '../../scratch.js';

const SHORT = { rate: '100', rounds: '1', duration: '1s', warmup: '0' };

const OWN = scratchFolder();

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
/** Of the repository's two commits. */
let [base, head] = ['', ''];
before(async () => {
  workshop = await openWorkshop();
  const { output } = await runTool(['git', 'ls-files', '--cached', '--others', '--exclude-standard', '-z']);
  for (const file of output.split('\0').filter((name) => name && existsSync(join(ROOT, name))))
    cpSync(join(ROOT, file), join(OWN, file));
  const cases = join(OWN, 'bench/record/cases.js');
  writeFileSync(cases, readFileSync(cases, 'utf8').replaceAll('within: 60 }', 'within: 60, budget: 12 }'));
  const commands = join(OWN, 'bench/perf-action.js');
  writeFileSync(
    commands,
    readFileSync(commands, 'utf8').replace('...command]', "...command, '--rate', '100']"),
  );
  const git = gitIn(OWN);
  await git('init', '-q', '-b', 'main');
  await git('remote', 'add', 'origin', 'https://github.com/octo/app.git');
  await git('add', '.');
  await git('commit', '-q', '-m', 'base');
  base = await git('rev-parse', 'HEAD');
  appendFileSync(join(OWN, 'servers/fastify/server.js'), '// a comment\n');
  await git('commit', '-q', '-a', '-m', 'head');
  head = await git('rev-parse', 'HEAD');
});
after(() => {
  workshop.remove();
});

/**
 * @param {object} workflow
 * @param {string} on
 * @param {object} event
 * @param {{ artifacts?: string }} [more]
 */
async function runOwn(workflow, on, event, more) {
  const github = await startGitHub({ pullRequests: [{ number: 7, sha: head, from: 'octo/app:change' }] });
  try {
    return await workshop.runWorkflow({ workflow, on, event, apiUrl: github.url, checkout: OWN, ...more });
  } finally {
    github.close();
  }
}

/** @param {string} name */
const read = (name) => parse(readFileSync(join(ROOT, '.github/workflows', name), 'utf8'));

test('own.yml measures a pull request of this project', async () => {
  const workflow = read('own.yml');
  const { budget: _, ...given } = workflow.jobs.perf.steps.at(-1).with;
  const options = JSON.stringify({ ...JSON.parse(given.options), ...SHORT });
  workflow.jobs.perf.steps.at(-1).with = { ...given, servers: './servers/fastify', options };
  const event = { pull_request: { number: 7, base: { sha: base, ref: 'main' }, head: { sha: head } } };
  const { code, log, artifacts } = await runOwn(workflow, 'pull_request', event);
  assert.equal(code, 0, log);
  assert.match(log, /Compared with/);
  assert.ok(artifacts['perf-results-perf'], log);
});

test('nightly.yml measures the catalogue', async () => {
  const workflow = read('nightly.yml');
  delete workflow.jobs.test;
  Object.assign(workflow.jobs.catalogue.steps.at(-1).with, {
    servers: 'fastify',
    options: JSON.stringify(SHORT),
  });
  const { code, log, artifacts } = await runOwn(workflow, 'workflow_dispatch', { ref: 'refs/heads/main' });
  assert.equal(code, 0, log);
  assert.ok(artifacts['perf-results-catalogue'], log);
});

test('record.yml makes reports and keeps their rows in a branch', async () => {
  const workflow = read('record.yml');
  const { measure } = workflow.jobs;
  measure.strategy.matrix = { runner: ['ubuntu-latest'], server: ['fastify'] };
  const step = measure.steps.find((/** @type {any} */ { name }) => name === 'Make reports');
  step.run = step.run.replace('--here 12', '--here 1');
  const artifacts = join(OWN, 'artifacts');
  const keep = async () => {
    const { code, log } = await runOwn(workflow, 'workflow_dispatch', { inputs: {} }, { artifacts });
    assert.equal(code, 0, log);
    return (await gitIn(OWN)('show', 'record:rows.jsonl')).split('\n');
  };
  const [row = '', ...more] = await keep();
  assert.deepEqual(more, []);
  assert.equal(JSON.parse(row).machine, 'ubuntu-latest');
  const [probed = ''] = (await gitIn(OWN)('show', 'record:counters.jsonl')).split('\n');
  const { machine, instructions, why } = JSON.parse(probed);
  assert.equal(machine, 'ubuntu-latest');
  assert.ok(instructions === null ? why : instructions > 100_000, probed);
  // The next night, with the same rows for the sake of the time it takes.
  delete workflow.jobs.measure;
  delete workflow.jobs.keep.needs;
  assert.deepEqual(await keep(), [row, row]);
});
