/** The privileged half of the workflow for forks: what it posts, where, and what it refuses. */

import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { receive } from '../../scripts/github/comment/post-artifact.js';
import { report } from '../../scripts/github/step-log.js';
import { endingOf } from '../../scripts/system/exit.js';
import { sampleComparison } from '../report/sample.js';
import { zip } from '../e2e/actions/zip.js';
import { caseOf, runOf, seededNormal, startsOf } from '../judge/runs.js';
import { hostileRun } from '../report/hostile.js';
import { scratch } from '../store/scratch.js';
import { assertHarmless, HOSTILE, PRINTED } from './hostile-log.js';
import { job } from './job.js';

const SHA = 'a'.repeat(40);
const PULL = { number: 7, sha: SHA, from: 'mallory/app:fast' };
const EVENT = {
  workflow_run: {
    id: 99,
    event: 'pull_request',
    head_sha: SHA,
    head_branch: 'fast',
    head_repository: { full_name: 'mallory/app' },
    pull_requests: [],
  },
};

const random = seededNormal(1);
/** @param {number} level */
const measured = (level) =>
  runOf([caseOf('orders', startsOf({ level, noise: 0.01, starts: 12, random }), {})], { session: 'one' });
const HEAD = { ...measured(20_000), id: 'head' };
const BASE = { ...measured(24_000), id: 'base' };
const HONEST = [
  { name: 'run.json', data: JSON.stringify(HEAD) },
  { name: 'base/run.json', data: JSON.stringify(BASE) },
];

const dir = scratch();

/**
 * @param {{ bytes?: Buffer, stated?: number, name?: string, expired?: boolean, pulls?: (typeof PULL)[],
 *   event?: object, env?: NodeJS.ProcessEnv, state?: Partial<Parameters<typeof job>[1]> }} given
 */
async function received({
  bytes = zip(HONEST),
  event = EVENT,
  pulls = [PULL],
  env = {},
  state = {},
  ...artifact
}) {
  const artifacts = [{ id: 5, run: 99, name: 'perf-results-perf', bytes, ...artifact }];
  const done = await job(receive, {
    ...{ dir, event, env },
    artifacts: () => artifacts,
    pullRequests: pulls,
    ...state,
  });
  return { ...done, left: readdirSync(dir).filter((name) => name.startsWith('perf-received-')) };
}

test('the figures of a fork are judged here and posted to its pull request', async () => {
  const { outputs, bodies, seen, summary, left } = await received({});
  assert.match(outputs['comment-url'], /pull\/7#issuecomment/);
  assert.equal(bodies.length, 1);
  assert.match(bodies[0] ?? '', /regressed/i);
  assert.match(
    bodies[0] ?? '',
    /Measured by \[a run\]\(.*\/octo\/app\/actions\/runs\/99\).*, at aaaaaaaaaa\b/,
  );
  assert.match(bodies[0] ?? '', /\[The whole report\]\(.*\/octo\/app\/actions\/runs\/99\/artifacts\/5\)/);
  assert.equal(summary, `${bodies[0]}\n`);
  assert.ok(seen.includes('POST /repos/octo/app/issues/7/comments'), seen.join('\n'));
  assert.deepEqual(left, []);
});

test('a later push that touches nothing relevant makes the old comment say so, and no new one', async () => {
  const [old, base] = ['b', 'c'].map((digit) => digit.repeat(40));
  const marker = `<!-- perf-action:perf -->\n<!-- of ${old} -->`;
  const bytes = zip([
    {
      name: 'run.json',
      data: JSON.stringify({ ...HEAD, cases: [], warnings: [{ code: 'skipped', since: base }] }),
    },
  ]);
  const own = {
    id: 1,
    body: `${marker}\n\n### 🔴 Slower`,
    login: 'github-actions[bot]',
    type: /** @type {const} */ ('Bot'),
  };
  const comments = [own];
  await received({ bytes, state: { comments } });
  assert.equal(comments.length, 1);
  const expected = [
    `${marker}\n\n### ⚪ Skipped: no changed file affects a server since commit cccccccccc\n\n`,
    `_Skipped by \\[a run\\]\\(.*\\) of the pull request's own code, at aaaaaaaaaa\\._\n\n`,
    `The previous result here was for commit bbbbbbbbbb\\.`,
  ];
  assert.match(own.body, new RegExp(`^${expected.join('')}$`));
});

test('a slowdown that somebody accepted is reported with their name', async () => {
  const merges = [{ number: 7, sha: SHA, labels: { 'perf-accepted': 'bob' } }];
  const { bodies } = await received({ state: { merges } });
  assert.match(bodies[0] ?? '', /bob added the label `perf-accepted`/);
});

test('verdicts, summaries and pull-request numbers in the artifact are ignored', async () => {
  const lie = {
    ...HEAD,
    cases: HEAD.cases.map((measured) => ({ ...measured, summary: { throughput: 987_654_321, requests: 1 } })),
  };
  const { bodies, seen } = await received({
    bytes: zip([
      { name: 'run.json', data: JSON.stringify(lie) },
      { name: 'base/run.json', data: JSON.stringify(BASE) },
      { name: 'comparison.json', data: JSON.stringify({ ...sampleComparison(), verdict: 'improved' }) },
      { name: 'report.md', data: 'All is well' },
      { name: 'number', data: '1' },
      { name: 'pr.txt', data: '8; rm -rf /' },
    ]),
  });
  assert.match(bodies[0] ?? '', /regressed/i);
  assert.doesNotMatch(bodies[0] ?? '', /987,654,321|All is well/);
  assert.deepEqual(
    seen.filter((request) => request.startsWith('POST')),
    ['POST /graphql', 'POST /repos/octo/app/issues/7/comments'],
  );
});

test('margins come from the default branch or from the workflow', async () => {
  const named = await received({ env: { PERF_INPUTS: JSON.stringify({ margin: '50%' }) } });
  assert.match(named.bodies[0] ?? '', /no change/i);
  const file = join(dir, 'perf.yml');
  writeFileSync(file, 'margin: 50%\n');
  try {
    assert.equal((await received({})).bodies[0], named.bodies[0]);
  } finally {
    rmSync(file);
  }
});

test('text from the artifact is escaped in the comment', async () => {
  const bytes = zip([{ name: 'run.json', data: JSON.stringify(hostileRun()) }]);
  const { bodies } = await received({ bytes });
  assert.equal(bodies.length, 1);
  const fences = /^(`{3,}).*\n[\s\S]*?\n\1$/gm;
  const prose = (bodies[0] ?? '')
    .replace(fences, '')
    .replace(/^_Measured by .*|\[The whole report\].*/gm, '');
  assert.match(prose, /evil/);
  assert.doesNotMatch(prose, /<(script|img|a)\b|:\/\/|www\.|\$|@\w|(?<!&)#\d|GH-\d/i);
  assert.ok((bodies[0] ?? '').startsWith('<!-- perf-action:perf -->'));
});

test('a report too long for a comment loses whole parts and links to the rest', async () => {
  const cases = Array.from({ length: 200 }, (_, index) =>
    caseOf(`${index} ${'<long> '.repeat(60)}`, startsOf({ level: 1000, noise: 0.01, starts: 3, random })),
  );
  const { bodies, summary } = await received({
    bytes: zip([{ name: 'run.json', data: JSON.stringify({ ...HEAD, cases }) }]),
  });
  const [body = ''] = bodies;
  assert.ok(body.length <= 65_536 && summary.length > 65_536, `${body.length} ${summary.length}`);
  assert.match(body, /_Left out for length: .*\[The whole report\]\(.*\/artifacts\/5\)$/);
});

test('while the API is down, the job summary has the whole report', async () => {
  const troubles = Array.from({ length: 3 }, () => ({
    to: 'POST',
    status: 502,
    body: { message: 'Bad Gateway' },
  }));
  const { outputs, bodies, summary } = await received({ state: { troubles } });
  assert.deepEqual([outputs, bodies], [{}, []]);
  assert.match(summary, /regressed/i);
});

/** @param {string} data */
const alone = (data) => zip([{ name: 'run.json', data }]);
const BOMB = Buffer.alloc(65 * 2 ** 20);
const CASES = Array.from({ length: 301 }, (_, index) => caseOf(`case-${index}`, []));
/** @type {[what: string, given: Parameters<typeof received>[0], reason: RegExp][]} */
const REFUSED = [
  ['what is no zip file', { bytes: Buffer.from('<html>') }, /not a readable zip file/],
  ['half a zip file', { bytes: zip(HONEST).subarray(40) }, /not a readable zip file|rejected/],
  ['an archive that the API calls larger than results are', { stated: 2 ** 30 }, /1073741824 bytes/],
  [
    'an archive that is larger than the API says',
    { bytes: Buffer.alloc(17 * 2 ** 20), stated: 5 },
    /bytes, more than/,
  ],
  [
    'a path that leads up',
    { bytes: zip([...HONEST, { name: '../../run.json', data: '{}' }]) },
    /\.\.\/\.\.\/run\.json/,
  ],
  ['an absolute path', { bytes: zip([...HONEST, { name: '/etc/cron.d/x', data: '' }]) }, /absolute path/],
  ['a path of another system', { bytes: zip([...HONEST, { name: '..\\..\\x', data: '' }]) }, /invalid/],
  [
    'a link by the name of the run',
    { bytes: zip([{ name: 'run.json', data: '/etc/passwd', mode: 0o120777 }]) },
    /"run.json" is not a regular file/,
  ],
  [
    'a link by any name',
    { bytes: zip([...HONEST, { name: 'x', data: '/', mode: 0o120777 }]) },
    /"x" is not a regular file/,
  ],
  [
    'a device',
    { bytes: zip([...HONEST, { name: 'x', data: '', mode: 0o020666 }]) },
    /"x" is not a regular file/,
  ],
  [
    'a bomb',
    { bytes: zip([{ name: 'run.json', data: BOMB }]) },
    /"run.json" has \d+ bytes or more once unpacked/,
  ],
  [
    'a bomb that claims a small size',
    { bytes: zip([{ name: 'run.json', data: BOMB, claims: 500 }]) },
    /too many bytes/,
  ],
  [
    'a bomb under another name',
    { bytes: zip([...HONEST, { name: 'x', data: BOMB }]) },
    /"x" has \d+ bytes or more once unpacked/,
  ],
  ['a file twice', { bytes: zip([...HONEST, ...HONEST]) }, /run.json twice/],
  [
    'an archive of a thousand files',
    { bytes: zip(Array.from({ length: 1000 }, (_, i) => ({ name: `${i}`, data: '' }))) },
    /1000 files/,
  ],
  ['an archive without a run', { bytes: zip([{ name: 'comparison.json', data: '{}' }]) }, /no run.json/],
  ['a run that is not valid JSON', { bytes: alone('{') }, /is not valid JSON/],
  [
    'a run of another shape',
    { bytes: alone(JSON.stringify({ ...HEAD, cases: [{ id: 7, trials: [] }] })) },
    /must be text/,
  ],
  ['a run of another version', { bytes: alone('{ "schema": "perf-action/run@9" }') }, /perf-action\/run@1/],
  [
    'a run of more cases than anybody looks at',
    { bytes: alone(JSON.stringify({ ...HEAD, cases: CASES })) },
    /301 cases/,
  ],
];

for (const [what, given, reason] of REFUSED) {
  test(`${what} is refused with a reason`, async () => {
    const { outputs, bodies, summary, left } = await received(given);
    assert.ok(outputs instanceof Error);
    assert.equal(outputs.name, 'UserError', outputs.stack);
    assert.match(outputs.message, reason);
    assert.doesNotMatch(outputs.message, /\n/);
    assert.deepEqual([bodies, summary, left], [[], '', []]);
  });
}

/** @type {[what: string, given: Parameters<typeof received>[0]][]} */
const NOTHING = [
  ['the pull request has moved on', { pulls: [{ ...PULL, sha: 'c'.repeat(40) }] }],
  [
    'the pull request is another fork’s, with a branch of the same name',
    { pulls: [{ ...PULL, from: 'mallory/other:fast' }] },
  ],
  ['two pull requests have this head', { pulls: [PULL, { ...PULL, number: 8 }] }],
  ['there is none', { pulls: [] }],
  ['the run was started by a push', { event: { workflow_run: { ...EVENT.workflow_run, event: 'push' } } }],
  ['the artifact has another name', { name: '../perf-results-perf' }],
  ['the artifact is of another key', { name: 'perf-results-nightly' }],
  ['the artifact has expired', { expired: true }],
];

for (const [what, given] of NOTHING) {
  test(`nothing is posted where ${what}`, async () => {
    const { outputs, bodies } = await received(given);
    assert.deepEqual([outputs, bodies], [{}, []]);
  });
}

test('a number in the event’s list of pull requests is checked', async () => {
  const workflow_run = { ...EVENT.workflow_run, pull_requests: [{ number: 1 }] };
  const { bodies, seen } = await received({ event: { workflow_run } });
  assert.equal(bodies.length, 1);
  assert.ok(seen.includes('POST /repos/octo/app/issues/7/comments'));
});

const REQUEST = { issue: { number: 7, pull_request: {} }, comment: { id: 3 } };
const ASKED = { GITHUB_RUN_ID: '99', PERF_INPUTS: JSON.stringify({ sha: SHA }) };

test('figures of a requested run are posted by a later job of the same run', async () => {
  const { bodies } = await received({ event: REQUEST, env: ASKED });
  assert.match(bodies[0] ?? '', /of the pull request's own code, at aaaaaaaaaa[^]*regressed/i);
});

/** A push while the figures are judged. */
function pushMeanwhile() {
  const pulls = [{ ...PULL }];
  const before = (/** @type {string} */ request) => {
    if (request.includes('/issues/7/comments')) Object.assign(pulls[0] ?? {}, { sha: 'c'.repeat(40) });
  };
  return { pulls, state: { before } };
}

test('a push during judging keeps the figures from being posted', async () => {
  const { outputs, bodies, summary } = await received(pushMeanwhile());
  assert.deepEqual([outputs, bodies], [{}, []]);
  assert.match(summary, /regressed/i);
});

test('after a push during judging, whoever requested the run gets an answer without figures', async () => {
  const { outputs, bodies } = await received({ ...pushMeanwhile(), event: REQUEST, env: ASKED });
  assert.deepEqual(outputs, {});
  assert.deepEqual(bodies, [
    "<!-- perf-action:request -->\n\nThe figures of the requested run were not posted: the pull request's head is now cccccccccc; aaaaaaaaaa was measured. Comment `/perf` again to measure the new commit.",
  ]);
});

test('the commit of a requested run is not read from the artifact', async () => {
  for (const sha of [undefined, 'main', `${SHA}0`]) {
    const env = { ...ASKED, PERF_INPUTS: JSON.stringify({ sha }) };
    const { outputs, bodies } = await received({ event: REQUEST, env });
    assert.match(outputs.message, /^sha: say which commit was measured; use `sha: /);
    assert.deepEqual(bodies, []);
  }
});

test('a requested run without results gets an answer', async () => {
  const { bodies } = await received({ event: REQUEST, env: { ...ASKED, GITHUB_RUN_ID: '98' } });
  assert.match(bodies[0] ?? '', /left no results; \[its log\]\(.*\/actions\/runs\/98\)/);
});

test('any other event is an error in the workflow', async () => {
  const { outputs } = await received({ event: { ref: 'refs/heads/main' } });
  assert.match(outputs.message, /workflow_run/);
});

test('an invalid comparison rejects the whole artifact', async () => {
  const { bodies, outputs } = await received({
    bytes: zip([
      { name: 'run.json', data: JSON.stringify(HEAD) },
      { name: 'comparison.json', data: JSON.stringify({ verdict: 'improved' }) },
    ]),
  });
  assert.deepEqual(bodies, []);
  assert.match(outputs.message, /^the artifact was rejected: [^\n]*; none of it was used$/);
});

test('what an artifact says is text in the log, whether it is used or rejected', async (t) => {
  const { mock } = t.mock.method(process.stdout, 'write');
  const failure = { kind: PRINTED, message: PRINTED, logTail: HOSTILE };
  const window = { seconds: 1, requests: 5 };
  const run = {
    schema: 'perf-action/run@1',
    id: 'x',
    startedAt: '2026-01-01T00:00:00Z',
    title: PRINTED,
    environment: { fingerprint: PRINTED, cpuModel: PRINTED },
    revision: { sha: SHA },
    warnings: [{ code: PRINTED, message: PRINTED }],
    cases: [
      {
        id: PRINTED,
        server: PRINTED,
        serverName: PRINTED,
        trials: [{ windows: [], failure }, { windows: [window] }],
      },
    ],
  };
  const used = await received({ bytes: alone(JSON.stringify(run)) });
  assert.match(used.summary, /EVIL-a/);
  const trials = [{ windows: [{ ...window, latencyMs: { p50: 2, p99: 1 } }] }];
  const broken = { ...run, cases: [{ id: PRINTED, trials }] };
  const rejected = await received({ bytes: alone(JSON.stringify(broken)) });
  report(endingOf(rejected.outputs).lines);
  // The test runner writes there, too, in no lines.
  const log = mock.calls.map(({ arguments: [text] }) => String(text)).join('\n');
  assertHarmless(log, /^::error title=perf-action::the artifact was rejected: .*EVIL-a$/m);
});
