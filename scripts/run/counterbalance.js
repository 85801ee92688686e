/** In which order servers that are alive together are loaded, so that none is favoured by its place. Pure. */

/**
 * Of two, ABBA and BAAB in turn: what rises or falls steadily, and what does so ever faster, hits both alike. Of more, the
 * rows of a Latin square in which everybody follows everybody else equally often: E. J. Williams, "Experimental designs
 * balanced for the estimation of residual effects of treatments", Australian Journal of Scientific Research A 2 (1949).
 * @param {number[]} windows of each member
 * @param {number} round from 0: it goes on in the square where the one before it ended
 * @returns {number[][]} cycles: places in the list of members, a window each
 */
export function sequence(windows, round) {
  const cycles = Math.max(0, ...windows);
  const isPair = windows.length === 2;
  const rows = isPair ? PAIR : williams(windows.length);
  // Who of a pair goes first is turned by the plan from round to round.
  const begin = isPair ? 0 : round * cycles;
  return Array.from({ length: cycles }, (_, cycle) =>
    (rows[(begin + cycle) % rows.length] ?? []).filter((member) => cycle < (windows[member] ?? 0)),
  );
}

const PAIR = [
  [0, 1],
  [1, 0],
  [1, 0],
  [0, 1],
];

/**
 * @param {number} size
 * @returns {number[][]} rows; of an odd number of members the mirrored ones too
 */
function williams(size) {
  const first = Array.from({ length: size }, (_, place) =>
    place % 2 === 1 ? (place + 1) / 2 : (size - place / 2) % size,
  );
  const rows = first.map((_, turn) => first.map((member) => (member + turn) % size));
  return size % 2 === 0 ? rows : [...rows, ...rows.map((row) => row.toReversed())];
}
