/** Runtime metrics of Java servers: recorded files of two JVMs, and a real JVM beside its own tools. */

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, HOST } from '../../scripts/system/free-port.js';
import { enter, startWindow } from '../../scripts/observe/observe.js';
import { parsePerfData } from '../../scripts/observe/perf-data.js';
import { withObserved } from './observed-server.js';

const GREETS = fileURLToPath(new URL('./programs/Greets.java', import.meta.url));
const skip = process.platform !== 'linux';
const recorded = (/** @type {string} */ name) =>
  readFileSync(fileURLToPath(new URL(`../data/observe/${name}.hsperfdata`, import.meta.url)));

// As `jcmd PID PerfCounter.print` printed them.
for (const [name, figures] of /** @type {const} */ ([
  [
    'java17',
    {
      'java.cls.loadedClasses': 1783,
      'java.threads.live': 12,
      'sun.gc.collector.0.invocations': 11,
      'sun.gc.collector.0.name': 'G1 young collection pauses',
      'sun.gc.collector.0.time': 104552914,
      'sun.gc.generation.0.space.0.used': 34603008,
      'sun.gc.metaspace.used': 11244928,
      'sun.os.hrt.frequency': 1000000000,
    },
  ],
  [
    'java25',
    {
      'java.cls.loadedClasses': 1797,
      'java.threads.live': 12,
      'sun.gc.collector.0.invocations': 19,
      'sun.gc.collector.0.name': 'Serial young collection pauses',
      'sun.gc.collector.0.time': 85257150,
      'sun.gc.generation.1.space.0.used': 7796392,
      'sun.gc.metaspace.used': 11525616,
      'sun.os.hrt.frequency': 1000000000,
    },
  ],
])) {
  test(`the counters of ${name} are the ones that its own tool prints`, () => {
    const counters = parsePerfData(recorded(name));
    assert.deepEqual(
      Object.fromEntries(Object.keys(figures).map((key) => [key, counters?.get(key)])),
      figures,
    );
  });
}

test('a file that is something else or torn has no counters, and parsing ends', () => {
  const file = recorded('java17');
  assert.equal(parsePerfData(Buffer.alloc(0)), undefined);
  assert.equal(parsePerfData(Buffer.from('hello, this is text and no JVM at all')), undefined);
  for (let length = 0; length < 600; length += 7)
    assert.equal(parsePerfData(file.subarray(0, length)), undefined);
  const loop = Buffer.from(file);
  loop.writeInt32LE(0, loop.readInt32LE(24));
  loop.writeInt32LE(2 ** 31 - 1, 28);
  assert.ok(parsePerfData(loop));
});

test('a window of a real JVM agrees with jcmd', { skip }, async () => {
  const port = await freePort();
  const server = spawn('java', ['-Xmx64m', '-XX:+UseG1GC', GREETS], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, HOST, PORT: String(port) },
  });
  const pid = /** @type {number} */ (server.pid);
  const ask = (/** @type {string} */ path) => fetch(`http://${HOST}:${port}${path}`);
  const jcmd = (/** @type {string} */ what) =>
    execFileSync('jcmd', [String(pid), what], { encoding: 'utf8' });
  try {
    const until = performance.now() + 60_000;
    while (performance.now() < until && !(await ask('/').catch(() => undefined))) await sleep(100);
    const counter = (/** @type {string} */ text, /** @type {RegExp} */ name) =>
      Number(name.exec(text)?.[1] ?? Number.NaN);
    const collected = (/** @type {string} */ text) =>
      [...text.matchAll(/collector\.\d+\.invocations=(\d+)/g)].reduce(
        (all, [, each]) => all + Number(each),
        0,
      );
    const before = collected(jcmd('PerfCounter.print'));
    const window = startWindow(pid, { runtime: 'java' });
    for (let times = 0; times < 40; times++) await ask('/garbage');
    const { gc, jvm } = await window.stop();
    const counters = jcmd('PerfCounter.print');
    assert.equal(gc?.count, collected(counters) - before);
    assert.ok(
      gc.count > 3 && gc.pauseMs > 0 && gc.longestMs > 0 && gc.longestMs <= gc.pauseMs + 1,
      JSON.stringify(gc),
    );
    assert.equal(jvm?.threads, counter(counters, /java\.threads\.live=(\d+)/));
    assert.ok(jvm.classes > 1000);

    // It gets no requests now, so its heap is what jcmd prints, but for the region that is being filled.
    const quiet = await startWindow(pid, { runtime: 'java' }).stop();
    const info = jcmd('GC.heap_info');
    const used = 1024 * counter(info, /heap\s+total \d+K, used (\d+)K/);
    const region = 1024 * counter(info, /region size (\d+)K/);
    assert.ok(Math.abs((quiet.heapBytes ?? 0) - used) <= 3 * region, `${quiet.heapBytes} beside ${used}`);
    assert.equal(quiet.gc?.count, 0);
  } finally {
    process.kill(-pid, 'SIGKILL');
  }
});

test('the bytes of a JVM are those that the requests of the window made it allocate', { skip }, async () => {
  assert.deepEqual(await enter('java'), [], 'nobody asked for counts');
  const inside = await enter('java', { allocated: true });
  const files = { 'Greets.java': readFileSync(GREETS, 'utf8') };
  const server = { runtime: 'java', files, start: ['java', 'Greets.java'], inside };
  await withObserved(server, async ({ url }, begin) => {
    const bytesOf = async (/** @type {string} */ path, /** @type {number} */ requests) => {
      const window = begin();
      for (let request = 0; request < requests; request++) await (await fetch(`${url}${path}`)).text();
      return ((await window.stop()).allocatedBytes ?? Number.NaN) / requests;
    };
    await bytesOf('/', 100);
    const [garbage, hello] = [await bytesOf('/garbage', 20), await bytesOf('/', 20)];
    assert.ok(hello > 100 && hello < 500_000, `${hello}`);
    const array = (garbage - hello) / 100;
    assert.ok(array > 100_000 && array < 101_000, `${array}`);
  });
});
