/** Checkouts of two sides, with a real git. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { checkOutSides, resolveRef } from '../../scripts/deploy/source/worktrees.js';
import { scratchFolder } from '../scratch.js';

const SCRATCH = scratchFolder();

let top = '';
/** @type {NodeJS.ProcessEnv} */
let env = {};
let count = 0;
beforeEach(() => {
  top = join(SCRATCH, `repo-${++count}`);
  env = { XDG_CACHE_HOME: join(SCRATCH, `cache-${count}`) };
  mkdirSync(top);
  git('init', '--quiet', '--initial-branch', 'main');
  commit('server.js', 'one');
  commit('server.js', 'two');
});

/** @param {string[]} args */
function git(...args) {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
  return execFileSync('git', [...author, ...args], { cwd: top, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** @type {(file: string, text: string) => void} */
function commit(file, text) {
  write(file, text);
  git('add', '--all');
  git('commit', '--quiet', '--message', text);
}

/** @type {(file: string, text: string) => void} */
function write(file, text) {
  mkdirSync(join(top, file, '..'), { recursive: true });
  writeFileSync(join(top, file), text);
}

const sides = (ref = 'HEAD~1') => checkOutSides(ref, { cwd: top, env, out: join(top, 'perf-results') });
/** @param {{ folder: string }} tree */
const served = ({ folder }) => readFileSync(join(folder, 'server.js'), 'utf8');

test('base and head are two folders with the files of their commits', async () => {
  const { base, head, changed } = await sides();
  assert.deepEqual([served(base), served(head)], ['one', 'two']);
  assert.deepEqual(changed, ['server.js']);
  assert.deepEqual(base.revision, { sha: git('rev-parse', 'HEAD~1'), ref: 'HEAD~1' });
  assert.deepEqual(head.revision, { sha: git('rev-parse', 'HEAD'), ref: 'main' });
});

test('an unchanged tree is not checked out again, even for another commit', async () => {
  const first = await sides();
  writeFileSync(join(first.base.folder, 'built.txt'), 'built');
  commit('server.js', 'three');
  commit('server.js', 'two');
  const second = await sides('HEAD~3');
  assert.equal(second.base.folder, first.base.folder);
  assert.equal(second.head.folder, first.head.folder, 'two commits, one content');
  assert.ok(existsSync(join(second.base.folder, 'built.txt')));
});

test('a dirty tree is measured as it is, and neither it nor the index changes', async () => {
  write('server.js', 'edited');
  write('new.js', 'untracked');
  write('ignored.log', 'ignored');
  write('.gitignore', '*.log\n');
  const before = git('status', '--porcelain');
  const { head, changed } = await sides('HEAD');
  assert.equal(served(head), 'edited');
  assert.equal(head.revision.dirty, true);
  assert.ok(existsSync(join(head.folder, 'new.js')));
  assert.ok(!existsSync(join(head.folder, 'ignored.log')));
  assert.deepEqual(changed.sort(), ['.gitignore', 'new.js', 'server.js']);
  assert.equal(git('status', '--porcelain'), before);
});

test('results and node_modules do not make a tree dirty, ignored or not', async () => {
  write('perf-results/run.json', '{}');
  write('packages/b/node_modules/c/index.js', '');
  const { head, changed } = await sides();
  assert.equal(head.revision.dirty, undefined);
  assert.deepEqual(changed, ['server.js']);
  write('.gitignore', 'perf-results\nresults*\n');
  write('results[1]/run.json', '{}');
  const { head: ignoring } = await sides();
  assert.equal(ignoring.revision.dirty, true);
  const elsewhere = await checkOutSides('HEAD', { cwd: top, env, out: join(top, 'results[1]') });
  assert.equal(elsewhere.head.folder, ignoring.folder);
});

test('a checkout that was interrupted is made again', async () => {
  const first = await sides();
  rmSync(join(first.base.buildDir, 'stamps'), { recursive: true });
  rmSync(join(first.base.folder, 'server.js'));
  assert.equal(served((await sides()).base), 'one');
});

test('only the latest trees are kept, and those in use', async () => {
  const { base: usedBase, head: usedHead } = await sides();
  /** @type {string[]} */
  const folders = [];
  for (let n = 0; n < 7; n++) {
    commit('server.js', `state ${n}`);
    const { base, head } = await sides();
    folders.push(head.folder);
    assert.ok(existsSync(base.folder) && existsSync(head.folder));
    // As if another process had used them, which has ended.
    for (const { buildDir } of [base, head])
      if (buildDir !== usedHead.buildDir) rmSync(join(buildDir, 'users'), { recursive: true });
  }
  assert.deepEqual(folders.map(existsSync), [false, true, true, true, true, true, true]);
  assert.ok(existsSync(usedBase.folder) && existsSync(usedHead.folder));
});

const listed = () => git('worktree', 'list').split('\n').length;

test('the repository lists no worktree, whether a run ends or is killed while it checks out', async () => {
  const { head } = await sides();
  assert.equal(listed(), 1);
  assert.equal(
    execFileSync('git', ['describe', '--all'], { cwd: head.folder, encoding: 'utf8' }),
    'heads/main\n',
  );
  // A filter that never ends stops git in the middle.
  git('config', 'filter.slow.smudge', 'touch smudging; sleep 60');
  commit('.gitattributes', '*.js filter=slow');
  const module = new URL('../../scripts/deploy/source/worktrees.js', import.meta.url).href;
  const program = `const { checkOutSides } = await import(${JSON.stringify(module)});
    await checkOutSides('HEAD', ${JSON.stringify({ cwd: top, env, out: join(top, 'out') })});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { detached: true });
  while (
    !readdirSync(env.XDG_CACHE_HOME ?? '', { recursive: true }).some((name) => /smudging$/.test(String(name)))
  )
    await setTimeout(20);
  process.kill(-Number(child.pid), 'SIGKILL');
  await once(child, 'close');
  assert.equal(listed(), 1);
  git('config', 'filter.slow.smudge', 'cat');
  assert.equal(served((await sides('HEAD')).base), 'two');
  assert.equal(listed(), 1);
});

test('a checkout is made again of a commit that git has removed meanwhile', async () => {
  const first = await sides();
  git('commit', '--quiet', '--amend', '--message', 'the same files');
  git('reflog', 'expire', '--expire=now', '--all');
  git('gc', '--quiet', '--prune=now');
  const { head } = await sides();
  assert.equal(head.folder, first.head.folder);
  const described = execFileSync('git', ['log', '-1', '--format=%s'], { cwd: head.folder, encoding: 'utf8' });
  assert.equal(described, 'the same files\n');
});

test('the git folder of a checkout is a repository to programs that know no commondir', async () => {
  const shallow = join(SCRATCH, `shallow-${count}`);
  git('clone', '--quiet', '--depth', '1', `file://${top}`, shallow);
  const { head } = await checkOutSides('HEAD', { cwd: shallow, env, out: join(shallow, 'out') });
  rmSync(join(head.buildDir, 'git/commondir'));
  const asRepository = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: head.folder, encoding: 'utf8' });
  assert.equal(asRepository('log', '--format=%s'), 'two\n');
  assert.equal(asRepository('status', '--porcelain'), '');
  assert.equal(asRepository('rev-parse', '--show-toplevel'), `${head.folder}\n`);
});

test('a sparse checkout is measured with the folders that it has', async () => {
  commit('docs/page.md', 'words');
  git('sparse-checkout', 'set', 'src');
  commit('src/a.js', 'a');
  const { base, head } = await sides();
  assert.deepEqual(
    [base, head].map(({ folder }) => existsSync(join(folder, 'docs'))),
    [false, false],
  );
  assert.ok(existsSync(join(head.folder, 'src/a.js')));
});

test('files of Git LFS and of submodules come from where the repository has them', async () => {
  const lib = join(SCRATCH, `lib-${count}`);
  git('clone', '--quiet', top, lib);
  git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib, 'lib');
  git('commit', '--quiet', '--message', 'with a submodule');
  git('config', 'filter.lfs.smudge', 'cat "$(git rev-parse --git-common-dir)/lfs/objects/data"');
  mkdirSync(join(top, '.git/lfs/objects'), { recursive: true });
  writeFileSync(join(top, '.git/lfs/objects/data'), 'large');
  write('data.bin', 'pointer');
  commit('.gitattributes', 'data.bin filter=lfs');
  const allowed = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'protocol.file.allow',
    GIT_CONFIG_VALUE_0: 'always',
  };
  Object.assign(process.env, allowed);
  const { head } = await sides('HEAD').finally(() =>
    Object.keys(allowed).map((name) => delete process.env[name]),
  );
  assert.equal(readFileSync(join(head.folder, 'data.bin'), 'utf8'), 'large');
  assert.equal(readFileSync(join(head.folder, 'lib/server.js'), 'utf8'), 'two');
});

test('a base is a commit, a branch that only the remote has, or where the branch began, from any folder', async () => {
  git('update-ref', 'refs/remotes/origin/release', 'HEAD~1');
  assert.equal((await resolveRef('release', top)).sha, git('rev-parse', 'HEAD~1'));
  git('branch', 'release', 'HEAD');
  write('packages/api/index.js', '');
  const found = await resolveRef('release', join(top, 'packages/api'));
  assert.deepEqual(found, { top: git('rev-parse', '--show-toplevel'), sha: git('rev-parse', 'HEAD') });
  git('checkout', '--quiet', '-b', 'topic');
  commit('server.js', 'three');
  assert.equal((await resolveRef('base', top)).sha, git('rev-parse', 'main'));
});

test('a missing commit or repository is one line, which mentions a shallow checkout', async () => {
  const missing = /^UserError: --against: there is no commit "no-such-branch" here; git branch/;
  await assert.rejects(sides('no-such-branch'), missing);
  await assert.rejects(sides('--upload-pack=x'), /^UserError: --against: there is no commit/);
  const deep = top;
  top = join(SCRATCH, `shallow-${count}`);
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${deep}`, top], { stdio: 'pipe' });
  await assert.rejects(sides('HEAD~1'), /shallow: git fetch --unshallow/);
  for (const depth of ['1', '2147483647']) {
    rmSync(top, { recursive: true });
    const single = ['--depth', depth, '--branch', 'regress', `file://${deep}`, top];
    execFileSync('git', ['-C', deep, 'branch', '--force', 'regress']);
    execFileSync('git', ['clone', '--quiet', ...single], { stdio: 'pipe' });
    const failed = await sides('main').catch(String);
    const [cure = ''] = /git fetch (--unshallow )?origin "[^"]+"/.exec(String(failed)) ?? [];
    execFileSync('sh', ['-c', cure], { cwd: top, stdio: 'pipe' });
    await sides('main');
  }
  const cwd = mkdtempSync(join(SCRATCH, 'plain-'));
  await assert.rejects(
    checkOutSides('main', { cwd, env, out: join(cwd, 'out') }),
    /^UserError: --against main: .*not a git repository.*; run this inside a git checkout/,
  );
});

test('a Git LFS pointer in place of its file is a warning', async () => {
  commit('data.bin', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n');
  const { warnings } = await sides();
  assert.deepEqual(warnings, [{ code: 'lfs-missing', side: 'head', files: ['data.bin'] }]);
});

test('a submodule that cannot be fetched is one line, and the checkout is removed', async () => {
  const empty = git('rev-parse', 'HEAD');
  write('.gitmodules', '[submodule "lib"]\n\tpath = lib\n\turl = ./nowhere\n');
  git('add', '--all');
  git('update-index', '--add', '--cacheinfo', `160000,${empty},lib`);
  git('commit', '--quiet', '--message', 'with a submodule');
  await assert.rejects(
    sides('HEAD'),
    /^UserError: --against HEAD: the base cannot be checked out: a submodule is missing/,
  );
  assert.equal(git('worktree', 'list').split('\n').length, 1);
});
