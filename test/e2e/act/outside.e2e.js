/** Ways out of the container, tried by a measured server under act, as a user with sudo who is not root. */

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from '../../running.js';
import { openWorkshop, SPY } from '../actions/workshop.js';
import { withGitHub } from '../api/github.js';
import { toolEnvironment } from '../tools.js';
import { scratchFolder } from '../../scratch.js';

const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? ['env'] : ['sudo', '--non-interactive', '--preserve-env', 'env'];
const [USER, GROUP] = isRoot ? [65_534, 65_534] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
/** Its members are root, as those of `docker` are on a hosted runner. */
const DOCKER = 61_234;

/**
 * The server notes whether it can connect, and whether it reaches the supervisor of all that is measured, and
 * the process outside, which starts it. Once that one has ended, its daemon writes a variable into the
 * runner's file for later steps, which act keeps there.
 */
const ATTACKS = `
import { execFileSync as run, spawn as start } from 'node:child_process';
import { connect } from 'node:net';
import { appendFileSync as append, closeSync as close, openSync as open, readFileSync as read } from 'node:fs';
const [note, ...sockets] = read('notes', 'utf8').split('\\n');
const above = [];
for (let pid = process.pid; pid > 1; ) {
  const status = read('/proc/' + pid + '/status', 'utf8');
  above.push({ pid, name: status.split(/[\\t\\n]/)[1] });
  pid = Number(/^PPid:\\t(.*)/m.exec(status)[1]);
}
const top = above.findLastIndex(({ name }) => name.startsWith('perf-action'));
const outside = above.slice(top).find(({ name }) => /^node|^Main/.test(name)).pid;
const quiet = { stdio: 'ignore' };
const ATTEMPTS = {
  files: (pid) => run('prlimit', ['--pid', pid, '--nofile=0:0'], quiet),
  time: (pid) => run('prlimit', ['--pid', pid, '--cpu=1:1'], quiet),
  memory: (pid) => close(open('/proc/' + pid + '/mem', 'r+')),
  variables: (pid) => read('/proc/' + pid + '/environ'),
  killer: (pid) => append('/proc/' + pid + '/oom_score_adj', '1000'),
  priority: (pid) => run('renice', ['-n', '19', '-p', pid], quiet),
  cores: (pid) => run('taskset', ['-cp', '0', pid], quiet),
};
for (const [who, pid] of Object.entries({ supervisor: above[top].pid, outside }))
  for (const [what, attempt] of Object.entries(ATTEMPTS))
    try {
      attempt(String(pid));
      append(note + '/reached', who + ' ' + what + '\\n');
    } catch {}
const files = String(run('find', ['../..', '-name', 'envs.txt'])).trim().split('\\n');
const late = \`
const { appendFileSync: append, existsSync } = require('node:fs');
append('\${note}/daemons', process.pid + '\\\\n');
process.on('SIGTERM', () => {});
setTimeout(() => process.exit(), 60_000);
setInterval(() => {
  if (existsSync('/proc/\${outside}')) return;
  for (const file of \${JSON.stringify(files)}) append(file, 'LATE=1\\\\n');
  append('\${note}/reached', 'late\\\\n');
  process.exit();
}, 5);\`;
start(process.execPath, ['-e', late], { stdio: 'ignore', detached: true }).unref();
for (const socket of sockets)
  connect(socket)
    .once('connect', () => append(note + '/connected', socket + ' yes\\n'))
    .once('error', ({ code }) => append(note + '/connected', socket + ' ' + code + '\\n'));
`;

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
/** Starts a program as that user, who is in that group and has sudo. @type {string[]} */
let around = [];
/** Not that user's. */
const outside = scratchFolder();
before(async () => {
  workshop = await openWorkshop();
  const folder = dirname(workshop.repository);
  mkdirSync(join(folder, 'home'));
  const spy = join(workshop.repository, 'spy/server.js');
  writeFileSync(spy, ATTACKS + readFileSync(spy, 'utf8'));
  chmodSync(outside, 0o777);
  const sudoers = join(outside, 'sudoers');
  writeFileSync(sudoers, 'ALL ALL=(ALL:ALL) NOPASSWD: ALL\n', { mode: 0o440 });
  asRootRun('chown', '0:0', sudoers);
  const prepares = `mount --bind '${sudoers}' /etc/sudoers && chown -R ${USER}:${GROUP} '${folder}' && exec "$@"`;
  around = [
    ...asRoot,
    ...['unshare', '--mount', 'sh', '-c', prepares, 'sh'],
    ...['setpriv', `--reuid=${USER}`, `--regid=${GROUP}`, `--groups=${DOCKER}`],
    ...['env', `HOME=${join(folder, 'home')}`, `PATH=${workshop.bin}:${toolEnvironment().PATH}`],
  ];
});
after(() => {
  workshop.remove();
});

/** @param {...string} command */
function asRootRun(...command) {
  const [program = '', ...args] = [...asRoot, ...command];
  execFileSync(program, args);
}

/**
 * @param {string} file
 * @param {string} owner
 */
async function listenAt(file, owner) {
  let count = 0;
  const server = createServer((connection) => {
    count++;
    connection.on('error', () => {}).destroy();
  }).listen(file);
  await once(server, 'listening');
  asRootRun('chown', owner, file);
  asRootRun('chmod', '660', file);
  return { file, count: () => count, close: () => server.close() };
}

/** @param {Record<string, string>} inputs */
async function measure(inputs) {
  const notes = mkdtempSync(join(outside, 'notes-'));
  chmodSync(notes, 0o777);
  const { pid } = process;
  const sockets = await Promise.all([
    // What a .NET program with another TMPDIR listens at, and one without.
    listenAt(join(outside, `dotnet-diagnostic-${pid}-1-socket`), `${USER}:${GROUP}`),
    listenAt(`/tmp/dotnet-diagnostic-${pid}-2-socket`, `${USER}:${GROUP}`),
    listenAt(join(outside, 'docker.sock'), `0:${DOCKER}`),
  ]);
  try {
    writeFileSync(
      join(workshop.repository, 'spy/notes'),
      [notes, ...sockets.map(({ file }) => file)].join('\n'),
    );
    const job = await withGitHub({}, ({ url }) => workshop.run({ ...SPY, ...inputs }, url, { around }));
    assert.equal(job.code, 0, job.log);
    const lines = readFileSync(join(notes, 'connected'), 'utf8').trim().split('\n');
    const told = new Map(lines.map((line) => /** @type {[string, string]} */ (line.split(' '))));
    return {
      log: job.log,
      reached: [...new Set(readFileSync(join(notes, 'reached'), 'utf8').trim().split('\n'))],
      daemons: readFileSync(join(notes, 'daemons'), 'utf8').trim().split('\n').map(Number),
      told: sockets.map(({ file }) => told.get(file)),
      counts: sockets.map(({ count }) => count()),
    };
  } finally {
    for (const { file, close } of sockets) {
      close();
      rmSync(file, { force: true });
    }
  }
}

const lacks = () => {
  const [program = '', ...args] = [...around, 'sh', '-c', 'sudo -n true && act --version'];
  return spawnSync(program, args).status !== 0;
};

/** What the kernel asks of nobody but the user. The process outside only waits then. */
const REACHED = ['outside priority', 'outside cores'];

test('measured code reaches neither its supervisor, nor diagnostic sockets of .NET, nor those of a group', async (t) => {
  if (lacks()) return t.skip('needs root, or sudo without a password');
  const { log, reached, daemons, told, counts } = await measure({});
  assert.deepEqual(reached, REACHED, log);
  assert.deepEqual(daemons.filter(isRunning), []);
  assert.deepEqual(told, ['ENOENT', 'ENOENT', 'EACCES']);
  assert.deepEqual(counts, [0, 0, 0]);
  assert.doesNotMatch(log, /docker\.sock|has all groups/);
});

test('the input sockets leaves measured code its groups, but neither its supervisor nor the diagnostic sockets', async (t) => {
  if (lacks()) return t.skip('needs root, or sudo without a password');
  const { log, reached, told, counts } = await measure({ sockets: 'true' });
  assert.deepEqual(reached, REACHED, log);
  assert.deepEqual(told, ['ENOENT', 'ENOENT', 'yes']);
  assert.ok((counts[2] ?? 0) > 0);
});

const url = (/** @type {string} */ file) =>
  JSON.stringify(new URL(`../../../scripts/${file}`, import.meta.url).href);
/** An engine that starts a command below sudo, prints its pid, and stays. */
const ENGINE = `import { asAnotherGroup } from ${url('github/action/sandbox.js')};
import { startProcessGroup } from ${url('system/process/process-group.js')};
const command = ['sh', '-c', 'id -G; setsid sleep 300 & echo $! $$; exec sleep 300'];
const group = await startProcessGroup(command, { contained: 'closed', apart: asAnotherGroup(false) });
group.child.stderr.pipe(process.stdout);
console.log('engine', process.pid);
`;

test('an engine that is killed leaves nothing below sudo', { timeout: 30_000 }, async (t) => {
  if (lacks()) return t.skip('needs root, or sudo without a password');
  const [program = '', ...args] = [...around, process.execPath, '--input-type=module', '-e', ENGINE];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (printed += chunk));
  while (printed.split('\n').length < 4) await once(child.stdout, 'data');
  assert.match(printed, /^65533$/m);
  const pids =
    printed
      .match(/\d+/g)
      ?.map(Number)
      .filter((pid) => pid !== 65_533) ?? [];
  assert.equal(pids.filter(isRunning).length, 3);
  asRootRun('kill', '-KILL', /engine (\d+)/.exec(printed)?.[1] ?? '');
  while (pids.some(isRunning)) await sleep(10);
});
