/** Runs requested in comments: which are accepted, from whom, and the answers to others. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, parseRequest } from '../../scripts/github/commands/slash-command.js';
import { job } from './job.js';

/** @type {[body: string, options: Record<string, string> | undefined][]} */
const READ = [
  ['/perf', {}],
  ['/perf servers=fastify duration=30s', { servers: 'fastify', duration: '30s' }],
  ['  /perf\tservers=./a,express  rounds=10 \r\nthanks!', { servers: './a,express', rounds: '10' }],
  [
    '/perf shards=3 keep-alive=true,false connections=50,100',
    { shards: '3', 'keep-alive': 'true,false', connections: '50,100' },
  ],
  ['/perf counts routes=/orders', { counts: 'true', routes: '/orders' }],
  ['/perf counts=true', { counts: 'true' }],
  ['/perf\n$(reboot)', {}],
  ['\n/perf\u00a0shards=3', { shards: '3' }],
  ['/performance is bad', undefined],
  ['please /perf', undefined],
  ['', undefined],
];

for (const [body, options] of READ)
  test(`the comment ${JSON.stringify(body)} is read`, () => assert.deepEqual(parseRequest(body), options));

/** @type {[body: string, reason: RegExp][]} */
const REFUSED = [
  ['/perf servers=$(curl evil)', /servers: only letters.*\nthere is no option "evil\)"/],
  ['/perf servers=`id`', /servers: only letters/],
  ['/perf servers=a;id', /servers: only letters/],
  ['/perf servers=${{secrets.X}}', /servers: only letters/],
  ['/perf servers=a&&id', /servers: only letters/],
  ["/perf servers='a'", /servers: only letters/],
  ['/perf servers=a\u2028b', /there is no option "b"/],
  ['/perf duration=10', /duration: "10" is not a valid duration/],
  ['/perf rounds=0', /rounds: "0" is not a valid count/],
  ['/perf rounds=1e3 pipelining=-1', /rounds: .*\npipelining: /],
  ['/perf counts=soon', /counts: "soon"/],
  ['/perf counts counts', /counts: given twice/],
  ['/perf serverz=a', /no option "serverz".*servers/],
  ['/perf config=/etc/passwd', /no option "config"/],
  ['/perf out=/tmp header=x:y fail-on=never', /"out".*\n.*"header".*\n.*"fail-on"/],
  ['/perf __proto__=1 constructor=2', /"__proto__".*\n.*"constructor"/],
  ['/perf --servers=a', /no option "--servers"/],
  ['/perf servers', /servers: give it a value/],
  ['/perf servers=', /servers: give it a value/],
  ['/perf rounds=1 rounds=2', /rounds: given twice/],
  [`/perf servers=${'a'.repeat(300)}`, /servers: only letters/],
  [`/perf ${'x '.repeat(800)}`, /1605 characters/],
  ['/perf bisect v2.3.0', /^bisect: no comment starts a search; start .*bisect\.yml\n.*"v2\.3\.0"/],
  ['/perf ../../../user HEAD~3 $(id) seed=x', /"\.\.\/.*\n.*"HEAD~3".*\n.*"\$\(id\)"[^]*seed: /],
];

for (const [body, reason] of REFUSED)
  test(`the comment ${JSON.stringify(body.slice(0, 60))} is refused`, () => {
    assert.throws(() => parseRequest(body), { name: 'UserError', message: reason });
  });

const SHA = 'a'.repeat(40);
const PULL = { number: 7, sha: SHA, base: 'd'.repeat(40), from: 'mallory/app:fast' };
const ASKED = { body: '/perf servers=fastify', login: 'octo' };

/**
 * @param {{ body?: string, login?: string }} comment
 * @param {{ pull?: { state?: 'open' | 'closed' }, issue?: object } & Partial<Parameters<typeof job>[1]>}
 *   [given]
 */
function asked(comment, { pull = {}, issue = { number: 7, pull_request: {} }, ...state } = {}) {
  const { body, login } = { ...ASKED, ...comment };
  const people = /** @type {const} */ ({ octo: 'write', boss: 'admin', reader: 'read' });
  // What an event says of its author is not asked.
  const event = { issue, comment: { id: 3, body, user: { login }, author_association: 'OWNER' } };
  return job(ask, { event, people, pullRequests: [{ ...PULL, ...pull }], ...state });
}

const STARTED = { options: '{"servers":"fastify"}', sha: SHA, base: PULL.base };

test('people with write access get a run of the present head, against where it branched off', async () => {
  for (const login of ['octo', 'boss']) {
    const { outputs, reactions, bodies } = await asked({ login });
    assert.deepEqual([outputs, reactions, bodies], [STARTED, ['3 eyes'], []]);
  }
});

for (const login of ['reader', 'stranger', 'github-actions[bot]', '../octo']) {
  test(`${login} gets no run, whatever the comment says and the event claims`, async () => {
    for (const body of [ASKED.body, '/perf servers=$(id) `x`\n@all']) {
      const { outputs, reactions, bodies } = await asked({ login, body });
      assert.deepEqual([outputs, reactions, bodies], [{}, ['3 -1'], []]);
    }
  });
}

test('a mistake gets an answer in which its text is escaped', async () => {
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

test('a run starts even if no reaction can be added', async () => {
  const { outputs } = await asked({}, { mayWrite: false });
  assert.deepEqual(outputs, STARTED);
});

test('other comments, and requests on plain issues, are ignored silently', async () => {
  /** @type {Parameters<typeof asked>[]} */
  const others = [[{ body: 'fine by me' }], [{ body: '/performance?' }], [{}, { issue: { number: 7 } }]];
  for (const [comment, more] of others) {
    const { outputs, seen } = await asked(comment, more);
    assert.deepEqual([outputs, seen], [{}, []]);
  }
});
