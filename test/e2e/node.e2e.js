/** The same code under two versions of Node, which npm's registry really has. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCli } from './tools.js';
import { scratchFolder } from '../scratch.js';

const OWN = process.versions.node.split('.')[0] ?? '';
const OTHER = OWN === '24' ? '22' : '24';

const SERVER = `const { appendFileSync, readFileSync } = require('node:fs');
appendFileSync(process.env.LOG, process.version + ' ' + readFileSync('built', 'utf8') + '\\n');
require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT, process.env.HOST);
`;
const BUILD = "require('node:fs').writeFileSync('built', process.version)";

const folder = scratchFolder();
writeFileSync(join(folder, 'server.js'), SERVER);

/** @param {string[]} versions */
function runUnder(...versions) {
  const servers = versions.map((node) => ({
    ...{ id: `api-${node}`, node, build: ['node', '-e', BUILD], start: 'node server.js' },
    ...{ env: { LOG: join(folder, 'log') }, routes: ['/'] },
  }));
  const load = { connections: 4, rate: 100, duration: '1s', warmup: '0s' };
  writeFileSync(join(folder, 'perf.yml'), JSON.stringify({ servers, load, rounds: 1, reference: 'off' }));
  return runCli(['run'], { cwd: folder, env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') } });
}

const result = () => JSON.parse(readFileSync(join(folder, 'perf-results/run.json'), 'utf8'));
const starts = () => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n').toSorted();

test('two servers of one folder are each built and measured under the version that they name', async () => {
  const { code, stdout, stderr } = await runUnder(OWN, OTHER);
  assert.equal(code, 0, stderr);
  const { cases, environment } = result();
  assert.deepEqual(
    cases.map((/** @type {any} */ { server }) => server),
    [`api-${OWN}`, `api-${OTHER}`],
  );
  const own = environment.runtimes[`node@${OWN}`];
  const other = environment.runtimes[`node@${OTHER}`];
  assert.match(other, new RegExp(`^${OTHER}\\.\\d+\\.\\d+$`));
  assert.deepEqual(starts(), [`v${own} v${own}`, `v${other} v${other}`].toSorted());
  assert.ok(stdout.includes(`node@${OTHER} ${other}`), stdout);
  assert.ok(cases[1].summary.requests > 0);
});

test('a version that was brought is there for the next run, and one that could not be fetched costs its cases only', async () => {
  const { code, stdout, stderr } = await runUnder(OTHER, '9999');
  assert.equal(code, 3, stderr);
  const [good, bad] = result().cases;
  assert.equal(good.trials[0].failure, null);
  assert.equal(bad.trials[0].failure.kind, 'install-failed');
  assert.match(
    bad.trials[0].failure.message,
    /^Node 9999 could not be downloaded: `npm install .*node@9999` ended with 1$/,
  );
  assert.match(stdout, /api-9999/);
});
