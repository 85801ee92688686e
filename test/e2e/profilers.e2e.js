/** Profiles of real servers. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { enterProfiled } from '../../scripts/profile/profilers.js';
import { withObserved } from '../observe/observed-server.js';

const SERVER = `import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { burn } from './lib/burn.js';
const processorsOf = (thread) =>
  /Cpus_allowed_list:\\s*(\\S+)/.exec(readFileSync(\`/proc/self/task/\${thread}/status\`, 'utf8'))[1];
const answers = {
  '/ready': () => 'yes',
  '/threads': () => JSON.stringify([process.pid, ...readdirSync('/proc/self/task')].map(processorsOf)),
};
const answer = (url) => (answers[url] ?? burn)().toString();
createServer((request, response) => response.end(answer(request.url))).listen(Number(process.env.PORT), process.env.HOST);
`;
const BURN = `// So that it does not begin at the top.
export function burn() {
  let sum = 0;
  for (let i = 0; i < 1e7; i++) sum += Math.sqrt(sum + i);
  return sum;
}
`;

const skipProcessors =
  process.platform !== 'linux' ||
  availableParallelism() < 2 ||
  spawnSync('taskset', ['-V']).error !== undefined;
const skipJava = spawnSync('jcmd', ['-h']).error !== undefined;

/** @param {Parameters<typeof withObserved<void>>[1]} use */
const withServer = async (use) =>
  withObserved(
    {
      runtime: 'node',
      files: { 'server.mjs': SERVER, 'lib/burn.js': BURN, 'package.json': '{"type":"module"}' },
      // V8 of Node 26 counts a loop that it replaces while it runs to the caller of its function.
      start: ['node', '--no-use-osr', 'server.mjs'],
      inside: await enterProfiled('node'),
    },
    use,
  );

test('the busiest function of a Node server has its name, file and line', () =>
  withServer(async ({ url }, begin) => {
    for (let turn = 0; turn < 2; turn++) {
      const window = begin();
      for (let request = 0; request < 4; request++) await (await fetch(url)).text();
      const { profiles = [] } = await window.stop();
      assert.ok(profiles.length > 1, 'a profile comes in parts');
      const [busiest] = profiles.flat().toSorted((a, b) => b.us - a.us);
      assert.deepEqual(
        [busiest?.name, busiest?.file, busiest?.line],
        ['burn', join('lib', 'burn.js'), 2],
        JSON.stringify(busiest),
      );
      assert.ok(profiles[0]?.every(({ parent }, place) => parent < place));
      assert.deepEqual(
        profiles[0]?.filter(({ file }) => file.startsWith('..')),
        [],
        'the modules that the engine loads into it are no part of a server',
      );
    }
  }));

test('the sampling thread shares the processor of the sampled one', { skip: skipProcessors }, () =>
  withServer(async ({ url }, begin) => {
    const processors = async () => /** @type {string[]} */ (await (await fetch(`${url}/threads`)).json());
    const [before = ''] = await processors();
    assert.ok(!/^\d+$/.test(before), `not before a window: ${before}`);
    const window = begin();
    // The answer to the first request may be older than the window.
    await processors();
    const [own = '', ...threads] = await processors();
    await window.stop();
    assert.match(own, /^\d+$/);
    assert.ok(threads.includes(before), `the others keep theirs: ${threads.join(' ')}`);
    assert.ok(threads.filter((each) => each === own).length >= 2, `${own}: ${threads.join(' ')}`);
  }),
);

const BURNS = `import com.sun.net.httpserver.HttpServer;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;

public class Burns {
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(System.getenv("PORT"));
    HttpServer server = HttpServer.create(new InetSocketAddress(System.getenv("HOST"), port), 0);
    server.createContext(
        "/",
        exchange -> {
          boolean isAsked = exchange.getRequestURI().getPath().equals("/ready");
          if (!isAsked) askKernel();
          byte[] answer = ("" + (isAsked ? Runtime.getRuntime().maxMemory() : burn())).getBytes();
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
  }

  // Several of its ticks, of 10 ms each.
  static void askKernel() throws IOException {
    byte[] zeros = new byte[1 << 20];
    try (FileInputStream device = new FileInputStream("/dev/zero")) {
      for (int i = 0; i < 200; i++) {
        device.read(zeros);
      }
    }
  }

  static double burn() {
    double sum = 0;
    for (int i = 0; i < 20_000_000; i++) {
      sum += Math.sqrt(sum + i);
    }
    return sum;
  }
}
`;

test(
  'the busiest method of a Java server has its name, file and line, and windows contain nothing of each other',
  { skip: skipJava },
  async () => {
    const inside = await enterProfiled('java');
    const files = { 'Burns.java': BURNS };
    const server = { runtime: 'java', files, start: ['java', 'Burns.java'], heapBytes: 2 ** 28, inside };
    await withObserved(server, async ({ url }, begin) => {
      const heapBytes = Number(await (await fetch(`${url}/ready`)).text());
      assert.ok(heapBytes <= 2 ** 28, `its options stand beside the recorder's: ${heapBytes}`);
      for (const path of ['/', '/ready']) {
        const window = begin();
        for (let request = 0; request < 4; request++) await (await fetch(`${url}${path}`)).text();
        const { profiles = [] } = await window.stop();
        const own = (profiles[0] ?? []).filter(({ us }) => us > 0).toSorted((a, b) => b.us - a.us);
        const isThere = own.some(({ name }) => name === 'Burns.burn');
        assert.equal(isThere, path === '/', JSON.stringify(own.slice(0, 5)));
        if (!isThere) continue;
        const [busiest] = own;
        assert.deepEqual([busiest?.name, busiest?.file], ['Burns.burn', 'Burns.java']);
        assert.ok([35, 36].includes(busiest?.line ?? 0), `${busiest?.line}`);
        assert.ok(own.some(({ name }) => name === '(operating system)'));
      }
    });
  },
);

test('other runtimes have no profiler', async () => {
  for (const runtime of ['go', 'constructor', '']) assert.deepEqual(await enterProfiled(runtime), []);
});
