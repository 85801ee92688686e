/** Messages for servers that cannot be measured: what is wrong, where, and how to mend it. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { askStatus } from '../../scripts/deploy/start/ask.js';
import { startServer } from '../../scripts/deploy/start/start-server.js';
import { freePort } from '../../scripts/system/free-port.js';
import { prepare } from '../../scripts/deploy/install/prepare.js';
import { listenersOf } from '../../scripts/deploy/start/listening.js';
import { startGroup } from '../../scripts/deploy/process/logged-process.js';
import { untilReady } from '../../scripts/deploy/start/until-ready.js';
import { whyClosed } from '../../scripts/deploy/start/startup-errors.js';
import { verify } from '../../scripts/deploy/start/verify.js';
import { readRunTimes } from '../../scripts/system/process/proc.js';
import { failureOf } from '../../scripts/model/errors.js';
import { toy } from './toys/toys.js';
import { scratchFolder } from '../scratch.js';

/** @typedef {import('../../scripts/deploy/process/logged-process.js').Group} Group */
/** @typedef {import('../../scripts/model/errors.js').MeasureError} MeasureError */

const signal = new AbortController().signal;
const scratch = scratchFolder();

/** @param {number} timeoutSeconds */
const within = (timeoutSeconds) => ({ ready: { path: '/', timeoutSeconds } });

/** @type {(promise: Promise<unknown>) => Promise<MeasureError>} */
async function refusal(promise) {
  return promise.then(
    () => assert.fail('it was not refused'),
    (error) => error,
  );
}

/** @param {Group} group */
const listens = (group) => listenersOf(group.pid).length > 0;
/** @param {Group} group */
const prints = (group) => group.logTail().length > 0;

/**
 * Starts a server, and then waits for its answer on a clock that runs only during its sleeps, and fast.
 * @param {ReturnType<typeof toy>} server
 * @param {(group: Group) => boolean} isUnderWay when the wait begins
 * @param {{ onSleep?: (time: number, group: Group) => unknown, quietMs?: number, questionMs?: number }}
 *   [options] quietMs: since the server last printed
 */
async function answerOf(server, isUnderWay, { onSleep, quietMs = 0, questionMs = 2000 } = {}) {
  const port = await freePort();
  const env = { ...process.env, ...server.env, HOST: '127.0.0.1', PORT: String(port) };
  const group = await startGroup(server.start, { cwd: server.folder, env });
  let time = 0;
  const clock = {
    now: () => time,
    questionMs,
    async sleep(/** @type {number} */ ms) {
      time += 10 * ms;
      await onSleep?.(time, group);
    },
  };
  try {
    while (!isUnderWay(group)) await sleep(10);
    const observed = { ...group, quietMs: () => quietMs };
    return { port, answered: await untilReady(server, observed, { port, startedAt: 0, signal, clock }) };
  } finally {
    await group.stop();
  }
}

const RAW = "require('net').createServer";
/**
 * @type {[what: string, server: ReturnType<typeof toy>, isUnderWay: typeof prints, options: object, message:
 *   RegExp][]}
 */
const NEVER_READY = [
  [
    'listens nowhere and is quiet',
    toy('never-ready', within(3)),
    prints,
    { quietMs: 2000 },
    /^not ready after 3 s at GET \/ on port .*it runs, but listens on no port; does it listen on PORT .*`ready\.timeout`\?$/,
  ],
  [
    'listens nowhere and prints',
    toy('never-ready', within(3)),
    prints,
    { quietMs: 20 },
    /it is still starting: .*; raise `ready\.timeout`$/,
  ],
  [
    'listens on IPv6',
    toy('hides-on-ipv6', within(3)),
    listens,
    { quietMs: 2000 },
    /it listens on \[::1\] only; make it listen on HOST \(127\.0\.0\.1\)/,
  ],
  [
    'accepts connections and answers nothing',
    toy('x', { start: `node -e "${RAW}().listen(process.env.PORT, process.env.HOST)"`, ...within(0.1) }),
    listens,
    { questionMs: 100 },
    /it accepted the connection but sent no HTTP response \(waited 0\.1 s\)/,
  ],
  [
    'speaks an unknown protocol',
    toy('x', {
      start: `node -e "${RAW}((s) => s.end('220 hello')).listen(process.env.PORT)"`,
      ...within(0.1),
    }),
    listens,
    {},
    /it accepted the connection but sent no HTTP response \(HPE_/,
  ],
  [
    'answers 500',
    toy('lacks-its-database', within(0.3)),
    listens,
    {},
    /: it answered 500: "Error the database is down"$/,
  ],
  [
    'answers 404 on a fixed port',
    toy('answers-404-elsewhere', within(30)),
    listens,
    {},
    /^it listens on port \d+ instead of PORT, and answers GET \/ with 404: correct `ready\.path` and the routes, or make it listen on PORT/,
  ],
  [
    'is still working gets more than its timeout, within a bound',
    toy('starts-busy', within(0.6)),
    prints,
    {
      // Of 200 ms on the clock, it works for at least 80.
      async onSleep(/** @type {number} */ _, /** @type {Group} */ { pid }) {
        const enough = readRunTimes(pid) + 0.08;
        while (readRunTimes(pid) < enough) await sleep(5);
      },
    },
    /^not ready after 2 s \(`ready\.timeout` is 0\.6 s; it was still working\) at GET \//,
  ],
];
for (const [what, server, isUnderWay, options, message] of NEVER_READY)
  test(`a server that ${what}: the wait is bounded and says what to look at`, async () => {
    const error = await refusal(answerOf(server, isUnderWay, options));
    assert.equal(error.kind, what.startsWith('is still working') ? 'too-slow' : 'never-ready');
    assert.match(error.message, message);
  });

test('a server that ends when the ready check asks it is told the request, and what to set', async () => {
  const ends = (/** @type {string} */ cause) =>
    startServer(
      toy('x', {
        start: ['node', '-e', `require('http').createServer(() => { ${cause} }).listen(process.env.PORT)`],
        ready: { path: '/items', timeoutSeconds: 10 },
      }),
      { signal },
    );
  const { kind, message, logTail } = await refusal(ends("JSON.parse('')"));
  assert.equal(kind, 'exited-at-start');
  assert.match(
    message,
    / ended with 1 when asked GET \/items, the ready check; set `ready` to a path that it answers$/,
  );
  assert.match(logTail?.join() ?? '', /SyntaxError/);
  assert.match((await refusal(ends('process.exit(0)'))).message, / ended with 0 when asked GET \/items/);
});

test('a check that gets no answer in time finds the server too slow; one wrong answer is one', async () => {
  const server = createHttpServer(({ url }, response) => url === '/wrong' && response.writeHead(404).end());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const instance = { url: `http://127.0.0.1:${port}`, logTail: () => [] };
  const routes = ['/silent', '/wrong'].map((path) => ({ ...toy('x').routes[0], id: path, path }));
  const check = (/** @type {any[]} */ asked) => refusal(verify(instance, asked, { answerMs: 200 }));
  const silent = await check(routes.slice(0, 1));
  assert.deepEqual([silent.kind, silent.message], ['too-slow', '/silent: no answer within 0.2 s']);
  assert.equal((await check(routes)).kind, 'wrong-answer');
  server.closeAllConnections();
  server.close();
});

test('a server that begins to listen after the timeout needs a longer one', async () => {
  const port = await freePort();
  const listens = `require('node:net').createServer().listen(${port}, '127.0.0.1', () => console.log('listens'))`;
  const group = await startGroup(['node', '-e', listens], { cwd: scratch, env: process.env });
  try {
    while (group.logTail().length === 0) await sleep(10);
    assert.match(whyClosed(group, { port, waitedMs: 600 }), /as the time was up; raise `ready\.timeout`$/);
  } finally {
    await group.stop();
  }
});

for (const [behaviour, message] of /** @type {const} */ ([
  ['speaks-tls', /^port \d+ answers TLS: only plain HTTP\/1\.1 is measured; .* without TLS here$/],
  ['speaks-http2', /^port \d+ speaks HTTP\/2 only: only plain HTTP\/1\.1 is measured; /],
])) {
  test(`${behaviour} is reported as soon as it is known`, async () => {
    const error = await refusal(startServer(toy(behaviour, within(60)), { signal }));
    assert.equal(error.kind, 'never-ready');
    assert.match(error.message, message);
  });
}

test('a server with a fixed port is measured there', async () => {
  const own = await freePort();
  const server = toy('ignores-port', { runtime: 'python3', env: { OWN_PORT: String(own) } });
  const instance = await startServer(server, { signal });
  assert.deepEqual([instance.url, instance.fixedPort], [`http://127.0.0.1:${own}`, own]);
  await verify(instance, server.routes);
  // Nobody else's answer is taken for its, not even one that is the same.
  const { kind, message } = await refusal(startServer(server, { signal }));
  await instance.stop();
  assert.equal(kind, 'port-taken');
  assert.ok(message.startsWith('`node toy.js ignores-port` ended with 1: '), message);
  assert.match(
    message,
    new RegExp(`port ${own} is taken by .+ \\(process ${instance.pid}\\); free it, or make `),
  );
});

for (const behaviour of ['ignores-port', 'ignores-port-in-workers'])
  test(`a Node server that ignores PORT listens there from its second start on: ${behaviour}`, async () => {
    const own = await freePort();
    const server = toy(behaviour, { env: { OWN_PORT: String(own) } });
    const starts = [];
    for (let left = 3; left > 0; left--) starts.push(await startServer(server, { signal }));
    assert.deepEqual(
      starts.map(({ url, isMoved, fixedPort }) => [url === `http://127.0.0.1:${own}`, isMoved, fixedPort]),
      [true, false, false].map((isFirst) => [isFirst, !isFirst, undefined]),
    );
    await Promise.all(starts.map((instance) => verify(instance, server.routes)));
    await Promise.all(starts.map(({ stop }) => stop()));
  });

test('a question that a server works on for a while, and never answers, ends', async () => {
  const silent = createHttpServer(() => {});
  await new Promise((resolve) => silent.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (silent.address());
  let looks = 0;
  const bounds = { signal, timeout: 20, isWorking: () => (looks += 1) < 3 };
  assert.equal(await askStatus({ port, path: '/', isSecure: false }, bounds), 'waited 0.06 s');
  silent.close();
});

test('a port that opens earlier is not taken for the right one', async () => {
  const { port, answered } = await answerOf(toy('opens-another-port-first'), listens, {
    async onSleep(time, group) {
      if (time !== 2000) return;
      process.kill(group.pid, 'SIGUSR2');
      while (listenersOf(group.pid).length < 2) await sleep(10);
    },
  });
  assert.equal(answered, port);
});

test('a server that keeps running without its port fails at once', async () => {
  const holder = createServer().listen(0, '0.0.0.0');
  await new Promise((resolve) => holder.once('listening', resolve));
  const { port } = /** @type {import('node:net').AddressInfo} */ (holder.address());
  const server = toy('loses-its-port', { env: { OWN_PORT: String(port) }, ...within(60) });
  const { kind, message } = await refusal(answerOf(server, (group) => group.logTail().length > 1));
  holder.close();
  assert.equal(kind, 'port-taken');
  assert.match(
    message,
    new RegExp(`keeps running without its port: port ${port} is taken by .+ \\(process ${process.pid}\\)`),
  );
});

for (const [behaviour, message] of /** @type {const} */ ([
  ['redirects', /^\/: status 302, expected 200: it redirects to "\/login"; measure that path; /],
  [
    'wants-login',
    /^\/: status 401, expected 200: give the route the credentials it needs under `headers:`; /,
  ],
  ['lacks-json', /^\/json: status 404, expected 200: there is no such route; it does respond to \/$/],
  [
    'wrong-body',
    /^\/: body "Hello Wörld\?", expected "Hello World!"; \/json: content type text\/html, expected application\/json$/,
  ],
  [
    'streams',
    /^\/: the response \(text\/event-stream\) was still running after 0\.5 s: add `stream: true` to the route, /,
  ],
])) {
  test(`${behaviour}: the check says what to do about the route`, async () => {
    const server = toy(behaviour);
    const instance = await startServer(server, { signal });
    const bounds = behaviour === 'streams' ? { answerMs: 500 } : {};
    const error = await refusal(verify(instance, server.routes, bounds));
    await instance.stop();
    assert.equal(error.kind, 'wrong-answer');
    assert.match(error.message, message);
  });
}

test('a failed step shows the first lines of trouble, the last lines, and the command that repeats it', async () => {
  writeFileSync(join(scratch, 'lines.sh'), 'echo fine; echo npm error code ERESOLVE; seq 40; exit 1\n');
  const server = toy('x', { folder: scratch, env: { KEY: 'secret' }, install: ['sh', './lines.sh', 'a b'] });
  const failure = failureOf(await refusal(prepare(server, { signal })), String);
  assert.deepEqual(failure, {
    kind: 'install-failed',
    message: "`sh ./lines.sh 'a b'` ended with 1",
    logHead: ['npm error code ERESOLVE', ...Array.from({ length: 9 }, (_, index) => String(index + 1))],
    logTail: Array.from({ length: 20 }, (_, index) => String(index + 21)),
    command: `cd ${scratch} && sh ./lines.sh 'a b' # with its env: KEY`,
  });
});

test('the first lines do not repeat the last ones', async () => {
  const start = 'echo one; echo an error; echo three; exit 1';
  const failure = failureOf(
    await refusal(startServer(toy('x', { folder: scratch, start }), { signal })),
    String,
  );
  assert.equal(failure.logHead, undefined);
  assert.deepEqual(failure.logTail, ['one', 'an error', 'three']);
  assert.equal(failure.command, `cd ${scratch} && HOST=127.0.0.1 PORT=3000 sh -c '${start}'`);
});

test('a missing program comes with the command that installs it', async () => {
  /** @type {[changes: Partial<import('../../scripts/types.js').Server>, message: RegExp][]} */
  const cases = [
    [
      { install: ['/bin/sh', '-c', 'pnpm install'] },
      /ended with 127; pnpm is not installed: corepack enable$/,
    ],
    [{ build: ['mvn', 'package'] }, /not be started: mvn is not installed: sudo apt-get install maven$/],
    [{ build: ['./gradlew'] }, /could not be started: there is no \.\/gradlew$/],
  ];
  for (const [changes, message] of cases) {
    // A PATH with nothing but the shell.
    const server = toy('x', { folder: scratch, env: { PATH: '/nowhere' }, ...changes });
    assert.match((await refusal(prepare(server, { signal }))).message, message);
  }
});
