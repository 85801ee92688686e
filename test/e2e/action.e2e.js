/** The composite action as a workflow runs it: real servers, real load, GitHub's API by its own description. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openWorkshop } from './actions/workshop.js';
import { startGitHub } from './api/github.js';

const QUICK = { duration: '1s', warmup: '0', connections: '8' };

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
before(async () => {
  workshop = await openWorkshop();
});
after(() => workshop.remove());

/**
 * @param {Parameters<typeof startGitHub>[0]} state
 * @param {(github: Awaited<ReturnType<typeof startGitHub>>) => Promise<void>} use
 */
async function withGitHub(state, use) {
  const github = await startGitHub(state);
  try {
    await use(github);
  } finally {
    github.close();
  }
}

/** @param {{ called: { name: string }[] }} job */
const namesOf = ({ called }) => called.map(({ name }) => name.split('/')[1]);

test('the first run comments; the next one, much slower than its baseline, updates that and fails the job', () =>
  withGitHub({}, async ({ url, comments, seen }) => {
    const asked = { servers: './app,fastify', rounds: '4', 'node-version': '20', trend: 'true' };
    const first = await workshop.run({ ...QUICK, ...asked }, url);
    assert.equal(first.code, 0, first.log);
    assert.deepEqual(namesOf(first), ['setup-node', 'cache', 'upload-artifact']);
    assert.equal(comments.length, 1);
    assert.match(comments[0]?.body ?? '', /^<!-- perf-action:perf -->\n[^]*The caller's app[^]*Fastify/);
    assert.match(first.outputs['comment-url'] ?? '', /#issuecomment-1000$/);
    assert.equal(first.outputs.verdict, '');

    const baseline = JSON.parse(readFileSync(join(first.results, 'run.json'), 'utf8'));
    for (const { server, trials } of baseline.cases)
      for (const window of server === 'app'
        ? trials.flatMap((/** @type {any} */ trial) => trial.windows)
        : [])
        window.requests *= 10;
    writeFileSync(join(workshop.repository, 'baseline.json'), JSON.stringify(baseline));
    const second = await workshop.run(
      { ...QUICK, servers: './app', rounds: '4', baseline: 'baseline.json' },
      url,
    );
    assert.equal(second.code, 1, second.log);
    assert.equal(second.outputs.verdict, 'regressed');
    assert.equal(second.outputs['comment-url'], first.outputs['comment-url']);
    assert.match(
      second.log,
      /::error.*The caller's app, (throughput|CPU per request): [\d.,]+ \S+ → [\d.,]+ /,
    );
    assert.deepEqual(namesOf(second), ['cache', 'upload-artifact']);
    assert.equal(comments.length, 1);
    assert.match(comments[0]?.body ?? '', /regressed/);
    assert.equal(seen.filter((request) => request.startsWith('POST')).length, 1);
    assert.equal(seen.filter((request) => request.startsWith('PATCH')).length, 1);
  }));

test("a fork's token may not write: the summary has it all, a notice says why, the job is fine", () =>
  withGitHub({ mayWrite: false }, async ({ url, comments }) => {
    const { code, log, outputs } = await workshop.run({ ...QUICK, servers: './app', rounds: '1' }, url);
    assert.equal(code, 0, log);
    assert.equal(comments.length, 0);
    assert.equal(outputs['comment-url'], '');
    assert.match(log, /::notice::.*job summary.*the token may not comment/);
    assert.match(log, /Summary - <!-- perf-action:perf -->\s+### /);
  }));

test('a server that needs Java gets it, paths start at the working directory, no comment is written unasked', () =>
  withGitHub({}, async ({ url, seen }) => {
    const asked = { servers: '../not-java', 'working-directory': 'app', rounds: '1', comment: 'false' };
    const { code, log, called, outputs } = await workshop.run({ ...QUICK, ...asked }, url);
    assert.equal(code, 0, log);
    assert.deepEqual(called.find(({ name }) => name === 'actions/setup-java')?.given, {
      distribution: 'temurin',
      'java-version': '21',
    });
    assert.match(outputs['results-path'] ?? '', /\/app\/perf-results$/);
    assert.deepEqual(seen, []);
  }));

test('a server that does not start is told of in the comment, beside those that did, and fails the job', () =>
  withGitHub({}, async ({ url, comments }) => {
    const { code, log } = await workshop.run({ ...QUICK, servers: './app,./broken', rounds: '1' }, url);
    assert.equal(code, 1, log);
    assert.match(log, /::error.*Broken: exited-at-boot/);
    assert.match(comments[0]?.body ?? '', /The caller's app/);
    assert.match(comments[0]?.body ?? '', /exited-at-boot|Broken/);
  }));

test('a mistake in the inputs is an annotation, and nothing is measured', () =>
  withGitHub({}, async ({ url, seen }) => {
    const { code, log, outputs } = await workshop.run({ ...QUICK, servers: 'expres', duration: '10' }, url);
    assert.equal(code, 1, log);
    assert.match(log, /::error.*"expres".*express/);
    assert.match(log, /::error.*duration/);
    assert.equal(outputs['results-path'], '');
    assert.deepEqual(seen, []);
  }));
