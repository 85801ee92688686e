/** Hints for unknown names. */

import { closest, distance } from 'fastest-levenshtein';

/** What other load testers call it. @type {Record<string, string>} */
const ELSEWHERE = {
  c: 'connections',
  concurrency: 'connections',
  d: 'duration',
  t: 'threads',
  threshold: 'margin',
  time: 'duration',
};

/** Options of early versions, and what they are called now: as a flag, or as a key of perf.yml. @type {Record<string, string[]>} */
const RENAMED = {
  alive: ['max-running', 'maxRunning'],
  felt: ['runtime-metrics', 'runtimeMetrics'],
  front: ['proxy'],
  node: ['node-versions', 'nodeVersions'],
  profile: ['preset'],
  why: ['explain'],
};

/** Nobody reads more names in one line. */
const MOST = 20;

/**
 * @param {string} name what was written
 * @param {string[]} known @param {string} [prefix] how a name is written, e.g. "--"
 * @returns {string} `; did you mean "x"?` where one is near enough, else the names there are, if they are few
 */
export function nearest(name, known, prefix = '') {
  const renamed = (Object.hasOwn(RENAMED, name) ? RENAMED[name] : [])?.find((now) => known.includes(now));
  if (renamed !== undefined) return `: "${prefix}${name}" is now "${prefix}${renamed}"`;
  const best = near(name, known);
  if (best !== undefined) return `; did you mean "${prefix}${best}"?`;
  return known.length > 0 && known.length <= MOST
    ? `; there are ${known.map((one) => prefix + one).join(', ')}`
    : '';
}

/**
 * A hint for short lists, which are worth showing even beside a near name.
 * @param {string} name @param {string[]} known
 * @returns {string} the nearest name, where one is near enough, and all names
 */
export function nearestAndAll(name, known) {
  const best = near(name, known);
  const all = known.join(', ');
  return best === undefined ? `; there are ${all}` : `; did you mean "${best}"? There are ${all}`;
}

/** @param {string} name @param {string[]} known @returns {string | undefined} */
function near(name, known) {
  if (known.length === 0) return undefined;
  const elsewhere = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
  if (elsewhere !== undefined && known.includes(elsewhere)) return elsewhere;
  const best = closest(name, known);
  // A third of the letters wrong, or two neighbours swapped, is a typing error; more is another word.
  return distance(name, best) <= Math.max(name.length > 2 ? 2 : 1, Math.ceil(name.length / 3))
    ? best
    : undefined;
}
