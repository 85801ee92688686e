/**
 * Which routes execute changed code.
 * @import { Place, Touched, TouchedRoute } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block } from './blocks.js'
 */

import { group } from 'd3-array';
import { firstOf } from '../text/format.js';
import { code, plain } from '../text/inline.js';
import { list, text } from './blocks.js';

/** Functions or files that a line names. */
const MOST = 8;

/** @type {(touched: Touched, words: Words) => Block[]} */
export function touchedBlocks({ routes, reasons }, words) {
  const { touched: phrases } = words;
  const servers = group(routes, ({ server }) => server);
  const nameOf = (/** @type {TouchedRoute} */ { server, route }) =>
    plain(`${servers.size > 1 ? `${server} ` : ''}${route.includes(' ') ? '' : 'GET '}${route}`);
  const executing = routes.flatMap((each) => {
    const places = placesText(each.functions, words);
    if (!places) return [];
    return `${nameOf(each)} (${each.why === 'calls' ? phrases.calls(places) : places})`;
  });
  const unknown = routes.filter(({ why }) => why === 'unknown').map(nameOf);
  const untouched = routes.filter(({ touched }) => !touched).map(nameOf);
  return [
    text(phrases.title(executing, routes.length)),
    ...list([
      ...reasons.map(({ server, why, places, message }) => {
        const what = message ? plain(message) : placesText(places, words);
        const cause = `${phrases.why[why]}${what && ` (${what})`}`;
        return phrases.counted(plain(server), servers.get(server)?.length ?? 0, cause);
      }),
      ...(unknown.length > 0 ? [phrases.unknown(unknown)] : []),
      ...(untouched.length > 0 ? [phrases.untouched(untouched)] : []),
    ]),
  ];
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
