/**
 * The user's folder is left as it is: installs and builds, by the real npm, happen elsewhere, once for the
 * same sources.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { runCli } from './tools.js';
import { scratchFolder } from '../scratch.js';

const QUICK = '--reference off --connections 2 --rate 100 --duration 1s --warmup 0 --rounds 1'.split(' ');
const SCRATCH = scratchFolder();

const SERVER = `require('depd');
require('node:http').createServer((_, answer) => answer.end(process.env.NODE_ENV + require('./built.js')))
  .listen(process.env.PORT, process.env.HOST);`;

let top = '';
let counted = '';
let count = 0;
beforeEach(() => {
  const home = join(SCRATCH, String(++count));
  top = join(home, 'app');
  counted = join(home, 'installs');
  mkdirSync(top, { recursive: true });
});

/** @param {Record<string, unknown>} files text, or what becomes JSON */
function write(files) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** @param {string[]} args */
function tool(file = '', ...args) {
  return execFileSync(file, args, { cwd: top, encoding: 'utf8', stdio: 'pipe' });
}

function commit() {
  tool('git', 'init', '--quiet');
  tool('git', 'add', '--all');
  tool('git', '-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '--quiet', '--message', 'all');
}

/** @param {string[]} args */
function run(...args) {
  const env = {
    ...process.env,
    XDG_CACHE_HOME: join(top, '../cache'),
    COUNTED: counted,
    JWT_SECRET: 'hidden-1',
  };
  return runCli(['run', ...QUICK, ...args], { cwd: top, env });
}

const installs = () => (existsSync(counted) ? readFileSync(counted, 'utf8').trim().split('\n') : []);
const modules = () => readdirSync(join(top, 'node_modules'), { recursive: true, encoding: 'utf8' }).sort();

const PACKAGE = {
  name: 'app',
  private: true,
  scripts: {
    build: "node -e \"require('ms'); require('fs').writeFileSync('built.js', 'module.exports = 1')\"",
  },
  dependencies: { depd: '^2' },
  devDependencies: { ms: '^2' },
};
const PERF = `servers:
  - id: app
    install: npm ci --no-audit --no-fund && echo installed >> "$COUNTED"
    build: npm run build
    start: node server.js
    env: { NODE_ENV: production }
    passEnv: [COUNTED]
    routes: [{ path: /, expect: { body: production1 } }]
`;

for (const place of ['a repository', ...(process.env.PERF_TEST_ALL ? ['a folder without git'] : [])]) {
  test(`in ${place}: dev dependencies are there for the build and stay the user's, and the second run installs nothing`, async () => {
    write({ 'package.json': PACKAGE, 'server.js': SERVER, 'perf.yml': PERF });
    tool('npm', 'install', '--no-audit', '--no-fund', '--loglevel=error');
    write({ '.gitignore': 'node_modules\nperf-results\n' });
    if (place === 'a repository') commit();
    const before = [modules(), readdirSync(top).sort()];
    for (const run1 of ['first', 'second']) {
      const { code, stdout, stderr } = await run('--out', '../results');
      assert.equal(code, 0, `${run1}: ${stdout}${stderr}`);
      assert.equal(installs().length, 1);
      assert.deepEqual([modules(), readdirSync(top).sort()], before);
    }
    if (place !== 'a repository') return;
    write({ 'server.js': `${SERVER}\n// edited, in no commit` });
    assert.equal((await run('--out', '../results')).code, 0);
    assert.equal(installs().length, 2);
  });
}

test('two servers of a workspace share one install, and runs at the same time too', async () => {
  const member = (/** @type {string} */ name, /** @type {string} */ dependency) => ({
    [`apps/${name}/package.json`]: { name, version: '1.0.0', dependencies: { [dependency]: '^2' } },
    [`apps/${name}/server.js`]: `require('${dependency}'); require('node:http').createServer((_, answer) => answer.end('${name}')).listen(process.env.PORT, process.env.HOST)`,
  });
  const entry = (/** @type {string} */ name) =>
    `  - { id: ${name}, folder: apps/${name}, install: npm ci, start: node server.js, passEnv: [COUNTED], routes: [{ path: /, expect: { body: ${name} } }] }\n`;
  write({
    'package.json': {
      name: 'all',
      private: true,
      workspaces: ['apps/*'],
      scripts: { postinstall: 'echo installed >> "$COUNTED"' },
    },
    ...member('one', 'ms'),
    ...member('two', 'depd'),
    'perf.yml': `servers:\n${entry('one')}${entry('two')}`,
    '.gitignore': 'node_modules\n',
  });
  tool(
    'npm',
    'install',
    '--package-lock-only',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  );
  commit();
  for (const { code, stdout, stderr } of await Promise.all([run('--out', '../a'), run('--out', '../b')]))
    assert.equal(code, 0, stdout + stderr);
  assert.deepEqual(installs(), ['installed']);
  assert.equal(existsSync(join(top, 'node_modules')), false);
});

test('the base of a server called like a built-in one is the repository’s own', async () => {
  const own = (/** @type {string} */ text) =>
    `require('node:http').createServer((_, answer) => answer.end('${text}')).listen(process.env.PORT, process.env.HOST)`;
  write({ 'server.js': own('mine') });
  commit();
  write({
    'perf.yml':
      'servers:\n  - { id: express, start: node server.js, routes: [{ path: /, expect: { body: mine } }] }\n',
  });
  const { code, stdout, stderr } = await run('--against', 'HEAD', '--fail-on', 'never');
  assert.equal(code, 0, stdout + stderr);
  assert.match(
    stdout,
    /the base has no perf.yml entry for express, so it was started as the head describes it/,
  );
  const { cases } = JSON.parse(readFileSync(join(top, 'perf-results/base/run.json'), 'utf8'));
  assert.ok(cases[0].trials[0].windows[0].requests > 0);

  tool('git', 'mv', 'server.js', 'other.js');
  write({ 'perf.yml': readFileSync(join(top, 'perf.yml'), 'utf8').replace('server.js', 'other.js') });
  const renamed = await run('--against', 'HEAD', '--fail-on', 'never');
  assert.match(renamed.stdout, /new in this branch, with nothing to compare it with: express/);
});

test('a listed file is on both sides, a listed variable reaches the server, and no file has its value', async () => {
  const start = `const { API } = process.env; require('node:http').createServer((_, answer) => answer.end(require('node:fs').readFileSync('.env', 'utf8') + API + process.env.JWT_SECRET)).listen(process.env.PORT, process.env.HOST)`;
  const entry = (/** @type {string} */ keys) =>
    `servers:\n  - { id: app, start: node server.js, ${keys}routes: [{ path: /, expect: { body: "A=1http://app/hidden-1" } }] }\n`;
  const keys = 'copy: [.env], passEnv: [JWT_SECRET], env: { API: "http://${SOMEWHERE}/" }, ';
  write({ 'server.js': start, '.gitignore': '.env\nperf-results\n', '.env': 'A=1', 'perf.yml': entry(keys) });
  commit();
  write({ 'server.js': `${start}\n// edited` });
  const refused = await run('--against', 'HEAD');
  assert.deepEqual(
    [refused.code, refused.stderr],
    [2, 'perf-action: perf.yml:2: servers: SOMEWHERE is not set here; set it, or write the value out\n'],
  );
  process.env.SOMEWHERE = 'app';
  const { code, stdout, stderr } = await run('--against', 'HEAD', '--fail-on', 'never');
  delete process.env.SOMEWHERE;
  assert.equal(code, 0, stdout + stderr);
  for (const file of ['run.json', 'base/run.json', 'report.md']) {
    assert.doesNotMatch(readFileSync(join(top, 'perf-results', file), 'utf8'), /hidden-1/);
  }
});
