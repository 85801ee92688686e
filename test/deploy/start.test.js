import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../scripts/deploy/start/start.js';
import { verify } from '../../scripts/deploy/start/verify.js';
import { readProcess } from '../../scripts/system/process/proc.js';
import { isRunning } from '../running.js';
import { isGroupAlive } from '../../scripts/system/process/process-group.js';
import { toy } from './toys/toys.js';

const signal = new AbortController().signal;

const scratch = mkdtempSync(join(tmpdir(), 'start-'));
after(() => rmSync(scratch, { recursive: true }));

/** A toy under a shell that notes the group's id, for starts that hand out no instance. @param {string} script */
function noting(script) {
  const file = join(scratch, `${Math.random()}`);
  writeFileSync(file, '');
  const start = ['sh', '-c', `echo $$ > '${file}'; ${script}`];
  return { server: toy('noted', { start }), group: () => Number(readFileSync(file, 'utf8')) };
}

test('a started server answers on its port, passes the check and is gone after stop', async () => {
  const instance = await startServer(toy('good'), { signal });
  await verify(instance, toy('good').routes);
  assert.match(instance.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal(instance.hasExited(), false);
  await instance.stop();
  assert.equal(instance.hasExited(), true);
  assert.equal(isGroupAlive(instance.pid), false);
  await instance.stop();
});

test('a slow start is waited for', async () => {
  const instance = await startServer(toy('slow-start'), { signal });
  await instance.stop();
  assert.ok(instance.startup.ms >= 400);
});

test('a child of the server ends with it', async () => {
  const instance = await startServer(toy('forks-child'), { signal });
  const child = Number(/child (\d+)/.exec(instance.logTail().join('\n'))?.[1]);
  assert.ok(isRunning(child));
  await instance.stop();
  assert.equal(isRunning(child), false);
  assert.equal(isGroupAlive(instance.pid), false);
});

test('children that outlive the server are ended with it', async () => {
  const start = ['sh', '-c', 'node toy.js good & exec node toy.js never-ready'];
  const instance = await startServer(toy('x', { start }), { signal });
  process.kill(instance.pid, 'SIGKILL');
  assert.deepEqual(await instance.exited, { code: null, signal: 'SIGKILL' });
  assert.equal(instance.hasExited(), true);
  assert.equal(isGroupAlive(instance.pid), false);
  // Newer versions of Node call their main thread node-MainThread.
  assert.deepEqual(instance.left(), [readProcess('self')?.name]);
  await instance.stop();
});

test('overlapping stops are one stop', async () => {
  const instance = await startServer(toy('good'), { signal });
  const stops = [instance.stop(), instance.stop()];
  assert.equal(stops[0], stops[1]);
  await Promise.all(stops);
});

test('a dead process that nobody reaps does not keep its group alive', async () => {
  // After `exec` a program that waits for no child replaces the shell, which could reap the child itself. Its background
  // processes have no standard input, but keep file 3.
  const parent = spawn('sh', ['-c', 'exec 3<&0; setsid sh -c "read line" <&3 & echo $!; exec sleep 60'], {
    detached: true,
  });
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

test('a server that ignores SIGTERM is killed', async () => {
  const instance = await startServer(toy('ignores-sigterm'), { signal });
  await instance.stop();
  assert.equal(isGroupAlive(instance.pid), false);
});

test('an exit during the start is reported with code and last lines', async () => {
  await assert.rejects(startServer(toy('exits-at-start'), { signal }), {
    kind: 'exited-at-start',
    message: '`node toy.js exits-at-start` ended with 7',
    logTail: ['toy exits-at-start starts', 'cannot open the database'],
  });
});

const NOT_INSTALLED = 'no-such-program is not installed: install no-such-program and put it on the PATH';

test('a missing command is reported', async () => {
  await assert.rejects(startServer(toy('x', { start: 'no-such-program --now' }), { signal }), (error) => {
    const { kind, message, logTail } = /** @type {import('../../scripts/model/errors.js').MeasureError} */ (
      error
    );
    assert.equal(kind, 'exited-at-start');
    assert.equal(message, `\`no-such-program --now\` ended with 127; ${NOT_INSTALLED}`);
    assert.match(logTail?.join() ?? '', /no-such-program: not found/);
    return true;
  });
  await assert.rejects(startServer(toy('x', { start: ['no-such-program', '--now'] }), { signal }), {
    kind: 'exited-at-start',
    message: `\`no-such-program --now\` could not be started: ${NOT_INSTALLED}`,
  });
});

for (const [name, start] of /** @type {const} */ ([
  ['one program', 'node toy.js "quo ted"'],
  ['one program after assignments', 'WORD=good NODE_OPTIONS= node toy.js quo\\ ted'],
])) {
  test(`a shell line of ${name} is that program, and no shell waits for it`, async () => {
    const instance = await startServer(toy('x', { start }), { signal });
    try {
      const [program, ...words] = readFileSync(`/proc/${instance.pid}/cmdline`, 'utf8').split('\0');
      assert.deepEqual([program, ...words.slice(0, 2)], ['node', 'toy.js', 'quo ted']);
    } finally {
      await instance.stop();
    }
  });
}

for (const start of [
  'cd . && node toy.js good',
  'test -n "$PORT" && node toy.js "$(echo good)"',
  'node toy.js never-ready & PORT=$PORT node toy.js good; true',
  'exec node t*y.js good',
]) {
  test(`the shell line is understood, and ended whole: ${start}`, async () => {
    const instance = await startServer(toy('x', { start }), { signal });
    await verify(instance, toy('good').routes);
    await instance.stop();
    assert.equal(isGroupAlive(instance.pid), false);
  });
}

test('no shell sees an argument vector', async () => {
  const start = [
    'node',
    '-e',
    'console.log(process.argv.slice(1).join("|")); process.exit(1)',
    '$HOME',
    'a b',
    '*',
  ];
  await assert.rejects(startServer(toy('x', { start }), { signal }), { logTail: ['$HOME|a b|*'] });
});

test('a start that goes into the background is reported and ended', async () => {
  const { server, group } = noting('node toy.js never-ready & exit 0');
  await assert.rejects(startServer(server, { signal }), {
    kind: 'exited-at-start',
    message: /must stay in the foreground/,
  });
  assert.equal(isGroupAlive(group()), false);
});

test('a start that becomes a daemon is reported, and the daemon ended', async () => {
  /** @type {string[] | undefined} */
  let printed;
  await assert.rejects(startServer(toy('becomes-daemon'), { signal }), (error) => {
    const { kind, message, logTail } = /** @type {import('../../scripts/model/errors.js').MeasureError} */ (
      error
    );
    assert.equal(kind, 'exited-at-start');
    assert.match(message, /ended with 0; `start` must stay in the foreground$/);
    printed = logTail;
    return true;
  });
  const daemon = Number(/daemon (\d+)/.exec(printed?.join('\n') ?? '')?.[1]);
  assert.ok(daemon > 0);
  assert.equal(isRunning(daemon), false);
});

test('stop ends a daemon whose start command ended later', async () => {
  const instance = await startServer(toy('becomes-daemon-late'), { signal });
  const daemon = Number(/daemon (\d+)/.exec(instance.logTail().join('\n'))?.[1]);
  assert.ok(isRunning(daemon));
  process.kill(instance.pid, 'SIGKILL');
  await instance.exited;
  await instance.stop();
  assert.equal(isRunning(daemon), false);
});

test('an abort during the start leaves nothing running', async () => {
  const controller = new AbortController();
  const { server, group } = noting('node toy.js never-ready & exec node toy.js never-ready');
  const starting = startServer(server, { signal: controller.signal });
  const aborting = (async () => {
    while (!group()) await sleep(10);
    controller.abort();
  })();
  await assert.rejects(starting, { kind: 'cancelled' });
  await aborting;
  assert.equal(isGroupAlive(group()), false);
});

test('an abort ends the check of a server that does not answer', async () => {
  const server = toy('hangs-under-load');
  const instance = await startServer(server, { signal });
  for (let asked = 1; asked < 3; asked++) await (await fetch(instance.url)).text();
  const controller = new AbortController();
  const checking = verify(instance, server.routes, { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  await assert.rejects(checking, { kind: 'cancelled' });
  await instance.stop();
});

test('a wrong answer names every route and what differed', async () => {
  const server = toy('wrong-body');
  const instance = await startServer(server, { signal });
  await assert.rejects(verify(instance, server.routes), {
    kind: 'wrong-answer',
    message:
      '/: body "Hello Wörld?", expected "Hello World!"; /json: content type text/html, expected application/json',
  });
  await instance.stop();
});

test('no token and no variable of GitHub reaches the server', async () => {
  process.env.GITHUB_TOKEN = 'secret-1';
  process.env.NPM_AUTH_TOKEN = 'secret-2';
  const printing = toy('x', {
    start: ['sh', '-c', 'env | grep -E "secret-|MINE|PORT"; exit 1'],
    env: { MINE: 'yes' },
  });
  try {
    await assert.rejects(startServer(printing, { signal }), (error) => {
      const printed =
        /** @type {import('../../scripts/model/errors.js').MeasureError} */ (error).logTail?.join('\n') ?? '';
      assert.match(printed, /MINE=yes/);
      assert.match(printed, /PORT=\d+/);
      assert.doesNotMatch(printed, /secret-/);
      return true;
    });
  } finally {
    delete process.env.GITHUB_TOKEN;
    delete process.env.NPM_AUTH_TOKEN;
  }
});

test('a Node server gets the preload besides its own options; other servers get nothing', async () => {
  const script = `echo "options $NODE_OPTIONS"; node --trace-opt --no-concurrent-recompilation -e 0 | grep nextTick; exit 1`;
  const env = { NODE_OPTIONS: '--max-old-space-size=77' };
  const printed = async (/** @type {string} */ runtime) => {
    const server = toy('x', { start: ['sh', '-c', script], runtime, env });
    const error = await startServer(server, { signal }).catch((failed) => failed);
    return error.logTail.join('\n');
  };
  assert.match(
    await printed('node'),
    /options --max-old-space-size=77 --require .*\n[^]*completed .* nextTick/,
  );
  assert.doesNotMatch(await printed('php'), /--require|completed/);
});
