/**
 * Frameworks of Node. The first that a package depends on names the server, so a framework comes before those it builds on.
 * @import { Route, Sources } from '../types.js'
 */

/**
 * @typedef {object} Framework
 * @property {string} name
 * @property {RegExp} packages any of them among the dependencies
 * @property {string} [start] the start command if no script has one
 * @property {RegExp[]} [pages] files whose place is a route, better ones first: its path in the first group, without one the root
 */

/** @type {Framework[]} */
export const FRAMEWORKS = [
  {
    name: 'Next.js',
    packages: /^next$/,
    start: 'npx next start',
    // app/(shop)/items/page.tsx, pages/items.tsx, app/api/items/route.ts, pages/api/items.ts.
    pages: [
      /(?:^|\/)app\/((?:[^[\]@]*\/)?)page\.[jt]sx?$/,
      /(?:^|\/)pages\/((?!_|api\/)[^[\]]*)\.[jt]sx?$/,
      /(?:^|\/)app\/([^[\]@]*\/)route\.[jt]s$/,
      /(?:^|\/)pages\/(api\/[^[\]]*)\.[jt]s$/,
    ],
  },
  {
    name: 'Nuxt',
    packages: /^nuxt$/,
    start: 'node .output/server/index.mjs',
    // pages/items.vue, server/api/items.get.ts, server/routes/items.ts.
    pages: [
      /(?:^|\/)pages\/([^[\]]*)\.vue$/,
      /(?:^|\/)server\/(api\/[^[\]]*?)(?:\.get)?\.[jt]s$/,
      /(?:^|\/)server\/routes\/([^[\]]*?)(?:\.get)?\.[jt]s$/,
      /(?:^|\/)app\.vue$/,
    ],
  },
  {
    name: 'Remix',
    packages: /^@(remix-run|react-router)\/(serve|node|express)$/,
    start: 'npx remix-serve ./build/server/index.js',
    // routes/_index.tsx, routes/home.tsx, routes.ts.
    pages: [/(?:^|\/)routes\/(?:_?index|home)\.|(?:^|\/)routes\.ts$/],
  },
  {
    name: 'SvelteKit',
    packages: /^@sveltejs\/adapter-node$/,
    start: 'node build',
    pages: [/(?:^|\/)routes\/\+page\./],
  },
  {
    name: 'Astro',
    packages: /^@astrojs\/node$/,
    start: 'node dist/server/entry.mjs',
    pages: [/(?:^|\/)pages\/index\./],
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

/** @param {Sources} own @param {RegExp[]} pages @returns {Route | undefined} the root, else the first page or handler without parameters */
export function pageRoute(own, pages) {
  const routes = pages.flatMap((pattern) =>
    [...own.keys()].flatMap((file) => {
      const match = pattern.exec(file);
      if (!match) return [];
      // Folders in parentheses group pages; an index is its folder.
      const parts = (match[1] ?? '').split('/').filter((part) => !/^(index|\(.*\)|)$/.test(part));
      return [{ path: `/${parts.join('/')}`, declaredAt: file }];
    }),
  );
  return routes.find(({ path }) => path === '/') ?? routes[0];
}
