import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { readRunConfig } from '../../scripts/session/run-config.js';
import { otherPackage } from '../../scripts/session/library-sides.js';
import { readSearch } from '../../scripts/session/experiments/bisect.js';
import { requireOther, sidesHere, sidesOf } from '../../scripts/session/sides.js';

let scratch = '';
let top = '';
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'perf-library-'));
  top = join(scratch, 'repository');
  mkdirSync(top);
  git('init', '--quiet', '--initial-branch', 'main');
});
afterEach(() => rmSync(scratch, { recursive: true }));

/** @param {string[]} args */
const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
    cwd: top,
    encoding: 'utf8',
  }).trim();

/** @param {Record<string, unknown>} files text, or content of a package.json */
function commit(files) {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(top, file)), { recursive: true });
    writeFileSync(join(top, file), typeof content === 'string' ? content : JSON.stringify(content));
  }
  git('add', '--all');
  git('commit', '--quiet', '--message', Object.keys(files).join(' '));
}

const server = (/** @type {string} */ id) =>
  `{ id: ${id}, folder: perf/${id}, start: node x, routes: [{ path: / }] }`;
const ALONE = {
  'perf.yml': `reference: off\nservers: [${server('api')}, ${server('page')}]\nlibrary: .\n`,
  'package.json': { name: 'lib', version: '1.0.0', dependencies: { dep: '^1.0.0' } },
  'perf/api/package.json': { dependencies: { lib: '*', fastify: '*' } },
  'perf/api/package-lock.json': {
    packages: {
      '': { dependencies: { lib: '*', fastify: '*' } },
      'node_modules/lib': { version: '1.0.0' },
      'node_modules/fastify': { version: '5.2.0' },
    },
  },
  'perf/page/package.json': { dependencies: { other: '*' } },
  'perf/page/package-lock.json': { packages: {} },
};

/**
 * @param {Record<string, string>} options
 * @param {string} [cwd]
 */
async function sides(options, cwd = top) {
  const config = readRunConfig(options, cwd);
  await requireOther(config, cwd);
  return sidesOf(config, { cwd, env: { ...process.env, XDG_CACHE_HOME: join(scratch, 'cache') } });
}

test('the server is that of the working tree on both sides, with the package of each', async () => {
  commit(ALONE);
  commit({
    'package.json': { ...ALONE['package.json'], dependencies: { dep: '^2.0.0' } },
    'perf/api/new.js': '',
  });
  const { config, sides: pair, warnings } = await sides({ against: 'HEAD~1' });
  const [base, head] = pair;
  assert.deepEqual(
    config.servers.map(({ id }) => id),
    ['api'],
  );
  assert.deepEqual(
    [base?.servers.api?.folder, head?.servers.api?.folder],
    [join(top, 'perf/api'), join(top, 'perf/api')],
  );
  const library = { packages: ['lib'], servers: ['perf/api'] };
  assert.deepEqual(
    [base?.revision, head?.revision],
    [
      { sha: git('rev-parse', 'HEAD~1'), ref: 'HEAD~1', library },
      { sha: git('rev-parse', 'HEAD'), ref: 'main', library },
    ],
  );
  const [before, after] = pair.map(({ servers }) => servers.api?.library);
  assert.notEqual(before?.buildDir, after?.buildDir);
  assert.deepEqual(
    [before?.packages, before?.like, after?.like],
    [[{ name: 'lib', folder: '' }], after, undefined],
  );
  assert.deepEqual(warnings, [
    {
      code: 'packages-moved',
      lock: 'lib/package.json',
      packages: [{ name: 'dep', from: '^1.0.0', to: '^2.0.0' }],
    },
    { code: 'not-installed', servers: ['page'], names: ['lib'] },
  ]);
});

test('without another commit, all sides have the package of the working tree', async () => {
  commit(ALONE);
  /** @type {Record<string, string>[]} */
  const asked = [{}, { against: 'self' }];
  for (const options of asked) {
    const { sides: all } = await sides(options);
    assert.deepEqual(
      new Set(all.map(({ servers }) => servers.api?.library?.packages[0]?.name)),
      new Set(['lib']),
    );
    assert.equal(new Set(all.map(({ servers }) => servers.api?.library?.buildDir)).size, 1);
  }
  const config = readRunConfig({ against: 'self' }, top);
  const given = sidesHere(config).map((side) => ({
    ...side,
    servers: { api: { .../** @type {any} */ (side.servers.api), env: { A: '1' } } },
  }));
  const proof = await sidesOf(
    { ...config, against: 'planted' },
    { cwd: top, env: { XDG_CACHE_HOME: join(scratch, 'cache') }, sides: given },
  );
  assert.deepEqual(
    proof.sides.map(({ servers }) => [servers.api?.env, servers.api?.library !== undefined]),
    [
      [{ A: '1' }, true],
      [{ A: '1' }, true],
    ],
  );
});

test('another commit in place of the working tree is the head', async () => {
  commit(ALONE);
  commit({ 'a.js': '1' });
  const first = git('rev-parse', 'HEAD~1');
  const config = { ...readRunConfig({ against: 'HEAD' }, top), commit: first };
  const { sides: pair } = await sidesOf(config, {
    cwd: top,
    env: { ...process.env, XDG_CACHE_HOME: join(scratch, 'cache') },
  });
  assert.equal(pair[1]?.revision?.sha, first);
});

const MONOREPO = {
  'perf.yml': `reference: off\nservers: [${server('api')}]\nlibrary: [packages/core, packages/extra]\n`,
  'package.json': { workspaces: ['packages/*'] },
  'packages/core/package.json': { name: '@x/core', dependencies: { '@x/common': '*', '@x/extra': '*' } },
  'packages/common/package.json': { name: '@x/common', optionalDependencies: { '@x/deep': '*' } },
  'packages/deep/package.json': { name: '@x/deep', dependencies: { '@x/common': '*' } },
  'packages/extra/package.json': { name: '@x/extra', devDependencies: { '@x/tools': '*' } },
  'packages/tools/package.json': { name: '@x/tools' },
  'perf/api/package.json': { dependencies: { '@x/core': '*' } },
};

test('in a workspace, the packages that it depends on come first, and only files of these affect a server', async () => {
  commit(MONOREPO);
  commit({ 'packages/deep/a.js': '' });
  const { sides: pair } = await sides({ against: 'HEAD~1' });
  assert.deepEqual(pair[1]?.servers.api?.library?.packages, [
    { name: '@x/deep', folder: 'packages/deep', beside: true },
    { name: '@x/common', folder: 'packages/common', beside: true },
    { name: '@x/extra', folder: 'packages/extra' },
    { name: '@x/core', folder: 'packages/core' },
  ]);
  commit({ 'packages/tools/a.js': '', 'tsconfig.json': '{}' });
  assert.deepEqual((await sides({ against: 'HEAD~1' })).config.servers, []);
  commit({ 'perf/api/a.js': '' });
  assert.equal((await sides({ against: 'HEAD~1' })).config.servers.length, 1);
});

test('a package from elsewhere takes the place of the installed one, whatever its own name', async () => {
  commit({ ...ALONE, 'perf.yml': ALONE['perf.yml'].replace('library: .\n', '') });
  mkdirSync(join(scratch, 'fork'));
  writeFileSync(join(scratch, 'fork/package.json'), '{"name":"@me/lib","version":"1.0.0"}');
  const { sides: pair } = await sides({ against: 'lib@file:../fork' });
  const [base, head] = pair;
  assert.deepEqual(base?.servers.api?.library?.packages, [{ name: 'lib', folder: '' }]);
  assert.deepEqual([head?.servers.api?.library, head?.revision], [undefined, undefined]);
  assert.deepEqual(base?.revision, { library: { packages: ['lib'], servers: ['perf/api'], of: '../fork' } });
});

test('a tarball is had as a folder is', async () => {
  commit(ALONE);
  execFileSync('npm', ['pack', '--pack-destination', scratch], { cwd: top, stdio: 'ignore' });
  const { sides: pair } = await sides({ against: 'lib@file:../lib-1.0.0.tgz' });
  const [, head] = pair;
  const [own] = pair[0]?.servers.api?.library?.packages ?? [];
  assert.ok(own?.name === 'lib' && existsSync(own.tarball ?? ''));
  assert.equal(pair[0]?.revision?.library?.of, '../lib-1.0.0.tgz');
  assert.equal(head?.revision?.sha, git('rev-parse', 'HEAD'));
  assert.deepEqual(pair[0]?.servers.api?.library?.like, head?.servers.api?.library);
});

test('packages from elsewhere are distinguished from commits and versions', () => {
  const library = [join(scratch, 'repository')];
  commit({ 'package.json': { name: 'lib' } });
  for (const against of ['lib@file:../a', '@x/a@file:./a.tgz']) assert.ok(otherPackage({ against }), against);
  assert.equal(otherPackage({ against: 'lib@1.0.0', library })?.spec, 'lib@1.0.0');
  for (const against of ['main', 'lib@1.0.0', 'fastify@5.2.0', 'node@22', 'main@{upstream}'])
    assert.equal(otherPackage({ against }), undefined, against);
});

/**
 * @type {[what: string, files: Record<string, unknown>, options: Record<string, string>, message: RegExp][]}
 */
const MISTAKES = [
  [
    'a folder without package.json',
    {},
    { library: 'perf' },
    /^--library: there is no package\.json in perf; name the folder of a package$/,
  ],
  [
    'a package without a name',
    { 'a/package.json': {} },
    { library: 'a' },
    /^--library: the package\.json in a has no name; /,
  ],
  [
    'a package that no server has',
    { 'b/package.json': { name: 'lonely' } },
    { library: 'b' },
    /^library: no measured server has lonely installed; name it in a server's package\.json and import it by its name$/,
  ],
  [
    'a package that the base does not have',
    { 'b/package.json': { name: 'lib' } },
    { library: 'b', against: 'HEAD~1' },
    /^library: HEAD~1 has no package\.json with a name in b; name a folder that both sides have$/,
  ],
  [
    'another name',
    { 'package.json': { name: 'fastify' } },
    { against: 'HEAD~1' },
    /^library: the package in \. is lib in HEAD~1 and fastify in the working tree; compare .*--against fastify@file:FOLDER /,
  ],
  [
    'a peer dependency that does not fit',
    { 'package.json': { name: 'lib', peerDependencies: { fastify: '^4.0.0' } } },
    {},
    /^library: lib of the working tree needs fastify \^4\.0\.0, and server "api" has 5\.2\.0; install one that fits both sides there$/,
  ],
  ['an unknown commit', {}, { against: 'nowhere' }, /^--against: there is no commit "nowhere" here; /],
  [
    'another package than the one under test',
    {},
    { against: 'fastify@file:../fork' },
    /^--against fastify@file:\.\.\/fork: the package under test is lib; give its name to the other one, or leave library out$/,
  ],
  .../** @type {[string, {}, Record<string, string>, RegExp][]} */ (
    [
      'lib@git+https://ci:s3cret@h/x/lib.git',
      'lib@https://h/x/lib.tgz?ref=main&private_token=s3cret',
      'lib@github:x/lib#main',
      'lib@git+file:///repository',
    ].map((against) => [
      `the address ${against}`,
      {},
      { against },
      /^--against: a package is not measured from an address; clone or download lib, and use lib@file:FOLDER$/,
    ])
  ),
  [
    'a folder elsewhere that is no package',
    { 'c/readme': '' },
    { against: 'lib@file:c' },
    /^--against lib@file:c: there is no package\.json in .*\/c; name the folder of a package$/,
  ],
  [
    'a tarball that is not there',
    {},
    { against: 'lib@file:none.tgz' },
    /^--against lib@file:none\.tgz: it cannot be had: .*none\.tgz/,
  ],
];
for (const [what, files, options, message] of MISTAKES)
  test(`${what} is one line`, async () => {
    commit(ALONE);
    commit({ 'a.txt': '', ...files });
    await assert.rejects(sides(options), { name: 'UserError', message });
  });

test('a search for a package of the servers is refused, since both sides have the same servers', async () => {
  commit(ALONE);
  commit({ 'a.txt': '' });
  await assert.rejects(readSearch({ good: 'HEAD~1', bad: 'HEAD', options: { packages: true } }, top), {
    name: 'UserError',
    message: /^bisect --packages: .* leave --packages out$/,
  });
});

test('outside of a repository, it says so', async () => {
  const folder = join(scratch, 'plain');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"name":"lib","dependencies":{"lib":"*"}}');
  writeFileSync(
    join(folder, 'perf.yml'),
    'servers: [{ id: api, start: node x, routes: [{ path: / }] }]\nlibrary: .\n',
  );
  await assert.rejects(sides({}, folder), { name: 'UserError', message: /^library .*not a git repository/ });
});
