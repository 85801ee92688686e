/**
 * Warms up those that are alive together.
 * @import { Warmup } from '../../types.js'
 * @import { Life } from '../server-run.js'
 * @import { Means } from '../dependencies.js'
 */

import { MeasureError } from '../../model/errors.js';
import { attempt, failDead, groupOf, isAlive, targetOf } from '../server-run.js';
import { canWeave, loadAll } from '../measure-window.js';
import { warmUntilAnswered, warmUntilLevel } from './level.js';

/** @typedef {{ signal: AbortSignal, means: Means, elapsed: () => number, budgetSeconds?: number | undefined }} Context elapsed: seconds */

/**
 * @param {Life[]} lives
 * @param {Context} context
 */
export async function warmUp(lives, context) {
  const growing = lives.filter(({ member }) => member.case.untilLevel);
  await warmTogether(growing, context);
  const warm = [...growing];
  for (const life of lives.filter((life) => !growing.includes(life))) {
    const { load, warmupRequests } = life.member.case;
    const step = () => loadBeside(life, warm.filter(isAlive), context);
    if (load.warmupSeconds > 0) await attempt(life, context, () => warmUntilAnswered(step, warmupRequests));
    warm.push(life);
  }
}

/**
 * Compilers starve beside their own server while it is loaded, and catch up while another one is: two Spring servers that were
 * loaded in turn were warm after half a minute, and neither of them was after as long that were loaded one after the other.
 * @param {Life[]} lives
 * @param {Context} context
 */
async function warmTogether(lives, context) {
  const alive = lives.filter(isAlive);
  if (alive.length === 0) return;
  const turns = canWeave(alive, context.means) ? [alive] : alive.map((life) => [life]);
  const step = async (/** @type {number} */ seconds) => {
    /** @type {Warmup['windows']} */
    const windows = [];
    for (const turn of turns) windows.push(...(await loadTogether(turn, seconds, context)));
    return windows;
  };
  try {
    const warmups = await warmUntilLevel(step, context);
    for (const [place, life] of alive.entries()) life.trial.warmup = /** @type {Warmup} */ (warmups[place]);
  } catch (error) {
    // Those that did not fail go on without the one that did; where none did, the fault is ours.
    if (alive.every(isAlive)) throw error;
    await warmTogether(alive, context);
  }
}

/**
 * @param {Life[]} turn
 * @param {number} seconds
 * @param {Context} context
 * @returns {Promise<Warmup['windows']>}
 * @throws what made one of them fail
 */
async function loadTogether(turn, seconds, { signal, means, elapsed }) {
  const at = Math.round(elapsed() * 1000) / 1000;
  const observers = turn.map((life) =>
    means.observe(groupOf(life), { runtime: life.member.server.runtime, waiting: [] }),
  );
  try {
    if (signal.aborted) throw new MeasureError('cancelled', 'cancelled before it was measured');
    const targets = turn.map((life) => targetOf(life, seconds));
    const loaded = await loadAll(targets, { signal, means });
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
 * @param {Life} life
 * @param {Life[]} waiting those that were warmed up before
 * @param {Context} context
 */
async function loadBeside(life, waiting, { signal, means }) {
  const { server, case: of } = life.member;
  const observer = means.observe(groupOf(life), {
    runtime: server.runtime,
    waiting: waiting.map(groupOf),
  });
  try {
    const { requests } = await means.load({ ...targetOf(life, of.load.warmupSeconds), signal });
    const { waiting: shares = [] } = await observer.stop();
    for (const [index, share] of shares.entries()) waiting[index]?.waited.push(share);
    return { requests };
  } finally {
    await observer.stop();
  }
}
