/** What perf.yml says alone is measured, checked and judged so. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { runCli } from '../tools.js';
import { scratchFolder } from '../../scratch.js';

const SERVER = `require('node:http').createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const isRight = request.headers['content-type'] === 'application/json' && body === '{"n":1}';
  if (request.url === '/orders') response.writeHead(isRight ? 201 : 400, { 'content-type': 'application/json' });
  const answer = request.url === '/orders' ? body : process.env.GREETING + ' ' + process.cwd();
  setTimeout(() => response.end(answer), 5);
}).listen(process.env.PORT, process.env.HOST);
`;

const folder = scratchFolder();
let orders = '';
before(() => {
  orders = join(folder, 'repository/services/orders');
  mkdirSync(orders, { recursive: true });
  writeFileSync(join(orders, 'server.js'), SERVER);
});

const CONFIG = ['--config', 'repository/perf/my.yml'];

/** @param {string} more of perf.yml */
function write(more) {
  const text = `servers:
  - id: orders
    folder: ../services/orders
    start: [node, server.js]
    env: { GREETING: hello }
    routes:
      - path: /
        expect: { body: ${JSON.stringify(`hello ${orders}`)} }
      - path: /orders
        method: POST
        headers: { content-type: application/json }
        body: '{"n":1}'
        expect: { status: 201, type: application/json, json: { n: 1 } }
reference: off
out: results
${more}`;
  mkdirSync(join(folder, 'repository/perf'), { recursive: true });
  writeFileSync(join(folder, 'repository/perf/my.yml'), text);
}

/** @param {string} more of perf.yml */
function run(more) {
  write(more);
  return runCli(['run', ...CONFIG], { cwd: folder });
}

const RESULTS = 'repository/perf/results';
const result = () => JSON.parse(readFileSync(join(folder, RESULTS, 'run.json'), 'utf8'));

test('a server written out is measured on its routes and a thinned matrix, relative to the file', async () => {
  const { code, stderr } = await run(`routes: [/, POST /orders]
load: { connections: [2, 4], duration: 1s, warmup: 0s }
rounds: 1
exclude: [{ route: /, connections: 2 }]
include: [{ route: POST /orders, connections: 4, pipelining: 2 }]
`);
  assert.equal(code, 0, stderr);
  const { cases } = result();
  assert.deepEqual(
    cases.map((/** @type {{ id: string }} */ { id }) => id),
    ['orders / autocannon c4', 'orders POST /orders autocannon c2', 'orders POST /orders autocannon c4 p2'],
  );
  for (const { id, summary } of cases) {
    assert.ok(summary.requests > 0, id);
    assert.equal(summary.errors.non2xx, 0, id);
  }
});

test('an answer that differs from the expected one fails the start', async () => {
  const { code, stdout } = await run(`load: { duration: 1s, warmup: 0s }
rounds: 1
routes: [{ path: /orders, method: POST, body: "{}", expect: { status: 201 } }]
`);
  assert.equal(code, 3);
  assert.match(stdout, /wrong-answer: POST \/orders: status 400, expected 201/);
});

test('a gate of one metric has the say over it', async () => {
  const load =
    'routes: [/]\nload: { connections: 2, rate: 100, duration: 1s, warmup: 0s }\nrounds: 5\nfailOn: never\n';
  assert.equal((await run(load)).code, 0);
  // A third of the memory that the server takes stands in the baseline: whatever the machine, it takes more
  // now.
  const base = result();
  for (const { windows } of base.cases[0].trials) for (const window of windows) window.rssBytes /= 3;
  writeFileSync(join(folder, 'repository/perf/base.json'), JSON.stringify({ ...base, session: 'earlier' }));
  const closed = await run(`${load}baseline: base.json\ngates: { memory: regressed }\n`);
  assert.equal(closed.code, 1, closed.stderr);
  assert.match(closed.stdout, /Memory: regressed; its own gate \(regressed\) fails the check/);
  write(`${load}gates: { memory: never }\n`);
  const stored = ['--base', 'repository/perf/base.json', '--head', `${RESULTS}/run.json`];
  const open = await runCli(['compare', ...CONFIG, ...stored], { cwd: folder });
  assert.equal(open.code, 0, open.stderr);
  assert.match(open.stdout, /Memory: regressed; its own gate \(never\) lets it pass/);
});
