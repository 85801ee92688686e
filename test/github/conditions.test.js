/**
 * When the jobs and steps of the recipes and workflows start. test/e2e/act runs each of them once where it
 * does.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fill, readYaml, starts } from './expressions.js';

const { jobs: PERF } = readYaml('.github/workflows/perf.yml');
const { runs: ACTION } = readYaml('action.yml');
const recipe = (/** @type {string} */ name) => readYaml(`docs/recipes/${name}.yml`).jobs;

/**
 * @param {object} event
 * @param {string} [name]
 */
const on = (event, name = '') => ({ github: { event, event_name: name }, inputs: {}, needs: {} });

const ended = (/** @type {string} */ event, /** @type {string} */ conclusion) =>
  on({ workflow_run: { event, conclusion } });
const openedBy = (/** @type {string} */ login) => on({ pull_request: { user: { login } } });
const commented = (/** @type {string} */ body, issue = {}) => on({ issue, comment: { body } });
const PULL = { pull_request: { url: '' } };
const asked = (/** @type {object} */ outputs) => ({
  needs: { ask: { outputs: { options: '', ...outputs } } },
});
const night = (/** @type {string} */ verdict, event = 'schedule') => ({
  ...on({}, event),
  needs: { perf: { outputs: { verdict } } },
});
const left = (/** @type {string} */ artifact) => ({ needs: { perf: { outputs: { artifact } } } });

/** @typedef {import('./expressions.js').Contexts} Contexts */
/** By recipe and job. @type {[name: string, starting: Contexts[], not: Contexts[]][]} */
const JOBS = [
  ['label perf', [on({ label: { name: 'perf' } })], [on({ label: { name: 'docs' } })]],
  [
    'dependencies perf',
    ['dependabot[bot]', 'renovate[bot]'].map(openedBy),
    ['mallory', 'dependabot'].map(openedBy),
  ],
  [
    'comment comment',
    [ended('pull_request', 'success'), ended('pull_request', 'failure')],
    [ended('pull_request', 'skipped'), ended('pull_request', 'cancelled'), ended('push', 'success')],
  ],
  [
    'pages publish',
    [ended('push', 'success'), ended('push', 'failure')],
    [ended('push', 'skipped'), ended('push', 'cancelled')],
  ],
  ['ask ask', [commented('/perf', PULL)], [commented('do /perf', PULL), commented('/perf')]],
  // A stranger's request, and one that cannot be run, have no outputs: slash-command.test.js.
  ['ask measure', [asked({ options: '{}' })], [asked({})]],
  ['ask comment', [asked({ options: '{}' })], [asked({})]],
  ['main trend', [left('perf-results-perf')], [left('')]],
  [
    'schedule issue',
    ['regressed', 'same', 'improved'].map((verdict) => night(verdict)),
    [night('unsure'), night(''), night('regressed', 'workflow_dispatch')],
  ],
];
/** They start whatever became of the job before, unless the run was cancelled. */
const AFTER_FAILURE = ['ask comment', 'main trend', 'schedule issue'];

for (const [name, starting, not] of JOBS)
  test(`the job "${name}" starts when it should, and only then`, () => {
    const [file = '', id = ''] = name.split(' ');
    const isLate = AFTER_FAILURE.includes(name);
    const job = recipe(file)[id];
    for (const contexts of starting)
      assert.deepEqual(
        [starts(job, contexts), starts(job, contexts, 'failure'), starts(job, contexts, 'cancelled')],
        [true, isLate, false],
        JSON.stringify(contexts),
      );
    for (const contexts of not) assert.equal(starts(job, contexts), false, JSON.stringify(contexts));
  });

test('dependency updates get the job of a label, but for the commit and the budget', () => {
  const [labelled, updated] = ['label', 'dependencies'].map((name) => recipe(name).perf);
  const { ref: _, ...given } = labelled.with;
  assert.deepEqual(
    { ...updated, if: '', with: { ...given, budget: '10m' } },
    { ...labelled, if: '', with: updated.with },
  );
});

test('nights are compared with the stored run, a run by hand with the one that is asked for', () => {
  const { baseline } = recipe('schedule').perf.with;
  assert.equal(fill(baseline, { ...on({}, 'schedule'), inputs: {} }), 'baselines/nightly.json');
  for (const asked of ['', 'old.json'])
    assert.equal(fill(baseline, { ...on({}, 'workflow_dispatch'), inputs: { baseline: asked } }), asked);
});

test('shards are measured only after a plan, and joined whatever became of them', () => {
  assert.equal(starts(PERF.measure, {}, 'failure'), false);
  assert.deepEqual(PERF.measure.needs, 'plan');
  assert.equal(starts(PERF.report, {}, 'failure'), true);
  assert.equal(starts(PERF.report, {}, 'cancelled'), false);
  const [first] = PERF.report.steps;
  for (const result of ['failure', 'skipped', 'success'])
    assert.equal(starts(first, { needs: { plan: { result } } }), result !== 'success');
  assertRefuses(first, /nothing was measured; see the job plan/);
});

/** @type {(step: { run: string }, reason: RegExp) => void} */
function assertRefuses({ run }, reason) {
  const { status, stdout } = spawnSync('bash', ['-e', '-c', run], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stdout, /^::error title=perf-action::[^\n]*\n$/);
  assert.match(stdout, reason);
}

test('a reusable workflow refuses, before it brings anything, a server without artifacts and an unknown perf-action', () => {
  const { jobs: ASK } = readYaml('.github/workflows/perf-ask.yml');
  const { jobs: COMMENT } = readYaml('.github/workflows/perf-comment.yml');
  for (const { steps } of [PERF.plan, ASK.ask]) {
    for (const [server, expected] of /** @type {const} */ ([
      ['https://github.com', false],
      ['https://acme.ghe.com', false],
      ['https://github.example.com', true],
    ]))
      assert.equal(starts(steps[0], { github: { server_url: server } }), expected, server);
    assertRefuses(steps[0], /does not support upload-artifact.*in one job instead, with .*@v1 as a step/);
  }
  for (const step of [PERF.plan.steps[1], ASK.ask.steps[1], COMMENT.comment.steps[0]]) {
    for (const [sha, ref, expected] of /** @type {const} */ ([
      ['', '', true],
      ['abc', '', false],
      ['', 'v1', false],
    ]))
      assert.equal(starts(step, { job: { workflow_sha: sha }, inputs: { 'action-ref': ref } }), expected);
    assertRefuses(step, /action-ref/);
  }
});

/** @param {string} name of a step of the action */
const stepOf = (name) => ACTION.steps.find((/** @type {any} */ step) => step.name === name);

test('a baseline is restored from the cache and saved there under the name of its comment-key', () => {
  const [restored, saved] = ['Restore the baselines', 'Save the baselines'].map((name) => stepOf(name).with);
  const contexts = (/** @type {string} */ key) => ({
    github: { repository: 'octo/app', run_id: '5', run_attempt: '1' },
    inputs: { 'comment-key': key },
  });
  assert.deepEqual([saved.path, saved.key], [restored.path, restored.key]);
  const stored = fill(saved.key, contexts('perf-api'));
  const finds = (/** @type {string} */ key) =>
    stored.startsWith(fill(restored['restore-keys'], contexts(key)).trim());
  assert.deepEqual(['perf-api', 'perf', 'api'].map(finds), [true, false, false]);
});

test('steps that keep, post or judge results start where these belong', () => {
  const contexts = ({
    shard = '',
    store = 'off',
    artifacts = 'true',
    cache = '',
    check = 'success',
  } = {}) => ({
    inputs: { shard, 'baseline-store': store },
    steps: {
      check: { outcome: check },
      plan: { outputs: { artifacts } },
      baseline: { outputs: { cache } },
    },
  });
  const REPORTING = ['Report', 'Keep the results', 'Gate'];
  /** @type {[Parameters<typeof contexts>[0], string[]][]} */
  const cases = [
    [{}, REPORTING],
    [{ artifacts: 'false' }, ['Report', 'Gate']],
    [{ shard: '1/2' }, ['Upload the figures']],
    [{ store: 'branch' }, ['Report', 'Keep it as a baseline', 'Keep the results', 'Gate']],
    [
      { store: 'cache', cache: 'true' },
      ['Report', 'Keep it as a baseline', 'Keep the results', 'Save the baselines', 'Gate'],
    ],
    [{ check: 'failure', store: 'cache', cache: 'true' }, []],
  ];
  const later = ACTION.steps.slice(ACTION.steps.indexOf(stepOf('Report')));
  const started = (
    /** @type {ReturnType<typeof contexts>} */ given,
    /** @type {'failure' | 'cancelled'} */ status,
  ) =>
    later
      .filter((/** @type {any} */ step) => starts(step, given, status))
      .map((/** @type {any} */ { name }) => name);
  for (const [given, expected] of cases) {
    assert.deepEqual(started(contexts(given), 'failure'), expected, JSON.stringify(given));
    assert.deepEqual(started(contexts(given), 'cancelled'), []);
  }
});

test('every condition of a job in a recipe is tried here', () => {
  const files = readdirSync(new URL('../../docs/recipes/', import.meta.url)).filter((name) =>
    name.endsWith('.yml'),
  );
  const conditional = files.flatMap((file) => {
    const name = file.replace('.yml', '');
    return Object.entries(recipe(name)).flatMap(([job, { if: condition }]) =>
      condition ? [`${name} ${job}`] : [],
    );
  });
  assert.deepEqual(conditional.sort(), JOBS.map(([name]) => name).sort());
});
