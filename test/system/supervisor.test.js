/**
 * Processes that a command leaves running, with real daemons that have a separate session and environment.
 */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listPids } from '../../scripts/system/process/proc.js';
import { isRunning } from '../running.js';
import { startProcessGroup } from '../../scripts/system/process/process-group.js';
import { environmentText, findSupervisor, supervised } from '../../scripts/system/process/supervisor.js';
import { scratchFolder } from '../scratch.js';

const scratch = scratchFolder();

/**
 * A shell's line that starts one, notes its pid in a file, and goes on.
 * @param {string} file
 * @param {string} [does]
 */
const daemon = (file, does = 'sleep 300') =>
  `setsid env -i PATH="$PATH" sh -c 'echo $$ > ${file}.new; mv ${file}.new ${file}; ${does}' & while [ ! -e ${file} ]; do sleep 0.01; done`;

/** @param {string} file */
async function pidIn(file) {
  // A shell makes the file before it writes into it.
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(10);
  return Number(readFileSync(file, 'utf8'));
}

/** What it has printed so far. @type {(child: import('node:child_process').ChildProcess) => () => string} */
function printedBy({ stdout, stderr }) {
  let printed = '';
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (chunk) => (printed += chunk));
  return () => printed;
}

/** @type {(t: import('node:test').TestContext, path: string) => Promise<void>} */
async function listenAt(t, path) {
  const server = createServer((connection) => connection.end()).listen(path);
  t.after(() => server.close());
  await once(server, 'listening');
}

const BOUNDED = { timeout: 30_000 };

test('a daemon with a separate session and environment ends with the group', BOUNDED, async () => {
  const file = join(scratch, 'daemon');
  const group = await startProcessGroup(['sh', '-c', `${daemon(file)}; exec sleep 300`]);
  const pid = await pidIn(file);
  assert.ok(isRunning(pid));
  await group.stop();
  assert.equal(isRunning(pid), false);
  assert.equal(isRunning(group.pid), false);
});

test('a command ends at once, beside another: what it printed is not lost', BOUNDED, async () => {
  /** As long as both take to print and to end. */
  const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  const other = spawn('sh', ['-c', 'echo']);
  block();
  /** @type {Promise<Awaited<ReturnType<typeof startProcessGroup>>>} */
  const started = new Promise((resolve) => {
    // Node handles the ends of all children with that of the first.
    other.stdout.once('data', () => {
      resolve(startProcessGroup(['sh', '-c', 'echo printed']));
      block();
    });
  });
  const group = await started;
  const printed = printedBy(group.child);
  await group.exited;
  assert.equal(printed(), 'printed\n');
});

test('what a command leaves behind is named and ended, its exit code stays', BOUNDED, async () => {
  const file = join(scratch, 'left');
  const isSleep = `until grep -q sleep "/proc/$(cat ${file})/comm"; do sleep 0.01; done`;
  const line = `${daemon(file, 'exec sleep 300')}; ${isSleep}; exit 7`;
  const group = await startProcessGroup(['sh', '-c', line]);
  assert.deepEqual(await group.exited, { code: 7, signal: null });
  assert.deepEqual(group.left(), ['sleep']);
  assert.ok(group.isEmpty());
  assert.equal(isRunning(await pidIn(file)), false);
});

test('a daemon that ignores signals and forks all the time is ended', BOUNDED, async () => {
  const file = join(scratch, 'hopper');
  // Should nothing end it, it ends by itself: whoever kills all processes they list misses it, and kills its
  // supervisor.
  const hop = '\\$SIG{TERM} = \\"IGNORE\\"; \\$end = time + 20; while (time < \\$end) { exit if fork; }';
  const group = await startProcessGroup(['sh', '-c', `${daemon(file, `exec perl -e "${hop}"`)}; exit 0`]);
  assert.deepEqual(await group.exited, { code: 0, signal: null });
});

const MODULE = new URL('../../scripts/system/process/process-group.js', import.meta.url).href;

for (const signal of /** @type {const} */ (['SIGKILL', 'SIGABRT'])) {
  test(
    `an engine that ends by ${signal} leaves no server, daemon or scratch folder`,
    BOUNDED,
    async (context) => {
      const files = { daemon: join(scratch, `d-${signal}`), server: join(scratch, `s-${signal}`) };
      const folder = join(scratch, `folder-${signal}`);
      mkdirSync(folder);
      const server = `${daemon(files.daemon)}; echo $$ > ${files.server}; exec sleep 300`;
      const program = `import { startProcessGroup } from ${JSON.stringify(MODULE)};
        await startProcessGroup(['sh', '-c', ${JSON.stringify(server)}], { scratch: ${JSON.stringify(folder)} });
        setInterval(() => {}, 1000);`;
      const engine = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
      context.after(() => engine.kill('SIGKILL'));
      const pids = [await pidIn(files.daemon), await pidIn(files.server)];
      assert.ok(pids.every(isRunning));
      engine.kill(signal);
      await once(engine, 'exit');
      while (pids.some(isRunning) || existsSync(folder)) await sleep(10);
    },
  );
}

/**
 * In a separate namespace, where the next id can be chosen:
 * https://man7.org/linux/man-pages/man7/pid_namespaces.7.html
 */
const REUSES = `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { isRunning } from ${JSON.stringify(new URL('../running.js', import.meta.url).href)};
import { startProcessGroup } from ${JSON.stringify(MODULE)};
const group = await startProcessGroup(['true']);
await group.exited;
writeFileSync('/proc/sys/kernel/ns_last_pid', String(group.pid - 1));
const stranger = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
await group.stop();
console.log(stranger.pid === group.pid ? 'same' : 'another', isRunning(stranger.pid) ? 'runs' : 'is gone');
process.exit();
`;

test('another program’s group that reuses an id is left alone', BOUNDED, (t) => {
  const alone = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child'];
  if (spawnSync('unshare', [...alone, 'true']).status !== 0)
    return t.skip('this machine allows no namespaces');
  const node = [process.execPath, '--input-type=module', '-e', REUSES];
  const { stdout, stderr } = spawnSync('unshare', [...alone, ...node], { encoding: 'utf8' });
  assert.equal(stdout, 'same runs\n', stderr);
});

/**
 * A supervisor whose Perl runs a line first.
 * @param {string} line
 * @param {string[]} command
 * @param {Parameters<typeof supervised>[1]} [options]
 */
async function supervisedAfter(line, command, options) {
  const [perl = '', option = '', program, ...words] = supervised(command, options) ?? [];
  const child = spawn(perl, [option, `${line} ${program}`, ...words], { env: {}, stdio: 'pipe' });
  child.stdin.write(environmentText({ PATH: process.env.PATH }));
  const printed = printedBy(child);
  await once(child, 'close');
  return printed();
}

test('the supervisor loads no module, whatever the environment says', BOUNDED, async (t) => {
  if (!findSupervisor()) return t.skip('this machine cannot supervise');
  const tells = 'BEGIN { unshift @INC, sub { print STDERR "loads $_[1]\n"; return } }';
  const printed = await supervisedAfter(tells, ['sh', '-c', 'sleep 300 &'], { contained: 'closed' });
  assert.match(printed, /started/);
  assert.doesNotMatch(printed, /loads/);
  // A supervisor that obeyed would not even start.
  const env = { PATH: process.env.PATH, PERL5LIB: scratch, PERL5OPT: '-MNo::Such', PERL_BADLANG: '1' };
  const group = await startProcessGroup(['sh', '-c', 'env | grep PERL | sort'], { env });
  const output = printedBy(group.child);
  await group.exited;
  assert.equal(output(), `PERL5LIB=${scratch}\nPERL5OPT=-MNo::Such\nPERL_BADLANG=1\n`);
});

test('the supervisor is strict Perl, though it cannot say so itself', (t) => {
  const file = fileURLToPath(new URL('../../scripts/system/process/supervisor.pl', import.meta.url));
  const { error, stderr } = spawnSync('perl', ['-Mstrict', '-Mwarnings=FATAL,all', '-c', file], {
    encoding: 'utf8',
  });
  if (error) return t.skip('this machine has no Perl');
  assert.match(stderr, /syntax OK/);
});

/** Those that work in it. @type {(folder: string) => number[]} */
const workingIn = (folder) =>
  listPids().filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder && isRunning(pid);
    } catch {
      return false;
    }
  });

test('an engine that dies during a start leaves nothing, whatever the instant', BOUNDED, async (t) => {
  const [perl = '', ...words] = supervised(['sleep', '300']) ?? [];
  if (perl === '') return t.skip('this machine cannot supervise');
  const cwd = join(scratch, 'starts');
  mkdirSync(cwd);
  // All at once, so that they wait for each other in the middle of what they do.
  const supervisors = Array.from({ length: 60 }, async (_, ms) => {
    const child = spawn(perl, words, { cwd, env: {}, stdio: ['pipe', 'ignore', 'ignore', 'pipe'] });
    child.stdin?.on('error', () => {}).write(environmentText({ PATH: process.env.PATH }));
    await sleep(ms);
    // What the end of an engine does.
    child.stdin?.destroy();
    await once(child, 'exit');
  });
  await Promise.all(supervisors);
  while (workingIn(cwd).length > 0) await sleep(10);
});

test('a contained command reaches nobody outside, gains no rights, keeps its files', BOUNDED, async (t) => {
  const outsider = spawn('sleep', ['300'], { env: { TOKEN_OF_A_LATER_STEP: 'ghs_secret' } });
  t.after(() => outsider.kill('SIGKILL'));
  await once(outsider, 'spawn');
  const path = join(scratch, 'outside');
  const abstract = `\0perf-action-test-${process.pid}`;
  for (const address of [path, abstract]) await listenAt(t, address);
  const connects = `require('node:net').connect(${JSON.stringify(abstract)}).once('connect', () => console.log('CONNECTED')).once('error', ({ code }) => console.log(code))`;
  const script = [
    `cat /proc/${outsider.pid}/environ && echo READ`,
    `kill -KILL ${outsider.pid} && echo KILLED`,
    'grep NoNewPrivs /proc/self/status',
    `"$NODE" -e "$CONNECTS"`,
    `mkdir ${scratch}/from ${scratch}/to && touch ${scratch}/from/x && mv ${scratch}/from/x ${scratch}/to/ && echo MOVED`,
  ].join('; ');
  const env = { PATH: process.env.PATH, NODE: process.execPath, CONNECTS: connects };
  const group = await startProcessGroup(['sh', '-c', script], { contained: 'closed', env });
  const printed = printedBy(group.child);
  await group.exited;
  const output = printed();
  const lacks = group.loose.filter((lack) => !lack.startsWith('sockets'));
  if (lacks.length > 0) return t.skip(`this kernel lacks ${lacks}`);
  for (const sign of [/Permission denied/, /NoNewPrivs:\s1/, /MOVED/, /EPERM/]) assert.match(output, sign);
  assert.doesNotMatch(output, /READ|KILLED|CONNECTED|ghs_secret/);
  assert.ok(isRunning(Number(outsider.pid)));
  // Linux 7.1 denies it.
  const open = group.loose.find((lack) => lack.startsWith('sockets'));
  if (open !== undefined) assert.ok(open.split(' ').includes(path), open);
});

/** Landlock's calls as a kernel would answer them, which has that version of it. @param {number} version */
const answersAs = (version) => `BEGIN {
  *CORE::GLOBAL::syscall = sub {
    my ($call, @given) = @_;
    return 0 if $call < 444;
    return ${version} if $call == 444 && $given[2] == 1;
    print STDERR 'creates ', join(' ', unpack 'Q*', $given[0]), "\n" if $call == 444;
    print STDERR 'allows ', unpack('Q', $given[2]), "\n" if $call == 445;
    return 0;
  };
}`;

/** To move files; and to write, which root may everywhere. */
const FILES = 2 ** 13 + (process.getuid?.() === 0 ? 0 : 2);

for (const { version, contained, creates } of /** @type {const} */ ([
  { version: 2, contained: 'closed', creates: [FILES] },
  { version: 6, contained: 'closed', creates: [FILES, 0, 3] },
  { version: 9, contained: 'closed', creates: [FILES + 2 ** 16, 0, 3] },
  { version: 9, contained: 'open', creates: [FILES, 0, 3] },
]))
  test(`Landlock ${version} contains what is ${contained} as far as it can`, BOUNDED, async (t) => {
    if (!findSupervisor()) return t.skip('this machine cannot supervise');
    const printed = await supervisedAfter(answersAs(version), ['true'], { contained });
    assert.ok(printed.includes(`creates ${creates.join(' ')}\nallows ${2 ** 13}\n`), printed);
    if (version === 9) assert.doesNotMatch(printed, /loose/);
  });

test('an engine that dies before it has sent the environment leaves no scratch folder', BOUNDED, async () => {
  const folder = join(scratch, 'early');
  mkdirSync(folder);
  const [program = '', ...options] = supervised(['true'], { scratch: folder }) ?? [];
  const child = spawn(program, options, { stdio: ['pipe', 'ignore', 'ignore', 'pipe'], env: {} });
  child.stdin?.end('PATH=');
  const [code] = await once(child, 'exit');
  assert.deepEqual([code, existsSync(folder)], [1, false]);
});
