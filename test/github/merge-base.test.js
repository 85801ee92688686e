/** The base of a pull request in the checkouts that the site's own action makes, with a real git. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findBase } from '../../scripts/github/merge-base.js';

const SCRATCH = mkdtempSync(join(tmpdir(), 'perf-base-'));
const ORIGIN = join(SCRATCH, 'origin');
after(() => rmSync(SCRATCH, { recursive: true }));

/** @param {string} cwd @param {string[]} args */
function git(cwd, ...args) {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
  return execFileSync('git', [...author, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** @param {string} text */
function commit(text) {
  git(ORIGIN, 'commit', '--quiet', '--allow-empty', '--message', text);
  return git(ORIGIN, 'rev-parse', 'HEAD');
}

/** main: 1 2 [fork] ... tip; topic: fork a b; merged: tip + b */
const at = { fork: '', tip: '', head: '', merged: '' };
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
  git(ORIGIN, 'checkout', '--quiet', '--detach');
  git(ORIGIN, 'merge', '--quiet', '--no-ff', '--message', 'merged', 'topic');
  at.merged = git(ORIGIN, 'rev-parse', 'HEAD');
  git(ORIGIN, 'update-ref', 'refs/pull/7/merge', 'HEAD');
  git(ORIGIN, 'checkout', '--quiet', 'main');
});

/** @param {string} commitish @returns {string} a checkout of that commit alone */
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
  return { GITHUB_EVENT_PATH: file };
}

const pullRequest = () => envOf({ pull_request: { number: 7, base: { sha: at.tip } } });

test("of the site's merge commit it is the tip that was merged into", async () => {
  assert.deepEqual(await findBase(pullRequest(), shallow('refs/pull/7/merge')), { sha: at.tip });
});

test('of the head itself it is where the branch began, however far back that is', async () => {
  assert.deepEqual(await findBase(pullRequest(), shallow('topic')), { sha: at.fork });
});

test('of a push it is what was pushed onto', async () => {
  assert.deepEqual(await findBase(envOf({ before: at.fork }), shallow('topic')), { sha: at.fork });
});

test('a new branch and a timer have none', async () => {
  for (const event of [{ before: '0'.repeat(40) }, {}]) {
    const found = await findBase(envOf(event), shallow('topic'));
    assert.match('none' in found ? found.none : '', /has no base/);
  }
});

test('a base that cannot be had is told, with what to do', async () => {
  const event = envOf({ pull_request: { number: 7, base: { sha: 'ab'.repeat(20) } } });
  const found = await findBase(event, shallow('topic'));
  assert.match('none' in found ? found.none : '', /cannot be had: .*; check out with fetch-depth: 0/);
});

test('without a checkout it is told', async () => {
  const found = await findBase(pullRequest(), mkdtempSync(join(SCRATCH, 'plain-')));
  assert.match('none' in found ? found.none : '', /there is no checkout/);
});
