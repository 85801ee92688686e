import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boot } from '../../scripts/boot/boot.js';
import { verify } from '../../scripts/boot/verify.js';
import { toy } from './toys/toys.js';

const signal = new AbortController().signal;

/** @param {number} pid a process, or a group where negative */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a booted server answers on its own port, passes the check and is gone after stop', async () => {
  const instance = await boot(toy('good'), { signal });
  await verify(instance, toy('good').routes);
  assert.match(instance.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal(instance.hasExited(), false);
  await instance.stop();
  assert.equal(isAlive(-instance.pid), false);
  await instance.stop();
});

test('a slow start is waited for', async () => {
  const instance = await boot(toy('slow-start'), { signal });
  await instance.stop();
  assert.ok(instance.bootMs >= 400);
});

test('a child of the server goes with it', async () => {
  const instance = await boot(toy('forks-child'), { signal });
  const child = Number(/child (\d+)/.exec(instance.logTail().join('\n'))?.[1]);
  assert.ok(isAlive(child));
  await instance.stop();
  assert.equal(isAlive(-instance.pid), false);
});

test('a server that ignores SIGTERM is killed', async () => {
  const instance = await boot(toy('ignores-sigterm'), { signal });
  await instance.stop();
  assert.equal(isAlive(-instance.pid), false);
});

test('an exit at boot is told with code and last lines', async () => {
  await assert.rejects(boot(toy('exits-at-boot'), { signal }), {
    kind: 'exited-at-boot',
    message: '`node toy.js exits-at-boot` ended with 7',
    logTail: ['toy exits-at-boot starts', 'cannot open the database'],
  });
});

test('a command that is not there is told', async () => {
  await assert.rejects(boot(toy('x', { start: 'no-such-program --now' }), { signal }), {
    kind: 'exited-at-boot',
    message: /`no-such-program --now` could not be started: .*ENOENT/,
  });
});

for (const behaviour of ['never-ready', 'ignores-port']) {
  test(`${behaviour}: the wait is bounded and says what to look at`, async () => {
    const server = toy(behaviour, { ready: { path: '/', timeoutSeconds: 0.6 } });
    await assert.rejects(boot(server, { signal }), {
      kind: 'never-ready',
      message: /not ready after 0\.6 s .* PORT /,
    });
  });
}

test('a start that goes into the background is told', async () => {
  const server = toy('x', { start: ['sh', '-c', 'node toy.js never-ready & exit 0'] });
  await assert.rejects(boot(server, { signal }), {
    kind: 'exited-at-boot',
    message: /must stay in the foreground/,
  });
});

test('an abort during boot leaves nothing running', async () => {
  const controller = new AbortController();
  const booting = boot(toy('never-ready'), { signal: controller.signal });
  setTimeout(() => controller.abort(), 200);
  await assert.rejects(booting, { kind: 'cancelled' });
});

test('a wrong answer names every route and what differed', async () => {
  const server = toy('wrong-body');
  const instance = await boot(server, { signal });
  await assert.rejects(verify(instance, server.routes), {
    kind: 'wrong-answer',
    message:
      '/: body "Hello Wörld?", expected "Hello World!"; /json: content type text/html, expected application/json',
  });
  await instance.stop();
});

test('no token and nothing of the site reaches the server', async () => {
  process.env.GITHUB_TOKEN = 'secret-1';
  process.env.NPM_AUTH_TOKEN = 'secret-2';
  const printing = toy('x', {
    start: ['sh', '-c', 'env | grep -E "secret|MINE|PORT"; exit 1'],
    env: { MINE: 'yes' },
  });
  try {
    await assert.rejects(boot(printing, { signal }), (error) => {
      const printed =
        /** @type {import('../../scripts/errors.js').MeasureError} */ (error).logTail?.join('\n') ?? '';
      assert.match(printed, /MINE=yes/);
      assert.match(printed, /PORT=\d+/);
      assert.doesNotMatch(printed, /secret/);
      return true;
    });
  } finally {
    delete process.env.GITHUB_TOKEN;
    delete process.env.NPM_AUTH_TOKEN;
  }
});
