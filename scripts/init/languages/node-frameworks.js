/**
 * Frameworks of Node. The first that a package depends on names the server, so a framework comes before those it builds on.
 * @import { Route, Sources } from '../types.js'
 */

import { nameOf } from '../folders.js';

/**
 * @typedef {object} Framework
 * @property {string} name
 * @property {RegExp} packages any of them among the dependencies
 * @property {string} [start] the start command if no script has one
 * @property {(own: Sources) => Route | undefined} [route] beside the routes that the code declares
 */

const PAGE = /\.(tsx?|jsx?|vue|svelte|astro)$/;

/** @type {Framework[]} */
export const FRAMEWORKS = [
  { name: 'Next.js', packages: /^next$/, start: 'npx next start', route: nextRoute },
  { name: 'Nuxt', packages: /^nuxt$/, start: 'node .output/server/index.mjs', route: nuxtRoute },
  {
    name: 'Remix',
    packages: /^@(remix-run|react-router)\/(serve|node|express)$/,
    start: 'npx remix-serve ./build/server/index.js',
    route: pageAt(/(^|\/)routes\/(_?index|home)\.|(^|\/)routes\.ts$/),
  },
  {
    name: 'SvelteKit',
    packages: /^@sveltejs\/adapter-node$/,
    start: 'node build',
    route: pageAt(/(^|\/)routes\/\+page\./),
  },
  {
    name: 'Astro',
    packages: /^@astrojs\/node$/,
    start: 'node dist/server/entry.mjs',
    route: pageAt(/(^|\/)pages\/index\./),
  },
  { name: 'AdonisJS', packages: /^@adonisjs\/core$/, start: 'node build/bin/server.js' },
  { name: 'NestJS', packages: /^@nestjs\/core$/, start: 'node dist/main.js' },
  { name: 'Express', packages: /^express$/ },
  { name: 'Fastify', packages: /^fastify$/ },
  { name: 'Koa', packages: /^koa$/ },
  { name: 'hapi', packages: /^@hapi\/hapi$/ },
  { name: 'Hono', packages: /^(hono|@hono\/node-server)$/ },
  { name: 'Polka', packages: /^polka$/ },
  { name: 'Restify', packages: /^restify$/ },
  { name: 'h3', packages: /^(h3|nitropack|nitro)$/ },
  { name: 'tRPC', packages: /^@trpc\/server$/ },
  { name: 'Apollo', packages: /^(@apollo\/server|apollo-server)$/ },
  { name: 'GraphQL Yoga', packages: /^graphql-yoga$/ },
  { name: 'Mercurius', packages: /^mercurius$/ },
];

/** @param {RegExp} file @returns {(own: Sources) => Route | undefined} the root, if such a page exists */
function pageAt(file) {
  return (own) => {
    const declaredAt = [...own.keys()].find((name) => file.test(name));
    return declaredAt === undefined ? undefined : { path: '/', declaredAt };
  };
}

/** The home page, else a handler or page without parameters. @param {Sources} own */
function nextRoute(own) {
  return routeOfFiles(own, [
    /(?:^|\/)app\/((?:[^[\]@]*\/)?)page\.[jt]sx?$/,
    /(?:^|\/)pages\/((?!_|api\/)[^[\]]*)\.[jt]sx?$/,
    /(?:^|\/)app\/([^[\]@]*\/)route\.[jt]s$/,
    /(?:^|\/)pages\/(api\/[^[\]]*)\.[jt]s$/,
  ]);
}

/** @param {Sources} own */
function nuxtRoute(own) {
  const pages = routeOfFiles(own, [
    /(?:^|\/)pages\/([^[\]]*)\.vue$/,
    /(?:^|\/)server\/(api\/[^[\]]*?)(?:\.get)?\.[jt]s$/,
    /(?:^|\/)server\/routes\/([^[\]]*?)(?:\.get)?\.[jt]s$/,
  ]);
  return pages?.path === '/' ? pages : (pageAt(/(^|\/)app\.vue$/)(own) ?? pages);
}

/** @param {Sources} own @param {RegExp[]} patterns the path without its ending in the first group; better ones first @returns {Route | undefined} */
function routeOfFiles(own, patterns) {
  const routes = patterns.flatMap((pattern) =>
    [...own.keys()].flatMap((file) => {
      const [, inside] = pattern.exec(file) ?? [];
      if (inside === undefined || !PAGE.test(nameOf(file))) return [];
      // Folders in parentheses group pages; an index is its folder.
      const parts = inside
        .split('/')
        .filter((part) => part !== '' && part !== 'index' && !/^\(.*\)$/.test(part));
      return [{ path: `/${parts.join('/')}`, declaredAt: file }];
    }),
  );
  return routes.find(({ path }) => path === '/') ?? routes[0];
}
