/** One line for each mistake, and for what a machine lacks. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommands } from '../commands.js';
import { CLI, folder } from './command-line.js';
import { ROOT, runCli } from './tools.js';

/**
 * @param {string} name
 * @param {string} text
 */
function write(name, text) {
  writeFileSync(join(folder, name), text);
  return name;
}

/** Each mistake: the arguments, and the one line it gets. @type {[string, () => string[], RegExp][]} */
const MISTAKES = [
  ...['run', 'plan'].map(
    (verb) =>
      /** @type {[string, () => string[], RegExp]} */ ([
        `${verb} where nothing says what is measured`,
        () => [verb, '--rounds', '2'],
        /no perf\.yml here; `perf-action init` writes one .*, `--preset quick` runs a demo/,
      ]),
  ),
  ['unknown command', () => ['rnu'], /unknown command "rnu"; did you mean "run"\?/],
  [
    'unknown option',
    () => ['run', '--conections', '5'],
    /unknown option --conections of run; did you mean "--connections"\?/,
  ],
  [
    'unknown key',
    () => ['run', '--config', write('key.yml', 'servers: [express]\nroundz: 3\n')],
    /key\.yml:2: .*"roundz".*"rounds"/,
  ],
  ['no YAML', () => ['run', '--config', write('no.yml', 'servers: [express\n')], /no\.yml:\d+: /],
  [
    'baseline that is not there',
    () => ['run', '--servers', 'express', '--baseline', 'none.json'],
    /--baseline: there is no none\.json; copy the run\.json of an earlier run there/,
  ],
  [
    'baseline that is not valid JSON',
    () => ['run', '--servers', 'express', '--baseline', write('text.json', 'hello')],
    /text\.json: .*JSON/,
  ],
  [
    'empty baseline',
    () => ['run', '--servers', 'express', '--baseline', write('empty.json', '')],
    /empty\.json: .*empty/,
  ],
  [
    'baseline of another version',
    () => ['run', '--servers', 'express', '--baseline', write('old.json', '{"schema":"perf-action/run@0"}')],
    /old\.json: .*perf-action\/run@0.*perf-action\/run@1/,
  ],
  ['output that is a file', () => ['run', '--servers', 'express', '--out', write('file', '')], /file/],
  ['report of nothing', () => ['report', 'nowhere.json'], /nowhere\.json: /],
];

test('each mistake gets one line and exit code 2', async () => {
  const ended = await runCommands(
    MISTAKES.map(([, args]) => ({ args: args() })),
    { cwd: folder },
  );
  for (const [index, { code, stdout, stderr }] of ended.entries()) {
    const [name, , expected] = MISTAKES[index] ?? assert.fail();
    assert.deepEqual([name, code, stdout], [name, 2, ''], stderr);
    assert.match(stderr, expected, name);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
  }
});

/** In a network namespace of its own, where the user may make one. @type {[string, string, RegExp][]} */
const LOOPBACKS = [
  [
    'that is off',
    'true',
    /^perf-action: 127\.0\.0\.1 cannot be reached \(ENETUNREACH\); turn the loopback on: .*\n$/,
  ],
  [
    'without 127.0.0.1',
    'ip link set lo up && ip addr del 127.0.0.1/8 dev lo',
    /^perf-action: 127\.0\.0\.1 cannot be reached \(EADDRNOTAVAIL\); turn the loopback on: .*\n$/,
  ],
];

for (const [name, command, says] of LOOPBACKS)
  test(`a loopback ${name} is one line`, (context) => {
    const cwd = mkdtempSync(join(folder, 'loopback-'));
    const inNamespace = (/** @type {string} */ script) =>
      spawnSync('unshare', ['--user', '--map-root-user', '--net', 'sh', '-c', script], {
        cwd,
        encoding: 'utf8',
      });
    if (inNamespace(command).status !== 0)
      return context.skip('no network namespaces, or no ip, on this machine');
    const run = `${command} && exec ${process.execPath} ${CLI} run --servers node-http --rounds 1`;
    const { status, stderr } = inNamespace(run);
    assert.equal(status, 2, stderr);
    assert.match(stderr, says);
  });

test('a clone without its packages is one line that says how to install them', () => {
  const clone = mkdtempSync(join(folder, 'clone-'));
  for (const part of ['package.json', 'scripts'])
    cpSync(join(ROOT, part), join(clone, part), { recursive: true });
  for (const program of ['cli.js', 'github/action.js']) {
    const argv = [join(clone, 'scripts', program), 'plan'];
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    const line = `a package that it needs is not installed; install them with: npm ci --prefix ${clone}`;
    assert.deepEqual([status, stdout, stderr], [2, '', `perf-action: ${line}/\n`]);
  }
});

/**
 * What is asked for, and what a machine without anything says that it lacks.
 * @type {[options: string[], says: string][]}
 */
const LACKING = [
  [
    ['--servers', 'node-http', '--tool', 'wrk'],
    'perf-action: load tool wrk is not installed; install it with: sudo apt-get install wrk\n',
  ],
  [
    ['--servers', 'node-http', '--instances', '2', '--manager', 'pm2', '--proxy', 'https'],
    'perf-action: proxy openssl is not installed; install it with: sudo apt-get install openssl\n' +
      'perf-action: manager pm2 is not installed; install it with: ' +
      'sudo apt-get install npm && npm install --global pm2\n',
  ],
  [
    ['--servers', 'gin,webman,spring-tomcat', '--routes', '/'],
    'perf-action: server "gin": go is not installed: sudo apt-get install golang-go\n' +
      'perf-action: server "webman": composer is not installed: sudo apt-get install composer; ' +
      'php is not installed: sudo apt-get install php-cli\n' +
      'perf-action: server "spring-tomcat": mvn is not installed: sudo apt-get install maven; ' +
      'javac is not installed: sudo apt-get install default-jdk-headless\n',
  ],
];

for (const verb of ['plan', 'run'])
  test(`${verb} refuses what this machine lacks, with its install command, and keeps the last results`, async () => {
    const bare = mkdtempSync(join(folder, 'bare-'));
    const results = join(bare, 'perf-results');
    mkdirSync(results);
    writeFileSync(join(results, 'report.md'), 'the last');
    const ended = await runCommands(
      LACKING.map(([options]) => ({ args: [verb, ...options] })),
      { cwd: bare, env: { PATH: bare, HOME: bare } },
    );
    assert.deepEqual(
      ended.map(({ code, stderr }) => [code, stderr]),
      LACKING.map(([, says]) => [2, says]),
    );
    assert.equal(readFileSync(join(results, 'report.md'), 'utf8'), 'the last');
  });

test('a run measures the servers for which nothing is missing, and fails the others with the reason', async () => {
  const config = write(
    'lacking.yml',
    `
load: { tool: autocannon, connections: 2, rate: 100, duration: 1s, warmup: 0s }
rounds: 1
reference: off
out: lacking
servers:
  - { id: api, start: node server.js, routes: [{ path: / }] }
  - { id: shop, start: node server.js, needs: [mongo], routes: [{ path: / }] }
  - { id: gin, start: go run ., runtime: go, routes: [{ path: / }] }
`,
  );
  write(
    'server.js',
    "require('node:http').createServer((_, answer) => answer.end('x')).listen(process.env.PORT);\n",
  );
  const bin = mkdtempSync(join(folder, 'bin-'));
  symlinkSync(process.execPath, join(bin, 'node'));
  symlinkSync('/bin/sh', join(bin, 'sh'));
  const options = { cwd: folder, env: { PATH: bin, HOME: folder } };
  const { code, stdout } = await runCli(['run', '--config', config], options);
  assert.equal(code, 3);
  assert.match(stdout, /Debian has no package for MongoDB: set MONGODB_URL/);
  assert.match(stdout.replace(/\s+/g, ' '), /go is not installed: sudo apt-get install golang-go/);
  const { cases } = JSON.parse(readFileSync(join(folder, 'lacking/run.json'), 'utf8'));
  assert.deepEqual(
    cases.map((/** @type {any} */ { server, summary }) => [server, summary !== undefined]),
    [
      ['api', true],
      ['shop', false],
      ['gin', false],
    ],
  );
});
