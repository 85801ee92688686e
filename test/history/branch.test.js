/** The branch of baselines, with a real git and a bare repository as the remote. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { withCredentials } from '../../scripts/github/credentials.js';
import { readBaselines, saveBaseline } from '../../scripts/history/baselines.js';
import { changeBranch, remoteOf, withBranch } from '../../scripts/history/branch.js';
import { run } from '../store/runs.js';
import { scratchFolder } from '../scratch.js';

const SCRATCH = scratchFolder();

let remote = '';
beforeEach(() => {
  remote = join(mkdtempSync(join(SCRATCH, 'remote-')), 'bare.git');
  git(SCRATCH, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
});

/**
 * @param {string} cwd
 * @param {string[]} args
 */
function git(cwd, ...args) {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
  return execFileSync('git', [...author, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
}

const branchOf = () => ({ remote, branch: 'perf-baselines', env: process.env, message: 'a run' });

/** @param {string} id */
const store = (id) => changeBranch(branchOf(), (dir) => saveBaseline(run({ id }), dir));

const ids = () =>
  withBranch(branchOf(), async (dir) =>
    (await readBaselines(dir)).baselines.map(({ run: { id } }) => id).sort(),
  );

test('a branch that is missing is empty to a reader, and made by the first who stores', async () => {
  assert.deepEqual(await ids(), []);
  await store('first');
  await store('second');
  assert.deepEqual(await ids(), ['first', 'second']);
  // Nothing to change is no commit.
  await store('second');
  assert.equal(git(remote, 'rev-list', '--count', 'perf-baselines'), '2');
  assert.equal(git(remote, 'branch', '--list', 'main'), '');
});

test('several that store at once lose nothing, the one that makes the branch included', async () => {
  const names = ['a', 'b', 'c', 'd'];
  await Promise.all(names.map((name) => store(name)));
  assert.deepEqual(await ids(), names);
});

test('a push that loses the race again and again is made anew on what the others left', async () => {
  let calls = 0;
  await changeBranch(branchOf(), async (dir) => {
    calls += 1;
    if (calls <= 3) await store(`quicker-${calls}`);
    return saveBaseline(run({ id: 'slow' }), dir);
  });
  assert.equal(calls, 4);
  assert.deepEqual(await ids(), ['quicker-1', 'quicker-2', 'quicker-3', 'slow']);
});

test('a branch that is protected refuses at once, in one line', async () => {
  const line = 'echo "error: GH006: Protected branch update failed" >&2; exit 1';
  writeFileSync(join(remote, 'hooks', 'pre-receive'), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  let calls = 0;
  await assert.rejects(
    changeBranch(branchOf(), async (dir) => {
      calls += 1;
      return saveBaseline(run(), dir);
    }),
    /^UserError: the branch perf-baselines of [^\n]*GH006: Protected branch[^\n]*$/,
  );
  assert.equal(calls, 1);
});

test('a remote that is not there is reported, without the password of its address', async () => {
  const branch = { ...branchOf(), remote: 'https://me:secret@127.0.0.1:9/a.git' };
  await assert.rejects(
    withBranch(branch, async () => {}),
    (/** @type {Error} */ error) => error.name === 'UserError' && !error.message.includes('secret'),
  );
});

test('files of a stranger on the branch stay, links are not followed', async () => {
  const clone = mkdtempSync(join(SCRATCH, 'clone-'));
  git(SCRATCH, 'clone', '--quiet', remote, clone);
  git(clone, 'checkout', '--quiet', '--orphan', 'perf-baselines');
  writeFileSync(join(clone, 'README.md'), 'hello');
  execFileSync('ln', ['-s', '/etc/hostname', join(clone, 'link.json')]);
  git(clone, 'add', '.');
  git(clone, 'commit', '--quiet', '--message', 'x');
  git(clone, 'push', '--quiet', 'origin', 'perf-baselines');
  await store('mine');
  const { broken } = await withBranch(branchOf(), readBaselines);
  assert.match(broken.join('\n'), /link\.json/);
  assert.deepEqual(git(remote, 'ls-tree', '--name-only', 'perf-baselines').split('\n'), [
    'README.md',
    'link.json',
    'run-aaaa0000',
  ]);
  assert.match(git(remote, 'ls-tree', 'perf-baselines', 'link.json'), /^120000/);
});

test("a checkout is not touched, whatever git's environment points at", async () => {
  const checkout = mkdtempSync(join(SCRATCH, 'checkout-'));
  git(checkout, 'init', '--quiet', '--initial-branch=main');
  git(checkout, 'remote', 'add', 'origin', remote);
  writeFileSync(join(checkout, 'a.txt'), 'a');
  git(checkout, 'add', '.');
  git(checkout, 'commit', '--quiet', '--message', 'a');
  writeFileSync(join(checkout, 'a.txt'), 'changed');
  writeFileSync(join(checkout, 'b.txt'), 'untracked');
  const state = () => [
    git(checkout, 'status', '--porcelain'),
    git(checkout, 'for-each-ref'),
    git(checkout, 'config', '--list', '--local'),
    readdirSync(join(checkout, '.git'))
      .filter((name) => name !== 'index')
      .sort()
      .join(),
  ];
  const before = state();
  assert.equal(await remoteOf(checkout), remote);
  const env = { ...process.env, GIT_DIR: join(checkout, '.git'), GIT_WORK_TREE: checkout };
  await changeBranch({ ...branchOf(), env }, (dir) => saveBaseline(run(), dir));
  assert.deepEqual(state(), before);
  assert.deepEqual(await ids(), ['one']);
});

test('no program that a template or the system names is run, and the token is in reach of the remote alone', async (t) => {
  const log = join(SCRATCH, 'log');
  const spy = join(SCRATCH, 'spy');
  writeFileSync(spy, `#!/bin/sh\nenv >> ${log}\n`, { mode: 0o755 });
  const template = mkdtempSync(join(SCRATCH, 'template-'));
  const settings = join(template, 'config');
  writeFileSync(settings, `[core]\n\tfsmonitor = ${spy}\n[filter "spy"]\n\tclean = ${spy}; cat\n`);
  mkdirSync(join(template, 'info'));
  writeFileSync(join(template, 'info/attributes'), '* filter=spy\n');
  const planted = { GIT_TEMPLATE_DIR: template, GIT_CONFIG_SYSTEM: settings };
  const before = { ...process.env };
  Object.assign(process.env, planted, { PERF_GITHUB_TOKEN: 'ghs_secret' });
  t.after(() => (process.env = before));
  const env = withCredentials({ ...process.env, GITHUB_SERVER_URL: 'https://github.com' });
  assert.match(JSON.stringify(env), /AUTHORIZATION/);
  await changeBranch({ ...branchOf(), env }, (dir) => saveBaseline(run(), dir));
  assert.equal(existsSync(log) ? readFileSync(log, 'utf8') : '', '');
  // What git runs all the same finds no token.
  await changeBranch({ ...branchOf(), env, message: 'x' }, async (dir) => {
    mkdirSync(join(dir, '.git/info'));
    writeFileSync(join(dir, '.git/info/attributes'), '* filter=spy\n');
    writeFileSync(join(dir, '.git/config'), `[filter "spy"]\n\tclean = ${spy}; cat\n`, { flag: 'a' });
    writeFileSync(join(dir, 'a'), 'a');
  });
  assert.match(readFileSync(log, 'utf8'), /^GIT_/m);
  assert.doesNotMatch(readFileSync(log, 'utf8'), /AUTHORIZATION|ghs_secret/);
  assert.doesNotMatch(JSON.stringify(env), /ghs_secret/);
});
