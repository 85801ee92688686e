/** What servers answer counts: real git, real servers, the command line as people use it. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { runCli } from '../tools.js';
import { scratchFolder } from '../../scratch.js';

const SCRATCH = scratchFolder();

const QUICK = '--connections 8 --duration 1s --warmup 0 --reference off --no-explain'.split(' ');

/** Where the answers count, not how fast they come. */
const RATE = ['--rate', '400'];

/** @param {string} answer a statement */
const server = (answer) => `
import { createServer } from 'node:http';
let asked = 0;
const page = JSON.stringify(Array.from({ length: 2000 }, (_, id) => ({ id, name: 'item' })));
createServer((request, response) => {
  asked += 1;
  response.setHeader('content-type', 'application/json');
  ${answer}
}).listen(process.env.PORT, process.env.HOST);
`;
/** More than ten times the work of the empty list, which one round tells. */
const WHOLE = 'for (let i = 0; i < 9; i++) JSON.parse(page); response.end(JSON.stringify(JSON.parse(page)));';
const EMPTY = "response.end('[]');";
/** A rate limiter: longer than the check asks, and shorter than any load. */
const LIMITED = `if (asked > 20) response.statusCode = 429; ${EMPTY}`;

let top = '';
let count = 0;
beforeEach(() => {
  top = join(SCRATCH, `repo-${++count}`);
  mkdirSync(top);
  git('init', '--quiet', '--initial-branch', 'main');
});

/** @param {string[]} args */
function git(...args) {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
  return execFileSync('git', [...author, ...args], { cwd: top, encoding: 'utf8', stdio: 'pipe' });
}

/**
 * @param {string} answer
 * @param {string} [settings] of perf.yml
 */
function commit(answer, settings = '') {
  writeFileSync(
    join(top, 'perf.yml'),
    `servers: [{ id: api, start: node api.js, routes: [{ path: / }] }]\n${settings}\n`,
  );
  writeFileSync(join(top, 'package.json'), '{"type":"module"}');
  writeFileSync(join(top, 'api.js'), server(answer));
  git('add', '--all');
  git('commit', '--quiet', '--message', 'change');
}

/** @param {string[]} args */
function run(...args) {
  const env = { ...process.env, XDG_CACHE_HOME: join(SCRATCH, 'cache') };
  return runCli(['run', ...QUICK, ...args], { cwd: top, env });
}

/** @param {string} file of the results */
const result = (file) => readFileSync(join(top, 'perf-results', file), 'utf8');

test('a head that costs less since its answer shrank is not faster in any report, and fails the gate of the answer', async () => {
  commit(WHOLE, 'gates: { answer: regressed }');
  commit(EMPTY, 'gates: { answer: regressed }');
  const { code, stdout } = await run('--against', 'HEAD~1', '--rounds', '2');
  const what = /The answer changed: 50,891 to 2 bytes\. With other answers, nothing counts as faster/;
  for (const text of [stdout, result('report.md'), result('report.html')]) assert.match(text, what);
  const [compared] = JSON.parse(result('comparison.json')).cases;
  assert.equal(compared.verdict, 'unsure');
  assert.deepEqual(compared.answer.head, { bytes: 2 });
  assert.equal(code, 1);
});

test('a rate limiter is not measured: exit code 3, and what was answered instead', async () => {
  commit(LIMITED);
  const { code, stdout } = await run('--rounds', '1', ...RATE);
  assert.equal(code, 3, stdout);
  assert.match(stdout, /api: wrong-answer.*: 9\d % of the answers were 429, expected 200/);
  const [{ summary, trials }] = JSON.parse(result('run.json')).cases;
  assert.equal(summary, undefined);
  assert.ok(trials[0].windows[0].wrongStatuses[429] > 100);

  const counted = await run('--rounds', '1', '--tool', 'wrk');
  assert.equal(counted.code, 3, counted.stdout);
  assert.match(counted.stdout, /9\d % of the answers were not 200/);

  commit(LIMITED, 'limits: { errors: 100% }');
  const allowed = await run('--rounds', '2', ...RATE);
  assert.equal(allowed.code, 0, allowed.stdout);
});

test('on both sides it is not compared; on the head alone its errors are a regression', async () => {
  commit(LIMITED);
  commit(`${LIMITED} // changed`);
  const both = await run('--against', 'HEAD~1', '--rounds', '2', ...RATE);
  assert.equal(both.code, 3, both.stdout);
  assert.match(both.stdout, /Something could not be measured: api/);
  assert.match(both.stdout, /9\d % of the answers were 429, expected 200/);

  commit(EMPTY);
  commit(LIMITED);
  const head = await run('--against', 'HEAD~1', '--rounds', '2', ...RATE);
  assert.equal(head.code, 1, head.stdout);
  assert.match(head.stdout, /Errors regressed/);
});
