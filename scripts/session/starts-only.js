/**
 * Starts without load: servers are installed, built, started and checked as in a run. They leave no results.
 * @import { Case, Config, Plan, Run, Side, Step } from '../types.js'
 * @import { Dependencies } from '../run/dependencies.js'
 * @import { Surroundings } from './experiments/experiment.js'
 */

import { MeasureError } from '../model/errors.js';
import { serversById } from '../plan/side-servers.js';
import { timed } from '../plan/timetable.js';
import { measure } from '../run/measure.js';
import { progressOn } from '../run/record/progress.js';

/**
 * @param {{ config: Config, sides: Side[], cases: Case[] }} asked cases: one a server
 * @param {Pick<Surroundings, 'cwd' | 'env' | 'stderr' | 'signal'>} surroundings
 * @param {{ mostSeconds: number, dependencies: Dependencies, onStart: (step: Step) => void }} context
 *   mostSeconds: for all of it
 * @returns {Promise<Run[]>} one a side
 * @throws {MeasureError} cancelled
 */
export async function startOnly({ config, sides, cases }, { cwd, env, stderr, ...surroundings }, context) {
  const { mostSeconds, dependencies, onStart } = context;
  const signal = AbortSignal.any([surroundings.signal, AbortSignal.timeout(1000 * mostSeconds)]);
  const progress = progressOn(stderr, sides.length > 1);
  const order = { plan: startsOf(cases, config, sides), config, session: '', command: '', cwd };
  const { runs } = await measure(order, {
    ...{ env, signal, dependencies },
    onRuns: async () => {},
    onProgress(event) {
      const [member] = event.type === 'start' ? event.members : [];
      if (member) onStart(member);
      if (event.type === 'prepare' || event.type === 'wait') progress.show(event);
    },
  }).finally(progress.end);
  if (signal.aborted) {
    const when = surroundings.signal.aborted ? '' : `after ${mostSeconds / 60} min, `;
    throw new MeasureError('cancelled', `${when}before every server had started`);
  }
  return runs;
}

/**
 * @param {Case[]} cases
 * @param {Config} config
 * @param {Side[]} sides
 * @returns {Plan} one start each on each side, one after the other
 */
function startsOf(cases, { title, seed }, sides) {
  const ofSide = (/** @type {Side} */ { label, servers }) => ({
    label,
    servers: serversById({ servers: cases.flatMap(({ server }) => servers[server] ?? []) }),
  });
  const started = cases.map(({ warmupRequests: _, untilLevel: __, ...planned }) => ({
    ...planned,
    load: { ...planned.load, warmupSeconds: 0, durationSeconds: 0, windows: 0 },
  }));
  const all = sides.map(ofSide);
  const order = [started.flatMap((planned) => all.map((side) => [{ side, case: planned }]))];
  return timed({ title, seed, sides: all, cases: started, order, budgetSeconds: Infinity, roundsBy: 'set' });
}
