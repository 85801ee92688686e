/**
 * One server of a group that runs at the same time: its state, and why it failed.
 * @import { FailureKind, Latencies, Server, Step, Trial } from '../types.js'
 * @import { Service } from '../deploy/services/start-services.js'
 * @import { Group } from '../deploy/process/logged-process.js'
 * @import { Statements } from '../deploy/services/statements.js'
 * @import { Inside } from '../observe/observers.js'
 * @import { Dependencies } from './dependencies.js'
 * @import { GroupContext } from './group.js'
 * @import { Queue } from './queue.js'
 */

import { addressVariables, SERVICES } from '../deploy/services.js';
import { FAILURES, failureOf, MeasureError } from '../model/errors.js';
import { totals } from '../model/totals.js';

/**
 * @typedef {Awaited<ReturnType<Dependencies['startServer']>>} Instance
 *
 * @typedef {object} ServerRun
 * @property {Step} step
 * @property {Server} server
 * @property {{ count: number, seconds: number, mostSeconds: number }} windows mostSeconds: of a slow one
 * @property {Step[]} riders other cases that are measured in this start
 * @property {Step[]} stirring routes that execute changed code, of a server of controls; loaded before these
 * @property {ServerRun[]} riding the riders, once it is over
 * @property {object} services
 * @property {NodeJS.ProcessEnv} services.env addresses of the services that the server needs
 * @property {number[]} services.groups process groups of all services
 * @property {() => { id: string, group: Group } | undefined} services.ended a service of the server's that no
 *   longer runs
 * @property {() => Promise<Statements | undefined>} [services.statements] what they counted for its side
 * @property {Statements} [counted] that when its side was last loaded
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
 * @property {number} seconds its windows; after the group also its share of starts, checks, warm-ups, stops
 */

/**
 * What fails becomes the server's failure. A server that failed before is skipped.
 * @type {(serverRun: ServerRun, context: GroupContext, work: () => Promise<void>) => Promise<void>}
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
 * Whether some died and the others, which that disturbed, go on; if none died, all of the group fail.
 * @type {(group: ServerRun[], error: unknown, context: GroupContext) => Promise<boolean>}
 */
export async function failDead(group, error, context) {
  const dead = group.filter(hasDied);
  for (const serverRun of dead.length > 0 ? dead : group) await fail(serverRun, error, context);
  return dead.length > 0;
}

/** @type {(serverRun: ServerRun, error: unknown, context: GroupContext) => Promise<void>} */
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

/** None if its check took too long or was cancelled. @type {(serverRun: ServerRun) => string | undefined} */
export function whyNotStarted({ trial: { failure, startupMs }, wasStarted }) {
  if (wasStarted || !failure || failure.kind === 'cancelled') return undefined;
  if (failure.kind === 'too-slow' && startupMs !== undefined) return undefined;
  return failure.kind === 'port-taken' ? 'its port is taken: read PORT' : `it failed (${failure.message})`;
}

/** side: its place. @type {(server: Server, services: Service[], side: number) => ServerRun['services']} */
export function servicesOf({ needs }, services, side) {
  const used = services.filter(({ id }) => needs.includes(id));
  const own = used.filter(({ groups }) => groups);
  // The statements of some of them would be taken for all.
  const counting = own.every(({ statementsOf }) => statementsOf) ? own : [];
  return {
    env: Object.assign({}, ...used.map(({ id, urlOf }) => addressVariables(id, urlOf(side)))),
    groups: services.flatMap(({ groups = [] }) => groups.map(({ pid }) => pid)),
    ended: () =>
      used
        .flatMap(({ id, groups = [] }) => groups.map((group) => ({ id, group })))
        .find(({ group }) => group.hasExited()),
    ...(counting.length > 0 && {
      async statements() {
        const counted = await Promise.all(counting.map(({ statementsOf }) => statementsOf?.(side)));
        return counted.includes(undefined) ? undefined : totals(counted.flatMap((each) => [...(each ?? [])]));
      },
    }),
  };
}

/** Whether it did not fail and was not left out. @type {(serverRun: ServerRun) => boolean} */
export function isRunning({ trial, leftOut }) {
  return !trial.failure && !leftOut;
}

/** @type {(serverRun: ServerRun) => boolean} */
export function hasDied({ services, instance }) {
  return Boolean(services.ended() || instance?.hasExited() || instance?.proxy?.hasExited());
}

/** Its process group, once started. @type {(serverRun: ServerRun) => number} */
export function groupOf({ instance }) {
  return /** @type {Instance} */ (instance).pid;
}

/** Process groups of the proxies before the servers. @type {(group: ServerRun[]) => number[]} */
export function proxiesOf(group) {
  return group.flatMap(({ instance }) => instance?.proxy?.pid ?? []);
}

/**
 * A dead service counts before the server that needed it. asked: what a check says of its requests.
 * @type {(serverRun: ServerRun, asked?: string) => Promise<MeasureError | undefined>}
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
