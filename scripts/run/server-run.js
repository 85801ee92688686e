/**
 * One server of a group that runs at the same time: its state, and why it failed.
 * @import { FailureKind, Latencies, Server, Side, Step, Trial } from '../types.js'
 * @import { Service as Started } from '../deploy/services/start-services.js'
 * @import { Inside } from '../observe/observers.js'
 * @import { Dependencies } from './dependencies.js'
 * @import { GroupContext } from './group.js'
 * @import { Queue } from './queue.js'
 */

import { addressVariables, SERVICES } from '../deploy/services.js';
import { FAILURES, failureOf, MeasureError } from '../model/errors.js';

/** Its address is another on each side. @typedef {Omit<Started, 'urlOf'> & { urlOf: (side: Side) => string }} Service */
/**
 * @typedef {Awaited<ReturnType<Dependencies['startServer']>>} Instance
 *
 * @typedef {object} ServerRun
 * @property {Step} step
 * @property {Server} server
 * @property {{ count: number, seconds: number, mostSeconds: number }} windows mostSeconds: of one window of a slow server
 * @property {object} services
 * @property {NodeJS.ProcessEnv} services.env addresses of the services that the server needs
 * @property {number[]} services.groups process groups of all services
 * @property {() => Service | undefined} services.ended a service of the server's that no longer runs
 * @property {Trial} trial
 * @property {Instance} [instance]
 * @property {Inside[]} inside observers in the server
 * @property {boolean} wasStarted whether it started and answered correctly
 * @property {boolean} isRepeated whether it did not start, and the server was started again beside the others
 * @property {boolean} leftOut whether there was no memory for it next to those that started before
 * @property {number} answerSeconds of the fastest answer to its check
 * @property {number} windowSeconds how long a window is: as planned, or longer for a slow server
 * @property {number} loadedSeconds its windows so far, as long as they were asked to be
 * @property {Queue} [queue] of its last load
 * @property {boolean} isQueued whether that may still be at work
 * @property {number[]} waited shares of a core that it used while another server was loaded
 * @property {(Latencies | undefined)[]} latencies of each window
 * @property {number} seconds its windows; once the group has ended, also its share of starts, checks, warm-ups and stops
 */

/**
 * What fails becomes the server's failure. A server that failed before is skipped.
 * @param {ServerRun} serverRun
 * @param {GroupContext} context
 * @param {() => Promise<void>} work
 */
export async function attempt(serverRun, context, work) {
  if (!isRunning(serverRun)) return;
  try {
    if (context.signal.aborted) throw new MeasureError('cancelled', 'cancelled before it was measured');
    await work();
  } catch (error) {
    await fail(serverRun, error, context);
  }
}

/**
 * @param {ServerRun[]} group that was loaded together
 * @param {unknown} error @param {GroupContext} context
 * @returns {Promise<boolean>} whether some died and the others, which that disturbed, go on; if none died, all fail
 */
export async function failDead(group, error, context) {
  const dead = group.filter(hasDied);
  for (const serverRun of dead.length > 0 ? dead : group) await fail(serverRun, error, context);
  return dead.length > 0;
}

/** @param {ServerRun} serverRun @param {unknown} error @param {GroupContext} context */
async function fail(serverRun, error, { deadline, plan, dependencies }) {
  const { instance, trial, wasStarted } = serverRun;
  if (!(error instanceof MeasureError)) throw error;
  if (error.kind === 'cancelled' && deadline.aborted) {
    // What it measured before counts.
    if (trial.windows.length > 0) return;
    const what = wasStarted ? 'it was measured' : 'it had started and passed its check';
    error.message = `the budget of ${plan.budgetSeconds} s ended before ${what}`;
  }
  // A load tool fails if its server dies, each in its own words. The death is the cause.
  const asked = FAILURES[error.kind]?.ofCheck ? error.message : undefined;
  const cause = error.kind === 'cancelled' ? error : ((await whoDied(serverRun, asked)) ?? error);
  cause.command ??= instance?.command;
  trial.failure = failureOf(cause, dependencies.conceal);
  await instance?.stop();
}

/**
 * @param {ServerRun} serverRun
 * @returns {string | undefined} why it did not start; undefined if it did, but its check took too long, or
 *   was cancelled
 */
export function whyNotStarted({ trial: { failure, startupMs }, wasStarted }) {
  if (wasStarted || !failure || failure.kind === 'cancelled') return undefined;
  if (failure.kind === 'too-slow' && startupMs !== undefined) return undefined;
  return failure.kind === 'port-taken' ? 'its port is taken' : `it failed (${failure.message})`;
}

/** @param {Server} server @param {Service[]} services all that were started @param {Side} side @returns {ServerRun['services']} */
export function servicesOf({ needs }, services, side) {
  const used = services.filter(({ id }) => needs.includes(id));
  return {
    env: Object.assign({}, ...used.map(({ id, urlOf }) => addressVariables(id, urlOf(side)))),
    groups: services.flatMap(({ group }) => group?.pid ?? []),
    ended: () => used.find(({ group }) => group?.hasExited()),
  };
}

/** @param {ServerRun} serverRun @returns {boolean} whether it did not fail and was not left out */
export function isRunning({ trial, leftOut }) {
  return !trial.failure && !leftOut;
}

/** @param {ServerRun} serverRun @returns {boolean} */
export function hasDied({ services, instance }) {
  return Boolean(services.ended() || instance?.hasExited() || instance?.proxy?.hasExited());
}

/** @param {ServerRun} serverRun that was started @returns {number} its process group */
export function groupOf({ instance }) {
  return /** @type {Instance} */ (instance).pid;
}

/** @param {ServerRun[]} group @returns {number[]} process groups of the proxies before the servers */
export function proxiesOf(group) {
  return group.flatMap(({ instance }) => instance?.proxy?.pid ?? []);
}

/**
 * @param {ServerRun} serverRun
 * @param {string} [asked] what a check says of the requests that it was asking
 * @returns {Promise<MeasureError | undefined>} a dead service counts before the server that needed it
 */
export async function whoDied({ services, instance, wasStarted }, asked) {
  const { id, group } = services.ended() ?? {};
  if (id !== undefined && group) {
    const { code, signal } = await group.exited;
    const message = `${SERVICES[id]?.label ?? id} ended with ${code ?? signal} while the server needed it`;
    return new MeasureError('service-failed', message, group.logTail());
  }
  const kind = wasStarted ? 'died-under-load' : 'exited-at-start';
  const when = asked === undefined ? 'while it was loaded' : `when it was checked (${asked})`;
  if (instance?.proxy?.hasExited())
    return deathOf(instance.proxy, { kind, name: `${instance.proxy.name}, before the server,`, when });
  return instance?.hasExited() ? deathOf(instance, { kind, name: 'the server', when }) : undefined;
}

/**
 * @param {Pick<Instance, 'exited' | 'logTail'>} group
 * @param {{ kind: FailureKind, name: string, when: string }} death
 */
async function deathOf(group, { kind, name, when }) {
  const { code, signal } = await group.exited;
  const hint = code === 0 ? '; `start` must stay in the foreground' : '';
  return new MeasureError(kind, `${name} ended with ${code ?? signal} ${when}${hint}`, group.logTail());
}
