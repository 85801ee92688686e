/** The routes of a Node server, found in its memory by the shapes that frameworks give them. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { enterRoutes } from '../../scripts/observe/registered-routes.js';

/** @param {string} code */
async function routesOf(code) {
  const inside = await enterRoutes();
  const program = `${code}\nsetInterval(() => {}, 1000); console.log('ready');`;
  const child = spawn(process.execPath, ['-e', program], { env: { ...process.env, ...inside.env } });
  try {
    await once(child.stdout, 'data');
    const routes = await inside.routes();
    return routes.map(({ method, path, guard }) => [method, path, guard].filter(Boolean).join(' ')).sort();
  } finally {
    child.kill();
    await inside.stop();
  }
}

/** Routers as Express makes them, of version 4 with patterns, of version 5 with functions that hold them. */
const EXPRESS = `
const routerOf = (...stack) => Object.assign(function router() {}, { stack });
const routeOf = (path, methods, ...names) => ({ route: { path, methods, stack: [...names, 'handler'].map((name) => ({ handle: { name } })) }, handle() {} });
const named = (name) => Object.defineProperty(() => {}, 'name', { value: name });
const four = (pattern, handle) => ({ regexp: pattern, handle });
const five = (pattern, handle) => ({ matchers: [(path) => pattern.exec(path)], handle });
`;

test('routers in routers of Express have the paths of their mounts, and the guards before them', async () => {
  const items = `routerOf(routeOf('/', { get: true }), routeOf('/:id', { get: true, post: true }, 'requireUser'))`;
  const deep = (/** @type {string} */ mount, /** @type {string} */ of) => `${of}(/${mount}/i, ${items})`;
  const four = String.raw`globalThis.a = routerOf(four(/^\/v1\/?(?=\/|$)/i, named('authenticate')), four(/^\/v1\/?(?=\/|$)/i, routerOf(${deep(String.raw`^\/items\/?(?=\/|$)`, 'four')})), routeOf('/x', { get: true }));`;
  const five = String.raw`globalThis.a = routerOf(five(/^(?:\/v1)(?:\/$)?(?=\/|$)/i, named('authenticate')), five(/^(?:\/v1)(?:\/$)?(?=\/|$)/i, routerOf(${deep(String.raw`^(?:\/items)(?:\/$)?(?=\/|$)`, 'five')})), routeOf('/x', { get: true }));`;
  for (const code of [four, five])
    assert.deepEqual(await routesOf(EXPRESS + code), [
      'GET /v1/items authenticate',
      'GET /v1/items/:id requireUser',
      'GET /x',
      'POST /v1/items/:id requireUser',
    ]);
});

test('routes of other frameworks are objects with a path', async () => {
  const code = `globalThis.a = [
    { method: 'GET', path: '/fastify', handler() {} },
    { method: 'GET', path: '/no-route' },
    { method: 'GET', path: '/files/*', handler() {} },
    { path: '/h3', handlers: { get() {} } },
    { path: '/koa', methods: ['HEAD', 'GET'], stack: [() => {}] },
    { keys: [], pattern: /^\\/polka\\/?$/i, method: 'GET' },
    { handlers: { GET: { '/polka-0': [] } } },
    { _def: { procedures: { 'items.list': { _def: { type: 'query', inputs: [] } }, one: { _def: { type: 'query', inputs: [{}] } } } } },
  ];`;
  assert.deepEqual(await routesOf(code), [
    'GET /api/trpc/items.list',
    'GET /fastify',
    'GET /h3',
    'GET /items.list',
    'GET /koa',
    'GET /polka',
    'GET /polka-0',
    'GET /trpc/items.list',
  ]);
});

test('no getter and no proxy of the server’s is called', async () => {
  const code = `globalThis.a = [
    Object.defineProperty({ method: 'GET', handler() {} }, 'path', { get() { process.exit(1); } }),
    new Proxy({}, { getOwnPropertyDescriptor() { process.exit(1); }, get() { process.exit(1); } }),
    { method: 'GET', path: '/a', handler() {} },
  ];`;
  assert.deepEqual(await routesOf(code), ['GET /a']);
});
