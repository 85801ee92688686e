/**
 * Measures servers that run at the same time: starts, checks and warms them up, loads them alternately in short windows, stops them.
 * @import { Member, Outcome, ServerRun } from './server-run.js'
 * @import { Dependencies } from './dependencies.js'
 */

import { mean, sum } from 'd3-array';
import { MeasureError } from '../model/errors.js';
import { mergeLatencies } from '../samples/latencies.js';
import { errorsIn } from '../samples/samples.js';
import { inParallel } from '../system/parallel.js';
import { attempt, startServerRun } from './server-run.js';
import { sequence } from './counterbalance.js';
import { canWeave, measureTurn } from './measure-window.js';
import { warmUp } from './warm-up/warm-up.js';

/**
 * @typedef {object} GroupContext
 * @property {number} round
 * @property {AbortSignal} signal
 * @property {Dependencies} dependencies
 * @property {() => number} elapsed seconds since measuring began
 * @property {number | undefined} [budgetSeconds] of the whole run
 */

/**
 * A failure of a server or of the load tool becomes the failure of that trial: its earlier windows are kept, and the others go on.
 * @param {Member[]} members
 * @param {GroupContext} context
 * @returns {Promise<Outcome[]>} in the order of the members; without the reference if no other server started
 */
export async function runGroup(members, context) {
  const { round, dependencies, elapsed } = context;
  const startedAt = elapsed();
  const group = members.map((member) => startServerRun(member, round));
  const servers = group.filter(({ member }) => !member.case.reference);
  const inGroup = (/** @type {(serverRun: ServerRun) => Promise<void>} */ work) =>
    inParallel(group, dependencies.cores, (serverRun) => attempt(serverRun, context, () => work(serverRun)));
  try {
    await inGroup((serverRun) => begin(serverRun, group, context));
    // A reference without neighbours shows nothing.
    if (servers.length > 0 && servers.every(({ trial }) => trial.failure))
      return outcomesOf(servers, (elapsed() - startedAt) / group.length);
    await warmUp(group, context);
    const counts = members.map(({ windows }) => windows.count);
    for (const cycle of sequence(counts, round)) {
      const turn = cycle.flatMap((place) => group[place] ?? []);
      for (const together of canWeave(turn, dependencies) ? [turn] : turn.map((serverRun) => [serverRun]))
        await measureTurn(together, group, context);
    }
    await inGroup((serverRun) => checkAgain(serverRun, context));
  } finally {
    await Promise.all(group.map(({ instance }) => instance?.stop()));
    await Promise.all(group.flatMap(({ inside }) => inside.map(({ stop }) => stop())));
  }
  const windowSeconds = sum(group, (serverRun) => serverRun.windowSeconds);
  return outcomesOf(group, (elapsed() - startedAt - windowSeconds) / group.length);
}

/** @param {ServerRun[]} group @param {number} sharedSeconds what each took beside its windows @returns {Outcome[]} */
function outcomesOf(group, sharedSeconds) {
  return group.map(({ member, trial, booted, leftOut, waited, latencies, windowSeconds }) => {
    const merged = mergeLatencies(latencies);
    const waitingShare = mean(waited);
    return {
      member,
      trial: {
        ...trial,
        ...(merged && { latencies: merged }),
        ...(waitingShare !== undefined && { waitingShare }),
      },
      booted,
      leftOut,
      waited,
      seconds: sharedSeconds + windowSeconds,
    };
  });
}

/** @param {ServerRun} serverRun @param {ServerRun[]} group @param {GroupContext} context */
async function begin(serverRun, group, { signal, dependencies }) {
  const { server, services, case: planned } = serverRun.member;
  serverRun.leftOut = group.some(({ instance }) => instance) && dependencies.roomBytes() <= 0;
  if (serverRun.leftOut) return;
  const inside = await dependencies.enter(server.runtime);
  serverRun.inside = inside;
  const { connections, host } = planned.load;
  const instance = await dependencies.boot(server, {
    deployment: planned,
    connections,
    isPublic: host !== undefined,
    inside,
    services: services.env,
    signal,
  });
  serverRun.instance = instance;
  serverRun.trial.bootMs = instance.bootMs;
  if (instance.fixedPort !== undefined) serverRun.trial.fixedPort = instance.fixedPort;
  await dependencies.verify(instance, server.routes, { signal });
  serverRun.booted = true;
}

/**
 * A wrong answer after the load means that wrong answers were measured. Only routes that read are checked again: a write may change
 * the next answer. A server that showed errors is not checked: one more answer would be chance.
 * @param {ServerRun} serverRun
 * @param {GroupContext} context
 */
async function checkAgain({ member, instance, trial }, { signal, dependencies }) {
  const { server, case: planned } = member;
  const routes = server.routes.filter(
    ({ id, method }) => id === planned.route && ['GET', 'HEAD'].includes(method),
  );
  const hasErrors = Object.values(errorsIn(trial) ?? {}).some((count) => count > 0);
  if (!instance || hasErrors || routes.length === 0) return;
  await dependencies.verify(instance, routes, { signal }).catch((error) => {
    throw error instanceof MeasureError && error.kind === 'wrong-answer'
      ? Object.assign(error, { message: `after the load: ${error.message}` })
      : error;
  });
}
