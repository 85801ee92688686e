/** The recipes as a project would use them: one workflow measures without rights, another comments and trusts none of its files. */

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { unpack } from './actions/unpack.js';
import { openWorkshop, readRecipe } from './actions/workshop.js';
import { zip } from './actions/zip.js';
import { startGitHub, withGitHub } from './api/github.js';
import { gitIn } from './tools.js';

const NAME = 'perf-results-perf';
const PERF_YML = `
servers: [./app]
load: { connections: 8, duration: 1s, warmup: 0s }
rounds: 1
reference: off
failOn: never
`;

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
/** Of the repository's commits; the last one, on no branch, changes nothing that matters. */
let [base, head, words] = ['', '', ''];
before(async () => {
  workshop = await openWorkshop();
  const cwd = workshop.repository;
  const git = gitIn(cwd);
  base = await git('rev-parse', 'HEAD');
  writeFileSync(join(cwd, 'perf.yml'), PERF_YML);
  await git('add', '.');
  await git('commit', '-q', '-m', 'configuration');
  head = await git('rev-parse', 'HEAD');
  writeFileSync(join(cwd, 'README.md'), 'words');
  await git('add', '.');
  await git('commit', '-q', '-m', 'words');
  words = await git('rev-parse', 'HEAD');
  await git('checkout', '-q', '-B', 'main', head);
});
after(() => workshop.remove());

const labelled = (/** @type {string} */ name, sides = { head, base }) => ({
  action: 'labeled',
  label: { name },
  pull_request: { number: 7, head: { sha: sides.head }, base: { sha: sides.base } },
});

/** @param {Buffer} bytes the artifact that a run of a fork's left */
const left = (bytes, sha = head) => ({
  artifacts: () => [{ id: 5, run: 99, name: NAME, bytes }],
  pullRequests: [{ number: 7, sha, from: 'mallory/app:fast' }],
});

/** @param {string} apiUrl */
const comment = (apiUrl, sha = head) =>
  workshop.runWorkflow({
    workflow: readRecipe('comment.yml'),
    on: 'workflow_run',
    event: {
      workflow_run: {
        id: 99,
        event: 'pull_request',
        conclusion: 'success',
        head_sha: sha,
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

for (const { login, isMeasured } of [
  { login: 'dependabot[bot]', isMeasured: true },
  { login: 'mallory', isMeasured: false },
])
  test(`the recipe for dependency updates measures ${isMeasured ? 'those' : 'none but those'} of a bot`, async () => {
    const user = { login };
    const { pull_request: pullRequest } = labelled('perf');
    await withGitHub({ mayWrite: false }, async ({ url }) => {
      const job = await workshop.runWorkflow({
        workflow: readRecipe('dependencies.yml'),
        on: 'pull_request',
        event: { action: 'opened', pull_request: { ...pullRequest, user } },
        apiUrl: url,
      });
      assert.equal(job.code, 0, job.log);
      assert.equal(NAME in job.artifacts, isMeasured, job.log);
    });
  });

test("a labelled pull request of a fork's is measured with a token that reads, and workflow_run alone comments", async () => {
  const measured = await withGitHub({ mayWrite: false }, async ({ url, seen }) => {
    const job = await workshop.runWorkflow({
      workflow: readRecipe('label.yml'),
      on: 'pull_request',
      event: labelled('perf'),
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

test('a fork’s later push that touches nothing relevant makes the old comment say so, and no new one', async () => {
  const measured = await withGitHub({ mayWrite: false }, ({ url }) =>
    workshop.runWorkflow({
      workflow: readRecipe('label.yml'),
      on: 'pull_request',
      event: labelled('perf', { head: words, base: head }),
      apiUrl: url,
    }),
  );
  assert.equal(measured.code, 0, measured.log);
  const bytes = readFileSync(String(measured.artifacts[NAME]));
  const marker = `<!-- perf-action:perf -->\n<!-- of ${head} -->`;
  const body = `${marker}\n\n### 🔴 Slower`;
  const type = /** @type {const} */ ('Bot');
  const own = { id: 1, body, login: 'github-actions[bot]', type };
  await withGitHub({ ...left(bytes, words), comments: [own] }, async ({ url, comments }) => {
    const job = await comment(url, words);
    assert.equal(job.code, 0, job.log);
    const expected = [
      `${marker}\n\n### ⚪ Skipped: no changed file affects a server since commit ${head.slice(0, 10)}\n\n`,
      `_Skipped by \\[a run\\]\\(.*\\) of the pull request's own code, at ${words.slice(0, 10)}\\._\n\n`,
      `The previous result here was for commit ${head.slice(0, 10)}\\.`,
    ];
    assert.equal(comments.length, 1);
    assert.match(comments[0]?.body ?? '', new RegExp(`^${expected.join('')}$`));
  });
});

test('another label starts nothing', async () => {
  const job = await workshop.runWorkflow({
    workflow: readRecipe('label.yml'),
    on: 'pull_request',
    event: labelled('docs'),
    apiUrl: 'http://127.0.0.1:9',
  });
  assert.deepEqual([job.code, job.called], [0, []], job.log);
});

test('an artifact that would write elsewhere is refused, the job says so, and there is no comment', () =>
  withGitHub(left(zip([{ name: '../../../evil.js', data: 'boom' }])), async ({ url, comments }) => {
    const job = await comment(url);
    assert.equal(job.code, 1, job.log);
    assert.match(job.log, /::error.*the artifact was rejected: .*evil\.js; none of it was used/);
    assert.deepEqual(comments, []);
  }));

/** @param {string} body @param {string} login @param {Parameters<typeof startGitHub>[0]} [site] */
async function ask(body, login, site = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'perf-artifacts-'));
  const file = () => join(folder, '1', NAME, `${NAME}.zip`);
  const state = {
    people: { octo: /** @type {const} */ ('write') },
    pullRequests: [{ number: 7, sha: head, base, from: 'mallory/app:fast' }],
    artifacts: () => (existsSync(file()) ? [{ id: 5, run: 1, name: NAME, bytes: readFileSync(file()) }] : []),
    ...site,
  };
  try {
    return await withGitHub(state, async ({ url, comments, reactions }) => {
      const event = {
        action: 'created',
        issue: { number: 7, pull_request: {} },
        comment: { id: 3, body, user: { login }, author_association: 'OWNER' },
      };
      const workflow = readRecipe('ask.yml');
      const job = await workshop.runWorkflow({
        workflow,
        on: 'issue_comment',
        event,
        apiUrl: url,
        artifacts: folder,
      });
      return { job, reactions, bodies: comments.map((each) => each.body), kept: readdirSync(folder) };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a comment of a person with write access starts a run of what it asks for, and gets an answer', async () => {
  const { job, reactions, bodies } = await ask('/perf connections=4 duration=1s\n`thanks`', 'octo');
  assert.equal(job.code, 0, job.log);
  assert.deepEqual(reactions, ['3 eyes']);
  assert.equal(bodies.length, 1);
  assert.match(bodies[0] ?? '', /The caller's app[^]*autocannon, 4 connections|autocannon c4/);
  assert.deepEqual([...new Set(checkedOut(job))].sort(), [`octo/app@${head}`, 'org/perf-action']);
});

test('a comment starts a search for the commit that made the server slower, in a job that only reads', async () => {
  const cwd = workshop.repository;
  const git = gitIn(cwd);
  const file = join(cwd, 'app/server.js');
  const fast = readFileSync(file, 'utf8');
  const slow = fast.replace(
    'response.writeHead',
    'for (const end = Date.now() + 5; Date.now() < end; );\n  response.writeHead',
  );
  /** @type {[subject: string, text: string][]} */
  const changes = [
    ['wait for nothing', slow],
    ['talk', `${slow}// words\n`],
  ];
  const commits = [head];
  try {
    for (const [subject, text] of changes) {
      writeFileSync(file, text);
      await git('commit', '-q', '-a', '-m', subject);
      commits.push(await git('rev-parse', 'HEAD'));
    }
  } finally {
    await git('checkout', '-q', '-B', 'later');
    await git('checkout', '-q', 'main');
    await git('reset', '-q', '--hard', head);
  }
  const [good = '', slowed = '', bad = ''] = commits;
  const { job, bodies, reactions } = await ask('/perf bisect v1 later duration=1s rounds=4', 'octo', {
    ahead: 2,
    refs: { v1: good, later: bad },
  });
  assert.equal(job.code, 0, job.log);
  assert.deepEqual(reactions, ['3 eyes']);
  assert.equal(bodies.length, 1);
  const [body = ''] = bodies;
  const found = `🔴 ${slowed.slice(0, 10)} "wait for nothing" made .* slower\\.[^]*Compared with its parent ${good.slice(0, 10)}: [^]*False alarms: at most 1 report in 100`;
  // A busy machine may leave it open; how a search goes on is shown with planted verdicts.
  assert.match(body, new RegExp(`### (${found}|🟡 )`));
  assert.match(body, new RegExp(`\\| ${bad.slice(0, 10)} \\| talk +\\| ${good.slice(0, 10)} `));
  assert.deepEqual([...new Set(checkedOut(job))].sort(), [`octo/app@${bad}`, 'org/perf-action']);
});

test('what a stranger writes is not run, whatever it is', async () => {
  const { job, reactions, bodies, kept } = await ask(
    '/perf servers=$(touch pwned) `id` ${{ github.token }}\n/perf',
    'mallory',
  );
  assert.equal(job.code, 0, job.log);
  assert.deepEqual([reactions, bodies, kept], [['3 -1'], [], []]);
  assert.deepEqual(checkedOut(job), ['org/perf-action']);
});

test('what cannot be run is answered', async () => {
  const { job, reactions, bodies } = await ask('/perf servers=`id` duration=$(id) colour=red', 'octo');
  assert.equal(job.code, 0, job.log);
  assert.deepEqual([reactions, bodies.length], [['3 confused'], 1]);
  assert.match(bodies[0] ?? '', /servers: only letters[^]*duration: only letters[^]*no option "colour"/);
  assert.deepEqual(checkedOut(job), ['org/perf-action']);
});
