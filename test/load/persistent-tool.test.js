/** A load tool that keeps running between windows. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const LOAD = new URL('../../scripts/load/load.js', import.meta.url);

const PROGRAM = `
  import { createServer } from 'node:http';
  import { startLoading } from '${LOAD}';
  const server = createServer((_, response) => response.end('ok'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const loading = startLoading();
  await loading.load({
    load: { tool: 'autocannon', connections: 1, durationSeconds: 1, warmupSeconds: 0, keepAlive: true, pipelining: 1, threads: 1 },
    request: { method: 'GET', path: '/', headers: {} },
    url: 'http://127.0.0.1:' + server.address().port,
    seconds: 1,
    signal: new AbortController().signal,
  });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await loading.stop();
  console.log('stopped');
`;

test('a program that has nothing else to do waits until its load tool has ended', async () => {
  // Which of the two ends first is a race: a single run could pass by luck.
  const runs = Array.from({ length: 6 }, () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM]),
  );
  for (const { stdout } of await Promise.all(runs)) assert.equal(stdout, 'stopped\n');
});
