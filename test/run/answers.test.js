/** Real servers are asked by the real check, and the judge says whether both sides answer alike. */

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { verify } from '../../scripts/deploy/start/verify.js';
import { changedAnswer } from '../../scripts/judge/changed-answer.js';
import { checkAgain, checkAnswers } from '../../scripts/run/check-answers.js';
import { attempt } from '../../scripts/run/server-run.js';
import { MeasureError } from '../../scripts/model/errors.js';
import { withSecrets } from '../../scripts/run/with-secrets.js';

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json';
const ROUNDS = 4;
const row = (/** @type {unknown} */ text) => `<tr><td>${text}</td></tr>`;
const shuffled = (/** @type {string[]} */ names) => names.toSorted(() => Math.random() - 0.5);

/**
 * What real pages carry that differs from answer to answer.
 * @type {Record<string, (hits: number) => [type: string, body: string | Buffer, headers?: Record<string,
 *   string>]>}
 */
const PAGES = {
  '/etag': () => [
    HTML,
    row('fixed').repeat(50),
    { etag: `W/"${randomUUID()}"`, date: new Date().toUTCString() },
  ],
  '/ids': () => [
    JSON_TYPE,
    JSON.stringify({ id: randomBytes(4 + Math.floor(12 * Math.random())).toString('hex') }),
  ],
  '/form': () => [HTML, `<input name="_csrf" value="${randomBytes(16).toString('hex')}">`],
  '/time': () => [
    JSON_TYPE,
    JSON.stringify({ at: new Date(), clock: new Date().toLocaleTimeString('en-US') }),
  ],
  '/keys': () => [
    JSON_TYPE,
    JSON.stringify(Object.fromEntries(shuffled(['a', 'bc', 'def']).map((key) => [key, 1]))),
  ],
  '/gzip': () => [HTML, gzipSync(row(randomBytes(200).toString('hex'))), { 'content-encoding': 'gzip' }],
  '/items?page': (hits) => [
    JSON_TYPE,
    JSON.stringify(Array.from({ length: 20 }, (_, place) => ({ id: 20 * hits + place }))),
  ],
  '/hits': (hits) => [HTML, row(`${hits} visitors`), { etag: `"${hits}"` }],
  '/session': (hits) => [HTML, `Visit ${hits}`, { 'set-cookie': `sid=${randomUUID()}; HttpOnly` }],
  '/random': () => [JSON_TYPE, JSON.stringify({ score: Math.random(), weight: Math.random() * 1e6 })],
};

test('no answer changed where pages carry times, ids, nonces or counters', async () => {
  const routes = Object.keys(PAGES);
  const [base, head] = [await sideOf(PAGES), await sideOf(PAGES)];
  const changed = routes.filter((route) =>
    changedAnswer({ base: trialsOf(base, route), head: trialsOf(head, route) }),
  );
  assert.deepEqual(changed, []);
});

test('an answer changed where it is constant on each side, and differs', async () => {
  const base = await sideOf({
    '/page': () => [HTML, row('item').repeat(2000)],
    '/type': () => [HTML, '{"a":1}'],
    '/packed': () => [HTML, gzipSync('a'.repeat(99)), { 'content-encoding': 'gzip' }],
    '/varies': PAGES['/ids'] ?? (() => [HTML, '']),
  });
  const head = await sideOf({
    '/page': () => [JSON_TYPE, '{}'],
    '/type': () => [JSON_TYPE, '{"a":1}'],
    '/packed': () => [HTML, 'a'.repeat(99)],
    '/varies': () => [HTML, '{}'],
  });
  const changeOf = (/** @type {string} */ route) =>
    changedAnswer({ base: trialsOf(base, route), head: trialsOf(head, route) });
  assert.deepEqual(changeOf('/page'), {
    base: { type: 'text/html', bytes: 44_000 },
    head: { type: 'application/json', bytes: 2 },
  });
  assert.deepEqual(changeOf('/type'), { base: { type: 'text/html' }, head: { type: 'application/json' } });
  assert.deepEqual(changeOf('/packed'), { base: { encoding: 'gzip' }, head: {} });
  assert.deepEqual(changeOf('/varies'), { base: { type: 'application/json' }, head: { type: 'text/html' } });
});

test('an answer that is written is not asked for again, and a wrong one while asking again is left to the load', async () => {
  let hits = 0;
  const url = await listen((_request, response) => {
    hits += 1;
    response.writeHead(hits === 3 ? 429 : 200).end('ok');
  });
  const start = (/** @type {string} */ method) => ({
    ...startOf(url, '/'),
    trial: trialOf(),
    ...serverRunOf(method),
  });
  const post = start('POST');
  await checkAnswers(/** @type {any} */ (post), CONTEXT);
  assert.equal(hits, 1);
  const get = start('GET');
  await checkAnswers(/** @type {any} */ (get), CONTEXT);
  assert.equal(hits, 5);
  assert.deepEqual(get.trial.answers, [{ status: 200, bytes: 2, times: 3 }]);
});

test('of requests that vary, the first, the middle and the last of the loaded rows are asked for and noted', async () => {
  /** @type {unknown[]} */
  const paths = [];
  const url = await listen((request, response) => {
    paths.push(request.url);
    response.writeHead(request.url === '/5' ? 404 : 200).end('ok');
  });
  const dataOf = (/** @type {number[]} */ ids) => ({ name: 'ids.jsonl', rows: ids.map((id) => ({ id })) });
  const sent = withSecrets(/** @type {any} */ ({ verify }), { sides: [], cases: [] }, {});
  const context = { ...CONTEXT, dependencies: sent };
  const start = (/** @type {number[]} */ ids) => {
    const known = serverRunOf('POST', '/${id}');
    const [route] = known.server.routes;
    // The base's own rows are not those that it is loaded with.
    const server = { routes: [{ ...route, data: dataOf([9]) }] };
    const planned = { route: '/${id}', request: { ...route, data: dataOf(ids) } };
    return { instance: { url, logTail: () => [] }, trial: trialOf(), server, step: { case: planned } };
  };
  const right = start([1, 2, 3, 4]);
  await checkAnswers(/** @type {any} */ (right), context);
  assert.deepEqual(paths.toSorted(), ['/1', '/2', '/4']);
  assert.deepEqual(right.trial.answers, [{ status: 200, bytes: 2, times: 3 }]);
  await assert.rejects(checkAnswers(/** @type {any} */ (start([1, 2, 5])), context), {
    message:
      '/${id} (ids.jsonl:3): status 404, expected 200: there is no such route; it does respond to /${id}',
  });
});

const trialOf = () => ({
  round: 0,
  failure: null,
  windows: [{ seconds: 1, requests: 1 }],
  answers: /** @type {import('../../scripts/types.js').Trial['answers']} */ (undefined),
});
const CONTEXT = /** @type {any} */ ({
  signal: new AbortController().signal,
  dependencies: { verify },
  elapsed: () => 0,
});

/**
 * @param {string} method
 * @param {string} [path]
 */
function serverRunOf(method, path = '/') {
  const route = { id: path, method, path, headers: { 'accept-encoding': 'gzip' }, expect: { status: 200 } };
  return { server: { routes: [route] }, step: { case: { route: path, request: route } } };
}

/**
 * @param {string} url
 * @param {string} route
 */
function startOf(url, route) {
  return { ...serverRunOf('GET', route), instance: { url, logTail: () => [] }, trial: trialOf() };
}

/**
 * @param {{ route: string, trial: any }[]} starts
 * @param {string} wanted
 */
function trialsOf(starts, wanted) {
  return { trials: starts.flatMap(({ route, trial }) => (route === wanted ? trial : [])) };
}

/**
 * What a side answered in its rounds.
 * @type {(pages: typeof PAGES) => Promise<{ route: string, trial: any }[]>}
 */
async function sideOf(pages) {
  const starts = [];
  for (let round = 0; round < ROUNDS; round++) {
    let hits = 0;
    const url = await listen((request, response) => {
      const [type, body, headers = {}] = pages[request.url ?? '']?.(hits++) ?? ['', ''];
      response.writeHead(200, { 'content-type': type, ...headers }).end(body);
    });
    for (const route of Object.keys(pages)) {
      const start = startOf(url, route);
      await checkAnswers(/** @type {any} */ (start), CONTEXT);
      await checkAgain(/** @type {any} */ (start), CONTEXT);
      starts.push({ route, trial: start.trial });
    }
  }
  return starts;
}

/** Its address. @type {(answer: import('node:http').RequestListener) => Promise<string>} */
function listen(answer) {
  const server = createServer(answer);
  after(() => server.close());
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`),
    );
  });
}

test('a server that ends during a check is told the request, and was not loaded', async () => {
  const failureOf = async (/** @type {boolean} */ wasStarted, /** @type {MeasureError} */ error) => {
    const instance = {
      hasExited: () => true,
      exited: Promise.resolve({ code: 1, signal: null }),
      logTail: () => [],
      stop: async () => {},
    };
    const trial = { round: 0, failure: null, windows: [] };
    const serverRun = /** @type {any} */ ({
      ...{ trial, wasStarted, instance, leftOut: false },
      services: { ended: () => undefined },
    });
    const { signal } = new AbortController();
    const context = /** @type {any} */ ({
      signal,
      deadline: signal,
      dependencies: { conceal: (/** @type {string} */ line) => line },
    });
    await attempt(serverRun, context, () => Promise.reject(error));
    const { kind, message } = serverRun.trial.failure;
    return [kind, message];
  };
  const cut = 'POST /items: no answer (socket hang up)';
  const message = `the server ended with 1 when it was checked (${cut})`;
  assert.deepEqual(await failureOf(false, new MeasureError('wrong-answer', cut)), [
    'exited-at-start',
    message,
  ]);
  assert.deepEqual(await failureOf(true, new MeasureError('wrong-answer', cut)), [
    'died-under-load',
    message,
  ]);
  assert.deepEqual(await failureOf(true, new MeasureError('load-tool-crashed', 'ECONNRESET')), [
    'died-under-load',
    'the server ended with 1 while it was loaded',
  ]);
});
