/**
 * Routes that no call declares: pages, whose path is the place of their file; the one path of a GraphQL
 * server, with a query that needs no argument; a path for each query of a tRPC server that takes no input.
 * @import { Route, Sources } from '../candidates.js'
 */

import { joinedText, lineOf } from '../source-tree.js';
import { HEALTH } from './routes.js';

const GRAPHQL =
  /^(@apollo\/server|apollo-server(-\w+)?|graphql-yoga|mercurius|express-graphql|graphql-http|@nestjs\/graphql|type-graphql|@as-integrations\/\w+)$/;
const TRPC = /^@trpc\/server$/;
/** Apollo alone answers at any path; the others have theirs written down, or take the usual one. */
const GRAPHQL_PATH = /['"`](\/(?:[\w-]+\/)*(?:graphql|gql|query))['"`]/;
/** type Query { version: String! }. */
const SCALAR = /\btype\s+Query\s*\{[^}]*?(?:^|[\s{])(\w+)\s*:\s*(?:String|Int|Float|Boolean|ID)\b/;
/** @Query(() => String) version() of type-graphql and Nest. */
const CODE_FIRST =
  /@Query\(\s*(?:\(\s*\w*\s*\)\s*=>|returns\s*=>)?\s*(?:String|Number|Int|Boolean)[^)]*\)\s*(?:async\s+)?(\w+)\(\s*\)/;
/** version: publicProcedure.query(() => 1). */
const PROCEDURE =
  /\b(\w+)\s*:\s*[\w.]*[pP]rocedure(?:\s*\.(?!input|mutation|subscription)\w+\([^()]*\))*?\s*\.query\(/g;
/** const items = t.router({ ... }). */
const ROUTER = /(?:const|let|var)\s+(\w+)\s*=\s*[\w.]*[rR]outer\(\s*\{/g;
/** '/api/trpc', { basePath: '/rpc/' }. */
const TRPC_PATH = /['"`](\/(?:[\w-]+\/)*trpc)['"`]|\b(?:basePath|prefix):\s*['"`](\/[\w/-]+)['"`]/;

/**
 * The root, then other pages and handlers without parameters.
 * @type {(own: Sources, pages: RegExp[]) => Route[]}
 */
export function pageRoutes(own, pages) {
  const routes = pages.flatMap((pattern) =>
    [...own.keys()].flatMap((file) => {
      const match = pattern.exec(file);
      if (!match) return [];
      // Folders in parentheses group pages; an index is its folder.
      const parts = (match[1] ?? '').split('/').filter((part) => !/^(index|\(.*\)|)$/.test(part));
      return [{ path: `/${parts.join('/')}`, declaredAt: file }];
    }),
  );
  const rankOf = (/** @type {Route} */ { path }) => (path === '/' ? 0 : HEALTH.test(path) ? 2 : 1);
  return routes.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/**
 * None for a tRPC server without a query that needs no argument.
 * @type {(own: Sources, dependencies: string[]) => Route[]}
 */
export function queryRoutes(own, dependencies) {
  if (dependencies.some((name) => GRAPHQL.test(name))) return [graphqlRoute(own)];
  return dependencies.some((name) => TRPC.test(name)) ? trpcRoutes(own) : [];
}

/** @type {(own: Sources) => Route} */
function graphqlRoute(own) {
  const code = joinedText(own);
  const alone = /startStandaloneServer\(|from ['"]apollo-server['"]/.test(code);
  const path = alone ? '/' : (GRAPHQL_PATH.exec(code)?.[1] ?? '/graphql');
  const fieldIn = (/** @type {string} */ text) => SCALAR.exec(text)?.[1] ?? CODE_FIRST.exec(text)?.[1];
  const [file, text = ''] = [...own].find((source) => fieldIn(source[1]) !== undefined) ?? [];
  return {
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ ${fieldIn(text) ?? '__typename'} }` }),
    ...(file !== undefined && { declaredAt: file }),
  };
}

/** @type {(own: Sources) => Route[]} */
function trpcRoutes(own) {
  const code = joinedText(own);
  const [, literal, prefix] = TRPC_PATH.exec(code) ?? [];
  return [...own].flatMap(([file, text]) =>
    [...text.matchAll(PROCEDURE)].map(({ 1: name = '', index }) => {
      const router = [...text.slice(0, index).matchAll(ROUTER)].at(-1)?.[1];
      const below = router && nameBelow(router, code);
      const path = `${(literal ?? prefix ?? '').replace(/\/$/, '')}/${below ? `${below}.` : ''}${name}`;
      return { path, declaredAt: `${file}:${lineOf(text, index)}` };
    }),
  );
}

/** The variable's name in the router above. @type {(router: string, code: string) => string | undefined} */
function nameBelow(router, code) {
  const [used, name = router] = new RegExp(`(?:(\\w+)\\s*:\\s*|[{,]\\s*)${router}\\s*[,}]`).exec(code) ?? [];
  return used && name;
}
