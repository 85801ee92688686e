import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { requireTools, runLoad, toolVersion } from '../../scripts/load/load.js';
import { runTool } from '../../scripts/load/run-tool.js';

const never = new AbortController().signal;
/** @type {import('../../scripts/types.js').Load} */
const LOAD = {
  tool: 'autocannon',
  connections: 4,
  durationSeconds: 1,
  warmupSeconds: 0,
  windows: 1,
  keepAlive: true,
  pipelining: 1,
  threads: 1,
};

/** @type {{ method?: string | undefined, connection?: string | undefined, token?: string | string[] | undefined, body: string }} */
let last = { body: '' };
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  last = {
    method: request.method,
    connection: request.headers.connection,
    token: request.headers['x-token'],
    body,
  };
  response.setHeader('content-length', 2);
  response.end('ok');
});
let url = '';
before(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
});
after(() => {
  server.close();
  server.closeAllConnections();
});

/** @param {string} script @returns {import('../../scripts/load/load.js').LoadTool} */
const fake = (script) => ({
  version: async () => '1',
  command: async () => ['sh', '-c', script],
  parse: (stdout) => JSON.parse(stdout),
});
const TARGET = {
  load: LOAD,
  request: { method: 'GET', path: '/', headers: {} },
  url: '',
  seconds: 1,
  signal: never,
};

test('a tool that crashes is told with its command, code and last lines', async () => {
  await assert.rejects(runTool(fake('echo oh no >&2; exit 3'), TARGET), {
    kind: 'load-tool-crashed',
    message: '`sh -c echo oh no >&2; exit 3` ended with 3',
    logTail: ['oh no'],
  });
});

test('a tool that hangs is killed', async () => {
  await assert.rejects(runTool(fake('sleep 60'), { ...TARGET, seconds: 0.1, graceSeconds: 0.2 }), {
    kind: 'load-tool-hung',
  });
});

test('a tool whose report cannot be read has crashed', async () => {
  await assert.rejects(runTool(fake('echo hello'), TARGET), {
    kind: 'load-tool-crashed',
    message: /no report/,
  });
});

test('a tool that is not there is told', async () => {
  const gone = { ...fake(''), command: async () => ['no-such-tool'] };
  await assert.rejects(runTool(gone, TARGET), { kind: 'load-tool-crashed', message: /ENOENT/ });
});

test('an abort ends the tool', async () => {
  const controller = new AbortController();
  const running = runTool(fake('sleep 60'), { ...TARGET, signal: controller.signal });
  setTimeout(() => controller.abort(), 100);
  await assert.rejects(running, { kind: 'cancelled' });
});

for (const tool of ['autocannon', 'wrk', 'ab']) {
  test(`${tool} sends method, headers and body, and counts what was answered`, async () => {
    const request = {
      method: 'POST',
      path: '/orders',
      headers: { 'content-type': 'application/json', 'x-token': 'a=b:c' },
      body: '{"a":1}',
    };
    const window = await runLoad({ load: { ...LOAD, tool }, request, url, seconds: 1, signal: never });
    assert.ok(window.requests > 100, `${window.requests} requests`);
    assert.equal(window.errors?.non2xx, 0);
    assert.deepEqual([last.method, last.token, last.body], ['POST', 'a=b:c', '{"a":1}']);
    assert.match(String(await toolVersion(tool)), /^\d+\.\d+/);
  });

  test(`${tool} without keep-alive says so`, async () => {
    const request = { method: 'GET', path: '/', headers: {} };
    const window = await runLoad({
      load: { ...LOAD, tool, keepAlive: false },
      request,
      url,
      seconds: 1,
      signal: never,
    });
    assert.ok(window.requests > 50, `${window.requests} requests`);
    assert.match(String(last.connection ?? 'close'), /close/i);
  });
}

test('an installed tool is no obstacle', () => requireTools(['autocannon', 'wrk', 'ab']));
