/**
 * Warms up servers that run at the same time.
 * @import { Warmup } from '../../types.js'
 * @import { ServerRun } from '../server-run.js'
 * @import { GroupContext } from '../group.js'
 */

import { MeasureError } from '../../model/errors.js';
import { attempt, failDead, groupOf, isRunning, targetOf } from '../server-run.js';
import { canWeave, loadAll, milliseconds } from '../measure-window.js';
import { warmUntilAnswered, warmUntilLevel } from './level.js';

/** @param {ServerRun[]} group @param {GroupContext} context */
export async function warmUp(group, context) {
  const compiled = group.filter(({ member }) => member.case.untilLevel);
  await warmTogether(compiled, context);
  const warm = [...compiled];
  for (const serverRun of group.filter((candidate) => !compiled.includes(candidate))) {
    const { load, warmupRequests } = serverRun.member.case;
    const step = () =>
      loadTurn([serverRun], load.warmupSeconds, { waiting: warm.filter(isRunning), context });
    if (load.warmupSeconds > 0)
      await attempt(serverRun, context, () => warmUntilAnswered(step, warmupRequests));
    warm.push(serverRun);
  }
}

/**
 * Compilers starve while their own server is loaded, and catch up while another one is: two Spring servers that were loaded
 * alternately were warm after half a minute; loaded one after the other for as long, neither was.
 * @param {ServerRun[]} group
 * @param {GroupContext} context
 */
async function warmTogether(group, context) {
  const running = group.filter(isRunning);
  if (running.length === 0) return;
  const isWoven = canWeave(running, context.dependencies);
  const turns = isWoven ? [running] : running.map((serverRun) => [serverRun]);
  const step = async (/** @type {number} */ seconds) => {
    const windows = [];
    for (const turn of turns) {
      const loading = loadTurn(turn, seconds, { waiting: [], context });
      windows.push(
        ...(await loading.catch(async (error) => {
          await failDead(turn, error);
          throw error;
        })),
      );
    }
    return windows;
  };
  try {
    const warmups = await warmUntilLevel(step, context);
    for (const [place, { trial }] of running.entries()) trial.warmup = /** @type {Warmup} */ (warmups[place]);
  } catch (error) {
    // The others start again without the one that failed; if none failed, the fault is ours.
    if (running.every(isRunning)) throw error;
    await warmTogether(running, context);
  }
}

/**
 * @param {ServerRun[]} turn
 * @param {number} seconds
 * @param {{ waiting: ServerRun[], context: GroupContext }} others waiting: servers that are warm
 * @returns {Promise<Warmup['windows']>} one a server of the turn
 */
async function loadTurn(turn, seconds, { waiting, context: { signal, dependencies, elapsed } }) {
  const at = milliseconds(elapsed());
  const observers = turn.map((serverRun) =>
    dependencies.observe(groupOf(serverRun), {
      runtime: serverRun.member.server.runtime,
      waiting: waiting.map(groupOf),
    }),
  );
  try {
    if (signal.aborted) throw new MeasureError('cancelled', 'cancelled before it was measured');
    const targets = turn.map((serverRun) => targetOf(serverRun, seconds));
    const loaded = await loadAll(targets, { signal, dependencies });
    return await Promise.all(
      loaded.map(async ({ seconds, requests }, place) => {
        const { jvm, waiting: shares = [] } = (await observers[place]?.stop()) ?? {};
        for (const [index, share] of shares.entries()) waiting[index]?.waited.push(share);
        return { at, seconds, requests, ...(jvm && { jvm }) };
      }),
    );
  } finally {
    await Promise.all(observers.map(({ stop }) => stop()));
  }
}
