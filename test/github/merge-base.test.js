/** The base of a pull request in the checkouts that actions/checkout makes, with a real git. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { resolveRef } from '../../scripts/deploy/source/worktrees.js';
import { fetchRef, findBase, readMergeCommit } from '../../scripts/github/baselines/merge-base.js';
import { scratchFolder } from '../scratch.js';

const SCRATCH = scratchFolder();
const ORIGIN = join(SCRATCH, 'app.git');
const SITE = { GITHUB_SERVER_URL: `file://${SCRATCH}`, GITHUB_REPOSITORY: 'app' };

/**
 * @param {string} cwd
 * @param {string[]} args
 */
function git(cwd, ...args) {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
  return execFileSync('git', [...author, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** @param {string} text */
function commit(text) {
  git(ORIGIN, 'commit', '--quiet', '--allow-empty', '--message', text);
  return git(ORIGIN, 'rev-parse', 'HEAD');
}

/**
 * main: 1 2 [fork] ... tip fresh; topic: fork a b; pull/7: tip + b; pull/8: fresh + b; queue: fresh + (fresh
 * + b)
 */
const at = { fork: '', tip: '', fresh: '', head: '', queued: '' };
before(() => {
  execFileSync('git', ['init', '--quiet', '--initial-branch', 'main', ORIGIN]);
  commit('1');
  at.fork = commit('2');
  git(ORIGIN, 'checkout', '--quiet', '-b', 'topic');
  commit('a');
  at.head = commit('b');
  git(ORIGIN, 'checkout', '--quiet', 'main');
  for (let n = 3; n < 80; n++) commit(`${n}`);
  at.tip = commit('tip');
  mergeTopic('refs/pull/7/merge');
  at.fresh = commit('of somebody else');
  at.queued = mergeTopic('refs/pull/8/merge');
  git(ORIGIN, 'update-ref', 'refs/heads/gh-readonly-queue/main/pr-8', at.queued);
});

/**
 * @param {string} ref
 * @returns {string} main with topic merged into it, as the site makes it
 */
function mergeTopic(ref) {
  git(ORIGIN, 'checkout', '--quiet', '--detach', 'main');
  git(ORIGIN, 'merge', '--quiet', '--no-ff', '--message', 'merged\n\nparent of nothing', 'topic');
  const sha = git(ORIGIN, 'rev-parse', 'HEAD');
  git(ORIGIN, 'update-ref', ref, sha);
  git(ORIGIN, 'checkout', '--quiet', 'main');
  return sha;
}

/** A checkout of that commit alone. @type {(commitish: string) => string} */
function shallow(commitish) {
  const cwd = mkdtempSync(join(SCRATCH, 'checkout-'));
  git(cwd, 'init', '--quiet');
  git(cwd, 'remote', 'add', 'origin', `file://${ORIGIN}`);
  git(cwd, 'fetch', '--quiet', '--depth=1', 'origin', commitish);
  git(cwd, 'checkout', '--quiet', '--detach', 'FETCH_HEAD');
  return cwd;
}

/** @param {unknown} event */
function envOf(event) {
  const file = join(mkdtempSync(join(SCRATCH, 'event-')), 'event.json');
  writeFileSync(file, JSON.stringify(event));
  return { ...SITE, GITHUB_EVENT_PATH: file };
}

const asked = () => ({ pull_request: { number: 7, base: { sha: at.tip }, head: { sha: at.head } } });

test('only a merge commit that GitHub made of the head counts as one', async () => {
  const merge = await readMergeCommit(envOf(asked()), shallow('refs/pull/7/merge'));
  assert.deepEqual(merge, { into: at.tip, head: at.head });
  assert.equal(await readMergeCommit(envOf(asked()), shallow('topic')), undefined);
  assert.equal(await readMergeCommit(envOf({}), shallow('refs/pull/7/merge')), undefined);
  assert.equal(await readMergeCommit(envOf(asked()), mkdtempSync(join(SCRATCH, 'no-checkout-'))), undefined);
});

/**
 * By what is checked out alone.
 * @type {[title: string, event: () => object, checkout: string, base: keyof typeof at | RegExp][]}
 */
const BASES = [
  ["for GitHub's merge commit it is the tip that it merged into", asked, 'refs/pull/7/merge', 'tip'],
  [
    'where the event names an older tip, what others merged is not measured',
    asked,
    'refs/pull/8/merge',
    'fresh',
  ],
  [
    'for a merge commit in the pull request itself it is where the branch began',
    () => ({ pull_request: { number: 8, base: { sha: at.tip }, head: { sha: at.queued } } }),
    'refs/pull/8/merge',
    'tip',
  ],
  [
    'in a merge queue it is the commit that the group is merged onto',
    () => ({ merge_group: { base_sha: at.fresh, head_sha: at.queued } }),
    'gh-readonly-queue/main/pr-8',
    'fresh',
  ],
  ['for the head itself it is where the branch began, however far back', asked, 'topic', 'fork'],
  ['for a push it is the commit before it', () => ({ before: at.fork }), 'topic', 'fork'],
  ['a new branch has none', () => ({ before: '0'.repeat(40) }), 'topic', /has no base/],
  ['a schedule has none', () => ({}), 'topic', /has no base/],
  [
    'one that cannot be fetched is reported with the fix',
    () => ({ pull_request: { number: 7, base: { sha: 'ab'.repeat(20) } } }),
    'topic',
    /could not be fetched: .*; check out with fetch-depth: 0/,
  ],
];

for (const [title, event, checkout, base] of BASES)
  test(`the base: ${title}`, async () => {
    const found = await findBase(envOf(event()), shallow(checkout));
    if (base instanceof RegExp) assert.match('none' in found ? found.none : '', base);
    else assert.deepEqual(found, { sha: at[base] });
  });

test('a newer tip is found in a whole checkout, and one that cannot be fetched is reported with the fix', async () => {
  const whole = mkdtempSync(join(SCRATCH, 'whole-'));
  git(whole, 'clone', '--quiet', `file://${ORIGIN}`, '.');
  git(whole, 'fetch', '--quiet', 'origin', 'refs/pull/8/merge');
  git(whole, 'checkout', '--quiet', '--detach', 'FETCH_HEAD');
  git(whole, 'remote', 'remove', 'origin');
  assert.deepEqual(await findBase(envOf(asked()), whole), { sha: at.fresh });
  const lost = await findBase({ ...envOf(asked()), GITHUB_REPOSITORY: 'gone' }, shallow('refs/pull/8/merge'));
  assert.match('none' in lost ? lost.none : '', RegExp(`${at.fresh} could not be fetched: .*fetch-depth: 0`));
});

test('a missing checkout is reported', async () => {
  const found = await findBase(envOf(asked()), mkdtempSync(join(SCRATCH, 'plain-')));
  assert.match('none' in found ? found.none : '', /there is no checkout/);
});

for (const [what, ref, parent] of /** @type {const} */ ([
  ['a branch', 'topic', 'head'],
  ['a tag', 'v1', 'fork'],
  ['a commit', 'HASH', 'fork'],
  ['a commit by its distance', 'main~1', 'tip'],
]))
  test(`${what} that a shallow checkout lacks is fetched`, async () => {
    git(ORIGIN, 'tag', '--force', 'v1', at.fork);
    const cwd = shallow('main');
    const asked = ref === 'HASH' ? at.fork : ref;
    await assert.rejects(resolveRef(asked, cwd));
    await fetchRef(asked, cwd, SITE);
    assert.equal((await resolveRef(asked, cwd)).sha, at[parent]);
  });

test('what nobody has is left to the one who resolves it', async () => {
  const cwd = shallow('main');
  for (const ref of ['nothing', '--upload-pack=touch here', 'fastify@5.2.0']) await fetchRef(ref, cwd, SITE);
  assert.deepEqual(readdirSync(cwd), ['.git']);
  await assert.rejects(resolveRef('nothing', cwd), { message: /there is no commit "nothing" here/ });
});

test('settings of the checkout run nothing that could see the token', async () => {
  const cwd = shallow('refs/pull/8/merge');
  const seen = join(SCRATCH, 'seen');
  const spy = join(SCRATCH, 'spy.sh');
  writeFileSync(spy, `#!/bin/sh\nenv >> '${seen}'\nexit 1\n`, { mode: 0o755 });
  const address = `${SITE.GITHUB_SERVER_URL}/app.git`;
  for (const [key, value] of [
    ['protocol.ext.allow', 'always'],
    ['remote.origin.url', `ext::${spy}`],
    [`remote.${address}.url`, `ext::${spy}`],
    [`remote.${address}.uploadpack`, spy],
    [`url.ext::${spy} .insteadOf`, 'file://'],
    ['core.sshCommand', spy],
    ['core.fsmonitor', spy],
    ['core.alternateRefsCommand', spy],
    ['credential.helper', spy],
    ['core.hooksPath', SCRATCH],
  ])
    git(cwd, 'config', '--local', key ?? '', value ?? '');
  // A hook runs where the commits arrive, in the checkout.
  writeFileSync(join(SCRATCH, 'reference-transaction'), `#!/bin/sh\nenv >> '${seen}'\n`, { mode: 0o755 });
  const env = { ...envOf(asked()), PERF_GITHUB_TOKEN: 's3cr3t' };
  assert.deepEqual(await findBase(env, cwd), { sha: at.fresh });
  await fetchRef('topic', cwd, env);
  // Without an answer, the token is tried.
  await fetchRef('main~3', cwd, { ...env, GITHUB_REPOSITORY: 'gone' });
  const text = existsSync(seen) ? readFileSync(seen, 'utf8') : '';
  assert.doesNotMatch(text, /s3cr3t|czNjcjN0|AUTHORIZATION/);
});
