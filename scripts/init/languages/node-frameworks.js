/**
 * What a package of Node depends on tells what it serves, and how: a row for each framework.
 * The first that fits names the server, so that those which build on others stand before them.
 * @import { Route, Sources } from '../types.js'
 */

import { nameOf } from '../folders.js';

/**
 * packages: any of them among the dependencies; start: how it is started where no script says so; route: what it answers
 * beside what its code declares.
 * @typedef {{ name: string, packages: RegExp, start?: string, route?: (own: Sources) => Route | undefined }} Framework
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

/**
 * @param {RegExp} file
 * @returns {(own: Sources) => Route | undefined} the root, where such a page is there
 */
function pageAt(file) {
  return (own) => {
    const at = [...own.keys()].find((each) => file.test(each));
    return at === undefined ? undefined : { path: '/', at };
  };
}

/**
 * The home page, else a handler or page without parameters.
 * @param {Sources} own
 */
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

/**
 * @param {Sources} own
 * @param {RegExp[]} patterns the path without its ending in the first group; better ones first
 * @returns {Route | undefined}
 */
function routeOfFiles(own, patterns) {
  const routes = patterns.flatMap((pattern) =>
    [...own.keys()].flatMap((file) => {
      const [, inside] = pattern.exec(file) ?? [];
      if (inside === undefined || !PAGE.test(nameOf(file))) return [];
      // Folders in brackets group; an index is its folder.
      const parts = inside
        .split('/')
        .filter((part) => part !== '' && part !== 'index' && !/^\(.*\)$/.test(part));
      return [{ path: `/${parts.join('/')}`, at: file }];
    }),
  );
  return routes.find(({ path }) => path === '/') ?? routes[0];
}
