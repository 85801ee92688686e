/** Published pairs of versions, and small apps that use what changed between them. */

/**
 * @typedef {object} App
 * @property {string[]} packages besides the compared one, with exact versions
 * @property {string} code of its server.js
 * @property {{ path: string, method?: 'POST', headers?: Record<string, string>, body?: string }} route
 */

/**
 * @typedef {object} Pair
 * @property {string} name of the package, or node
 * @property {string} from
 * @property {string} to
 * @property {string} app a key of APPS
 * @property {'faster' | 'slower' | 'same'} expected of `to`
 * @property {string} says what the source measured or lists
 * @property {string} source its address
 */

const POST = {
  method: /** @type {const} */ ('POST'),
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: '{"hello":"world"}',
};
const EXPRESS = `import express from 'express';
express().get('/', (_, response) => response.send('hello')).listen(PORT, HOST);`;
const FASTIFY = `import fastify from 'fastify';
const app = fastify();
app.get('/', async () => ({ hello: 'world' }));
app.post('/', async ({ body }) => body);
await app.listen({ port: Number(PORT), host: HOST });`;
const HONO = `import { serve } from '@hono/node-server';
import { Hono } from 'hono';
const app = new Hono();
app.get('/', (context) => context.json({ hello: 'world' }));
app.post('/', async (context) => context.json(await context.req.json()));
serve({ fetch: app.fetch, port: Number(PORT), hostname: HOST });`;

/** @type {Record<string, App>} */
export const APPS = {
  express: { packages: [], code: EXPRESS, route: { path: '/' } },
  'express on Node': { packages: ['express@5.1.0'], code: EXPRESS, route: { path: '/' } },
  'fastify GET': { packages: [], code: FASTIFY, route: { path: '/' } },
  'fastify POST': { packages: [], code: FASTIFY, route: { path: '/', ...POST } },
  'hono GET': { packages: ['hono@4.12.34'], code: HONO, route: { path: '/' } },
  'hono POST': { packages: ['hono@4.12.34'], code: HONO, route: { path: '/', ...POST } },
  koa: {
    packages: [],
    code: `import Koa from 'koa';
new Koa().use((context) => { context.body = { hello: 'world' }; }).listen(PORT, HOST);`,
    route: { path: '/' },
  },
  '@koa/router': {
    packages: ['koa@2.16.0'],
    code: `import Koa from 'koa';
import Router from '@koa/router';
const router = new Router();
for (let i = 0; i < 100; i++)
  router.get('/things' + i + '/:id', (context) => { context.body = context.params.id; });
new Koa().use(router.routes()).listen(PORT, HOST);`,
    route: { path: '/things99/1' },
  },
  'find-my-way': {
    packages: [],
    code: `import { createServer } from 'node:http';
import findMyWay from 'find-my-way';
const router = findMyWay();
router.on('GET', '/customers/:customer/orders/:order/items/:item', (_, response, { item }) => response.end(item));
createServer((request, response) => router.lookup(request, response)).listen(PORT, HOST);`,
    route: { path: '/customers/someone/orders/20261125/items/17' },
  },
  nest: {
    packages: [
      '@nestjs/common@11.1.5',
      '@nestjs/platform-express@11.1.5',
      'reflect-metadata@0.2.2',
      'rxjs@7.8.2',
    ],
    code: `import 'reflect-metadata';
import common from '@nestjs/common';
import core from '@nestjs/core';
class Hello { hello() { return 'hello'; } }
const method = Object.getOwnPropertyDescriptor(Hello.prototype, 'hello');
common.Get()(Hello.prototype, 'hello', method);
common.Controller()(Hello);
class App {}
common.Module({ controllers: [Hello] })(App);
const app = await core.NestFactory.create(App, { logger: false });
await app.listen(PORT, HOST);`,
    route: { path: '/' },
  },
};

/** @type {Pair[]} */
export const PAIRS = [
  {
    name: 'node',
    from: '22',
    to: '24',
    app: 'express on Node',
    expected: 'faster',
    says: 'Express answers 3 times as many requests',
    source: 'https://github.com/expressjs/express/issues/5998',
  },
  {
    name: 'express',
    from: '4.21.2',
    to: '5.0.1',
    app: 'express',
    expected: 'slower',
    says: '7,044 to 6,663 req/s (−5.4 %)',
    source: 'https://github.com/dimdenGD/ultimate-express/pull/91',
  },
  {
    name: '@koa/router',
    from: '12.0.0',
    to: '12.0.1',
    app: '@koa/router',
    expected: 'faster',
    says: '10 times as fast in the router’s benchmark',
    source: 'https://github.com/koajs/router/pull/173',
  },
  {
    name: '@koa/router',
    from: '12.0.2',
    to: '13.1.0',
    app: '@koa/router',
    expected: 'slower',
    says: 'a tenth as fast in the router’s benchmark',
    source: 'https://github.com/koajs/router/issues/197',
  },
  {
    name: '@hono/node-server',
    from: '1.2.3',
    to: '1.3.0',
    app: 'hono GET',
    expected: 'faster',
    says: '1.6 times as many requests',
    source: 'https://github.com/honojs/node-server/pull/95',
  },
  {
    name: '@hono/node-server',
    from: '1.19.14',
    to: '2.0.0',
    app: 'hono POST',
    expected: 'faster',
    says: '2.3 times as many requests with a JSON body',
    source: 'https://github.com/honojs/node-server/releases/tag/v2.0.0',
  },
  {
    name: 'fastify',
    from: '5.12.4',
    to: '5.12.5',
    app: 'fastify POST',
    expected: 'faster',
    says: '123,106 to 161,468 req/s (+31 %) with a body',
    source: 'https://github.com/fastify/fastify/pull/7012',
  },
  {
    name: 'koa',
    from: '2.5.1',
    to: '2.5.2',
    app: 'koa',
    expected: 'faster',
    says: '5 to 10 % more requests',
    source: 'https://github.com/koajs/koa/pull/1216',
  },
  {
    name: 'find-my-way',
    from: '5.0.0',
    to: '6.0.0',
    app: 'find-my-way',
    expected: 'faster',
    says: 'faster look-ups in the router’s benchmark',
    source: 'https://github.com/delvedor/find-my-way/issues/288',
  },
  // Patch releases: what they change is not on the path of the measured request.
  {
    name: 'fastify',
    from: '5.12.3',
    to: '5.12.4',
    app: 'fastify GET',
    expected: 'same',
    says: 'changes only its version number',
    source: 'https://github.com/fastify/fastify/compare/v5.12.3...v5.12.4',
  },
  {
    name: 'express',
    from: '5.2.0',
    to: '5.2.1',
    app: 'express',
    expected: 'same',
    says: 'changes one line of the query parser',
    source: 'https://github.com/expressjs/express/compare/v5.2.0...v5.2.1',
  },
  {
    name: 'express',
    from: '4.21.1',
    to: '4.21.2',
    app: 'express',
    expected: 'same',
    says: 'changes a dependency, path-to-regexp 0.1.10 to 0.1.12',
    source: 'https://github.com/expressjs/express/compare/4.21.1...4.21.2',
  },
  {
    name: '@nestjs/core',
    from: '11.1.4',
    to: '11.1.5',
    app: 'nest',
    expected: 'same',
    says: 'changes only its package.json',
    source: 'https://github.com/nestjs/nest/compare/v11.1.4...v11.1.5',
  },
  {
    name: 'koa',
    from: '2.16.0',
    to: '2.16.1',
    app: 'koa',
    expected: 'same',
    says: 'changes redirects and closed connections',
    source: 'https://github.com/koajs/koa/compare/2.16.0...2.16.1',
  },
  {
    name: '@hono/node-server',
    from: '2.1.3',
    to: '2.1.4',
    app: 'hono GET',
    expected: 'same',
    says: 'changes only its package.json',
    source: 'https://github.com/honojs/node-server/compare/v2.1.3...v2.1.4',
  },
  {
    name: '@koa/router',
    from: '12.0.1',
    to: '12.0.2',
    app: '@koa/router',
    expected: 'same',
    says: 'changes only its package.json',
    source: 'https://github.com/koajs/router/compare/v12.0.1...v12.0.2',
  },
];
