/** The command line as people use it: real servers, real tools, exit codes, one line for each mistake. */
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ROOT, runTool } from './tools.js';

const CLI = join(ROOT, 'scripts/cli.js');
const TOYS = fileURLToPath(new URL('../deploy/toys/', import.meta.url));

let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'perf-cli-'));
});
after(() => rmSync(folder, { recursive: true }));

/**
 * @param {string[]} args
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
function cli(...args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/** @param {string} name @param {string} text */
function write(name, text) {
  writeFileSync(join(folder, name), text);
  return name;
}

/** @param {string} behaviour @returns {string} the folder of a server that behaves so */
function toyFolder(behaviour) {
  const home = join(folder, behaviour);
  mkdirSync(home, { recursive: true });
  const timeout = behaviour === 'never-ready' ? '2s' : '30s';
  writeFileSync(
    join(home, 'server.yml'),
    `start: [node, ${JSON.stringify(join(TOYS, 'toy.js'))}, ${behaviour}]\nready: { timeout: ${timeout} }\nroutes:\n  - path: /\n    expect: { body: Hello World! }\n`,
  );
  return `./${behaviour}`;
}

const QUICK = ['--routes', '/', '--connections', '8', '--duration', '1s', '--warmup', '0', '--rounds', '1'];
const ALONE = ['--reference', 'off'];

test('the framework servers, the reference, and a comparison with the stored baseline', async () => {
  const first = await cli(
    'run',
    '--servers',
    'express,fastify,nest-express,nest-fastify',
    ...QUICK,
    '--relative-to',
    'express',
    '--out',
    'first',
  );
  assert.equal(first.code, 0, first.stderr);
  for (const name of ['Express', 'Fastify', 'Nest (Express)', 'Nest (Fastify)', 'node:http (reference)']) {
    assert.ok(first.stdout.includes(name), `${name} has a row`);
  }
  assert.match(first.stdout, /No baseline to compare with/);
  const run = JSON.parse(readFileSync(join(folder, 'first/run.json'), 'utf8'));
  for (const { id, summary } of run.cases) {
    assert.ok(summary.requests > 100, id);
    assert.equal(summary.errors.non2xx, 0, id);
  }

  const saved = await cli('baseline', 'save', 'first/run.json');
  const file = saved.stdout.trim();
  assert.ok(existsSync(join(folder, file)), file);
  const second = await cli('run', '--servers', 'express', ...QUICK, '--baseline', file, '--out', 'second');
  assert.equal(second.code, 0, second.stderr);
  const comparison = JSON.parse(readFileSync(join(folder, 'second/comparison.json'), 'utf8'));
  assert.equal(
    comparison.cases.find((/** @type {{ only?: string }} */ { only }) => !only).verdict,
    'unsure',
    'one boot tells nothing',
  );
  assert.match(readFileSync(join(folder, 'second/report.md'), 'utf8'), /Unsure/);
  assert.match((await cli('baseline', 'list')).stdout, /express, fastify/);
});

for (const tool of ['wrk', 'ab']) {
  test(`${tool} measures`, async () => {
    const { code, stdout, stderr } = await cli(
      'run',
      '--servers',
      'node-http',
      '--tool',
      tool,
      ...QUICK,
      '--json',
      '--out',
      tool,
    );
    assert.equal(code, 0, stderr);
    const { run } = JSON.parse(stdout);
    assert.equal(run.cases[0].load.tool, tool);
    assert.ok(run.cases[0].summary.requests > 100);
  });
}

test('report renders a run file in every format', async () => {
  await cli('run', '--servers', 'node-http', ...QUICK, '--out', 'r');
  assert.match((await cli('report', 'r/run.json')).stdout, /^## /);
  assert.match((await cli('report', 'r/run.json', '--format', 'html')).stdout, /^<!doctype html>/);
  const points = JSON.parse((await cli('report', 'r/run.json', '--format', 'benchmark-action')).stdout);
  assert.ok(points.throughput[0].value > 100);
  assert.equal(
    JSON.parse((await cli('report', 'r/run.json', '--format', 'json')).stdout).run.schema,
    'perf-action/run@1',
  );
});

test('what goes wrong with a server is exit 3, and the rest is measured', async () => {
  const bad = ['exits-at-boot', 'never-ready', 'wrong-body', 'dies-under-load'].map(toyFolder);
  const servers = [...bad, toyFolder('good')].join(',');
  const { code, stdout } = await cli('run', '--servers', servers, ...ALONE, ...QUICK, '--out', 'bad');
  assert.equal(code, 3);
  assert.match(
    stdout,
    /exits-at-boot: exited-at-boot: `.*` ended with 7\n {4}toy exits-at-boot starts\n {4}cannot open the database/,
  );
  assert.match(stdout, /never-ready: never-ready: not ready after 2 s/);
  assert.match(stdout, /wrong-body: wrong-answer: \/: body "Hello Wörld\?", expected "Hello World!"/);
  assert.match(stdout, /dies-under-load: died-under-load/);
  assert.match(stdout, /^good .*\d/m);
});

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
  ['unknown server', () => ['run', '--servers', 'fastfy'], /"fastfy".*did you mean "fastify"\?/],
  ['unknown tool', () => ['run', '--tool', 'wrk3'], /"wrk3".*did you mean "wrk"\?/],
  ['unknown preset', () => ['run', '--preset', 'quik'], /"quik".*did you mean "quick"\?/],
  ['duration without a unit', () => ['run', '--duration', '10'], /--duration: "10".*like/],
  ['duration with a wrong unit', () => ['run', '--duration', '10x'], /--duration: "10x".*like/],
  ['no connections', () => ['run', '--connections', '0'], /--connections: "0"/],
  ['negative connections', () => ['run', '--connections=-5'], /--connections: "-5"/],
  ['connections that are no number', () => ['run', '--connections', 'many'], /--connections: "many"/],
  [
    'unknown key',
    () => ['run', '--config', write('key.yml', 'servers: [express]\nroundz: 3\n')],
    /key\.yml:2: .*"roundz".*"rounds"/,
  ],
  [
    'wrong type',
    () => ['run', '--config', write('type.yml', 'servers: [express]\nload:\n  connections: lots\n')],
    /type\.yml:3: .*lots/,
  ],
  ['no YAML', () => ['run', '--config', write('no.yml', 'servers: [express\n')], /no\.yml:\d+: /],
  ['unknown route', () => ['run', '--servers', 'express', '--routes', '/jsn'], /\/jsn.*\/json/],
  [
    'what the tool cannot do',
    () => ['run', '--servers', 'express', '--tool', 'ab', '--pipelining', '4'],
    /--pipelining: ab cannot pipeline; use autocannon or wrk/,
  ],
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

for (const [name, args, expected] of MISTAKES) {
  test(`bad input: ${name}`, async () => {
    const { code, stdout, stderr } = await cli(...args());
    assert.equal(code, 2, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, expected);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
  });
}

for (const verb of ['plan', 'run'])
  test(`${verb} refuses what this machine lacks, with its install command, and keeps the last results`, async () => {
    const bare = mkdtempSync(join(folder, 'bare-'));
    const results = join(bare, 'perf-results');
    mkdirSync(results);
    writeFileSync(join(results, 'report.md'), 'the last');
    /** @param {string[]} args */
    const refused = async (...args) => {
      const options = { cwd: bare, env: { PATH: bare, HOME: bare } };
      const { stderr, code } = await new Promise((resolve) => {
        execFile(process.execPath, [CLI, verb, ...args], options, (error, _, text) =>
          resolve({ code: error?.code, stderr: text }),
        );
      });
      assert.equal(code, 2);
      assert.equal(readFileSync(join(results, 'report.md'), 'utf8'), 'the last');
      return stderr;
    };
    assert.equal(
      await refused('--servers', 'node-http', '--tool', 'wrk'),
      'perf-action: the load tool wrk is not installed; install it with: sudo apt-get install wrk\n',
    );
    assert.equal(
      await refused('--servers', 'node-http', '--instances', '2', '--manager', 'pm2', '--proxy', 'https'),
      'perf-action: front: openssl is not installed; install it with: sudo apt-get install openssl\n' +
        'perf-action: manager: pm2 is not installed, nor is npm, which downloads it; install it with: ' +
        'sudo apt-get install npm && npm install --global pm2\n',
    );
    assert.equal(
      await refused('--servers', 'gin,webman,spring-tomcat', '--routes', '/'),
      'perf-action: server "gin": go is not installed: sudo apt-get install golang-go\n' +
        'perf-action: server "webman": composer is not installed: sudo apt-get install composer\n' +
        'perf-action: server "webman": php is not installed: sudo apt-get install php-cli\n' +
        'perf-action: server "spring-tomcat": mvn is not installed: sudo apt-get install maven\n' +
        'perf-action: server "spring-tomcat": javac is not installed: sudo apt-get install default-jdk-headless\n',
    );
  });

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  test(`${signal} leaves no process and keeps what was measured`, async () => {
    const out = `cancelled-${signal}`;
    const server = toyFolder('forks-child');
    const args = [CLI, 'run', '--servers', server, ...ALONE, ...QUICK, '--rounds', '50', '--out', out];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    await new Promise((resolve) => {
      let text = '';
      child.stderr.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
        if (/\[1\/50\]/.test(text)) resolve(undefined);
      });
    });
    child.kill(signal);
    const code = await new Promise((resolve) => child.once('exit', resolve));
    assert.equal(code, 3);
    const run = JSON.parse(readFileSync(join(folder, out, 'run.json'), 'utf8'));
    assert.ok(run.cases[0].trials.length >= 1);
    assert.equal(run.warnings[0].code, 'cancelled');
    assert.match(readFileSync(join(folder, out, 'report.md'), 'utf8'), /cancelled after \d+ of 50 boots/);
    const left = await new Promise((resolve) => {
      execFile('pgrep', ['-f', join(folder, 'forks-child')], (_error, stdout) => resolve(stdout.trim()));
    });
    assert.equal(left, '');
  });
}

test('plan starts nothing and prints cases, order and estimate', async () => {
  const { code, stdout } = await cli(
    'plan',
    '--servers',
    'express,fastify',
    '--routes',
    '/',
    '--rounds',
    '2',
    '--seed',
    '1',
  );
  assert.equal(code, 0);
  assert.match(stdout, /3 cases, 6 boots, about \d+ s \(seed 1\)/);
  assert.match(stdout, /Round 2: /);
});

test('scripts/bench measures the demo where nothing else is named', async () => {
  const bench = (/** @type {string} */ cwd, /** @type {string[]} */ ...args) =>
    runTool([`${ROOT}scripts/bench`, ...args, '--relative-to', 'none'], { cwd });
  const own = mkdtempSync(join(folder, 'own-'));
  // Which servers would be measured is told with the mistake.
  const demo = /"none" is not measured; there are node-http, express, fastify, nest-express, nest-fastify$/m;
  assert.match((await bench(own, '--rounds', '2')).output, demo);
  assert.match((await bench(own, '--servers', 'express')).output, /there are node-http, express$/m);
  assert.match((await bench(own, '--preset=frameworks')).output, /--relative-to: server "none"/);
  writeFileSync(join(own, 'perf.yml'), 'servers: [fastify]\n');
  assert.match((await bench(own, '--connections', '5')).output, /there are node-http, fastify$/m);
});

test('list and doctor', async () => {
  const listed = await cli('list');
  assert.match(listed.stdout, /\| fastify +\| Fastify/);
  assert.match(listed.stdout, /Profiles: .*frameworks.*, quick/);
  const bare = spawnSync(process.execPath, [CLI, 'list'], { encoding: 'utf8', env: { PATH: folder } });
  assert.match(bare.stdout, /^webman cannot be built here: composer is not installed: .*; php is not .*$/m);
  const examined = await cli('doctor');
  assert.equal(examined.code, 2);
  assert.match(examined.stdout, /✗ perf\.yml .* there is no perf\.yml here; `perf-action init` writes one/);
  assert.match(examined.stdout, /✓ load tool autocannon/);
});
