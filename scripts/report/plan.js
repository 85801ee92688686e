/**
 * A plan in words: its cases, each round's order, and how long it will take.
 * @import { Plan } from '../types.js'
 */

/**
 * @param {Plan} plan
 * @returns {string}
 */
export function renderPlan({ title, sides, cases, order, seed, estimateSeconds }) {
  const rows = cases.map(({ id, route, load, reference }, index) => {
    const { warmupSeconds, durationSeconds, windows } = load;
    const measured = windows > 1 ? `${windows} windows in ${durationSeconds} s` : `${durationSeconds} s`;
    return `${letter(index)}  ${id}  ${route}  warm-up ${warmupSeconds} s, ${measured}${reference ? '  (reference)' : ''}`;
  });
  const rounds = order.map((steps, round) => {
    const booted = steps.map(
      (step) => `${letter(step.case)}${sides.length > 1 ? `-${sides[step.side]?.label}` : ''}`,
    );
    return `round ${round + 1}: ${booted.join(' ')}`;
  });
  return [
    `${title}: ${cases.length} cases, ${order.flat().length} boots, about ${Math.ceil(estimateSeconds)} s (seed ${seed})`,
    '',
    ...rows,
    '',
    ...rounds,
    '',
  ].join('\n');
}

/**
 * A, B, ... Z, AA, AB, ...
 * @param {number} index
 * @returns {string}
 */
function letter(index) {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letter(Math.floor(index / 26) - 1) + last;
}
