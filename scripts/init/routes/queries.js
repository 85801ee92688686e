/**
 * What GraphQL and tRPC servers answer: one path for all, and a query that needs no argument.
 * @import { Route, Sources } from '../types.js'
 */

import { lineOf } from '../folders.js';

const GRAPHQL =
  /^(@apollo\/server|apollo-server(-\w+)?|graphql-yoga|mercurius|express-graphql|graphql-http|@nestjs\/graphql|type-graphql|@as-integrations\/\w+)$/;
const TRPC = /^@trpc\/server$/;
/** Apollo alone answers at any path; the others have theirs written down, or take the usual one. */
const GRAPHQL_PATH = /['"`](\/(?:[\w-]+\/)*(?:graphql|gql|query))['"`]/;
const SCALAR = /\btype\s+Query\s*\{[^}]*?(?:^|[\s{])(\w+)\s*:\s*(?:String|Int|Float|Boolean|ID)\b/;
const CODE_FIRST =
  /@Query\(\s*(?:\(\s*\w*\s*\)\s*=>|returns\s*=>)?\s*(?:String|Number|Int|Boolean)[^)]*\)\s*(?:async\s+)?(\w+)\(\s*\)/;
const PROCEDURE =
  /\b(\w+)\s*:\s*[\w.]*[pP]rocedure(?:\s*\.(?!input|mutation|subscription)\w+\([^()]*\))*?\s*\.query\(/g;
const ROUTER = /(?:const|let|var)\s+(\w+)\s*=\s*[\w.]*[rR]outer\(\s*\{/g;
const TRPC_PATH = /['"`](\/(?:[\w-]+\/)*trpc)['"`]|\b(?:basePath|prefix):\s*['"`](\/[\w/-]+)['"`]/;

/**
 * @param {Sources} own
 * @param {string[]} dependencies
 * @returns {Route | undefined} where the server is neither
 */
export function findQuery(own, dependencies) {
  if (dependencies.some((each) => GRAPHQL.test(each))) return graphqlRoute(own);
  return dependencies.some((each) => TRPC.test(each)) ? trpcRoute(own) : undefined;
}

/** @param {Sources} own @returns {Route} */
function graphqlRoute(own) {
  const code = [...own.values()].join('\n');
  const alone = /startStandaloneServer\(|from ['"]apollo-server['"]/.test(code);
  const path = alone ? '/' : (GRAPHQL_PATH.exec(code)?.[1] ?? '/graphql');
  const [file, field] =
    [...own]
      .map(
        ([each, text]) => /** @type {const} */ ([each, SCALAR.exec(text)?.[1] ?? CODE_FIRST.exec(text)?.[1]]),
      )
      .find(([, name]) => name !== undefined) ?? [];
  return {
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ ${field ?? '__typename'} }` }),
    ...(file !== undefined && { declaredAt: file }),
  };
}

/** @param {Sources} own @returns {Route | undefined} */
function trpcRoute(own) {
  const code = [...own.values()].join('\n');
  const [, literal, prefix] = TRPC_PATH.exec(code) ?? [];
  for (const [file, text] of own) {
    for (const { 1: name = '', index } of text.matchAll(PROCEDURE)) {
      const router = [...text.slice(0, index).matchAll(ROUTER)].at(-1)?.[1];
      const below = router && nameBelow(router, code);
      const path = `${(literal ?? prefix ?? '').replace(/\/$/, '')}/${below ? `${below}.` : ''}${name}`;
      return { path, declaredAt: `${file}:${lineOf(text, index)}` };
    }
  }
  return undefined;
}

/**
 * @param {string} router a variable
 * @param {string} code
 * @returns {string | undefined} what it is called in the router above, be it by its own name
 */
function nameBelow(router, code) {
  const [used, name = router] = new RegExp(`(?:(\\w+)\\s*:\\s*|[{,]\\s*)${router}\\s*[,}]`).exec(code) ?? [];
  return used && name;
}
