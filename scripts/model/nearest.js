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

/** Nobody reads more names in one line. */
const MOST = 20;

/**
 * Returns `; did you mean "x"?` where one is near enough, else the names there are, if they are few. prefix:
 * how a name is written, e.g. "--".
 * @type {(name: string, known: string[], prefix?: string) => string}
 */
export function nearest(name, known, prefix = '') {
  const best = near(name, known);
  if (best !== undefined) return `; did you mean "${prefix}${best}"?`;
  if (known.length === 0 || known.length > MOST) return '';
  const be = known.length === 1 ? 'is' : 'are';
  return `; there ${be} ${known.map((option) => prefix + option).join(', ')}`;
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
