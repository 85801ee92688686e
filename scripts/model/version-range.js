/** Versions and the ranges that manifests write: of npm, Composer, Python, Ruby. */

const COMPARATOR =
  /(>=|<=|~>|~=|!=|===?|[<>^~])?\s*v?(\d+(?:\.(?:\d+|[x*]))*)(?:[-+][\w.+-]*|\.?[a-z][\w.+-]*)?/gi;

/** order: against the parts written. @type {Record<string, (order: number, isNear: boolean) => boolean>} */
const OPERATORS = {
  '>=': (order) => order >= 0,
  '>': (order) => order > 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '!=': (order) => order !== 0,
  '^': (order, isNear) => order >= 0 && isNear,
  '~': (order, isNear) => order >= 0 && isNear,
};

/**
 * The parts that a range leaves out may be any, so `>20` begins at 21. A prerelease counts as its release,
 * and what cannot be read rules nothing out. A range is like `^20.1 || >=22`, `>=3.11,<4`, `~> 3.2`, `8.2.*`.
 * @type {(version: string, range: string) => boolean}
 */
export function isInRange(version, range) {
  const has = version
    .replace(/[-+].*/, '')
    .split('.')
    .map(Number);
  const fits = (/** @type {RegExpMatchArray} */ [, operator = '=', written = '']) => {
    // A wildcard such as 8.2.* fixes the parts before it.
    const known = written
      .replace(/\.[x*].*/i, '')
      .split('.')
      .map(Number);
    const order =
      known.map((part, place) => (has[place] ?? 0) - part).find((difference) => difference !== 0) ?? 0;
    // A caret keeps the first part that is not zero; a tilde all but the last, and the first at least.
    const kept = operator === '^' ? known.findIndex((part) => part > 0) + 1 : Math.max(1, known.length - 1);
    const isNear = known.slice(0, kept).every((part, place) => part === (has[place] ?? 0));
    return (OPERATORS[operator] ?? OPERATORS[operator[0] ?? ''] ?? ((equal) => equal === 0))(order, isNear);
  };
  return range
    .replace(/(\d\S*)\s+-\s+(?=\d)/g, '>=$1 <=')
    .split('|')
    .filter(Boolean)
    .some((alternative) => [...alternative.matchAll(COMPARATOR)].every(fits));
}
