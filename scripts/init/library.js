/**
 * What `init` writes for a package that has no server: one of ours that depends on it, or a small one that uses it.
 * @import { Manifest, Sources } from './types.js'
 * @import { Started } from './workflow.js'
 */

import { TO_DO, withHead } from './files.js';
import { installIn } from './languages/node-packages.js';

/** The small server's, from the root of the repository. */
const FOLDER = 'perf/server';
const LISTEN = 'Number(process.env.PORT), process.env.HOST';
const LIBRARY = 'library: .';

/**
 * How a package is used: what shows it, what the server needs beside it, and the server.
 * @typedef {{ what: string, shown: RegExp, beside: Record<string, string>, uses: string, toDo: string }} Use
 */

/** The first that fits; the last always does. @type {Use[]} */
const USES = [
  {
    what: 'a plugin of Fastify',
    shown: /\bfastify\b/,
    beside: { fastify: '^5.0.0' },
    uses: `import Fastify from 'fastify';

const app = Fastify();
app.register(library);
app.get('/', async () => ({ hello: 'world' }));
await app.listen({ port: Number(process.env.PORT), host: process.env.HOST });
`,
    toDo: 'give the plugin the options that it needs, and use it in the route',
  },
  {
    what: 'middleware of Koa',
    shown: /\bkoa\b/,
    beside: { koa: '^3.0.0' },
    uses: `import Koa from 'koa';

const app = new Koa();
app.use(library());
app.use((context) => {
  context.body = { hello: 'world' };
});
app.listen(${LISTEN});
`,
    toDo: 'give the middleware the options that it needs',
  },
  {
    what: 'middleware of Express',
    shown: /\b(express|connect|middleware)\b/,
    beside: { express: '^5.0.0' },
    uses: `import express from 'express';

const app = express();
app.use(library());
app.get('/', (request, response) => response.json({ hello: 'world' }));
app.listen(${LISTEN});
`,
    toDo: 'give the middleware the options that it needs',
  },
  {
    what: 'a library',
    shown: /(?:)/,
    beside: {},
    uses: `import { createServer } from 'node:http';

const server = createServer((request, response) => response.end(typeof library));
server.listen(${LISTEN});
`,
    toDo: 'call what you want measured in the route',
  },
];

/**
 * @param {Sources} sources
 * @param {Manifest & { name: string }} manifest of the package, at the top of the repository
 * @param {string[]} builtIn servers of ours that depend on it
 * @returns {{ found: string, files: Record<string, string>, started: Started }} found: in words; files: texts by path from the root
 */
export function libraryFiles(sources, manifest, builtIn) {
  const { name } = manifest;
  const started = { folder: '', install: installIn(sources, '', manifest).command };
  if (builtIn.length > 0)
    return {
      started,
      found: `found ${name}: a library, no server; ${builtIn.join(' and ')}, which we bring, will be measured with it\n`,
      files: { 'perf.yml': withHead([...builtIn.map((id) => `  - ${id}`), LIBRARY]) },
    };
  const { what, beside, uses, toDo } = useOf(manifest);
  const file = `${FOLDER}/server.js`;
  const dependencies = { ...beside, [name]: 'file:../..' };
  return {
    started,
    found: `found ${name}: ${what}, no server; ${file} uses it\n      to do: ${toDo}\n`,
    files: {
      'perf.yml': withHead([`  ${TO_DO}${toDo}.`, `  - ./${FOLDER}`, LIBRARY]),
      [file]: `import library from '${name}';\n${uses}`,
      [`${FOLDER}/server.yml`]: 'start: node server.js\nroutes: [{ path: / }]\n',
      [`${FOLDER}/package.json`]: `${JSON.stringify({ private: true, type: 'module', dependencies }, null, 2)}\n`,
    },
  };
}

/** @param {Manifest} manifest @returns {Use} */
function useOf({ name = '', keywords = [], dependencies, devDependencies, peerDependencies }) {
  const needed = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
  const text = [name, ...keywords, ...needed].join(' ');
  return /** @type {Use} */ (USES.find(({ shown }) => shown.test(text)));
}
