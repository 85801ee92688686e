/**
 * The recipes as a project would use them: one workflow measures without rights, another comments and trusts
 * none of its files. When they start nothing, test/github/conditions.test.js shows.
 */

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { unpack } from '../actions/unpack.js';
import { openWorkshop, readRecipe } from '../actions/workshop.js';
import { withGitHub } from '../api/github.js';
import { gitIn } from '../tools.js';
import { scratchFolder } from '../../scratch.js';

const NAME = 'perf-results-perf';
const PERF_YML = `
servers: [./app]
load: { connections: 8, rate: 100, duration: 1s, warmup: 0s }
rounds: 1
reference: off
explain: false
failOn: never
`;

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
/** Of the repository's commits. */
let [base, head] = ['', ''];
before(async () => {
  workshop = await openWorkshop();
  const cwd = workshop.repository;
  const git = gitIn(cwd);
  base = await git('rev-parse', 'HEAD');
  writeFileSync(join(cwd, 'perf.yml'), PERF_YML);
  await git('add', '.');
  await git('commit', '-q', '-m', 'configuration');
  head = await git('rev-parse', 'HEAD');
});
after(() => workshop.remove());

const labelled = () => ({
  action: 'labeled',
  label: { name: 'perf' },
  pull_request: { number: 7, head: { sha: head }, base: { sha: base } },
});

/** @param {Buffer} bytes the artifact that a run of a fork's left */
const left = (bytes) => ({
  artifacts: () => [{ id: 5, run: 99, name: NAME, bytes }],
  pullRequests: [{ number: 7, sha: head, from: 'mallory/app:fast' }],
});

/** @param {string} apiUrl */
const comment = (apiUrl) =>
  workshop.runWorkflow({
    workflow: readRecipe('comment.yml'),
    on: 'workflow_run',
    event: {
      workflow_run: {
        id: 99,
        event: 'pull_request',
        conclusion: 'success',
        head_sha: head,
        head_branch: 'fast',
        pull_requests: [],
        head_repository: { full_name: 'mallory/app' },
      },
    },
    apiUrl,
  });

/** @param {{ called: { name: string, given: Record<string, string> }[] }} job */
const checkedOut = ({ called }) =>
  called
    .filter(({ name }) => name === 'actions/checkout')
    .map(({ given }) => given.repository ?? `octo/app@${given.ref}`);

test("a labelled pull request of a fork's is measured with a token that reads, and workflow_run alone comments", async () => {
  const measured = await withGitHub({ mayWrite: false }, async ({ url, seen }) => {
    const job = await workshop.runWorkflow({
      workflow: readRecipe('label.yml'),
      on: 'pull_request',
      event: labelled(),
      apiUrl: url,
    });
    assert.equal(job.code, 0, job.log);
    assert.deepEqual(seen, []);
    return job;
  });
  const ours = checkedOut(measured).filter((what) => what !== 'org/perf-action');
  assert.deepEqual(ours, Array(3).fill(`octo/app@${head}`));
  const results = await unpack(measured.artifacts[NAME]);
  const sides = ['base/run.json', 'run.json'].map((name) => JSON.parse(results[name] ?? '{}').revision.sha);
  assert.deepEqual(sides, [base, head]);

  const bytes = readFileSync(String(measured.artifacts[NAME]));
  const talk = Array.from({ length: 500 }, (_, index) => ({
    id: index + 1,
    body: 'words',
    login: 'mallory',
    type: /** @type {const} */ ('User'),
  }));
  const marker = '<!-- perf-action:perf -->';
  const own = {
    id: 999,
    body: `${marker} old`,
    login: 'github-actions[bot]',
    type: /** @type {const} */ ('Bot'),
  };
  await withGitHub({ ...left(bytes), comments: [...talk, own] }, async ({ url, comments, seen }) => {
    const job = await comment(url);
    assert.equal(job.code, 0, job.log);
    assert.equal(comments.length, 501);
    assert.match(
      comments.at(-1)?.body ?? '',
      new RegExp(`^${marker}\\n<!-- of ${head} -->\\n\\n### .*\\n\\n_Measured by .*${head.slice(0, 10)}`),
    );
    assert.match(comments.at(-1)?.body ?? '', /The caller's app/);
    assert.deepEqual(checkedOut(job), ['org/perf-action']);
    assert.ok(
      seen.every((request) => /^(GET|PATCH) |^POST \/graphql$/.test(request)),
      seen.join('\n'),
    );
  });
});

/** What comments ask for, and of the answers. @type {[string, RegExp][]} */
const ASKED = [
  [
    '/perf connections=4 duration=1s\n`thanks`',
    /The caller's app[^]*autocannon, 4 connections|autocannon c4/,
  ],
  ['/perf counts connections=4', /The counts of 0 of 1 case changed[^]*Allocated per request/],
];
for (const [body, answer] of ASKED)
  test(`a comment of a person with write access starts what it asks for (${body.split('\n')[0]}), and gets an answer`, async () => {
    const folder = scratchFolder();
    const file = () => join(folder, '1', NAME, `${NAME}.zip`);
    const state = {
      people: { octo: /** @type {const} */ ('write') },
      pullRequests: [{ number: 7, sha: head, base, from: 'mallory/app:fast' }],
      artifacts: () =>
        existsSync(file()) ? [{ id: 5, run: 1, name: NAME, bytes: readFileSync(file()) }] : [],
    };
    await withGitHub(state, async ({ url, comments, reactions }) => {
      const job = await workshop.runWorkflow({
        workflow: readRecipe('ask.yml'),
        on: 'issue_comment',
        event: {
          action: 'created',
          issue: { number: 7, pull_request: {} },
          comment: { id: 3, body, user: { login: 'octo' }, author_association: 'OWNER' },
        },
        apiUrl: url,
        artifacts: folder,
      });
      assert.equal(job.code, 0, job.log);
      assert.deepEqual(reactions, ['3 eyes']);
      assert.equal(comments.length, 1);
      assert.match(comments[0]?.body ?? '', answer);
      assert.deepEqual([...new Set(checkedOut(job))].sort(), [`octo/app@${head}`, 'org/perf-action']);
    });
  });
