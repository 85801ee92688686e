/**
 * What docs/architecture.md promises of "I want to add a ...": one of each is added to a scratch copy, which
 * is then run.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommands } from '../commands.js';
import { caseOf, runOf, seededNormal, startsOf } from '../judge/runs.js';
import { scratchFolder } from '../scratch.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

const PARTS = [
  'baselines',
  'scripts',
  'tools',
  'docs',
  'servers',
  'presets',
  'package.json',
  'action.yml',
  'CHANGELOG.md',
  '.github/workflows',
];

/** Of the project: every test adds its rows when this file is loaded, and finds those of all. */
const copy = scratchFolder();
for (const part of PARTS)
  cpSync(join(PROJECT, part), join(copy, part), {
    recursive: true,
    filter: (file) => !file.includes('node_modules'),
  });
symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'));
const scripts = join(copy, 'scripts');

/** Where commands run; a program in its bin/ is found. */
let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(copy, 'run-'));
});

/**
 * @param {string} file
 * @param {string} before what the row is put before
 * @param {string} row
 */
function addRow(file, before, row) {
  const text = readFileSync(file, 'utf8');
  assert.ok(text.includes(before), `${file} has no ${before}`);
  writeFileSync(file, text.replace(before, row + before));
}

/**
 * @param {object[]} sides what the windows of each side have
 * @returns {string[]} files of two runs of one session
 */
function storeRuns(sides = [{}, {}]) {
  const random = seededNormal(1);
  return sides.map((more, place) => {
    const trials = startsOf({ level: 10_000, noise: 0.003, starts: 8, random, more: { at: 0, ...more } });
    const file = join(cwd, `${place}.json`);
    writeFileSync(file, JSON.stringify({ ...runOf([caseOf('app', trials)]), id: `run-${place}` }));
    return file;
  });
}

/** @param {import('../commands.js').Command[]} commands */
const inOrder = (...commands) =>
  runCommands(commands, {
    cwd,
    scripts: `${scripts}/`,
    env: { ...process.env, PATH: `${join(cwd, 'bin')}:${process.env.PATH}` },
  });

/** What the command prints. @type {(...args: string[]) => Promise<string>} */
async function cli(...args) {
  const [ended] = await inOrder({ args });
  assert.equal(ended?.code, 0, ended?.stderr);
  return ended?.stdout ?? '';
}

const OBSERVER = `import { readdirSync } from 'node:fs';

const open = (pid) => readdirSync('/proc/' + pid + '/fd').length;

export const files = {
  start: () => ({ stop: ({ end }) => ({ openFiles: Math.max(...[...end.server.keys()].map(open)) }) }),
};
`;
const FIGURE = `  {
    id: 'openFiles',
    label: 'Open files',
    column: 'Files',
    unit: '',
    better: 'less',
    read: ({ openFiles }) => openFiles,
    judged: { role: 'resource', gate: false, weight: 0.05, scales: false, spread: MEMORY_SPREAD },
    lane: { name: 'openFiles' },
  },
`;

writeFileSync(join(scripts, 'observe/observers/files.js'), OBSERVER);
const observers = join(scripts, 'observe/observers.js');
addRow(observers, 'import { cpu }', "import { files } from './observers/files.js';\n");
addRow(observers, 'cpu, memory', 'files, ');
addRow(join(scripts, 'samples/figures.js'), '];\n\n/** Judged figures.', FIGURE);
addRow(join(scripts, 'report/text/ko.js'), "  throughput: '처리량',\n", "  openFiles: '열린 파일',\n");

test('a figure is an observer, a row and a label: filled, judged, gated, and in the column, lane and language of a report', async () => {
  writeFileSync(
    join(cwd, 'perf.yml'),
    `servers: [node-http]
routes: [/]
load: { connections: 1, rate: 100, duration: 1s, warmup: 0s }
rounds: 1
reference: off
margins: { openFiles: 1% }
gates: { openFiles: regressed }
`,
  );
  await cli('run');
  const [{ trials }] = JSON.parse(readFileSync(join(cwd, 'perf-results/run.json'), 'utf8')).cases;
  const isObserved = process.platform === 'linux';
  assert.equal(trials[0].windows[0].openFiles > 3, isObserved);
  assert.equal(readFileSync(join(cwd, 'perf-results/report.md'), 'utf8').includes('| Files |'), isObserved);

  const [base = '', head = ''] = storeRuns([{ openFiles: 10 }, { openFiles: 20 }]);
  const [compared] = await inOrder({ args: ['compare', '--base', base, '--head', head, '--json'] });
  assert.equal(compared?.code, 1, 'its own gate fails the check');
  const comparison = compared?.stdout ?? '';
  const [{ metrics }] = JSON.parse(comparison).cases;
  const change = metrics.find((/** @type {{ metric: string }} */ { metric }) => metric === 'openFiles');
  assert.deepEqual([change.verdict, Math.round(change.effectPct)], ['regressed', 100]);
  writeFileSync(join(cwd, 'comparison.json'), comparison);
  const report = (/** @type {string} */ format) =>
    cli('report', head, '--comparison', join(cwd, 'comparison.json'), '--format', format);
  const markdown = await report('md');
  assert.match(markdown, /\| Files \|[^]*\| app ¹ .*\| +20 \|/);
  assert.match(markdown, /\| Open files +\| regressed +\| +\+100\.0\s% .*\| +10 \| +20 \|/);
  assert.match(await report('html'), /<text[^>]*>Open files<\/text>/);
  const run = JSON.parse(readFileSync(head, 'utf8'));
  writeFileSync(head, JSON.stringify({ ...run, language: 'ko' }));
  assert.match(await report('md'), /\| 열린 파일 +\| 나빠짐 +\| .*\| +10 \| +20 \|/);
});

const TICKING = `require('node:net').createServer((socket) => socket.on('data', () => socket.write('tick')))
  .listen(process.argv[1], '127.0.0.1')`;
const SERVICE = `import { connect } from 'node:net';
import { freePort, HOST } from '../../system/free-port.js';
import { untilServiceAnswers } from './ready.js';

export const ticker = {
  label: 'Ticker',
  scheme: /^tick:/,
  variables: ['TICK_URL'],
  program: 'node',
  package: 'ticker',
  async start({ program, startProgram, signal }) {
    const port = await freePort();
    const group = await startProgram([program, '-e', ${JSON.stringify(TICKING)}, String(port)]);
    await untilServiceAnswers(group, signal, () => new Promise((resolve, reject) => {
      const socket = connect(port, HOST, () => resolve(socket.destroy()));
      socket.once('error', reject);
    }));
    return { urlOf: () => 'tick://' + HOST + ':' + port };
  },
};
`;
const SERVER = `const { hostname, port } = new URL(process.env.TICK_URL);
const ticker = require('node:net').connect(Number(port), hostname, () =>
  require('node:http').createServer((_, response) => {
    ticker.once('data', (text) => response.end(text));
    ticker.write('?');
  }).listen(process.env.PORT, process.env.HOST));
`;
const RUNTIME = `export const toy = {
  label: 'Toy',
  programs: { toy: 'ask the toymaker' },
  versionArgument: '--which',
};
`;

const deploy = join(copy, 'scripts/deploy');
writeFileSync(join(deploy, 'services/ticker.js'), SERVICE);
addRow(join(deploy, 'services.js'), 'import { mongo }', "import { ticker } from './services/ticker.js';\n");
addRow(join(deploy, 'services.js'), 'postgres, mysql', 'ticker, ');
writeFileSync(join(deploy, 'runtimes/toy.js'), RUNTIME);
addRow(join(deploy, 'runtimes.js'), 'import { java }', "import { toy } from './runtimes/toy.js';\n");
addRow(join(deploy, 'runtimes.js'), 'node, java', 'toy, ');

test('a service and a runtime are a file and a row each: planned, installed, started', async () => {
  writeFileSync(join(cwd, 'server.cjs'), SERVER);
  writeFileSync(
    join(cwd, 'perf.yml'),
    `servers:
- { id: app, runtime: toy, start: toy server.cjs, needs: [ticker], routes: [{ path: /, expect: { body: tick } }] }
load: { connections: 1, rate: 100, duration: 1s, warmup: 0s }
rounds: 1
reference: off
`,
  );
  const [examined] = await inOrder({ args: ['doctor'] });
  assert.match(examined?.stdout ?? '', /✗ runtime toy: ask the toymaker/);

  mkdirSync(join(cwd, 'bin'));
  const program = '#!/bin/sh\n[ "$1" = --which ] && echo toy 7.8.9 && exit\nexec node "$@"\n';
  writeFileSync(join(cwd, 'bin/toy'), program, { mode: 0o755 });
  await cli('run');
  const { environment, cases } = JSON.parse(readFileSync(join(cwd, 'perf-results/run.json'), 'utf8'));
  assert.equal(environment.runtimes.toy, '7.8.9');
  assert.equal(environment.tools.ticker, process.versions.node);
  assert.ok(cases[0].summary.requests > 0);
});

const RELAY = `const { createServer, connect } = require('node:net');
const [from, to] = process.argv.slice(1).map(Number);
createServer((socket) => {
  const server = connect(to, '127.0.0.1');
  for (const [one, other] of [[socket, server], [server, socket]]) one.on('error', () => other.destroy()).pipe(other);
}).listen(from, '127.0.0.1')`;
const PROXY = `import { connect } from 'node:net';
import { untilServiceAnswers } from '../../services/ready.js';
import { freePort, HOST } from '../../../system/free-port.js';
import { startGroup } from '../../process/logged-process.js';

export const relay = {
  program: 'relay',
  package: 'relay-tools',
  versionArgument: '--version',
  async start({ program, port, folder, signal }) {
    const own = await freePort();
    const command = [program, '-e', ${JSON.stringify(RELAY)}, String(own), String(port)];
    const group = await startGroup(command, { cwd: folder, scratch: folder, env: { PATH: process.env.PATH } });
    await untilServiceAnswers(group, signal, () => new Promise((resolve, reject) => {
      const socket = connect(own, HOST, () => resolve(socket.destroy()));
      socket.once('error', reject);
    }));
    return { group, port: own };
  },
};
`;
const MANAGER = `import { fileURLToPath } from 'node:url';

export const pool = { label: 'Pool', primary: fileURLToPath(new URL('./pool-primary.cjs', import.meta.url)) };
`;

const topology = join(copy, 'scripts/deploy/topology');
writeFileSync(join(topology, 'proxies/relay.js'), PROXY);
addRow(join(topology, 'proxies.js'), 'import { nginx }', "import { relay } from './proxies/relay.js';\n");
addRow(join(topology, 'proxies.js'), 'nginx: { proxy: nginx }', 'relay: { proxy: relay },\n  ');
writeFileSync(join(topology, 'managers/pool.js'), MANAGER);
cpSync(join(topology, 'managers/cluster-primary.cjs'), join(topology, 'managers/pool-primary.cjs'));
addRow(join(topology, 'managers.js'), 'import { pm2 }', "import { pool } from './managers/pool.js';\n");
addRow(join(topology, 'managers.js'), ', pm2 }', ', pool');

test('a proxy and a manager of instances are a file and a row each: planned, required, started, reported', async () => {
  const settings = 'proxy: relay\nmanager: pool\ninstances: 2\nreference: off\nrounds: 1\n';
  const load = 'load: { connections: 2, rate: 100, duration: 1s, warmup: 0s }\n';
  writeFileSync(join(cwd, 'perf.yml'), `servers: [node-http]\nroutes: [/]\n${settings}${load}`);
  const lacking =
    'perf-action: proxy relay is not installed; install it with: sudo apt-get install relay-tools\n';
  for (const { code, stderr } of await inOrder({ args: ['plan'] }, { args: ['run'] }))
    assert.deepEqual([code, stderr], [2, lacking]);

  mkdirSync(join(cwd, 'bin'));
  writeFileSync(join(cwd, 'bin/relay'), '#!/bin/sh\nexec node "$@"\n', { mode: 0o755 });
  assert.match(await cli('run'), /2 instances, pool, relay/);
  const { environment, cases } = JSON.parse(readFileSync(join(cwd, 'perf-results/run.json'), 'utf8'));
  assert.equal(environment.tools.relay, process.versions.node);
  const [{ id, proxy, instances, trials }] = cases;
  assert.deepEqual([id, proxy, instances], ['node-http / autocannon c2 r100 i2 pool relay', 'relay', 2]);
  const [{ requests, cpu, instanceSeconds }] = trials[0].windows;
  assert.ok(requests > 0);
  assert.equal(cpu?.proxySeconds > 0, process.platform === 'linux');
  assert.equal(instanceSeconds?.length, process.platform === 'linux' ? 2 : undefined);
});

/** One request after the other, which is a load tool if a slow one. */
const ONE_BY_ONE = `
const [url, seconds] = process.argv.slice(1);
const end = performance.now() + seconds * 1000;
let requests = 0;
while (performance.now() < end) {
  await (await fetch(url)).text();
  requests++;
}
console.log(JSON.stringify({ seconds: Number(seconds), requests }));
`;

const TOOL = `
export const plain = {
  id: 'plain',
  label: 'Plain fetch',
  install: 'nothing',
  can: [],
  wholeSeconds: false,
  coresOf: () => 1.5,
  version: async () => '1.2.3',
  command: async ({ request, url, seconds }) => [
    process.execPath, '--input-type=module', '-e', ${JSON.stringify(ONE_BY_ONE)}, url + request.path, String(seconds),
  ],
  parse: JSON.parse,
};
`;

writeFileSync(join(copy, 'scripts/load/tools/plain.js'), TOOL);
const tools = join(scripts, 'load/tools.js');
addRow(tools, "import { wrk } from './tools/wrk.js';", "import { plain } from './tools/plain.js';\n");
addRow(tools, 'autocannon, wrk, ab,', 'plain, ');

test('a load tool is one file and one row: planned, refused, listed, and used', async () => {
  const options = ['--servers', 'node-http', '--tool', 'plain', '--connections', '1', '--warmup', '0'];
  const [planned, refused, listed, examined, measured] = await inOrder(
    { args: ['plan', ...options] },
    { args: ['plan', ...options, '--rate', '5'] },
    { args: ['list'] },
    { args: ['doctor'] },
    { args: ['run', ...options, '--duration', '500ms', '--rounds', '1', '--out', 'results'] },
  );
  assert.match(planned?.stdout ?? '', /node-http.*plain, 1 connection/);
  assert.equal(refused?.code, 2);
  assert.equal(refused?.stderr, 'perf-action: --rate: plain cannot hold a rate; use autocannon or k6\n');
  assert.match(listed?.stdout ?? '', /^- plain$/m);
  assert.match(listed?.stdout ?? '', /^- ab can .*send a fixed number of requests/m);
  assert.match(examined?.stdout ?? '', /✓ load tool Plain fetch: 1\.2\.3/);
  assert.equal(measured?.code, 0, measured?.stderr);
  const { environment, cases } = JSON.parse(readFileSync(join(cwd, 'results/run.json'), 'utf8'));
  assert.equal(environment.tools.plain, '1.2.3');
  assert.deepEqual([cases[0].load.tool, cases[0].clientCores], ['plain', 1.5]);
  assert.ok(cases[0].summary.requests > 0);
});

const languages = join(scripts, 'report/text/words.js');
addRow(languages, "import { en } from './en.js';", "import { xx } from './xx.js';\n");
writeFileSync(
  languages,
  readFileSync(languages, 'utf8').replace('LANGUAGES = { en,', 'LANGUAGES = { en, xx,'),
);
// Every text and every figure of English, told apart.
writeFileSync(
  join(copy, 'scripts/report/text/xx.js'),
  `import { en } from './en.js';
const translated = (value) =>
typeof value === 'string' ? 'Ж' + value
: typeof value === 'function' ? (...facts) => translated(value(...facts))
: typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, translated(each)]))
: value;
export const xx = { ...translated(en), language: 'xx' };
`,
);

test('a language is one file and one row: everything a report says comes from it', async () => {
  const script = `
import { sampleComparison, sampleRun } from ${JSON.stringify(join(PROJECT, 'test/report/sample.js'))};
import { renderReport } from ${JSON.stringify(join(copy, 'scripts/report/render/markdown.js'))};
import { renderTerminal } from ${JSON.stringify(join(copy, 'scripts/report/render/terminal.js'))};
import { renderComment } from ${JSON.stringify(join(copy, 'scripts/report/render/comment.js'))};
const run = { ...sampleRun(), language: 'xx' };
const options = { comparison: sampleComparison(), key: 'k' };
for (const render of [renderReport, renderTerminal, renderComment]) process.stdout.write(render(run, options));
`;
  const text = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  for (const word of ['Server', 'Verdict', 'Throughput', 'regressed', 'All figures'])
    assert.ok(text.includes(`Ж${word}`), word);
  const untranslated = text
    .split('\n')
    .filter((line) => /[a-z]{3,} [a-z]{3,} [a-z]{3,}/.test(line) && !line.includes('Ж'));
  assert.deepEqual(untranslated, []);
});

addRow(
  join(copy, 'scripts/model/dimensions.js'),
  ']);\n\n/** How long a measurement takes',
  `  {
name: 'colour',
key: 'load.colour',
field: 'colour',
kind: 'counts',
default: '3',
help: 'shades of a request; a list measures with each',
id: 'k{}',
words: ['{} shade', '{} shades'],
needs: { can: 'threads', what: 'shade requests' },
},
`,
);

execFileSync(process.execPath, ['tools/generate.js'], { cwd: copy });

test('a dimension of the load is one row: a flag, a key, a factor of the matrix, an id, a heading, a condition', async () => {
  const [file = ''] = storeRuns();
  const run = JSON.parse(readFileSync(file, 'utf8'));
  for (const each of run.cases) each.load.colour = 8;
  writeFileSync(file, JSON.stringify(run));
  const plan = (/** @type {string} */ text, /** @type {string[]} */ ...flags) => ({
    args: ['plan', ...flags],
    files: { 'perf.yml': `servers: [node-http]\nroutes: [/]\nreference: off\n${text}` },
  });
  const several =
    'load: { tool: [autocannon, wrk], colour: [1, 3, 8] }\nexclude: [{ tool: wrk, colour: 8 }]\n';
  const [listed, table, flag, help, wrongValue, wrongTool, report] = (
    await inOrder(
      plan(several, '--json'),
      plan(several),
      plan(several, '--colour', '5', '--tool', 'wrk'),
      { args: ['run', '--help'] },
      plan('load: { colour: red }\n'),
      plan('load: { tool: ab, colour: 5 }\n'),
      { args: ['report', file, '--format', 'md'] },
    )
  ).map(({ stdout, stderr }) => stdout + stderr);
  assert.deepEqual(
    JSON.parse(listed ?? '').cases.map((/** @type {{ id: string }} */ { id }) =>
      id.replace('node-http / ', ''),
    ),
    ['autocannon c100 k1', 'autocannon c100', 'autocannon c100 k8', 'wrk c100 k1', 'wrk c100'],
  );
  assert.match(table ?? '', /autocannon, 100 connections, 1 shade\n.*autocannon, 100 connections\n/);
  assert.match(flag ?? '', /wrk, 100 connections, 5 shades/);
  assert.match(help ?? '', /--colour VALUE\s+shades of a request; .* \(default: 3\)/);
  assert.equal(
    wrongValue,
    'perf-action: perf.yml:4: load.colour must be written like 50 or [50, 100]; got "red"\n',
  );
  assert.equal(
    wrongTool,
    'perf-action: perf.yml:4: load.colour: ab cannot shade requests; use autocannon or wrk\n',
  );
  assert.match(report ?? '', /^- wrk, 64 connections, .*8 shades, /m);
});

/** @returns {Map<string, string>} the text of every file of the copy */
const filesOfCopy = () =>
  new Map(
    PARTS.flatMap((part) =>
      part.includes('.') && !part.startsWith('.')
        ? part
        : readdirSync(join(copy, part), { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => join(entry.parentPath, entry.name).slice(copy.length + 1)),
    ).map((file) => [file, readFileSync(join(copy, file), 'latin1')]),
  );

const before = filesOfCopy();
addRow(
  join(scripts, 'model/route-keys.js'),
  "  {\n    key: 'expect',",
  `  {
    key: 'uncached',
    can: 'uncached',
    what: 'send every request to an address of its own',
    check: (_, { headers }) => [headers.age && \`age \${headers.age} s, expected what no cache kept\`],
  },
`,
);
addRow(
  join(scripts, 'catalog/server.schema.json'),
  '        "expect": {',
  `"uncached": {
    "type": "boolean",
    "default": false,
    "description": "Every request has a query of its own, so that no cache knows the answer. Default: false."
  },
`,
);
addRow(
  join(scripts, 'store/run.schema.json'),
  '"stream": { "const": true, "description": "The answer is a stream." }',
  '"uncached": { "const": true, "description": "Every request had a query of its own." },\n',
);
const autocannon = join(scripts, 'load/tools/autocannon.js');
addRow(autocannon, "'data'],\n", "'uncached', ");
addRow(
  autocannon,
  '      ...(request.stream &&',
  "      ...(request.uncached && { url: url + request.path + '?[<id>]', idReplacement: true }),\n",
);
addRow(
  join(scripts, 'report/text/en.js'),
  '    data: ({ different }, sent',
  "    uncached: () => 'uncached',\n",
);
addRow(
  join(scripts, 'report/text/ko.js'),
  '    data: ({ different }, sent',
  "    uncached: () => '캐시 없음',\n",
);
addRow(
  join(copy, 'CHANGELOG.md'),
  '\n- ',
  '\n- `uncached` of a route gives every request a query of its own.',
);
execFileSync(process.execPath, ['tools/generate.js'], { cwd: copy });
const after = filesOfCopy();

/** Fails a request that it has seen, as a cache of nothing would, and those that are no check's. */
const UNCACHED = `const seen = new Set();
let checks = 0;
require('node:http').createServer(({ url }, response) => {
  const isWrong = url.includes('?') ? seen.has(url) : ++checks > 50;
  seen.add(url);
  response.writeHead(isWrong ? 500 : 200, process.env.AGE ? { age: process.env.AGE } : {}).end('fresh');
}).listen(process.env.PORT, process.env.HOST)`;

test('a key of a route touches at most twelve files: planned, refused, sent, checked, stored, reported', async () => {
  const changed = [...after].filter(([file, text]) => text !== before.get(file)).map(([file]) => file);
  assert.ok(changed.length <= 12, changed.join('\n'));
  for (const file of ['scripts/generated/stored.d.ts', 'docs/perf-yml.md', 'scripts/report/text/ko.js'])
    assert.ok(changed.includes(file), file);
  assert.match(
    after.get('docs/perf-yml.md') ?? '',
    /^\| `routes\[\]\.uncached` \| `false` \| Every request/m,
  );

  writeFileSync(join(cwd, 'server.cjs'), UNCACHED);
  const perfYml = (/** @type {string} */ env) => `servers:
- { id: app, start: node server.cjs, env: ${env}, routes: [{ path: /new, uncached: true }, /] }
load: { connections: 1, duration: 1s, warmup: 0s }
rounds: 1
reference: off
`;
  const files = { 'perf.yml': perfYml('{}') };
  const [planned, refused, measured, korean, wrong] = await inOrder(
    { args: ['plan', '--json'], files },
    { args: ['plan', '--tool', 'wrk'] },
    { args: ['run', '--routes', '/new', '--out', 'sent'] },
    { args: ['run', '--routes', '/new', '--language', 'ko'] },
    { args: ['run', '--routes', '/new'], files: { 'perf.yml': perfYml('{ AGE: 9 }') } },
  );
  const requests = JSON.parse(planned?.stdout ?? '').cases.map(
    (/** @type {{ request: object }} */ { request }) => Object.hasOwn(request, 'uncached'),
  );
  assert.deepEqual(requests, [true, false]);
  assert.equal(
    refused?.stderr,
    'perf-action: --tool: wrk cannot send every request to an address of its own; use autocannon\n',
  );
  assert.match(measured?.stdout ?? '', /^· \/new: uncached$/m);
  assert.match(korean?.stdout ?? '', /\/new: 캐시 없음/);
  const [{ request, summary }] = JSON.parse(readFileSync(join(cwd, 'sent/run.json'), 'utf8')).cases;
  assert.deepEqual([request.uncached, summary.errors.non2xx], [true, 0]);
  assert.equal(wrong?.code, 3);
  assert.match(wrong?.stdout ?? '', /\/new: age 9 s, expected what no cache kept/);
});
