/** The reusable workflow as a caller starts it: jobs, matrix and artifacts by act, real servers, real load. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { unpack } from './actions/unpack.js';
import { openWorkshop } from './actions/workshop.js';
import { startGitHub } from './api/github.js';

const ASKED = {
  servers: './app',
  connections: '4,8,16',
  rounds: '2',
  duration: '1s',
  warmup: '0',
  against: 'same',
  'fail-on': 'never',
};

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
before(async () => {
  workshop = await openWorkshop();
});
after(() => workshop.remove());

/** @param {object} inputs */
const callerWith = (inputs) => ({
  on: 'pull_request',
  permissions: { contents: 'read', 'pull-requests': 'write' },
  jobs: {
    perf: { uses: 'org/perf-action/.github/workflows/perf.yml@v1', with: { 'action-ref': 'v1', ...inputs } },
  },
});

/** @param {any} run what of a run does not depend on how fast anything was */
const shapeOf = ({ revision, title, seed, cases }) => ({
  revision,
  title,
  seed,
  cases: cases.map(({ id, request, load, reference, trials }) => ({
    id,
    request,
    load,
    reference,
    rounds: [...new Set(trials.map((/** @type {any} */ trial) => trial.round))],
    failures: trials.filter((/** @type {any} */ trial) => trial.failure),
  })),
});

test('three shards give one comment and one report, with the cases of a run on one machine', async () => {
  const github = await startGitHub();
  try {
    const started = { on: 'pull_request', event: { pull_request: { number: 7 } }, apiUrl: github.url };
    const job = await workshop.runWorkflow({
      workflow: callerWith({ ...ASKED, shards: 3, seed: 5 }),
      ...started,
    });
    assert.equal(job.code, 0, job.log);
    const results = await unpack(job.artifacts['perf-results-perf']);
    const [head, base, comparison] = ['run.json', 'base/run.json', 'comparison.json'].map((name) =>
      JSON.parse(results[name] ?? 'null'),
    );
    const whole = await workshop.run({ ...ASKED, seed: 5 }, github.url);
    assert.equal(whole.code, 0, whole.log);
    const { readFileSync } = await import('node:fs');
    const unsharded = JSON.parse(readFileSync(`${whole.results}/run.json`, 'utf8'));
    assert.deepEqual(shapeOf(head), shapeOf(unsharded));
    assert.deepEqual(
      head.cases.map((/** @type {any} */ { id }) => id),
      base.cases.map((/** @type {any} */ { id }) => id),
    );
  } finally {
    github.close();
  }
});
