/**
 * Services of twenty routes, written for each framework from the same tables: routes, a service function for
 * each, shared middleware, a small store, a timer and a pool.
 */

import { stringify } from 'yaml';

/** Each with the routes list, search, total, one and add. */
const KINDS = [
  { plural: 'orders', least: 100 },
  { plural: 'users', least: 300 },
  { plural: 'items', least: 500 },
  { plural: 'carts', least: 700 },
];

/** A name begins so as a class's. */
const classOf = (/** @type {string} */ name) => `${name[0]?.toUpperCase()}${name.slice(1)}`;

const TSCONFIG = {
  compilerOptions: {
    ...{ target: 'es2023', module: 'nodenext', types: ['node'], rootDir: 'src', outDir: 'dist' },
    ...{ strict: true, experimentalDecorators: true, emitDecoratorMetadata: true, skipLibCheck: true },
  },
  include: ['src'],
};

/** In the order of the files. */
export const ROUTES = KINDS.flatMap(({ plural }) => [
  `/${plural}`,
  `/${plural}/search?q=red`,
  `/${plural}/total`,
  `/${plural}/\${id}`,
  `POST /${plural}`,
]);

/**
 * @typedef {object} Framework
 * @property {'js' | 'ts'} extension of its sources, in which only TypeScript keeps ‹: types›
 * @property {boolean} [isCommonJs]
 * @property {string} start
 * @property {string} [build]
 * @property {Record<string, string>} dependencies
 * @property {Record<string, string>} [devDependencies]
 * @property {(plural: string, functions: Service[]) => string} service the file of a kind's functions
 * @property {(plural: string, functions: Service[]) => [name: string, text: string]} routes the file
 *   that routes to them
 * @property {string} setHeader how the middleware sets one
 * @property {Record<string, string>} others what else it needs
 */

/**
 * A service function. method, path: its route, below /plural; from: its arguments, each with where it is.
 * @typedef {{ name: string, method: 'get' | 'post', path: string, from: [name: string, type: string, where:
 *   'id' | 'q' | 'body'][], body: string }} Service
 */

/** @type {(kind: typeof KINDS[number]) => Service[]} */
const functionsOf = ({ plural, least }) => {
  const one = plural.slice(0, -1);
  const [Many, One] = [classOf(plural), classOf(one)];
  const titled = plural === 'items' ? ', title: titleOf(row.name)' : '';
  const size = plural === 'items' ? ', size: prettyBytes(row.net)' : '';
  return [
    {
      ...{ name: `list${Many}`, method: 'get', path: '', from: [] },
      body: `return all('${plural}').filter(({ net }) => net > ${least}).slice(0, 10);`,
    },
    {
      ...{ name: `search${Many}`, method: 'get', path: '/search', from: [['text', 'string', 'q']] },
      body: `const found = all('${plural}').filter(({ name }) => name.includes(text));
  return found.slice(0, 5).map(({ id, name }) => ({ id, name }));`,
    },
    {
      ...{ name: `total${Many}`, method: 'get', path: '/total', from: [] },
      body: `let sum = 0;
  for (const { net } of all('${plural}')) sum += withTax(net);
  return { sum: Math.round(sum) };`,
    },
    {
      ...{ name: `one${One}`, method: 'get', path: '/:id', from: [['id', 'number', 'id']] },
      body: `const row = rowOf('${plural}', id);
  return { ...row, gross: withTax(row.net)${titled}${size} };`,
    },
    {
      ...{ name: `add${One}`, method: 'post', path: '', from: [['row', 'NewRow', 'body']] },
      body: `${plural === 'carts' ? 'keepSession(Date.now() + 60_000, 1);\n  ' : ''}return put('${plural}', row);`,
    },
  ];
};

const IMPORTS = `‹import type { NewRow } from '../types.js';›
import prettyBytes from 'pretty-bytes';
import { withTax } from '../money.js';
import { keepSession } from '../sessions.js';
import { all, put, rowOf } from '../store.js';
import { titleOf } from '../titles.js';`;

/** Those that its functions use. @type {(functions: Service[]) => string} */
const importsOf = (functions) => {
  const bodies = functions.map(({ body }) => body).join();
  const isUsed = (/** @type {string} */ line) =>
    line.startsWith('‹') ||
    (line.match(/\w+(?=[ ,].*from)/g) ?? []).some((name) => bodies.includes(`${name}(`));
  return `${IMPORTS.split('\n').filter(isUsed).join('\n')}\n\n`;
};

/** @type {Framework['service']} */
const functionFile = (_, functions) =>
  importsOf(functions) +
  functions
    .map(({ name, from, body }) => `export function ${name}(${parametersOf(from)}) {\n  ${body}\n}\n`)
    .join('\n');

const parametersOf = (/** @type {Service['from']} */ from) =>
  from.map(([name, type]) => `${name}‹: ${type}›`).join(', ');

/** In its handlers. @type {Record<Service['from'][number][2], string>} */
const IN_REQUEST = { id: 'Number(request.params.id)', q: 'String(request.query.q)', body: 'request.body' };
const argumentsOf = (/** @type {Service} */ { from }) =>
  from.map(([, , where]) => IN_REQUEST[where]).join(', ');
const importOf = (/** @type {string} */ plural, /** @type {Service[]} */ functions) =>
  `import { ${functions.map(({ name }) => name).join(', ')} } from '../services/${plural}.js';`;
const routers = KINDS.map(({ plural }) => `import { ${plural} } from './routes/${plural}.js';`).join('\n');
const OWN = `import { startJobs } from './jobs.js';
import { trace } from './middleware.js';
import { openPool } from './pool.js';
`;
const LISTEN = 'Number(process.env.PORT)';

/** @type {Record<string, Framework>} */
const FRAMEWORKS = {
  express: {
    ...{ extension: 'js', isCommonJs: true, start: 'node src/main.js', service: functionFile },
    ...{ dependencies: { express: '^5.3.0' }, setHeader: 'response.setHeader' },
    routes: (plural, functions) => [
      `routes/${plural}`,
      `import { Router } from 'express';
${importOf(plural, functions)}

const ${plural} = Router();
${functions
  .map((each) => {
    const status = each.method === 'post' ? '.status(201)' : '';
    const answer = `response${status}.json(${each.name}(${argumentsOf(each)}))`;
    return `${plural}.${each.method}('${each.path || '/'}', (request, response) => ${answer});\n`;
  })
  .join('')}
export { ${plural} };
`,
    ],
    others: {
      main: `import express from 'express';
${OWN}${routers}

openPool(10);
startJobs();
const app = express();
app.use(trace);
app.use(express.json());
${KINDS.map(({ plural }) => `app.use('/${plural}', ${plural});`).join('\n')}
app.listen(${LISTEN}, process.env.HOST);
`,
    },
  },
  fastify: {
    ...{ extension: 'js', start: 'node src/main.js', service: functionFile, setHeader: 'response.header' },
    dependencies: { fastify: '^5.12.8' },
    routes: (plural, functions) => [
      `routes/${plural}`,
      `${importOf(plural, functions)}

export async function ${plural}(app) {
${functions
  .map((each) => {
    const created = each.method === 'post' ? 'reply.code(201);\n    ' : '';
    return `  app.${each.method}('${each.path}', async (request, reply) => {
    ${created}return ${each.name}(${argumentsOf(each)});
  });
`;
  })
  .join('')}}
`,
    ],
    others: {
      main: `import Fastify from 'fastify';
${OWN}${routers}

openPool(10);
startJobs();
const app = Fastify();
app.addHook('onRequest', trace);
${KINDS.map(({ plural }) => `app.register(${plural}, { prefix: '/${plural}' });`).join('\n')}
await app.listen({ port: ${LISTEN}, host: process.env.HOST });
`,
    },
  },
  nest: {
    ...{ extension: 'ts', start: 'node dist/main.js', build: 'npx tsc', setHeader: 'response.setHeader' },
    dependencies: {
      '@nestjs/common': '^12.5.1',
      '@nestjs/core': '^12.5.1',
      '@nestjs/platform-express': '^12.5.1',
      'reflect-metadata': '^0.2.2',
      rxjs: '^7.8.2',
    },
    devDependencies: { '@types/node': '^20.19.43', typescript: '^7.0.2' },
    service: (plural, functions) => `import { Injectable } from '@nestjs/common';
${importsOf(functions)}@Injectable()
export class ${classOf(plural)}Service {
${functions.map(({ name, from, body }) => `  ${name}(${parametersOf(from)}) {\n    ${body.replaceAll('\n', '\n  ')}\n  }\n`).join('\n')}}
`,
    routes: (plural, functions) => [
      `routes/${plural}.controller`,
      `import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ${classOf(plural)}Service } from '../services/${plural}.js';
import type { NewRow } from '../types.js';

@Controller('${plural}')
export class ${classOf(plural)}Controller {
  constructor(private readonly service: ${classOf(plural)}Service) {}
${functions.map(nestHandler).join('')}}
`,
    ],
    others: {
      'app.module': `import { Module } from '@nestjs/common';
${KINDS.map(
  ({ plural }) => `import { ${classOf(plural)}Controller } from './routes/${plural}.controller.js';
import { ${classOf(plural)}Service } from './services/${plural}.js';
`,
).join('')}
@Module({
  controllers: [${KINDS.map(({ plural }) => `${classOf(plural)}Controller`).join(', ')}],
  providers: [${KINDS.map(({ plural }) => `${classOf(plural)}Service`).join(', ')}],
})
export class AppModule {}
`,
      main: `import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
${OWN}
openPool(10);
startJobs();
const app = await NestFactory.create(AppModule, { logger: ['error'] });
app.use(trace);
await app.listen(${LISTEN}, process.env.HOST ?? '127.0.0.1');
`,
    },
  },
};

/** @type {(service: Service) => string} */
function nestHandler({ name, method, path, from }) {
  const [argument] = from;
  const passed = argument?.[2] === 'id' ? 'Number(id)' : (argument?.[0] ?? '');
  const taken = {
    id: `@Param('id') id: string`,
    q: `@Query('q') text: string`,
    body: '@Body() row: NewRow',
  };
  return `
  @${method === 'post' ? 'Post' : 'Get'}('${path.slice(1)}')
  ${name}(${argument ? taken[argument[2]] : ''}) {
    return this.service.${name}(${passed});
  }
`;
}

/** The same in each framework. @type {Record<string, string>} */
const SHARED = {
  store: `‹import type { NewRow, Row } from './types.js';
›const COLOURS = ['red', 'green', 'blue', 'black', 'white'];

const rowsOf = (kind‹: string›)‹: Row[]› =>
  Array.from({ length: 50 }, (_, place) => ({
    id: place + 1,
    name: \`\${COLOURS[place % COLOURS.length]} \${kind} \${place + 1}\`,
    net: (place * 7919) % 1000,
  }));

const rows‹: Record<string, Row[]>› = {
${KINDS.map(({ plural }) => `  ${plural}: rowsOf('${plural}'),`).join('\n')}
};

export function all(kind‹: string›)‹: Row[]› {
  return rows[kind] ?? [];
}

export function rowOf(kind‹: string›, id‹: number›)‹: Row› {
  const found = all(kind).find((row) => row.id === id);
  if (!found) throw new Error(\`no \${kind} has the id \${id}\`);
  return found;
}

/** In place of the last one. */
export function put(kind‹: string›, { name, net }‹: NewRow›)‹: Row› {
  const row = { id: all(kind).length, name, net };
  all(kind)[row.id - 1] = row;
  return row;
}
`,
  types: `export interface Row {
  id: number;
  name: string;
  net: number;
}
export type NewRow = Pick<Row, 'name' | 'net'>;
`,
  money: `const PERCENT = 119;

export function withTax(net‹: number›)‹: number› {
  return Math.round(net * PERCENT) / 100;
}
`,
  titles: `let titles‹: Map<string, string> | undefined›;

function makeTitles() {
  return new Map([['red', 'Ruby'], ['green', 'Jade'], ['blue', 'Sapphire']]);
}

export function titleOf(name‹: string›)‹: string› {
  titles ??= makeTitles();
  return titles.get(name.split(' ')[0] ?? '') ?? name;
}
`,
  sessions: `const sessions‹: number[]› = [];

export function keepSession(until‹: number›, most‹: number›)‹: void› {
  sessions.push(until);
  if (sessions.length > most) sessions.shift();
}

export function openSessions(now‹: number›)‹: number› {
  let open = 0;
  for (const until of sessions) if (until > now) open += 1;
  return open;
}
`,
  middleware: `import { openSessions } from './sessions.js';

export function trace(request‹: unknown›, response‹: any›, next‹: () => void›)‹: void› {
  RESPONSE_HEADER('x-busy', openSessions(Date.now()) > 1e6 ? 'yes' : 'no');
  next();
}
`,
  jobs: `import { readFileSync } from 'node:fs';

let rates‹: number[]› = JSON.parse(readFileSync('rates.json', 'utf8'));

function refresh()‹: void› {
  rates = rates.map((rate) => rate * 1);
}

export function startJobs()‹: void› {
  setInterval(refresh, 100);
}
`,
  pool: `let free‹: number[]› = [];

export function openPool(size‹: number›)‹: void› {
  free = Array.from({ length: size }, (_, place) => place);
}

export function drainPool()‹: void› {
  free = [];
}
`,
};

export const SHOPS = Object.keys(FRAMEWORKS);

/**
 * What a version has in other ways than the first one. texts: from and to in a source; files: others; server:
 * keys of perf.yml.
 * @typedef {object} Version
 * @property {[source: string, from: string, to: string][]} [texts]
 * @property {Record<string, string>} [files]
 * @property {Record<string, string>} [packages]
 * @property {Record<string, string>} [development] packages
 * @property {Record<string, unknown>} [server]
 * @property {Record<string, unknown>} [config]
 */

/**
 * @param {string} framework
 * @param {Version} version
 * @returns {Record<string, string>} the files of its repository, without a lock
 */
export function shopFiles(framework, { texts = [], files, packages, development, server, config }) {
  const own = FRAMEWORKS[framework];
  if (!own) throw new Error(`no framework "${framework}": ${SHOPS.join(', ')}`);
  const { extension, isCommonJs, start, build, dependencies, devDependencies } = own;
  /** @type {Record<string, string>} */
  const sources = {
    ...Object.fromEntries(
      KINDS.flatMap((kind) => [
        [`services/${kind.plural}`, own.service(kind.plural, functionsOf(kind))],
        own.routes(kind.plural, functionsOf(kind)),
      ]),
    ),
    ...SHARED,
    ...own.others,
  };
  for (const [source, from, to] of texts) {
    const text = sources[source] ?? '';
    if (!text.includes(from)) throw new Error(`${source} of ${framework} has no "${from}"`);
    sources[source] = text.replace(from, () => to);
  }
  const written = Object.entries(sources).map(([source, text]) => [
    source === 'types' && extension === 'js' ? 'src/types.d.ts' : `src/${source}.${extension}`,
    source === 'types' ? text : inDialect(text.replace('RESPONSE_HEADER', own.setHeader), own),
  ]);
  const manifest = {
    ...{ name: 'shop', private: true, type: isCommonJs ? 'commonjs' : 'module' },
    dependencies: { ...dependencies, 'pretty-bytes': '5.4.1', ...packages },
    devDependencies: { ...devDependencies, ...development },
  };
  const install = 'npm ci --include=dev --prefer-offline --no-audit --no-fund';
  const described = { id: 'shop', install, ...(build && { build }), start, routes: routesOf(), ...server };
  return {
    ...Object.fromEntries(written),
    ...(extension === 'ts' && { 'tsconfig.json': JSON.stringify(TSCONFIG) }),
    'rates.json': '[1, 2, 3]\n',
    'seed.js': '// Nothing yet.\n',
    'test/orders.test.js': '// None yet.\n',
    '.gitignore': 'node_modules\ndist\nperf-results\n',
    'package.json': JSON.stringify(manifest, null, 2),
    'perf.yml': stringify({ reference: 'off', servers: [described], ...config }),
    ...files,
  };
}

function routesOf() {
  return ROUTES.map((id) => {
    const [path, method] = id.split(' ').reverse();
    if (method) return { method, path, body: { name: 'red one', net: 5 }, expect: { status: 201 } };
    return id.endsWith('}') ? { path, data: [{ id: 1 }, { id: 2 }, { id: 3 }] } : { path };
  });
}

/**
 * ‹Types› only in TypeScript, modules as they are loaded.
 * @type {(text: string, framework: Framework) => string}
 */
function inDialect(text, { extension, isCommonJs }) {
  const typed =
    extension === 'ts' ? text.replace(/[‹›]/g, '') : text.replace(/^‹[^›]*›\n/gm, '').replace(/‹[^›]*›/g, '');
  if (!isCommonJs) return typed;
  /** @type {string[]} */
  const names = [];
  const body = typed
    .replace(/^import (.*) from '(.*)';$/gm, "const $1 = require('$2');")
    .replace(/^export (function|const) (\w+)/gm, (_, kind, name) => (names.push(name), `${kind} ${name}`))
    .replace(/^export \{ (\w+) \};\n/gm, (_, name) => (names.push(name), ''));
  return names.length > 0 ? `${body}\nmodule.exports = { ${names.join(', ')} };\n` : body;
}
