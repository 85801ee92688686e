/**
 * Histories for tests, in which the truth is known.
 * @import { PastRun } from '../../scripts/types.js'
 */

import { seededNormal } from './runs.js';

/**
 * @param {string[]} servers
 * @param {(server: string, place: number) => { log: number, kind?: string }} levelOf kind: of machine, as the
 *   first server has it
 * @param {number} [runs]
 * @returns {PastRun[]} one a day
 */
export function historyOf(servers, levelOf, runs = 200) {
  return Array.from({ length: runs }, (_, place) => {
    const levels = servers.map((server) => ({ server, ...levelOf(server, place) }));
    return {
      schema: 'perf-action/past-run@1',
      id: `run-${place}`,
      startedAt: dayOf(place),
      fingerprint: levels[0]?.kind ?? 'one',
      sha: place.toString(16).padStart(40, '0'),
      cases: levels.map(({ server, log }) => ({
        id: server,
        server,
        throughput: 1000,
        beside: { throughput: { log, error: 0.01 } },
      })),
    };
  });
}

/** @param {number} place */
export function dayOf(place) {
  return new Date(Date.UTC(2026, 0, 1 + place)).toISOString();
}

/** Two kinds of machine in turn, one server with a step. */
export function longHistory() {
  const random = seededNormal(9);
  return historyOf(['express', 'fastify'], (server, place) => {
    const kind = place % 3 === 0 ? 'slow' : 'fast';
    const step = server === 'fastify' && place >= 150 ? -0.06 : 0;
    return { log: (kind === 'slow' ? -0.2 : 0) + step + 0.02 * random(), kind };
  });
}
