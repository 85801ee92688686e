/**
 * One server of those that are alive together: what it is, what became of it, and why it failed.
 * @import { Case, Latencies, Server, Step, Trial } from '../types.js'
 * @import { Service } from '../deploy/services/start.js'
 * @import { Inside } from '../observe/observers.js'
 * @import { Means } from './dependencies.js'
 */

import { COMPANIONS } from '../deploy/services.js';
import { failureOf, MeasureError } from '../model/errors.js';

/**
 * One of the group. count, seconds: of its windows.
 * @typedef {{ step: Step, case: Case, server: Server, windows: { count: number, seconds: number },
 *   services: { env: NodeJS.ProcessEnv, groups: number[], ended: () => Service | undefined } }} Member services: the
 *   addresses of those the server needs, the process groups of all, and one of the server's that runs no more
 * @typedef {Awaited<ReturnType<Means['boot']>>} Instance
 * What became of it. booted: it answered, and rightly; waited: shares of a core it used while another was loaded, a window
 * each; leftOut: there was no memory for it beside those that were booted before; seconds: what its windows took, and its share of what the group's starts, checks, warm-ups and stops took.
 * @typedef {{ member: Member, trial: Trial, booted: boolean, leftOut: boolean, waited: number[], seconds: number }} Outcome
 * @typedef {Omit<Outcome, 'seconds'> & { windowSeconds: number, instance?: Instance, inside: Inside[], latencies: (Latencies | undefined)[] }} Life inside: what was put into the server; latencies: of each window
 */

/**
 * @param {Member} member
 * @param {number} round
 * @returns {Life}
 */
export function startLife(member, round) {
  return {
    member,
    trial: { round, failure: null, windows: [] },
    booted: false,
    leftOut: false,
    waited: [],
    inside: [],
    latencies: [],
    windowSeconds: 0,
  };
}

/**
 * @param {Life} life one that failed is left alone
 * @param {{ signal: AbortSignal }} context
 * @param {() => Promise<void>} work
 */
export async function attempt(life, { signal }, work) {
  if (!isAlive(life)) return;
  try {
    if (signal.aborted) throw new MeasureError('cancelled', 'cancelled before it was measured');
    await work();
  } catch (error) {
    await fail(life, error);
  }
}

/**
 * @param {Life} life
 * @param {unknown} error
 */
export async function fail(life, error) {
  life.trial.failure = await describeFailure(error, life);
  await life.instance?.stop();
}

/**
 * @param {Life[]} lives that were loaded together
 * @param {unknown} error
 * @returns {Promise<boolean>} whether some died: the others, whom that disturbed, go on; all fail where nobody did
 */
export async function failDead(lives, error) {
  const dead = lives.filter(hasDied);
  for (const life of dead.length > 0 ? dead : lives) await fail(life, error);
  return dead.length > 0;
}

/** @param {Life} life */
export function isAlive({ trial, leftOut }) {
  return !trial.failure && !leftOut;
}

/** @param {Life} life */
export function hasDied({ member, instance }) {
  return Boolean(member.services.ended() || instance?.hasExited() || instance?.front?.hasExited());
}

/** @param {Life} life one that was booted */
export function groupOf({ instance }) {
  return /** @type {Instance} */ (instance).pid;
}

/**
 * @param {Life} life one that was booted
 * @param {number} seconds
 */
export function targetOf({ member, instance }, seconds) {
  const { load, request } = member.case;
  return { load, request, url: /** @type {Instance} */ (instance).url, seconds };
}

/**
 * @param {Life[]} lives
 * @returns {number[]} process groups
 */
export function frontsOf(lives) {
  return lives.flatMap(({ instance }) => instance?.front?.pid ?? []);
}

/**
 * A load tool whose server died fails too, each tool in its own words; the death is the cause worth telling.
 * @param {unknown} error
 * @param {Life} life
 * @returns {Promise<Trial['failure']>}
 */
async function describeFailure(error, life) {
  if (!(error instanceof MeasureError)) throw error;
  const { instance } = life;
  const told = error.kind === 'cancelled' ? error : ((await whoDied(life)) ?? error);
  return { ...(instance && { command: instance.command }), ...failureOf(told) };
}

/**
 * @param {Life} life
 * @returns {Promise<MeasureError | undefined>} of the service before the server that could not do without it
 */
export async function whoDied({ member, instance }) {
  const { id, group } = member.services.ended() ?? {};
  if (id !== undefined && group) {
    const { code, signal } = await group.exited;
    const message = `${COMPANIONS[id]?.label ?? id} ended with ${code ?? signal} while the server needed it`;
    return new MeasureError('service-failed', message, group.logTail());
  }
  if (instance?.front?.hasExited())
    return diedUnderLoad(instance.front, `${instance.front.name}, before the server,`);
  return instance?.hasExited() ? diedUnderLoad(instance, 'the server') : undefined;
}

/**
 * @param {Pick<Instance, 'exited' | 'logTail'>} group
 * @param {string} what it is
 */
async function diedUnderLoad(group, what) {
  const { code, signal } = await group.exited;
  const hint = code === 0 ? '; `start` must stay in the foreground' : '';
  const message = `${what} ended with ${code ?? signal} while it was loaded${hint}`;
  return new MeasureError('died-under-load', message, group.logTail());
}
