/**
 * What the contained process of the measuring step says is text and data, whatever measured code makes it
 * say.
 */

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { asAnotherGroup, removeDiagnostics } from '../../scripts/github/action/sandbox.js';
import { readDescendants } from '../../scripts/system/process/proc.js';
import { findSupervisor } from '../../scripts/system/process/supervisor.js';
import { isRunning } from '../running.js';
import { scratchFolder } from '../scratch.js';

const scratch = scratchFolder();

/**
 * Takes the place of the action's program: both processes of the step run it, the contained one with a file
 * for its result.
 */
const PROGRAM = join(scratch, 'action.mjs');
writeFileSync(
  PROGRAM,
  `import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { runStep } from ${JSON.stringify(new URL('../../scripts/github/action/run-step.js', import.meta.url).href)};
const [, , name, file] = process.argv;
if (file === undefined) await runStep(name);
else {
  const { says = [], result, code, waits, hangs, leaves, changes } = JSON.parse(readFileSync(process.env.CONTAINED, 'utf8'));
  if (changes) appendFileSync(changes, 'EVIL=1\\n');
  if (leaves) {
    const daemon = spawn('sleep', ['60'], { stdio: 'ignore', detached: true });
    daemon.unref();
    console.log('leaves ' + daemon.pid);
  }
  if (waits) {
    const timer = setTimeout(() => {}, 20_000);
    await new Promise((resolve) => {
      process.on('SIGINT', hangs ? () => {} : resolve);
      console.log('ready');
    });
    clearTimeout(timer);
  }
  for (const text of says) await new Promise((resolve) => process.stdout.write(text, resolve));
  if (result !== undefined) writeFileSync(file, result);
  process.exitCode = code;
}
`,
);

/**
 * @param {{ says?: string[], waits?: true, result?: string, code?: number, hangs?: true, leaves?: true,
 *   changes?: string }} contained what it prints, leaves and exits with; waits: for SIGINT; hangs: for
 *   longer; leaves: a daemon; changes: a file
 * @param {NodeJS.Signals[]} [signals] that the step gets once the contained process waits
 * @param {(step: import('node:child_process').ChildProcess) => void} [act] done then
 */
async function runStepWith(contained, signals = [], act) {
  const outputs = join(scratch, 'outputs');
  writeFileSync(outputs, '');
  const env = {
    PATH: process.env.PATH,
    RUNNER_TEMP: mkdtempSync(join(scratch, 'temp-')),
    GITHUB_OUTPUT: outputs,
    PERF_OUT: '/workspace/perf-results',
    CONTAINED: join(scratch, 'contained.json'),
  };
  writeFileSync(env.CONTAINED, JSON.stringify(contained));
  const child = spawn(process.execPath, [PROGRAM, 'run'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => (log += chunk));
  while (contained.waits && !log.includes('ready')) await once(child.stdout, 'data');
  for (const signal of signals) child.kill(signal);
  act?.(child);
  const [code] = await once(child, 'close');
  const written = readFileSync(outputs, 'utf8').matchAll(/^(\S+)<<(\S+)\n([^]*?)\n\2$/gm);
  return { code, log, outputs: Object.fromEntries([...written].map(([, name, , value]) => [name, value])) };
}

const OUTPUTS = {
  code: '1',
  verdict: 'regressed',
  cases: '[{"id":"a"}]',
};

test('the outputs of a measurement become those of the step', async () => {
  const { code, outputs } = await runStepWith({ result: JSON.stringify({ outputs: OUTPUTS }) });
  assert.equal(code, 0);
  const { 'results-path': path, ...others } = outputs;
  assert.match(path ?? '', /\/perf-action-results\/1$/);
  assert.deepEqual(others, OUTPUTS);
});

test('outputs that no measurement has are dropped', async () => {
  const forged = {
    code: '0\nx',
    verdict: '::error::',
    cases: ['a'],
    commit: '$(id)',
    'results-path': '/etc',
    'report-path': '/workspace/perf-results/report.md',
    path: '/etc',
    __proto__: 'x',
  };
  const { code, outputs } = await runStepWith({ result: JSON.stringify({ outputs: forged }) });
  assert.equal(code, 0);
  const { 'results-path': path, ...others } = outputs;
  assert.match(path ?? '', /\/perf-action-results\/1$/);
  assert.deepEqual(others, {});
});

for (const result of ['', '{', 'null', '"x"', '[]', '{"outputs":null}', `"${'x'.repeat(2 ** 21)}"`])
  test(`a result that is ${result.length > 20 ? 'enormous' : result || 'empty'} fails the step and is not shown`, async () => {
    const { code, log } = await runStepWith({ result });
    assert.equal(code, 2);
    assert.match(log, /::error title=perf-action::the measurement ended by itself, without a result\n/);
    assert.doesNotMatch(log, /JSON|xxx/);
  });

test('a mistake is an annotation of the step, with its place', async () => {
  const lines = ['perf.yml:3: unknown key "x"\n::error::EVIL'];
  const { code, log } = await runStepWith({ result: JSON.stringify({ lines }), code: 2 });
  assert.equal(code, 2);
  assert.match(log, /^::error title=perf-action,file=perf\.yml,line=3::perf\.yml:3: unknown key "x"%0A/m);
  assert.doesNotMatch(log, /^\s*::error::/m);
});

test('a cancelled step cancels the contained process, and no signal opens a debugger', async () => {
  const result = JSON.stringify({ lines: ['cancelled'] });
  const contained = /** @type {const} */ ({ waits: true, result, code: 3 });
  const { code, log } = await runStepWith(contained, ['SIGUSR1', 'SIGTERM']);
  assert.equal(code, 3);
  assert.match(log, /::error title=perf-action::cancelled/);
  assert.doesNotMatch(log, /Debugger/);
});

test('a cancelled step ends measured code that does not want to end, and undoes what it changed', async () => {
  const contained = /** @type {const} */ ({ waits: true, hangs: true, leaves: true });
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM']);
  const { code, log } = await runStepWith({ ...contained, changes: join(scratch, 'outputs') }, [...signals]);
  assert.equal(code, 2);
  if (findSupervisor()) assert.match(log, /::error.*GITHUB_OUTPUT.*The change was undone/);
  assert.equal(readFileSync(join(scratch, 'outputs'), 'utf8'), '');
  assert.ok(!findSupervisor() || !isRunning(Number(/leaves (\d+)/.exec(log)?.[1])));
});

test('where measured code ends its supervisor, the step fails, says what is left and not that a change was undone', async (t) => {
  if (!findSupervisor()) return t.skip('this machine cannot supervise');
  if (asAnotherGroup(false) && process.getuid?.() !== 0) return t.skip('the supervisor is root’s');
  const changes = join(scratch, 'outputs');
  const { code, log } = await runStepWith({ waits: true, leaves: true, changes }, [], ({ pid = 0 }) => {
    const [supervisor = 0] = readDescendants(pid) ?? [];
    process.kill(supervisor, 'SIGKILL');
  });
  const left = Number(/leaves (\d+)/.exec(log)?.[1]);
  process.kill(left, 'SIGKILL');
  assert.equal(code, 2);
  assert.match(log, /::warning.*this (job runs as root|runner has no sudo).* outlive it, by setting limits/);
  assert.match(log, new RegExp(`::error.*measured code still runs \\(.*sleep ${left}\\b`));
  assert.match(log, /::error.*GITHUB_OUTPUT.*The files were restored, though/);
  assert.doesNotMatch(log, /undone/);
});

test('what the contained process prints is text, wherever a write or a long line ends', async () => {
  const long = ' '.repeat(2 ** 20);
  const says = [
    'a\n::err',
    'or::EVIL\n',
    `${long}:`,
    ':error::EVIL\n',
    '#',
    '#[error]EVIL\n',
    '\r::add-mask::EVIL',
  ];
  const { log } = await runStepWith({ says, result: JSON.stringify({ outputs: OUTPUTS }) });
  assert.equal(log.match(/EVIL/g)?.length, 4);
  assert.doesNotMatch(log, /^\s*::(error|add-mask)|##\[/m);
});

test('the diagnostic sockets and pipes of .NET are removed wherever they lie, and nothing else', async (t) => {
  const folder = mkdtempSync(join(scratch, 'tmp-'));
  const names = [
    'dotnet-diagnostic-41-99-socket',
    'clr-debug-pipe-41-99-in',
    'clr-debug-pipe-41-99-out',
    'mine',
  ];
  const [socket = '', ...others] = names.map((name) => join(folder, name));
  const server = createServer().listen(socket);
  t.after(() => server.close());
  await once(server, 'listening');
  execFileSync('mkfifo', others);
  removeDiagnostics();
  assert.deepEqual(
    [socket, ...others].map((file) => existsSync(file)),
    [false, false, false, true],
  );
});
