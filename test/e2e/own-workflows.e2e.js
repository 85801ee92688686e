/** This project's own workflows, which use the action in its own checkout, as `uses: ./`. Cut short: fewer servers, less time. */

import assert from 'node:assert/strict';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { openWorkshop } from './actions/workshop.js';
import { startGitHub } from './api/github.js';
import { gitIn, ROOT, runTool } from './tools.js';

const OWN = mkdtempSync(join(tmpdir(), 'perf-own-'));

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
/** Of the repository's two commits. */
let [base, head] = ['', ''];
before(async () => {
  workshop = await openWorkshop();
  const { output } = await runTool(['git', 'ls-files', '--cached', '--others', '--exclude-standard', '-z']);
  for (const file of output.split('\0').filter((name) => name && existsSync(join(ROOT, name))))
    cpSync(join(ROOT, file), join(OWN, file));
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
  rmSync(OWN, { recursive: true, force: true });
});

/** @param {object} workflow @param {string} on @param {object} event */
async function runOwn(workflow, on, event) {
  const github = await startGitHub({ pullRequests: [{ number: 7, sha: head, from: 'octo/app:change' }] });
  try {
    return await workshop.runWorkflow({ workflow, on, event, apiUrl: github.url, checkout: OWN });
  } finally {
    github.close();
  }
}

/** @param {string} name */
const read = (name) => parse(readFileSync(join(ROOT, '.github/workflows', name), 'utf8'));

test('own.yml measures a pull request of this project', async () => {
  const workflow = read('own.yml');
  Object.assign(workflow.jobs.perf.steps.at(-1).with, { servers: './servers/fastify', budget: '15s' });
  const event = { pull_request: { number: 7, base: { sha: base, ref: 'main' }, head: { sha: head } } };
  const { code, log, artifacts } = await runOwn(workflow, 'pull_request', event);
  assert.equal(code, 0, log);
  assert.match(log, /Compared with/);
  assert.ok(artifacts['perf-results-perf'], log);
});

test('nightly.yml measures the catalogue', async () => {
  const workflow = read('nightly.yml');
  delete workflow.jobs.test;
  Object.assign(workflow.jobs.catalogue.steps.at(-1).with, { servers: 'fastify', duration: '1s' });
  const { code, log, artifacts } = await runOwn(workflow, 'workflow_dispatch', { ref: 'refs/heads/main' });
  assert.equal(code, 0, log);
  assert.ok(artifacts['perf-results-catalogue'], log);
});
