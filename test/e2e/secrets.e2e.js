/** Secrets in every place that may hold one: the load sends them, and no file and no output has them. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { runCommands } from '../commands.js';
import { runCli } from './tools.js';
import { scratchFolder } from '../scratch.js';

/** Secrets by the places that they are written in. */
const OF = {
  authorization: 'tok-8f1c0a77',
  cookie: 'sid-41be93d0',
  apiKey: 'key-c20d6f15',
  referer: 'rfr-2f70d5b6',
  marked: 'ten-5a9917be',
  header: 'hdr-e7730b2c',
  body: 'pw "quoted" 90ac41',
  path: 'pth-0d46aa83',
  userinfo: 'usr-b85e12f9',
  envWritten: 'env-37fd4c60',
  envReference: 'ref-a91e58d4',
  passed: 'pas-6c02e7b1',
  address: 'adr-f4481d9e',
};

const ENV = {
  HDR: OF.header,
  BODY_PW: OF.body,
  PATH_KEY: OF.path,
  PART: OF.envReference,
  SHOP_LICENCE: OF.passed,
};

const PERF_YML = `
reference: 'off'
servers:
  - id: shop
    start: [node, shop.js]
    routes: &routes
      - path: /orders?key=\${PATH_KEY}&to=http://me:${OF.userinfo}@host/
        method: POST
        headers:
          authorization: Bearer ${OF.authorization}
          cookie: sid=${OF.cookie}; theme=dark
          x-api-key: ${OF.apiKey}
          referer: http://me:${OF.referer}@host/
          x-tenant: ${OF.marked}
          x-plain: a-\${HDR}
        secretHeaders: [X-Tenant]
        body: '\${BODY_PW}'
        expect: { body: right }
    env: &env
      DB_PASSWORD: ${OF.envWritten}
      UPSTREAM: http://u:\${PART}@h/
      DATABASE_URL: postgres://app:${OF.address}@db/app
    passEnv: [SHOP_LICENCE]
  - id: leaky
    start: [node, leaky.js]
    routes: *routes
    env: *env
    passEnv: [SHOP_LICENCE]
`;

/** Answers 400 to whoever does not send everything. */
const SHOP = `
const OF = ${JSON.stringify(OF)};
const isRight = ({ url, headers }, body) =>
  url === '/orders?key=' + OF.path + '&to=http://me:' + OF.userinfo + '@host/' && body === OF.body &&
  headers.authorization === 'Bearer ' + OF.authorization && headers.cookie === 'sid=' + OF.cookie + '; theme=dark' &&
  headers['x-api-key'] === OF.apiKey && headers.referer === 'http://me:' + OF.referer + '@host/' && headers['x-tenant'] === OF.marked && headers['x-plain'] === 'a-' + OF.header;
require('node:http').createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  response.statusCode = isRight(request, body) ? 200 : 400;
  response.setHeader('content-length', 5);
  setTimeout(() => response.end(response.statusCode === 200 ? 'right' : 'wrong'), 5);
}).listen(process.env.PORT, process.env.HOST);
`;

/** Prints and echoes all that it was given. */
const LEAKY = `
const { DB_PASSWORD, UPSTREAM, DATABASE_URL, SHOP_LICENCE } = process.env;
console.log('error', DB_PASSWORD, UPSTREAM, DATABASE_URL, SHOP_LICENCE);
require('node:http').createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  console.log(request.url, JSON.stringify(request.headers), JSON.stringify(body), encodeURIComponent(body));
  response.end(JSON.stringify({ body, ...request.headers, DATABASE_URL }));
}).listen(process.env.PORT, process.env.HOST);
`;

const folder = scratchFolder();
before(() => {
  for (const [name, text] of Object.entries({ 'perf.yml': PERF_YML, 'shop.js': SHOP, 'leaky.js': LEAKY }))
    writeFileSync(join(folder, name), text);
});

/** What all commands printed. @type {string[]} */
const printed = [];
const OPTIONS = { cwd: folder, env: { ...process.env, ...ENV } };

/** @param {string[]} args */
async function cli(...args) {
  const ended = await runCli(args, OPTIONS);
  printed.push(ended.stdout, ended.stderr);
  return ended;
}

/** All files. @type {(dir: string) => string[]} */
function filesIn(dir) {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((file) => statSync(file).isFile());
}

const QUICK = ['--connections=4', '--duration=1s', '--warmup=0', '--rounds=1'];

/** @param {string} out */
const runIn = (out) => JSON.parse(readFileSync(join(folder, out, 'run.json'), 'utf8'));

test('secrets are sent by every load tool, and stand in no result and no output', async () => {
  const tools = '--tool=autocannon,wrk,ab';
  assert.equal((await cli('run', ...QUICK, '--servers=shop', tools, '--out=first')).code, 0);
  assert.equal((await cli('run', ...QUICK, '--servers=leaky', '--out=leaked')).code, 3);
  const { cases } = runIn('first');
  assert.equal(cases.length, 3);
  for (const { id, summary } of cases) {
    assert.ok(summary.requests > 0, id);
    assert.equal(summary.errors.non2xx, 0, id);
  }
  const [leaky] = runIn('leaked').cases;
  assert.equal(leaky.trials[0].failure.kind, 'wrong-answer');
  assert.match(leaky.trials[0].failure.logTail.join('\n'), /\$\{SHOP_LICENCE\}/);

  const reports = ['html', 'md', 'json', 'benchmark-action'].map((format) => ({
    args: ['report', 'leaked/run.json', '--format', format],
  }));
  const lists = ['plan', 'list'].map((verb) => ({ args: [verb, '--json'] }));
  const commands = [{ args: ['baseline', 'save', 'first/run.json'] }, ...reports, ...lists];
  for (const { code, stdout, stderr } of await runCommands(commands, OPTIONS)) {
    assert.equal(code, 0, stderr);
    printed.push(stdout, stderr);
  }
  await cli('run', ...QUICK, '--servers=shop', '--tool=wrk', '--baseline=baselines', '--out=third');
  assert.match(readFileSync(join(folder, 'third/comparison.json'), 'utf8'), /"shop POST/);

  const results = ['first', 'leaked', 'third', 'baselines'].flatMap((name) => filesIn(join(folder, name)));
  const texts = [...results.map((file) => readFileSync(file, 'utf8')), ...printed];
  assert.ok(results.length >= 7, `${results.length} files`);
  const isIn = (/** @type {string} */ line, /** @type {string} */ value) =>
    [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)].some((form) =>
      line.includes(form),
    );
  for (const [place, value] of Object.entries(OF)) {
    const found = texts.flatMap((text) => text.split('\n').filter((line) => isIn(line, value)));
    assert.deepEqual([place, ...found], [place]);
  }
});

test('stored runs have placeholders for secrets, the same in every run', async () => {
  const [first, third] = [runIn('first'), runIn('third')].map(({ cases }) => cases[0].request);
  assert.match(first.headers.authorization, /^Bearer ‹secret [0-9a-f]{4}›$/);
  assert.match(first.headers.cookie, /^sid=‹secret [0-9a-f]{4}›; theme=‹secret [0-9a-f]{4}›$/);
  assert.equal(first.headers['x-plain'], 'a-${HDR}');
  assert.equal(first.body, '${BODY_PW}');
  assert.deepEqual(third, first);
});
