import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { replaceCopies } from '../../scripts/deploy/install/library-copies.js';
import { installLibrary } from '../../scripts/deploy/install/install-library.js';
import { MeasureError } from '../../scripts/model/errors.js';
import { shellLine } from '../../scripts/system/process/shell.js';
import { toy } from './toys/toys.js';

let scratch = '';
beforeEach(() => (scratch = mkdtempSync(join(tmpdir(), 'library-'))));
afterEach(() => rmSync(scratch, { recursive: true }));

/** @param {Record<string, string>} files */
function write(files) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(scratch, file)), { recursive: true });
    writeFileSync(join(scratch, file), text);
  }
}

/** @type {(link: string, target: string) => void} */
function link(link, target) {
  mkdirSync(dirname(join(scratch, link)), { recursive: true });
  symlinkSync(target, join(scratch, link));
}

const read = (/** @type {string} */ file) => readFileSync(join(scratch, file), 'utf8');
const isThere = (/** @type {string} */ file) => existsSync(join(scratch, file));

/**
 * @param {string[]} names
 * @param {string} [folder] of the server
 * @returns how many copies became new ones
 */
const replace = (names, folder = 'tree') =>
  replaceCopies(new Map(names.map((name) => [name, join(scratch, 'made', name)])), {
    folder: join(scratch, folder),
    tree: join(scratch, 'tree'),
  });

test('copies at every depth are replaced, with their own dependencies', () => {
  write({
    'made/a/index.js': 'new',
    'made/a/node_modules/b/index.js': 'of a',
    'tree/node_modules/a/index.js': 'old',
    'tree/node_modules/a/left.js': 'old',
    'tree/node_modules/b/index.js': "the server's",
    'tree/node_modules/@x/c/node_modules/a/index.js': 'old',
    'tree/perf/server/node_modules/d/node_modules/e/node_modules/a/index.js': 'old',
    'tree/other/node_modules/a/index.js': 'not the server’s',
  });
  assert.equal(replace(['a'], 'tree/perf/server'), 3);
  for (const place of ['node_modules', 'node_modules/@x/c/node_modules'])
    assert.deepEqual(
      [read(`tree/${place}/a/index.js`), read(`tree/${place}/a/node_modules/b/index.js`)],
      ['new', 'of a'],
    );
  assert.equal(isThere('tree/node_modules/a/left.js'), false);
  assert.equal(read('tree/node_modules/b/index.js'), "the server's");
  assert.equal(read('tree/other/node_modules/a/index.js'), 'not the server’s');
});

test('the links of pnpm are followed, and links to sources become copies', () => {
  write({
    'made/a/index.js': 'new',
    'tree/node_modules/.pnpm/a@1/node_modules/a/index.js': 'old',
    'tree/node_modules/.pnpm/c@1/node_modules/c/index.js': 'old',
    'tree/node_modules/.pnpm/a@2/node_modules/a/index.js': 'old',
    'tree/packages/a/index.js': 'sources',
    'tree/packages/d/index.js': 'sources',
    'elsewhere/a/index.js': 'shared',
  });
  link('tree/node_modules/a', '.pnpm/a@1/node_modules/a');
  link('tree/node_modules/c', '.pnpm/c@1/node_modules/c');
  link('tree/node_modules/.pnpm/c@1/node_modules/a', '../../a@2/node_modules/a');
  link('tree/node_modules/d', '../packages/d');
  link('tree/packages/d/node_modules/a', '../../a');
  link('tree/node_modules/e/node_modules/a', '../../../../elsewhere/a');
  assert.equal(replace(['a']), 4);
  for (const place of ['node_modules', 'node_modules/.pnpm/c@1/node_modules', 'packages/d/node_modules'])
    assert.equal(read(`tree/${place}/a/index.js`), 'new', place);
  assert.equal(read('tree/node_modules/e/node_modules/a/index.js'), 'new');
  assert.deepEqual([read('tree/packages/a/index.js'), read('elsewhere/a/index.js')], ['sources', 'shared']);
});

test('packages that find one another beside themselves share one copy', () => {
  write({
    'made/core/node_modules/common/index.js': 'inside',
    'made/common/index.js': 'new',
    'tree/node_modules/core/index.js': 'old',
    'tree/node_modules/common/index.js': 'old',
  });
  assert.equal(replace(['core', 'common']), 2);
  assert.equal(isThere('tree/node_modules/core/node_modules/common'), false);
  assert.equal(read('tree/node_modules/common/index.js'), 'new');
  rmSync(join(scratch, 'tree/node_modules/common'), { recursive: true });
  assert.equal(replace(['core', 'common']), 1);
  assert.equal(read('tree/node_modules/core/node_modules/common/index.js'), 'inside');
});

/**
 * What npm installs is decided here, everything else really runs.
 * @param {string[]} lines gets the commands
 * @param {string[]} locks gets lock files
 */
const runner =
  (lines, locks) =>
  async (/** @type {any} */ { command, cwd, kind }) => {
    lines.push(shellLine(command).replaceAll(scratch, ''));
    if (command[0] === 'npm' && command[1] === 'install') {
      const lock = join(cwd, 'package-lock.json');
      locks.push(existsSync(lock) ? readFileSync(lock, 'utf8') : '');
      writeFileSync(lock, JSON.stringify({ packages: { 'node_modules/dep': { version: '1.0.0' } } }));
      for (const [name, range] of Object.entries(
        JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')).dependencies,
      )) {
        mkdirSync(join(cwd, 'node_modules', name), { recursive: true });
        writeFileSync(join(cwd, 'node_modules', name, 'range'), String(range));
      }
      return;
    }
    const [program, ...args] = typeof command === 'string' ? ['sh', '-c', command] : command;
    const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
    if (status !== 0) throw new MeasureError(kind, stderr);
  };

/**
 * @param {string} side
 * @param {Record<string, unknown>} [more] of the package.json
 * @returns {import('../../scripts/types.js').Library}
 */
function libraryOf(side, more) {
  mkdirSync(join(scratch, side, 'stamps'), { recursive: true });
  const manifest = {
    name: 'lib',
    version: '1.0.0',
    main: 'index.js',
    dependencies: { dep: '^1.0.0' },
    ...more,
  };
  write({ [`${side}/tree/package.json`]: JSON.stringify(manifest), [`${side}/tree/index.js`]: side });
  return { buildDir: join(scratch, side), packages: [{ name: 'lib', folder: '' }] };
}

/**
 * @param {import('../../scripts/types.js').Library} library
 * @param {ReturnType<typeof runner>} run
 */
async function install(library, run) {
  write({ 'server/tree/node_modules/lib/index.js': 'old' });
  const buildDir = join(scratch, 'server');
  await installLibrary(
    { ...toy('api', { buildDir, folder: join(buildDir, 'tree') }), library },
    { run, signal: new AbortController().signal },
  );
}

test('the base keeps what the head got, whichever is first, and each is made once', async () => {
  const head = libraryOf('head');
  const base = { ...libraryOf('base'), like: head };
  /** @type {string[][]} */
  const [lines = [], locks = []] = [[], []];
  const run = runner(lines, locks);
  await install(base, run);
  assert.deepEqual(
    [read('server/tree/node_modules/lib/index.js'), isThere('server/tree/node_modules/lib/node_modules/dep')],
    ['base', true],
  );
  assert.deepEqual(JSON.parse(read('server/tree/node_modules/lib/package.json')).name, 'lib');
  await install(head, run);
  assert.equal(read('server/tree/node_modules/lib/index.js'), 'head');
  assert.deepEqual(locks, ['', JSON.stringify({ packages: { 'node_modules/dep': { version: '1.0.0' } } })]);
  assert.equal(lines.filter((line) => line.startsWith('npm pack')).length, 2);
});

test('a head that cannot be made does not fail the base', async () => {
  const head = libraryOf('head', { scripts: { prepack: 'exit 1' } });
  const base = { ...libraryOf('base'), like: head };
  const run = runner([], []);
  await install(base, run);
  await assert.rejects(install(head, run), { kind: 'build-failed' });
});

test('what is not in git is built, with what is installed for it', async () => {
  /** @type {string[]} */
  const lines = [];
  const build = 'mkdir dist && echo built > dist/index.js';
  const built = {
    main: 'dist/index.js',
    scripts: { build },
    dependencies: {},
    devDependencies: { dep: '1' },
  };
  await install(libraryOf('head', built), runner(lines, []));
  assert.deepEqual(lines.slice(0, 2), ['npm install --no-audit --no-fund', 'npm run build']);
  assert.equal(read('server/tree/node_modules/lib/dist/index.js'), 'built\n');
  lines.length = 0;
  await install(libraryOf('base', { scripts: { build: 'exit 1' } }), runner(lines, []));
  assert.match(lines[0] ?? '', /^npm pack /);
});

test('packages of the same workspace that it depends on are packed with it', async () => {
  const library = libraryOf('head', { workspaces: ['common'], dependencies: { common: '*' } });
  write({ 'head/tree/common/package.json': '{"name":"common","version":"1.0.0"}' });
  library.packages.unshift({ name: 'common', folder: 'common', beside: true });
  await install(library, runner([], []));
  assert.match(
    read('server/tree/node_modules/lib/node_modules/common/range'),
    /^file:.*common-1\.0\.0\.tgz$/,
  );
});

test('a server that has none of the packages fails with what to do', async () => {
  const library = { ...libraryOf('head'), packages: [{ name: 'other', folder: '' }] };
  await assert.rejects(install(library, runner([], [])), {
    kind: 'install-failed',
    message: /^other is not installed .*; name it in the server's package\.json, and import it by its name$/,
  });
});
