/** Hints for unknown names. */

import { closest, distance } from 'fastest-levenshtein';

/** Names that other load testers use. */
const ELSEWHERE = new Map([
  ['c', 'connections'],
  ['concurrency', 'connections'],
  ['d', 'duration'],
  ['t', 'threads'],
  ['threshold', 'margin'],
  ['time', 'duration'],
]);

/** Names of what is gone, and what to write instead. */
const VERSION = 'a server names its version, like `node: 22`, so describe one server for each version';
const GONE = new Map([
  ['nodeVersions', VERSION],
  ['node-versions', VERSION],
]);

/** Nobody reads more names in one line. */
const MOST = 20;

/**
 * Returns `; did you mean "x"?` where one is near enough, else the names there are, if they are few. prefix:
 * how a name is written, e.g. "--".
 * @type {(name: string, known: string[], prefix?: string) => string}
 */
export function nearest(name, known, prefix = '') {
  const instead = GONE.get(name);
  if (instead !== undefined) return `; ${instead}`;
  const best = near(name, known);
  if (best !== undefined) return `; did you mean "${prefix}${best}"?`;
  if (known.length === 0 || known.length > MOST) return '';
  return `; there ${be(known)} ${known.map((option) => prefix + option).join(', ')}`;
}

/** For short lists: worth showing beside a near name. @type {(name: string, known: string[]) => string} */
export function nearestAndAll(name, known) {
  const best = near(name, known);
  const all = known.join(', ');
  return best === undefined
    ? `; there ${be(known)} ${all}`
    : `; did you mean "${best}"? There ${be(known)} ${all}`;
}

/** @param {string[]} known */
function be(known) {
  return known.length === 1 ? 'is' : 'are';
}

/** @type {(name: string, known: string[]) => string | undefined} */
function near(name, known) {
  if (known.length === 0) return undefined;
  const elsewhere = ELSEWHERE.get(name);
  if (elsewhere !== undefined && known.includes(elsewhere)) return elsewhere;
  const best = closest(name, known);
  // A third of the letters wrong, or two neighbours swapped, is a typing error; more is another word.
  const most = Math.max(name.length > 2 ? 2 : 1, Math.ceil(name.length / 3));
  return distance(name, best) <= most ? best : undefined;
}
