/**
 * Paths that a server may answer: those of pages, which are the places of files, and what the sources of
 * other languages than Node write where routes are declared. Asking tells which of them there are.
 * @import { Sources } from './candidates.js'
 */

import { joinedText } from './source-tree.js';

/** Lines that declare or mount routes, in any language. */
const DECLARES =
  /\b(re_)?path\b|url|include|rout|\b(get|any|handle\w*|map\w*|serve|group|prefix|mount|nest|scope|namespace|resources?|controller)\b|mapping|http|@(get|path)|get\(|context/i;
/** '/items/{id}', "items", 'api/v1/'; Ruby's :items. */
const WORD =
  /["'`](?:[A-Z]+ )?(\/?[\w-]+(?:[/.][\w{}:<>[\]-]+)*\/?|\/)["'`]|(?<=\b(?:resources?|namespace) ):(\w+)/g;
/** What comes before every path: server.servlet.context-path=/shop, quarkus.http.root-path: /shop. */
const BASE = /\b(?:context|base|root)-?path['"]?\s*[=:]\s*['"]?(\/[\w/-]+)/gi;
/** Names of files, packages (golang.org/x/net) and content types. */
const NO_PATH = /\.\w{1,4}$|^(text|application|image|[a-z][\w-]*(\.[a-z][\w-]*)+)\//;
/** app/(shop)/items/page.tsx, pages/api/items.ts, server/api/items.get.ts, routes/+page.svelte, app.vue. */
const PAGE =
  /(?:^|\/)(?:app(?=\.vue)|app\/(?=(?:.*\/)?(?:page|route)\.)|pages\/|server\/(?=api\/)|routes\/)(.*?)(?:\.get)?\.(?:[jt]sx?|vue|svelte|astro)$/;
const PARAMETER = /[{<[:]/;
const SOURCE = /\.(py|rb|php|go|java|kt|rs|cs|[mc]?[jt]sx?|properties|ya?ml)$/;
/** Two words make a path where a router is mounted; more of them take too long to ask. */
const MOST = 1500;

/** The root, and the places of pages and handlers without parameters. @type {(own: Sources) => string[]} */
export function pagePaths(own) {
  const places = [...own.keys()].flatMap((file) => {
    const place = PAGE.exec(file)?.[1];
    if (place === undefined || /[[\]@]|(^|\/)_(?!index)/.test(place)) return [];
    // Folders in parentheses group pages; an index is its folder.
    const parts = place.split('/').filter((part) => !/^(_?index|\+?page|route|\+server|\(.*\)|)$/.test(part));
    return `/${parts.join('/')}`;
  });
  return [...new Set(['/', ...places])];
}

/** Single words, then pairs of them. @type {(code: Sources) => string[]} */
export function wordPaths(code) {
  const text = joinedText(code, (file) => SOURCE.test(file));
  const declaring = text.split('\n').filter((line) => DECLARES.test(line));
  const classes = [...text.matchAll(/\bclass (\w+)Controller\b/g)].map(([, name = '']) => name.toLowerCase());
  const named = [...declaring.join('\n').matchAll(WORD)].map(([, word, symbol]) => word ?? symbol ?? '');
  const words = [...new Set([...classes, ...named])].filter(
    (word) => !NO_PATH.test(word) && !PARAMETER.test(word),
  );
  const bases = [...text.matchAll(BASE)].map(([, base]) => `${base}/`);
  const pairs = words.flatMap((first) => words.map((second) => `${first}/${second}`));
  const all = ['/', ...bases].flatMap((base) => ['', ...words, ...pairs].map((path) => `${base}${path}`));
  const paths = all.map((path) => path.replace(/\/+/g, '/').replace(/^\/*/, '/'));
  return [...new Set(paths)].slice(0, MOST);
}
