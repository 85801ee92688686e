/**
 * Which routes execute changed code: in sentences, and as a table.
 * @import { Place, Touched, TouchedReason, TouchedRoute } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block, Item } from './blocks.js'
 */

import { group, groups } from 'd3-array';
import { firstOf } from '../text/format.js';
import { code, plain } from '../text/inline.js';
import { list, names, table, text } from './blocks.js';

/** Functions or files that a line names. */
const MOST = 8;

/**
 * Routes that execute the same functions are named together.
 * @param {Touched} touched
 * @param {Words} words
 * @param {Pick<Item, 'only'>} [where] the routes that are not touched are named
 * @returns {Block[]}
 */
export function touchedBlocks(touched, words, where) {
  const { touched: phrases } = words;
  const { routes } = touched;
  const isOneServer = new Set(touched.routes.map(({ server }) => server)).size === 1;
  const nameOf = (/** @type {TouchedRoute} */ { server, route }) =>
    plain(`${isOneServer ? '' : `${server} `}${route.includes(' ') ? '' : 'GET '}${route}`);
  const executing = groups(routes, (route) => functionsText(route, words)).flatMap(([functions, alike]) =>
    functions ? `${alike.map(nameOf).join(', ')} (${functions})` : [],
  );
  const unknown = routes.filter(({ why }) => why === 'unknown').map(nameOf);
  const untouched = routes.filter((route) => !route.touched).map(nameOf);
  return [
    text([titleOf(touched, words), executing.join(', ')].filter(Boolean).join(': ')),
    ...list([
      ...reasonTexts(touched, words),
      ...(unknown.length > 0 ? [phrases.unknown(unknown)] : []),
      ...(untouched.length > 0 ? [{ text: phrases.untouched(untouched), ...where }] : []),
    ]),
  ];
}

/** How many do, and how many more count as if they did. @type {(touched: Touched, words: Words) => string} */
export function touchedName(touched, words) {
  const counted = touched.routes.filter(({ touched: counts, functions }) => counts && functions.length === 0);
  const title = titleOf(touched, words);
  return counted.length > 0 ? words.touched.andCounted(title, counted.length) : title;
}

/** A row for each route. @type {(touched: Touched, words: Words) => Block[]} */
export function touchedTable(touched, words) {
  const { routes } = touched;
  const { columns, touched: phrases } = words;
  const isOne = new Set(routes.map(({ server }) => server)).size === 1;
  const answerOf = (/** @type {TouchedRoute} */ { touched: counts, functions }) =>
    phrases.answers[functions.length > 0 ? 'yes' : counts ? 'counts' : 'no'];
  const whyOf = (/** @type {TouchedRoute} */ route) =>
    functionsText(route, words) || (route.why && route.why !== 'calls' ? phrases.why[route.why] : '');
  return [
    ...list(reasonTexts(touched, words)),
    table([
      names(routes, columns.server, ({ server }) => (isOne ? '' : plain(server))),
      names(routes, columns.route, ({ route }) => plain(route)),
      names(routes, phrases.heads.executes, answerOf),
      names(routes, phrases.heads.functions, whyOf),
    ]),
  ];
}

/** @type {(touched: Touched, words: Words) => string} */
function titleOf({ routes }, { touched: phrases }) {
  const executing = routes.filter(({ functions }) => functions.length > 0);
  return phrases.title(executing.length, routes.length, !routes.some(({ touched }) => touched));
}

/** Why all routes of servers count. @type {(touched: Touched, words: Words) => string[]} */
function reasonTexts({ routes, reasons }, words) {
  const { touched: phrases } = words;
  const causeOf = (/** @type {TouchedReason} */ { why, places, message }) => {
    const what = message ? plain(message) : placesText(places, words);
    return `${phrases.why[why]}${what && ` (${what})`}`;
  };
  return groups(reasons, causeOf).map(([cause, alike]) => {
    const servers = alike.map(({ server }) => server);
    const counted = routes.filter(({ server }) => servers.includes(server));
    return phrases.counted(servers.map((server) => plain(server)).join(', '), counted.length, cause);
  });
}

/** Returns nothing for a route that executes none. @type {(route: TouchedRoute, words: Words) => string} */
function functionsText({ why, functions }, words) {
  const places = placesText(functions, words);
  return places && why === 'calls' ? words.touched.calls(places) : places;
}

/** Writes "`listOrders`, `priceOf` in src/orders.js". @type {(places: Place[], words: Words) => string} */
export function placesText(places, words) {
  const files = [...group(places, ({ file }) => file)].map(([file, inFile]) => {
    const names = inFile.flatMap(({ name, line }) => {
      if (name) return code(plain(name));
      return line === undefined ? [] : words.touched.line(line);
    });
    const all = firstOf([...new Set(names)], MOST, words.more).join(', ');
    return all ? words.touched.inFile(all, plain(file)) : plain(file);
  });
  return firstOf(files, MOST, words.more).join(', ');
}
