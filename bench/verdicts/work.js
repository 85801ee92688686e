/** Integer arithmetic that keeps a core busy: nothing is allocated, nothing can be optimised away. */

let state = 1;

/** @param {number} steps */
export function work(steps) {
  let value = state;
  for (let i = 0; i < steps; i++) value = (Math.imul(value, 1664525) + 1013904223) | 0;
  state = value;
}

/** How many steps one timing takes: long against the clock, short against a turn of the scheduler. */
const TIMED = 1e6;
const TIMINGS = 25;

/**
 * @returns {number} steps a microsecond when nothing interrupts them: the quickest of several timings
 */
export function stepsPerUs() {
  const times = Array.from({ length: TIMINGS }, () => {
    const startedAt = performance.now();
    work(TIMED);
    return performance.now() - startedAt;
  });
  return TIMED / (1000 * Math.min(...times));
}
