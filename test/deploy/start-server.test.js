import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../scripts/deploy/start/start-server.js';
import { verify } from '../../scripts/deploy/start/verify.js';
import { readProcess } from '../../scripts/system/process/proc.js';
import { isRunning } from '../running.js';
import { isGroupAlive } from '../../scripts/system/process/process-group.js';
import { toy } from './toys/toys.js';
import { scratchFolder } from '../scratch.js';

/** @import { Server } from '../../scripts/types.js' */

const { signal } = new AbortController();
const scratch = scratchFolder();

/**
 * Starts a server, and stops it twice at once in the end: overlapping stops are one stop.
 * @param {Server} server
 * @param {(instance: Awaited<ReturnType<typeof startServer>>) => unknown} [use]
 */
async function started(server, use = () => {}) {
  const instance = await startServer(server, { signal });
  try {
    await use(instance);
  } finally {
    const stops = [instance.stop(), instance.stop()];
    assert.equal(stops[0], stops[1]);
    await Promise.all(stops);
  }
  assert.deepEqual([instance.hasExited(), isGroupAlive(instance.pid)], [true, false]);
}

/**
 * The number that it printed after the word.
 * @type {(instance: { logTail: () => string[] }, word: string) => number}
 */
const printedBy = ({ logTail }, word) => Number(new RegExp(`${word} (\\d+)`).exec(logTail().join('\n'))?.[1]);

/** The error of a start that fails. @type {(changes: Partial<Server>) => Promise<any>} */
const errorOf = (changes) => startServer(toy('x', changes), { signal }).catch((error) => error);

test('a started server answers on its port, passes the check and is gone after stop', () =>
  started(toy('good'), async (instance) => {
    await verify(instance, toy('good').routes);
    assert.match(instance.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(instance.hasExited(), false);
  }));

test('a slow start is waited for, and a server that ignores SIGTERM is killed', async () => {
  await started(toy('slow-start'), ({ startup }) => assert.ok(startup.ms >= 400));
  await started(toy('ignores-sigterm'));
});

for (const [behaviour, word] of /** @type {const} */ ([
  ['forks-child', 'child'],
  ['becomes-daemon-late', 'daemon'],
]))
  test(`${behaviour}: stop ends it with the server`, async () => {
    let pid = 0;
    await started(toy(behaviour), async (instance) => {
      pid = printedBy(instance, word);
      assert.ok(isRunning(pid));
      if (word === 'child') return;
      process.kill(instance.pid, 'SIGKILL');
      await instance.exited;
    });
    assert.equal(isRunning(pid), false);
  });

test('children that outlive the server are ended with it', () =>
  started(
    toy('x', { start: ['sh', '-c', 'node toy.js good & exec node toy.js never-ready'] }),
    async (instance) => {
      process.kill(instance.pid, 'SIGKILL');
      assert.deepEqual(await instance.exited, { code: null, signal: 'SIGKILL' });
      assert.equal(isGroupAlive(instance.pid), false);
      // Newer versions of Node call their main thread node-MainThread.
      assert.deepEqual(instance.left(), [readProcess('self')?.name]);
    },
  ));

test('a dead process that nobody reaps does not keep its group alive', async () => {
  // After `exec` a program that waits for no child replaces the shell, which could reap the child itself. Its
  // background processes have no standard input, but keep file 3.
  const line = 'exec 3<&0; setsid sh -c "read line" <&3 & echo $!; exec sleep 60';
  const parent = spawn('sh', ['-c', line], { detached: true });
  try {
    const [chunk] = await once(parent.stdout, 'data');
    const dead = Number(String(chunk));
    while (readProcess(Number(parent.pid))?.name !== 'sleep') await sleep(5);
    parent.stdin.write('\n');
    while (isRunning(dead)) await sleep(5);
    assert.ok(process.kill(-dead, 0), 'its group still has a member');
    assert.equal(isGroupAlive(dead), false);
  } finally {
    parent.kill('SIGKILL');
  }
});

const NOT_INSTALLED = 'no-such-program is not installed: install no-such-program and put it on the PATH';

/**
 * @type {[what: string, changes: Partial<Server>, message: RegExp | string, logTail?: string[] | RegExp][]}
 */
const FAILED = [
  [
    'an exit',
    { start: ['node', 'toy.js', 'exits-at-start'] },
    '`node toy.js exits-at-start` ended with 7',
    ['toy exits-at-start starts', 'cannot open the database'],
  ],
  [
    'a missing command of a line',
    { start: 'no-such-program --now' },
    `\`no-such-program --now\` ended with 127; ${NOT_INSTALLED}`,
    /no-such-program: not found/,
  ],
  [
    'a missing command',
    { start: ['no-such-program', '--now'] },
    `\`no-such-program --now\` could not be started: ${NOT_INSTALLED}`,
  ],
  [
    'an argument vector, which no shell sees',
    {
      start: [
        'node',
        '-e',
        'console.log(process.argv.slice(1).join("|")); process.exit(1)',
        '$HOME',
        'a b',
        '*',
      ],
    },
    / ended with 1$/,
    ['$HOME|a b|*'],
  ],
  [
    'a start that becomes a daemon',
    { start: ['node', 'toy.js', 'becomes-daemon'] },
    /ended with 0; `start` must stay in the foreground$/,
  ],
];
for (const [what, changes, message, logTail] of FAILED)
  test(`${what}: the failed start is reported with its last lines, and nothing runs on`, async () => {
    const error = await errorOf(changes);
    assert.equal(error.kind, 'exited-at-start');
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
    if (Array.isArray(logTail)) assert.deepEqual(error.logTail, logTail);
    else if (logTail) assert.match(error.logTail.join(), logTail);
    if (what.endsWith('daemon'))
      assert.equal(isRunning(printedBy({ logTail: () => error.logTail }, 'daemon')), false);
  });

test('a shell line of one program is that program, and no shell waits for it', async () => {
  for (const start of ['node toy.js "quo ted"', 'WORD=good NODE_OPTIONS= node toy.js quo\\ ted'])
    await started(toy('x', { start }), ({ pid }) => {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      assert.deepEqual(words.slice(0, 3), ['node', 'toy.js', 'quo ted']);
    });
});

for (const start of [
  'cd . && node toy.js good',
  'test -n "$PORT" && node toy.js "$(echo good)"',
  'node toy.js never-ready & PORT=$PORT node toy.js good; true',
  'exec node t*y.js good',
])
  test(`the shell line is understood, and ended whole: ${start}`, () =>
    started(toy('x', { start }), (instance) => verify(instance, toy('good').routes)));

test('an abort during the start leaves nothing running', async () => {
  const controller = new AbortController();
  const file = join(scratch, 'group');
  writeFileSync(file, '');
  const group = () => Number(readFileSync(file, 'utf8'));
  const line = `echo $$ > '${file}'; node toy.js never-ready & exec node toy.js never-ready`;
  const starting = startServer(toy('x', { start: ['sh', '-c', line] }), { signal: controller.signal });
  const aborting = (async () => {
    while (!group()) await sleep(10);
    controller.abort();
  })();
  await assert.rejects(starting, { kind: 'cancelled' });
  await aborting;
  assert.equal(isGroupAlive(group()), false);
});

test('an abort ends the check of a server that does not answer', () =>
  started(toy('hangs-under-load'), async (instance) => {
    for (let asked = 1; asked < 3; asked++) await (await fetch(instance.url)).text();
    const controller = new AbortController();
    const checking = verify(instance, toy('x').routes, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await assert.rejects(checking, { kind: 'cancelled' });
  }));

test('a Node server gets the preload besides its own options; other servers get nothing', async () => {
  const script = `echo "options $NODE_OPTIONS"; node --trace-opt --no-concurrent-recompilation -e 0 | grep nextTick; exit 1`;
  const env = { NODE_OPTIONS: '--max-old-space-size=77' };
  const printed = async (/** @type {string} */ runtime) =>
    (await errorOf({ start: ['sh', '-c', script], runtime, env })).logTail.join('\n');
  assert.match(
    await printed('node'),
    /options --max-old-space-size=77 --require .*\n[^]*completed .* nextTick/,
  );
  assert.doesNotMatch(await printed('php'), /--require|completed/);
});
