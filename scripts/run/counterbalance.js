/** The order of load for servers that run together, so that being early or late favours none. Pure. */

/** The rows for two members. All four, in this order, cancel a steady drift and one that accelerates. */
const PAIR = [
  [0, 1],
  [1, 0],
  [1, 0],
  [0, 1],
];

/**
 * Two servers: ABBA, then BAAB. More: the rows of a Latin square in which each follows each other one equally
 * often. Source: E. J. Williams, "Experimental designs balanced for the estimation of residual effects of
 * treatments", Australian Journal of Scientific Research A 2 (1949).
 * @param {number[]} windows how many each member has
 * @param {number} round from 0; continues the square where the last round ended
 * @returns {number[][]} a row for each cycle: its members' indices in their order, each loaded for one window
 */
export function sequence(windows, round) {
  const cycles = Math.max(0, ...windows);
  const isPair = windows.length === 2;
  const rows = isPair ? PAIR : williams(windows.length);
  // The plan alternates from round to round which server of a pair is the first.
  const begin = isPair ? 0 : round * cycles;
  return Array.from({ length: cycles }, (_, cycle) =>
    (rows[(begin + cycle) % rows.length] ?? []).filter((member) => cycle < (windows[member] ?? 0)),
  );
}

/** Its rows; of an odd size the mirrored ones, too. @type {(size: number) => number[][]} */
function williams(size) {
  const first = Array.from({ length: size }, (_, index) =>
    index % 2 === 1 ? (index + 1) / 2 : (size - index / 2) % size,
  );
  const rows = first.map((_, turn) => first.map((member) => (member + turn) % size));
  return size % 2 === 0 ? rows : [...rows, ...rows.map((row) => row.toReversed())];
}
