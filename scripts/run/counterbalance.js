/**
 * How the measured time of servers that run at the same time is split, and the order in which they are loaded, so that no place
 * favours any of them. Pure.
 * @import { Case } from '../types.js'
 */

/** Long enough for every load tool, and much shorter than a moment of the machine. */
const WINDOW_SECONDS = 1;
/** Cancels a steady drift, and one that accelerates. */
const PAIR = [
  [0, 1],
  [1, 0],
  [1, 0],
  [0, 1],
];

/**
 * A server that runs alone has no neighbours to compare with, so its time stays whole. A number of requests is one run of the tool.
 * @param {Case[]} group what runs at the same time
 * @returns {{ count: number, seconds: number }[]} of each case
 */
export function windowsOf(group) {
  const split = (/** @type {number} */ seconds) =>
    group.length > 1 ? Math.max(1, Math.round(seconds / WINDOW_SECONDS)) : 1;
  return group.map(({ load }) => {
    const count = load.windows ?? (load.requests ? 1 : split(load.durationSeconds));
    return { count, seconds: load.durationSeconds / count };
  });
}

/**
 * Two servers: ABBA, then BAAB. More: the rows of a Latin square in which each follows each other one equally often.
 * Source: E. J. Williams, "Experimental designs balanced for the estimation of residual effects of treatments", Australian Journal of
 * Scientific Research A 2 (1949).
 * @param {number[]} windows of each member
 * @param {number} round from 0; continues the square where the last round ended
 * @returns {number[][]} cycles: indices of members, a window each
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

/** @param {number} size @returns {number[][]} rows; of an odd size the mirrored ones, too */
function williams(size) {
  const first = Array.from({ length: size }, (_, place) =>
    place % 2 === 1 ? (place + 1) / 2 : (size - place / 2) % size,
  );
  const rows = first.map((_, turn) => first.map((member) => (member + turn) % size));
  return size % 2 === 0 ? rows : [...rows, ...rows.map((row) => row.toReversed())];
}
