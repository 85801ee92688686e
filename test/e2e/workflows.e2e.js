/** The reusable workflow as a caller starts it: jobs, matrix and artifacts by act, real servers, real load. */

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { unpack } from './actions/unpack.js';
import { openWorkshop } from './actions/workshop.js';
import { startGitHub } from './api/github.js';
import { ROOT, runTool } from './tools.js';

/** Three cases, and the reference under each of their loads. */
const ASKED = {
  servers: './app',
  connections: '4,8,16',
  rounds: '1',
  duration: '1s',
  warmup: '0',
  seed: '5',
};

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
/** @type {Awaited<ReturnType<typeof startGitHub>>} */
let github;
before(async () => {
  workshop = await openWorkshop();
});
after(() => workshop.remove());

/** @param {object} inputs */
async function callWith(inputs) {
  github = await startGitHub();
  const workflow = {
    on: 'pull_request',
    permissions: { contents: 'read', 'pull-requests': 'write' },
    jobs: {
      perf: {
        uses: 'org/perf-action/.github/workflows/perf.yml@v1',
        with: { 'action-ref': 'v1', 'fail-on': 'never', ...inputs },
      },
    },
  };
  try {
    const event = { pull_request: { number: 7 } };
    return await workshop.runWorkflow({ workflow, on: 'pull_request', event, apiUrl: github.url });
  } finally {
    github.close();
  }
}

/** @returns {Promise<any>} the run of one machine with the same inputs */
async function runWhole() {
  const out = mkdtempSync(join(tmpdir(), 'perf-whole-'));
  try {
    const flags = Object.entries(ASKED).map(([name, value]) => `--${name}=${value}`);
    const command = ['node', join(ROOT, 'scripts/cli.js'), 'run', ...flags, `--out=${out}`];
    const { code, output } = await runTool(command, { cwd: workshop.repository });
    assert.equal(code, 0, output);
    return JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  } finally {
    rmSync(out, { recursive: true });
  }
}

/** @param {any} run what does not depend on how fast anything was, nor on which machine measured it */
const shapeOf = ({ revision, title, seed, command, cases }) => ({
  revision: { ...revision, ref: 'main' },
  title,
  seed,
  measured: String(command).includes('--shard'),
  cases: cases.map((/** @type {any} */ { id, request, load, reference, trials }) => ({
    ...{ id, request, load, reference },
    rounds: [...new Set(trials.map((/** @type {any} */ { round }) => round))],
    failures: trials.filter((/** @type {any} */ { failure }) => failure),
  })),
});

test('three shards give one comment and one report, with the cases of a run on one machine', async () => {
  const job = await callWith({ ...ASKED, shards: 3, against: 'same' });
  assert.equal(job.code, 0, job.log);

  const results = await unpack(job.artifacts['perf-results-perf']);
  const [head, base, comparison] = ['run.json', 'base/run.json', 'comparison.json'].map((name) =>
    JSON.parse(results[name] ?? 'null'),
  );
  assert.deepEqual(shapeOf(head), shapeOf(await runWhole()));
  for (const side of [base, head]) {
    const shardsOf = (/** @type {any} */ { trials }) => trials.map((/** @type {any} */ { shard }) => shard);
    const [references, others] = [true, undefined].map((is) =>
      side.cases.filter((/** @type {any} */ { reference }) => reference === is).map(shardsOf),
    );
    assert.deepEqual(references, [
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
    assert.deepEqual(others, [[1], [2], [3]]);
  }
  assert.equal(comparison.method, 'side-by-side');
  assert.equal(comparison.cases.length, 3);

  assert.equal(github.comments.length, 1);
  assert.match(
    github.comments[0]?.body ?? '',
    /\[The whole report\]\(https:.*\/actions\/runs\/\d+\/artifacts\/\d+\)/,
  );
  assert.equal(job.log.match(/Summary - <!-- perf-action/g)?.length, 1);
  const own = job.called.filter(({ given }) => given.repository === 'org/perf-action');
  assert.deepEqual(
    own.map(({ given }) => given.ref),
    Array(5).fill('v1'),
  );
});

test('a mistake in the inputs is told by the first job, and no machine measures', async () => {
  const job = await callWith({ servers: 'expres', shards: 2 });
  assert.equal(job.code, 1, job.log);
  assert.match(job.log, /::error.*"expres".*express/);
  assert.doesNotMatch(job.log, /perf\/measure/);
  assert.deepEqual(job.artifacts, {});
});

test('without knowing which perf-action was called, nothing is brought in its place', async () => {
  const job = await callWith({ 'action-ref': '' });
  assert.equal(job.code, 1, job.log);
  assert.match(job.log, /::error.*action-ref/);
  assert.deepEqual(job.called, []);
});
