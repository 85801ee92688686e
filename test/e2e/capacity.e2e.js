/** `run --capacity`: found on a server whose capacity its delay and the connections decide. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli, folder } from './command-line.js';

/** Ten connections of 20 ms a request answer 500 requests per second at most. */
const SERVER = `const answer = (_, response) => setTimeout(() => response.end('ok'), 19);
require('node:http').createServer(answer).listen(process.env.PORT, process.env.HOST);
`;

mkdirSync(join(folder, 'slow'));
writeFileSync(join(folder, 'slow/server.js'), SERVER);
writeFileSync(join(folder, 'slow/server.yml'), 'start: [node, server.js]\nroutes: [{ path: / }]\n');

/**
 * @param {string} more of perf.yml
 * @param {string[]} options
 */
const search = (more, ...options) => {
  writeFileSync(join(folder, 'perf.yml'), `servers: [./slow]\nload: { connections: 10 }\n${more}\n`);
  return cli('run', '--capacity', ...options);
};

test('the capacity of both sides is found and compared', async () => {
  const { code, stdout, stderr } = await search(
    'limits: { p99: 200ms, at: 100/s }',
    '--rounds',
    '1',
    '--against',
    'self',
  );
  assert.equal(code, 0, stdout + stderr);
  const [, rate = ''] =
    /^Capacity of slow \/ .*, with a p99 of at most 200 ms: ([\d.,]+) req\/s$/m.exec(stdout) ?? [];
  // How close a busy machine comes to the most that its delay allows is not asserted.
  assert.ok(Number(rate) > 100 && Number(rate) < 560, stdout);
  assert.match(stdout, /^Capacity of the base: [\d.,]+ req\/s/m);
  assert.match(stdout, /^🟡 Unsure: too few rounds$/m);
  assert.match(stdout, /^From 1 round on this machine, \d+ cores? of .+\.$/m);
  const file = join(folder, 'perf-results/capacity/run.json');
  const [{ trials }] = JSON.parse(readFileSync(file, 'utf8')).cases;
  assert.equal(trials[0].windows[0].rate, 100);
  assert.ok(!existsSync(join(folder, 'perf-results/run.json')));
  for (const name of ['report.html', 'report.md', 'comparison.json'])
    assert.ok(!existsSync(join(folder, 'perf-results/capacity', name)), name);
});

test('a search without a limit is one line', async () => {
  const none = await search('');
  assert.deepEqual([none.code, none.stdout], [2, '']);
  assert.match(none.stderr, /^perf-action: capacity: it needs a limit of p99, .*\n$/);
});
