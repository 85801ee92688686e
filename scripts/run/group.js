/**
 * What is alive together: booted, checked and warmed up, then loaded in turn in short windows, then stopped.
 * @import { Life, Member, Outcome } from './server-run.js'
 * @import { Means } from './dependencies.js'
 */

import { mean, sum } from 'd3-array';
import { MeasureError } from '../model/errors.js';
import { mergeLatencies } from '../samples/latencies.js';
import { errorsIn } from '../samples/samples.js';
import { inParallel } from '../system/parallel.js';
import { attempt, startLife } from './server-run.js';
import { sequence } from './counterbalance.js';
import { canWeave, measureTurn } from './measure-window.js';
import { warmUp } from './warm-up/warm-up.js';

/**
 * What goes wrong with a server or the load tool becomes that trial's failure; windows measured before it are kept, and the
 * others go on.
 * @param {Member[]} members
 * @param {{ round: number, signal: AbortSignal, means: Means, elapsed: () => number, budgetSeconds?: number | undefined }} context elapsed: seconds
 * @returns {Promise<Outcome[]>} in the order of the members; without the reference where nobody else started
 */
export async function runGroup(members, context) {
  const { round, means, elapsed } = context;
  const startedAt = elapsed();
  const lives = members.map((member) => startLife(member, round));
  const servers = lives.filter(({ member }) => !member.case.reference);
  /** @param {Life[]} lived */
  const outcomesOf = (lived) => {
    const windowSeconds = sum(lived, (life) => life.windowSeconds);
    const sharedSeconds = (elapsed() - startedAt - windowSeconds) / lives.length;
    return lived.map(({ instance: _, inside: _inside, latencies, trial, windowSeconds, ...outcome }) => {
      const merged = mergeLatencies(latencies);
      const waitingShare = mean(outcome.waited);
      const told = {
        ...(merged && { latencies: merged }),
        ...(waitingShare !== undefined && { waitingShare }),
      };
      return { ...outcome, trial: { ...trial, ...told }, seconds: sharedSeconds + windowSeconds };
    });
  };
  try {
    await inParallel(lives, means.cores, (life) => attempt(life, context, () => begin(life, lives, context)));
    // Beside nobody the reference tells nothing.
    if (servers.length > 0 && servers.every(({ trial }) => trial.failure)) return outcomesOf(servers);
    await warmUp(lives, context);
    const counts = members.map(({ windows }) => windows.count);
    for (const cycle of sequence(counts, round)) {
      const turn = cycle.flatMap((place) => lives[place] ?? []);
      for (const together of canWeave(turn, means) ? [turn] : turn.map((life) => [life]))
        await measureTurn(together, lives, context);
    }
    await inParallel(lives, means.cores, (life) => attempt(life, context, () => checkAgain(life, context)));
  } finally {
    await Promise.all(lives.map(({ instance }) => instance?.stop()));
    await Promise.all(lives.flatMap(({ inside }) => inside.map(({ stop }) => stop())));
  }
  return outcomesOf(lives);
}

/**
 * What answers otherwise once it was loaded has served something else. Only what reads is asked again: what writes may answer
 * by what it wrote. A server that already showed errors is not asked: whether it answers this once is chance.
 * @param {Life} life
 * @param {{ signal: AbortSignal, means: Means }} context
 */
async function checkAgain({ member, instance, trial }, { signal, means }) {
  const { server, case: of } = member;
  const routes = server.routes.filter(
    ({ id, method }) => id === of.route && ['GET', 'HEAD'].includes(method),
  );
  const hasErrors = Object.values(errorsIn(trial) ?? {}).some((count) => count > 0);
  if (!instance || hasErrors || routes.length === 0) return;
  await means.verify(instance, routes, { signal }).catch((error) => {
    throw error instanceof MeasureError && error.kind === 'wrong-answer'
      ? Object.assign(error, { message: `after the load: ${error.message}` })
      : error;
  });
}

/**
 * @param {Life} life
 * @param {Life[]} lives
 * @param {{ signal: AbortSignal, means: Means }} context
 */
async function begin(life, lives, { signal, means }) {
  const { server, services } = life.member;
  life.leftOut = lives.some(({ instance }) => instance) && means.roomBytes() <= 0;
  if (life.leftOut) return;
  life.inside = await means.enter(server.runtime);
  const { inside } = life;
  const { load } = life.member.case;
  life.instance = await means.boot(server, { signal, services: services.env, inside, load });
  life.trial.bootMs = life.instance.bootMs;
  if (life.instance.fixedPort !== undefined) life.trial.fixedPort = life.instance.fixedPort;
  await means.verify(life.instance, server.routes, { signal });
  life.booted = true;
}
