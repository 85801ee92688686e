/** Base against head in separate repositories: real git, real servers, the command line as people use it. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { LOOKS } from '../../../scripts/judge/alpha-spending.js';
import { runCli } from '../tools.js';
import { scratchFolder } from '../../scratch.js';

const SCRATCH = scratchFolder();

const QUICK = '--connections 8 --duration 1s --warmup 0 --reference off'.split(' ');
const ONCE = '--rate 100 --rounds 1'.split(' ');

/**
 * 5 ms an answer: what a request costs decides, which needs no full load.
 * @param {string} work what it costs on top of an answer
 */
const server = (work) => `
import { createServer } from 'node:http';
let x = 1;
createServer((request, response) => {
  ${work}
  response.setHeader('content-type', 'text/plain');
  setTimeout(() => response.end('hello'), 5);
}).listen(process.env.PORT, process.env.HOST);
`;
const SLOW = 'for (let i = 0; i < 300_000; i++) x = (x * 31 + i) | 0;';

const JAVA_SERVER = `package shop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

public class Api {
  public static void main(String[] args) throws IOException {
    int port = Integer.parseInt(System.getenv("PORT"));
    HttpServer server = HttpServer.create(new InetSocketAddress(System.getenv("HOST"), port), 0);
    server.setExecutor(Executors.newFixedThreadPool(8));
    server.createContext("/", Api::answer);
    server.start();
  }

  static void answer(HttpExchange exchange) throws IOException {
    byte[] text = Json.serialize(1).getBytes();
    exchange.sendResponseHeaders(200, text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
  }
}
`;
const json = (/** @type {number} */ steps) => `package shop;

final class Json {
  /** Its line with the loop is its busiest. */
  static String serialize(int id) {
    int sum = id;
    for (int step = 0; step < ${steps}; step++)
      sum = sum * 31 + step;
    return "{\\"id\\":" + (sum & 7) + "}";
  }
}
`;

/**
 * @param {string} id
 * @param {string} [more] further lines of the manifest
 */
const entry = (id, more = '') => `
  - id: ${id}
    start: node ${id}.js
    routes: [{ path: /, expect: { body: hello } }]
${more}`;

let top = '';
let cache = '';
let count = 0;
beforeEach(() => {
  top = join(SCRATCH, `repo-${++count}`);
  cache = join(SCRATCH, `cache-${count}`);
  mkdirSync(top);
  git('init', '--quiet', '--initial-branch', 'main');
  commit({
    'perf.yml': `servers:${entry('api')}`,
    'package.json': '{"type":"module"}',
    'api.js': server(''),
  });
});

/** @param {string[]} args */
function git(...args) {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
  return execFileSync('git', [...author, ...args], { cwd: top, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** @param {Record<string, string>} files */
function commit(files) {
  for (const [file, text] of Object.entries(files)) writeFileSync(join(top, file), text);
  git('add', '--all');
  git('commit', '--quiet', '--message', Object.keys(files).join(' '));
}

/** @param {string[]} args */
const run = (...args) =>
  runCli(['run', ...QUICK, ...args], { cwd: top, env: { ...process.env, XDG_CACHE_HOME: cache } });

/** @param {string} file of the results */
const result = (file) => JSON.parse(readFileSync(join(top, 'perf-results', file), 'utf8'));

test('a commit that makes the server slower is found before the budget ends, and the base was what it says', async () => {
  commit({ 'api.js': server(SLOW) });
  const { code, stdout, stderr } = await run('--against', 'HEAD~1', '--budget', '60s', '--no-explain');
  assert.equal(code, 1, stdout);
  assert.match(stderr, /checked after \d+ rounds: 1 case decided$/m);
  const { looks, warnings = [] } = result('run.json');
  assert.ok(
    looks.length > 0 && looks.every((/** @type {number} */ look) => LOOKS.includes(look)),
    `${looks}`,
  );
  const codes = warnings.map((/** @type {{ code: string }} */ { code }) => code);
  assert.ok(!codes.includes('budget-ended'), `${codes}`);
  assert.match(stdout, /^🔴 api(:| answers| needs) .* %/m);
  assert.match(
    stdout,
    new RegExp(`Compared with HEAD~1 \\(commit ${git('rev-parse', 'HEAD~1').slice(0, 10)}\\)`),
  );
  const { verdict, method, base, head } = result('comparison.json');
  assert.deepEqual([verdict, method], ['regressed', 'side-by-side']);
  assert.deepEqual([base.sha, head.sha], [git('rev-parse', 'HEAD~1'), git('rev-parse', 'HEAD')]);
  assert.equal(result('base/run.json').session, result('run.json').session);
  const rounds = (/** @type {any} */ of) => of.cases[0].trials.map((/** @type {any} */ trial) => trial.round);
  assert.deepEqual(rounds(result('base/run.json')), rounds(result('run.json')));
});

// A minute and more of profiled starts: with `scripts/test --all`.
const skipJava = !process.env.PERF_TEST_ALL || spawnSync('javac', ['--version']).error !== undefined;
test('the method that made a Java server slower is named first', { skip: skipJava }, async () => {
  mkdirSync(join(top, 'src/shop'), { recursive: true });
  commit({
    'perf.yml': `servers:
  - id: api
    runtime: java
    build: javac -d classes src/shop/Api.java src/shop/Json.java
    start: java -Dsun.net.httpserver.nodelay=true -cp classes shop.Api
    routes: [{ path: / }]
`,
    '.gitignore': 'classes/\nperf-results/\n',
    'src/shop/Api.java': JAVA_SERVER,
    'src/shop/Json.java': json(2_000),
  });
  commit({ 'src/shop/Json.java': json(2_000_000) });
  const { code, stdout, stderr } = await run('--against', 'HEAD~1', '--rounds', '6', '--warmup', '3s');
  assert.equal(code, 1, `${stdout}\n${stderr}`);
  const [{ functions, calls }] = result('comparison.json').cases;
  assert.deepEqual(
    [functions[0].name, functions[0].file, functions[0].line],
    ['Json.serialize', 'src/shop/Json.java', 8],
    JSON.stringify(functions),
  );
  assert.ok(functions[0].effectPct > 0);
  const named = calls.findIndex((/** @type {any} */ { name }) => name === 'Json.serialize');
  assert.equal(calls[calls[named].parent].name, 'Api.answer');
  assert.match(stdout, /Where the time goes/);
});

test('a change that cannot matter is skipped, and one that touches one of two servers measures that one', async () => {
  commit({ '.gitignore': 'perf-results/\n' });
  await run(...ONCE);
  const measured = result('run.json');
  commit({ 'README.md': 'words' });
  const skipped = await run('--against', 'HEAD~1', ...ONCE);
  assert.deepEqual([skipped.code, skipped.stderr], [0, '']);
  const since = git('rev-parse', '--short=10', 'HEAD~1');
  assert.match(
    skipped.stdout,
    new RegExp(`^⚪ Skipped: no changed file affects a server since commit ${since}\\n`),
  );
  assert.match(skipped.stdout, /\nThe previous results are in .*perf-results\/earlier\.\n$/);
  assert.deepEqual(result('run.json').cases, []);
  assert.deepEqual(result('run.json').warnings[0].code, 'skipped');
  assert.deepEqual(result('earlier/run.json'), measured);

  const two = `${entry('api', '    paths: [api.js]')}${entry('admin', '    paths: [admin.js]')}`;
  commit({ 'perf.yml': `servers:${two}`, 'admin.js': server('') });
  commit({ 'admin.js': `${server('')}// faster by thought alone` });
  const { stdout } = await run('--against', 'HEAD~1', ...ONCE);
  assert.deepEqual(
    result('run.json').cases.map((/** @type {any} */ of) => of.server),
    ['admin'],
  );
  assert.match(stdout, /no changed file affects it: api/);
});

test('a server that the base lacks is new, one that it cannot build is reported, and the head is measured', async () => {
  const build = `    build: [node, -e, "process.exit(require('fs').existsSync('unbuildable') ? 7 : 0)"]`;
  commit({ 'perf.yml': `servers:${entry('api', build)}`, unbuildable: '' });
  rmSync(join(top, 'unbuildable'));
  mkdirSync(join(top, 'admin'));
  commit({
    'perf.yml': `servers:${entry('api', build)}\n  - ./admin\n`,
    'admin/server.yml': 'start: node admin.js\nroutes: [{ path: /, expect: { body: hello } }]\n',
    'admin/admin.js': server(''),
    'admin/package.json': '{"type":"module"}',
  });
  const { code, stdout } = await run('--against', 'HEAD~1', ...ONCE);
  assert.match(stdout, /build-failed|ended with 7/);
  const { cases } = result('comparison.json');
  const verdicts = Object.fromEntries(
    cases.map((/** @type {any} */ compared) => [compared.id.split(' ')[0], compared]),
  );
  assert.equal(verdicts.api.verdict, 'failed');
  assert.equal(verdicts.admin.only, 'head');
  for (const { summary } of result('run.json').cases) assert.ok(summary.requests > 0);
  assert.equal(code, 3);
});

test('a head that asks for less is judged as the base asks, and title, warnings and exit code say so', async () => {
  commit({ 'perf.yml': `failOn: unsure\nservers:${entry('api')}` });
  commit({ 'perf.yml': `failOn: never\nservers:${entry('api')}` });
  const { code, stdout } = await run('--against', 'HEAD~1', ...ONCE);
  assert.equal(code, 1, stdout);
  assert.match(stdout, /^🟡 Unsure about .*; perf\.yml asks for less than in the base\n/);
  assert.match(stdout, /`failOn` never instead of unsure; what the base asks for decided/);
  assert.equal(result('run.json').warnings[0].code, 'looser-than-base');
});

test('an unchanged base is built once', async () => {
  const build = `    build: [node, -e, "require('fs').writeFileSync('built-' + process.pid + '-' + Date.now(), '')"]`;
  commit({ 'perf.yml': `servers:${entry('api', build)}` });
  const base = git('rev-parse', 'HEAD');
  const builds = async (/** @type {string} */ text) => {
    writeFileSync(join(top, 'api.js'), server(text));
    const { code, stdout, stderr } = await run('--against', base, ...ONCE);
    assert.equal(code, 0, stdout + stderr);
    const trees = readdirSync(cache, { recursive: true, encoding: 'utf8' });
    // What a build made stands in its tree, and in the record of it.
    return new Set(trees.flatMap((name) => /\/built-[\d-]+$/.exec(name) ?? [])).size;
  };
  assert.equal(await builds('// one'), 2);
  assert.equal(result('run.json').revision.dirty, true);
  assert.equal(await builds('// two'), 3);
});

test('a commit that does not exist is one line, and nothing is started', async () => {
  const { code, stdout, stderr } = await run('--against', 'no-such-branch');
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^perf-action: --against: there is no commit "no-such-branch" here; .*\n$/);
});
