/**
 * Which routes execute changed code.
 * @import { Place, Touched, TouchedReason, TouchedRoute } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block } from './blocks.js'
 */

import { firstOf } from '../text/format.js';
import { code, plain } from '../text/inline.js';
import { list, text } from './blocks.js';

/** Functions or files that a line names. */
const MOST = 8;

/**
 * @param {Touched} touched
 * @param {Words} words
 * @returns {Block[]}
 */
export function touchedBlocks({ routes, reasons }, words) {
  const { touched: phrases } = words;
  const isSingle = new Set(routes.map(({ server }) => server)).size === 1;
  const nameOf = (/** @type {TouchedRoute} */ { server, route }) => {
    const asked = plain(route.includes(' ') ? route : `GET ${route}`);
    return isSingle ? asked : `${plain(server)} ${asked}`;
  };
  const namesWhere = (/** @type {(route: TouchedRoute) => boolean} */ isMeant) =>
    routes.filter(isMeant).map(nameOf);
  const executing = routes
    .filter(({ functions }) => functions.length > 0)
    .map((each) => {
      const places = placesText(each.functions, words);
      return `${nameOf(each)} (${each.why === 'calls' ? phrases.calls(places) : places})`;
    });
  const unknown = namesWhere(({ why }) => why === 'unknown');
  const untouched = namesWhere(({ touched }) => !touched);
  return [
    text(phrases.title(executing, routes.length)),
    ...list([
      ...reasons.map((reason) => {
        const count = routes.filter(({ server }) => server === reason.server).length;
        return phrases.counted(plain(reason.server), count, causeText(reason, words));
      }),
      ...(unknown.length > 0 ? [phrases.unknown(unknown)] : []),
      ...(untouched.length > 0 ? [phrases.untouched(untouched)] : []),
    ]),
  ];
}

/**
 * @param {TouchedReason} reason
 * @param {Words} words
 */
function causeText({ why, functions, files = [], message }, words) {
  const named = files.map((file) => plain(file));
  const what = [placesText(functions, words), ...firstOf(named, MOST, words.more)].filter(Boolean).join(', ');
  return words.touched.why[why](what) + (message ? ` (${plain(message)})` : '');
}

/**
 * @param {Place[]} places sorted by file
 * @param {Words} words
 * @returns {string} "`listOrders`, `priceOf` in src/orders.js"
 */
function placesText(places, words) {
  const files = [...new Set(places.map(({ file }) => file))].map((file) => {
    const inFile = places.filter((place) => place.file === file);
    const names = inFile.flatMap(({ name }) => (name ? code(plain(name)) : []));
    const lines = inFile.flatMap(({ name, line }) =>
      name || line === undefined ? [] : words.touched.line(line),
    );
    const all = firstOf([...names, ...lines], MOST, words.more).join(', ');
    return all ? words.touched.inFile(all, plain(file)) : plain(file);
  });
  return firstOf(files, MOST, words.more).join(', ');
}
