/** Runs asked for in comments: what is taken, from whom, and what everybody else is told. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ask, parseRequest } from '../../scripts/github/ask.js';
import { startGitHub } from '../e2e/api/github.js';

/** @type {[body: string, options: Record<string, string> | undefined][]} */
const READ = [
  ['/perf', {}],
  ['/perf servers=fastify duration=30s', { servers: 'fastify', duration: '30s' }],
  ['  /perf\tservers=./a,express  rounds=10 \r\nthanks!', { servers: './a,express', rounds: '10' }],
  [
    '/perf shards=3 keep-alive=true,false connections=50,100',
    { shards: '3', 'keep-alive': 'true,false', connections: '50,100' },
  ],
  ['/perf\n$(reboot)', {}],
  ['/performance is bad', undefined],
  ['please /perf', undefined],
  ['', undefined],
];

for (const [body, options] of READ)
  test(`read: ${JSON.stringify(body)}`, () => assert.deepEqual(parseRequest(body), options));

/** @type {[body: string, told: RegExp][]} */
const REFUSED = [
  ['/perf servers=$(curl evil)', /servers: only letters.*\nthere is no option "evil\)"/],
  ['/perf servers=`id`', /servers: only letters/],
  ['/perf servers=a;id', /servers: only letters/],
  ['/perf servers=${{secrets.X}}', /servers: only letters/],
  ['/perf servers=a&&id', /servers: only letters/],
  ["/perf servers='a'", /servers: only letters/],
  ['/perf servers=a\u2028b', /servers: only letters/],
  ['/perf duration=10', /duration: "10" is not a valid duration/],
  ['/perf rounds=0', /rounds: "0" is not a valid count/],
  ['/perf rounds=1e3 pipelining=-1', /rounds: .*\npipelining: /],
  ['/perf serverz=a', /no option "serverz".*servers/],
  ['/perf config=/etc/passwd', /no option "config"/],
  ['/perf out=/tmp header=x:y fail-on=never', /"out".*\n.*"header".*\n.*"fail-on"/],
  ['/perf __proto__=1 constructor=2', /"__proto__".*\n.*"constructor"/],
  ['/perf --servers=a', /no option "--servers"/],
  ['/perf servers', /servers: give it a value/],
  ['/perf servers=', /servers: give it a value/],
  ['/perf rounds=1 rounds=2', /rounds: given twice/],
  [`/perf servers=${'a'.repeat(300)}`, /servers: only letters/],
  [`/perf ${'x '.repeat(800)}`, /1606 characters/],
];

for (const [body, told] of REFUSED)
  test(`refused: ${JSON.stringify(body.slice(0, 60))}`, () => {
    assert.throws(() => parseRequest(body), { name: 'UserError', message: told });
  });

let dir = '';
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'perf-ask-'));
});
after(() => rmSync(dir, { recursive: true }));

const SHA = 'a'.repeat(40);
const PULL = { number: 7, sha: SHA, base: 'd'.repeat(40), from: 'mallory/app:fast' };
const ASKED = { body: '/perf servers=fastify', login: 'octo' };

/**
 * @param {{ body?: string, login?: string }} comment
 * @param {{ mayWrite?: boolean, pull?: { state?: 'open' | 'closed' }, issue?: object }} [given]
 */
async function asked(comment, { pull = {}, issue = { number: 7, pull_request: {} }, ...state } = {}) {
  const { body, login } = { ...ASKED, ...comment };
  const people = /** @type {const} */ ({ octo: 'write', boss: 'admin', reader: 'read' });
  const github = await startGitHub({ people, pullRequests: [{ ...PULL, ...pull }], ...state });
  const file = join(dir, 'event.json');
  // What an event says of its author is not asked.
  const said = { id: 3, body, user: { login }, author_association: 'OWNER' };
  writeFileSync(file, JSON.stringify({ issue, comment: said }));
  try {
    const outputs = await ask({
      env: {
        GITHUB_REPOSITORY: 'octo/app',
        GITHUB_API_URL: github.url,
        GITHUB_EVENT_PATH: file,
        PERF_GITHUB_TOKEN: 'x',
      },
      cwd: dir,
      signal: new AbortController().signal,
    });
    return {
      outputs,
      reactions: github.reactions,
      bodies: github.comments.map((each) => each.body),
      seen: github.seen,
    };
  } finally {
    github.close();
  }
}

const STARTED = { options: '{"servers":"fastify"}', sha: SHA, base: PULL.base };

test('who may write may ask: the head as it stands is measured, against where it branched off', async () => {
  for (const login of ['octo', 'boss']) {
    const { outputs, reactions, bodies } = await asked({ login });
    assert.deepEqual([outputs, reactions, bodies], [STARTED, ['3 eyes'], []]);
  }
});

for (const login of ['reader', 'stranger', 'github-actions[bot]', '../octo']) {
  test(`${login} may not, whatever the comment says and the event claims`, async () => {
    for (const body of [ASKED.body, '/perf servers=$(id) `x`\n@all']) {
      const { outputs, reactions, bodies } = await asked({ login, body });
      assert.deepEqual([outputs, reactions, bodies], [{}, ['3 -1'], []]);
    }
  });
}

test('a mistake is answered, and its text cannot act in the answer', async () => {
  const { outputs, reactions, bodies } = await asked({ body: '/perf @all=1 servers=`id` <b>=2 duration=10' });
  assert.deepEqual([outputs, reactions, bodies.length], [{}, ['3 confused'], 1]);
  assert.match(bodies[0] ?? '', /^<!-- perf-action:request -->\n\nThis request is not valid:\n\n- /);
  assert.match(bodies[0] ?? '', /duration: "10" is not a valid duration/);
  assert.doesNotMatch(bodies[0] ?? '', /@all|<b>|`id`/);
});

test('a closed pull request is not measured', async () => {
  const { outputs, bodies } = await asked({}, { pull: { state: 'closed' } });
  assert.deepEqual(outputs, {});
  assert.match(bodies[0] ?? '', /closed/);
});

test('a run does not depend on whether a reaction can be left', async () => {
  const { outputs } = await asked({}, { mayWrite: false });
  assert.deepEqual(outputs, STARTED);
});

test('other comments, and requests beside plain issues, are passed over without a word', async () => {
  /** @type {Parameters<typeof asked>[]} */
  const others = [[{ body: 'fine by me' }], [{ body: '/performance?' }], [{}, { issue: { number: 7 } }]];
  for (const [comment, more] of others) {
    const { outputs, seen } = await asked(comment, more);
    assert.deepEqual([outputs, seen], [{}, []]);
  }
});
