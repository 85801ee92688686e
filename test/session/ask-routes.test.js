/** Which questions a server that nobody knows is asked, and what its answers are taken for. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { askRoutes } from '../../scripts/session/experiments/ask-routes.js';

const ITEMS = Array.from({ length: 3 }, (_, place) => ({ id: 7 + place, name: 'a' }));
const API = {
  openapi: '3.0.0',
  servers: [{ url: 'https://shop.example/v1' }],
  paths: {
    '/things': { get: {} },
    '/search': { get: { parameters: [{ in: 'query', required: true }] } },
    '/made': { post: {} },
  },
};
/** @type {Record<string, [type: string, text: string, status?: number]>} */
const ANSWERS = {
  '/items': ['application/json', JSON.stringify(ITEMS)],
  '/items/7': ['application/json', JSON.stringify(ITEMS[0])],
  '/wrapped': ['application/json', JSON.stringify({ total: 1, rows: [{ userId: 3 }] })],
  '/wrapped/3/posts': ['application/json', '[]'],
  '/hello': ['text/plain', 'hello'],
  '/page': ['text/html', `<p>${'text '.repeat(100)}</p>`],
  '/find': ['text/html', `<form>${'text '.repeat(100)}</form>`],
  '/docs': ['text/html', `<div id="swagger-ui">${'text '.repeat(100)}</div>`],
  '/private': ['text/plain', '', 401],
  '/broken': ['application/json', '{"data":{"code":"ERR_INVALID_URL"}}'],
  '/failed': ['application/json', '{"error":"no","rows":[]}'],
  '/v1/things': ['application/json', '[1]'],
  '/docs-json': ['application/json', JSON.stringify(API)],
};
/** @type {string[]} */
const asked = [];
/** What any other path is answered. @type {[type: string, text: string, status?: number]} */
let fallback = ['text/plain', 'no', 404];
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  if (request.url === '/endless') return response.write('data: 1\n\n');
  if (request.url === '/silent') return undefined;
  const [type, text, status = 200] = ANSWERS[request.url ?? ''] ?? fallback;
  response.writeHead(status, { 'content-type': type }).end(text.replace('$PATH', request.url ?? ''));
});
let url = '';
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  url = `http://127.0.0.1:${port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const get = (/** @type {string} */ path) => ({ method: 'GET', path });

test('answers are told apart by what they hold', async () => {
  const paths = ['/items', '/hello', '/page', '/find', '/docs', '/private', '/broken', '/failed', '/none'];
  const answers = await askRoutes(url, { registered: paths.map(get), paths: [] });
  assert.deepEqual(
    answers.map(({ path, status, shape }) => [path, status, shape]),
    [
      ['/items', 200, 'data'],
      ['/hello', 200, 'greeting'],
      ['/page', 200, 'page'],
      ['/find', 200, 'form'],
      ['/docs', 200, 'documentation'],
      ['/private', 401, 'greeting'],
      ['/broken', 200, 'error'],
      ['/failed', 200, 'error'],
      ['/v1/things', 200, 'data'],
    ],
  );
});

test('parameters come from the answers of lists, or stay', async () => {
  const registered = [
    ...['/items', '/items/:id', '/items/{id}', '/wrapped', '/wrapped/{userId}/posts', '/other/:id', '/:id'],
  ].map(get);
  const answers = await askRoutes(url, { registered, paths: [] });
  assert.deepEqual(
    answers.map(({ path, status }) => `${path} ${status}`),
    [
      '/items 200',
      '/wrapped 200',
      '/v1/things 200',
      '/items/7 200',
      '/wrapped/3/posts 200',
      '/other/:id undefined',
    ],
  );
});

test('what never ends is a stream, and what never begins has no status', async () => {
  const registered = [get('/endless'), get('/silent')];
  const answers = await askRoutes(url, { registered, paths: [] });
  assert.deepEqual(
    answers.map(({ path, status, shape }) => [path, status, shape]),
    [
      ['/endless', 200, 'stream'],
      ['/silent', undefined, 'stream'],
      ['/v1/things', 200, 'data'],
    ],
  );
});

test('writes are not asked, queries with a body are', async () => {
  asked.length = 0;
  await askRoutes(url, {
    registered: [
      { method: 'POST', path: '/graphql', body: '{}' },
      { method: 'POST', path: '/items' },
      { method: 'DELETE', path: '/items' },
    ],
    paths: [],
  });
  assert.deepEqual(
    asked.filter((line) => !line.startsWith('GET')),
    ['POST /graphql'],
  );
});

test('where every path is answered, guessed paths are none unless they answer otherwise', async (t) => {
  t.after(() => (fallback = ['text/plain', 'no', 404]));
  const paths = ['/', '/items', '/page', '/hello', '/else'];
  const guess = async () => {
    const answers = await askRoutes(url, { registered: [], paths });
    return answers.map(({ path }) => path);
  };
  fallback = ['text/html', `<p>${'page '.repeat(100)}</p>`];
  assert.deepEqual(await guess(), ['/v1/things', '/', '/items', '/hello']);
  fallback = ['text/plain', 'you asked for $PATH'];
  assert.deepEqual(await guess(), ['/v1/things', '/', '/items', '/page']);
});
