/** The hint for a name that is unknown. */

import { closest, distance } from 'fastest-levenshtein';

/**
 * @param {string} name what was written
 * @param {string[]} known
 * @param {string} [prefix] how a name is written, e.g. "--"
 * @returns {string} `; did you mean "x"?` where one is near enough, else the names there are
 */
export function nearest(name, known, prefix = '') {
  if (known.length === 0) return '';
  const best = closest(name, known);
  // A third of the letters wrong is still a slip of the fingers, more is another word.
  if (distance(name, best) <= Math.max(1, Math.ceil(name.length / 3))) return `; did you mean "${prefix}${best}"?`;
  return `; there are ${known.map((each) => prefix + each).join(', ')}`;
}
