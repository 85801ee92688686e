/** A token from a login: every tool sends it, on both sides, and no file and no output has it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TOOLS } from '../../scripts/load/tools.js';
import { gitIn, runCli } from './tools.js';
import { scratchFolder } from '../scratch.js';

const PASSWORD = 'pwd-93f1ab07';
const scratch = scratchFolder();

/**
 * Each start has a token of its own, which it notes for the test; the answer to a request without it is 401.
 */
const SERVER = `
const { appendFileSync } = require('node:fs');
const token = 'tok-' + require('node:crypto').randomBytes(8).toString('hex');
require('node:http').createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const answer = (status, text, headers) => {
    response.writeHead(status, { 'content-length': Buffer.byteLength(text), ...headers });
    response.end(text);
  };
  if (request.url === '/health') return answer(200, 'ok');
  if (request.url === '/login') {
    if (body !== JSON.stringify({ password: '${PASSWORD}' })) return answer(403, 'no');
    appendFileSync(process.env.NOTES, token + '\\n');
    return answer(200, JSON.stringify({ data: { tokens: [token] } }), { 'set-cookie': ['sid=' + token + '; Path=/', 'a=b'] });
  }
  if (process.env.LEAKS) console.log('error', token);
  const isRight =
    request.headers.authorization === 'Bearer ' + token && request.url === '/me/' + token && body === '{"token":"' + token + '"}' ||
    request.headers.cookie === 'sid=' + token + '; a=b';
  setTimeout(answer, 5, isRight && !process.env.LEAKS ? 200 : 401, isRight ? 'right' : 'wrong: ' + token);
}).listen(process.env.PORT, process.env.HOST);
`;

const BEFORE =
  "before: { path: /login, method: POST, body: { password: '${PASSWORD}' }, token: { json: data.tokens.0 } }";
const ROUTE =
  "{ path: '/me/${token}', method: POST, headers: { authorization: 'Bearer ${token}' }, body: { token: '${token}' } }";

/**
 * @param {string} name
 * @param {string} entry the keys of the server
 */
function folderOf(name, entry) {
  const top = join(scratch, name);
  mkdirSync(join(top, 'tmp'), { recursive: true });
  const lines = [
    "reference: 'off'",
    'servers:',
    '  - id: api',
    '    start: [node, api.js]',
    '    ready: { path: /health }',
  ];
  writeFileSync(join(top, 'perf.yml'), `${lines.join('\n')}\n${entry.replace(/^/gm, '    ')}\n`);
  writeFileSync(join(top, 'api.js'), SERVER);
  writeFileSync(join(top, '.gitignore'), 'tmp\nperf-results\n');
  return top;
}

const QUICK = '--connections 4 --duration 1s --warmup 0 --rounds 1'.split(' ');

/**
 * @param {string} top
 * @param {string[]} options
 * @param {NodeJS.ProcessEnv} [env]
 */
async function run(top, options, env) {
  const notes = join(scratch, 'notes');
  rmSync(notes, { force: true });
  const caller = { PASSWORD, TMPDIR: join(top, 'tmp'), XDG_CACHE_HOME: join(scratch, 'cache'), ...env };
  const ended = await runCli(['run', ...QUICK, ...options], {
    cwd: top,
    env: { ...process.env, NOTES: notes, ...caller },
  });
  const tokens = existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : [];
  const files = readdirSync(top, { recursive: true, encoding: 'utf8' })
    .map((name) => join(top, name))
    .filter((file) => statSync(file).isFile());
  for (const secret of [...tokens, PASSWORD]) {
    assert.ok(!(ended.stdout + ended.stderr).includes(secret), ended.stdout + ended.stderr);
    const found = files.filter((file) => !file.endsWith('api.js') && readFileSync(file).includes(secret));
    assert.deepEqual(found, []);
  }
  const result = (/** @type {string} */ file) =>
    JSON.parse(readFileSync(join(top, 'perf-results', file), 'utf8'));
  return { ...ended, tokens, result };
}

const isHere = (/** @type {string} */ id) => spawnSync(id, ['--version']).error === undefined;
const HERE = TOOLS.map(({ id }) => id).filter((id) => id === 'autocannon' || isHere(id));

test('every load tool sends the token of each start, in path, headers and body', async () => {
  const top = folderOf('tools', `${BEFORE}\nenv: { NOTES: '\${NOTES}' }\nroutes: [${ROUTE}]`);
  const { code, stdout, stderr, tokens, result } = await run(top, ['--tool', HERE.join(',')]);
  assert.equal(code, 0, stdout + stderr);
  assert.equal(new Set(tokens).size, HERE.length);
  for (const { load, trials } of result('run.json').cases)
    for (const { windows } of trials) {
      const { requests, errors } = windows[0];
      assert.ok(requests > 0 && !errors.non2xx && !errors.failed, `${load.tool}: ${JSON.stringify(errors)}`);
    }
});

test('the base logs in as the head does, before its perf.yml can say so, and cookies are sent back', async () => {
  const env = "env: { NOTES: '${NOTES}' }";
  const top = folderOf('sides', `${env}\nroutes: [{ path: /cookie, expect: { status: 401 } }]`);
  const git = gitIn(top);
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'without a login');
  const login = BEFORE.replace('json: data.tokens.0', 'header: set-cookie');
  folderOf('sides', `${login}\n${env}\nroutes: [{ path: /cookie, headers: { cookie: '\${token}' } }]`);
  const { stdout, stderr, tokens, result } = await run(top, ['--against', 'HEAD', '--rate', '50']);
  // Once more on each side, to see which routes execute changed code.
  assert.equal(tokens.length, 4, stdout + stderr);
  for (const file of ['run.json', 'base/run.json']) {
    const [{ failure, windows }] = result(file).cases[0].trials;
    assert.deepEqual([failure, windows[0].errors.non2xx], [null, 0]);
  }
});

test('a login that gives no token fails the start in one line, and a server that prints it leaks nothing', async () => {
  const top = folderOf(
    'fails',
    `${BEFORE}\nenv: { NOTES: '\${NOTES}', LEAKS: '\${LEAKS}' }\nroutes: [${ROUTE}]`,
  );
  const failureOf = async (/** @type {NodeJS.ProcessEnv} */ env) => {
    const { code, result } = await run(top, [], env);
    assert.equal(code, 3);
    return result('run.json').cases[0].trials[0].failure;
  };
  const denied = await failureOf({ PASSWORD: 'another', LEAKS: '' });
  assert.deepEqual([denied.kind, denied.message], ['no-token', 'before, POST /login: it answers 403']);
  const leaky = await failureOf({ LEAKS: '1' });
  assert.equal(leaky.kind, 'wrong-answer');
  assert.match(leaky.logTail.join('\n'), /error \$\{token\}/);
  writeFileSync(
    join(top, 'perf.yml'),
    readFileSync(join(top, 'perf.yml'), 'utf8').replace('data.tokens.0', 'data.none'),
  );
  const lacking = await failureOf({ LEAKS: '' });
  assert.equal(
    lacking.message,
    'before, POST /login: its answer (200) has no text or number at data.none of its JSON',
  );
});

test('a token that no login gives is refused in one line', async () => {
  const top = folderOf('refused', `routes: [${ROUTE}]`);
  const { code, stderr } = await run(top, []);
  assert.equal(code, 2);
  assert.match(stderr, /perf\.yml:\d+: .*token is not set here; .* or give the server a login with `before`/);
});
