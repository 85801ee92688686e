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

/**
 * @param {ServerRun[]} group
 * @param {GroupContext} context
 */
export async function warmUp(group, context) {
  const compiled = group.filter(({ member }) => member.case.untilLevel);
  await warmTogether(compiled, context);
  const warm = [...compiled];
  for (const serverRun of group.filter((member) => !compiled.includes(member))) {
    const { load, warmupRequests } = serverRun.member.case;
    const step = () => loadBeside(serverRun, warm.filter(isRunning), context);
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
  const turns = canWeave(running, context.dependencies) ? [running] : running.map((serverRun) => [serverRun]);
  const step = async (/** @type {number} */ seconds) => {
    /** @type {Warmup['windows']} */
    const windows = [];
    for (const turn of turns) windows.push(...(await loadTogether(turn, seconds, context)));
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
 * @param {GroupContext} context
 * @returns {Promise<Warmup['windows']>}
 * @throws what made one of them fail
 */
async function loadTogether(turn, seconds, { signal, dependencies, elapsed }) {
  const at = milliseconds(elapsed());
  const observers = turn.map((serverRun) =>
    dependencies.observe(groupOf(serverRun), { runtime: serverRun.member.server.runtime, waiting: [] }),
  );
  try {
    if (signal.aborted) throw new MeasureError('cancelled', 'cancelled before it was measured');
    const targets = turn.map((serverRun) => targetOf(serverRun, seconds));
    const loaded = await loadAll(targets, { signal, dependencies });
    return await Promise.all(
      loaded.map(async ({ seconds, requests }, place) => {
        const { jvm } = (await observers[place]?.stop()) ?? {};
        return { at, seconds, requests, ...(jvm && { jvm }) };
      }),
    );
  } catch (error) {
    await failDead(turn, error);
    throw error;
  } finally {
    await Promise.all(observers.map(({ stop }) => stop()));
  }
}

/**
 * @param {ServerRun} serverRun
 * @param {ServerRun[]} waiting those that are warm
 * @param {GroupContext} context
 */
async function loadBeside(serverRun, waiting, { signal, dependencies }) {
  const { server, case: planned } = serverRun.member;
  const observer = dependencies.observe(groupOf(serverRun), {
    runtime: server.runtime,
    waiting: waiting.map(groupOf),
  });
  try {
    const { requests } = await dependencies.load({
      ...targetOf(serverRun, planned.load.warmupSeconds),
      signal,
    });
    const { waiting: shares = [] } = await observer.stop();
    for (const [index, share] of shares.entries()) waiting[index]?.waited.push(share);
    return { requests };
  } finally {
    await observer.stop();
  }
}
