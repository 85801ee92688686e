/**
 * Runs of one day each, in which the truth is known.
 * @import { Gate } from '../../scripts/types.js'
 */

import { caseOf, runOf, seededNormal, startsOf } from '../judge/runs.js';

/**
 * A day on which the whole machine is slower or faster by a factor.
 * @param {number} day
 * @param {{ speed?: number, level?: number, fingerprint?: string, reference?: boolean, preset?: string,
 *   gate?: Gate }} [facts]
 */
export function ofDay(
  day,
  { speed = 1, level = 50_000, fingerprint = 'here', reference = true, preset, gate } = {},
) {
  const random = seededNormal(day * 7 + 1);
  const make = (/** @type {number} */ throughput) =>
    startsOf({ level: throughput * speed, noise: 0.01, starts: 6, random, only: 'throughput' });
  const cases = [
    ...(reference ? [caseOf('gauge', make(80_000), { reference: true })] : []),
    caseOf('app', make(level)),
  ];
  return {
    ...runOf(cases, { session: `day-${day}`, fingerprint }),
    id: `run-${day}`,
    startedAt: `2026-11-${String(day).padStart(2, '0')}T10:00:00Z`,
    ...(preset !== undefined && { preset }),
    ...(gate && { gate }),
  };
}
