/**
 * What is alive together: booted, checked and warmed up, then loaded in turn in short windows, then stopped.
 * @import { Case, Latencies, Server, Step, Trial } from '../types.js'
 * @import { Service } from '../boot/services.js'
 * @import { Inside } from '../observe/observers.js'
 * @import { Means } from './means.js'
 */

import { COMPANIONS } from '../boot/companions.js';
import { failureOf, MeasureError } from '../errors.js';
import { mergeLatencies } from '../store/latencies.js';
import { agrees } from './clock.js';
import { inParallel } from '../parallel.js';
import { sequence } from './sequence.js';
import { warmUntilLevel } from './warm-up.js';

/**
 * One of the group. count, seconds: of its windows.
 * @typedef {{ step: Step, case: Case, server: Server, windows: { count: number, seconds: number },
 *   services: { env: NodeJS.ProcessEnv, groups: number[], ended: () => Service | undefined } }} Member services: the
 *   addresses of those the server needs, the process groups of all, and one of the server's that runs no more
 * @typedef {Awaited<ReturnType<Means['boot']>>} Instance
 * What became of it. booted: it answered, and rightly; waited: shares of a core it used while another was loaded, a window
 * each; leftOut: there was no memory for it beside those that were booted before; bootSeconds: what its boot took with check, warm-up and stop; windowSeconds: what its windows took, with all that is
 * done around them.
 * @typedef {{ member: Member, trial: Trial, booted: boolean, leftOut: boolean, waited: number[], bootSeconds: number, windowSeconds: number }} Outcome
 * @typedef {Omit<Outcome, 'bootSeconds'> & { instance?: Instance, inside: Inside[], latencies: (Latencies | undefined)[] }} Life inside: what was put into the server; latencies: of each window
 */

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
  /** @param {Life[]} told */
  const outcomesOf = (told) => {
    const windowSeconds = told.reduce((sum, life) => sum + life.windowSeconds, 0);
    const bootSeconds = (elapsed() - startedAt - windowSeconds) / lives.length;
    return told.map(({ instance: _, inside: _inside, latencies, trial, ...outcome }) => {
      const merged = mergeLatencies(latencies);
      return { ...outcome, trial: { ...trial, ...(merged && { latencies: merged }) }, bootSeconds };
    });
  };
  try {
    await inParallel(lives, means.cores, (life) => attempt(life, context, () => begin(life, lives, context)));
    // Beside nobody the reference tells nothing.
    if (servers.length > 0 && servers.every(({ trial }) => trial.failure)) return outcomesOf(servers);
    for (const life of lives) await attempt(life, context, () => warmUp(life, context));
    for (const place of sequence(
      members.map(({ windows }) => windows.count),
      round,
    )) {
      const life = /** @type {Life} */ (lives[place]);
      await attempt(life, context, () => measureAgain(() => measureWindow(life, lives, context)));
    }
  } finally {
    await Promise.all(lives.map(({ instance }) => instance?.stop()));
    await Promise.all(lives.flatMap(({ inside }) => inside.map(({ stop }) => stop())));
  }
  return outcomesOf(lives);
}

/**
 * @param {Member} member
 * @param {number} round
 * @returns {Life}
 */
function startLife(member, round) {
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
async function attempt(life, { signal }, work) {
  if (life.trial.failure || life.leftOut) return;
  try {
    if (signal.aborted) throw new MeasureError('cancelled', 'cancelled before it was measured');
    await work();
  } catch (error) {
    life.trial.failure = await describeFailure(error, life);
    await life.instance?.stop();
  }
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

/**
 * @param {Life} life
 * @param {{ signal: AbortSignal, means: Means, elapsed: () => number, budgetSeconds?: number | undefined }} context
 */
async function warmUp(life, { signal, means, elapsed, budgetSeconds }) {
  const { server } = life.member;
  const { load, request, untilLevel } = life.member.case;
  const { url, pid } = /** @type {Instance} */ (life.instance);
  const work = (/** @type {number} */ seconds) => means.load({ load, request, url, seconds, signal });
  if (!untilLevel) {
    if (load.warmupSeconds > 0) await work(load.warmupSeconds);
    return;
  }
  const step = async (/** @type {number} */ asked) => {
    const at = Math.round(elapsed() * 1000) / 1000;
    const observer = means.observe(pid, { runtime: server.runtime, waiting: [] });
    try {
      const { seconds, requests } = await work(asked);
      const { jvm } = await observer.stop();
      return { at, seconds, requests, ...(jvm && { jvm }) };
    } finally {
      await observer.stop();
    }
  };
  life.trial.warmup = await warmUntilLevel(step, { budgetSeconds });
}

/**
 * A clock that is set once disturbs one window; one that goes wrong disturbs the next one, too.
 * @param {() => Promise<void>} measure
 */
async function measureAgain(measure) {
  try {
    await measure();
  } catch (error) {
    if (!(error instanceof MeasureError) || error.kind !== 'clock-stepped') throw error;
    await measure();
  }
}

/**
 * @param {Life} life
 * @param {Life[]} lives
 * @param {{ signal: AbortSignal, means: Means, elapsed: () => number }} context
 * @throws {MeasureError} that of the load; died-under-load, clock-stepped
 */
async function measureWindow(life, lives, { signal, means, elapsed }) {
  const { case: of, server, windows, services } = life.member;
  const instance = /** @type {Instance} */ (life.instance);
  const others = lives.filter((other) => other !== life && other.instance && !other.trial.failure);
  const at = elapsed();
  const observer = means.observe(instance.pid, {
    runtime: server.runtime,
    inside: life.inside,
    clients: means.clients,
    front: frontsOf([life]),
    services: services.groups,
    idle: frontsOf(others),
    waiting: others.map((other) => /** @type {Instance} */ (other.instance).pid),
  });
  try {
    const { load, request } = of;
    const { latencies, ...window } = await means.load({
      load,
      request,
      url: instance.url,
      seconds: windows.seconds,
      ...(load.requests !== undefined && { requests: Math.round(load.requests / windows.count) }),
      signal,
    });
    if (services.ended() || instance.hasExited() || instance.front?.hasExited()) throw await whoDied(life);
    const took = elapsed() - at;
    // So many requests may take any time.
    const asked = load.requests === undefined ? windows.seconds : 0;
    if (!agrees({ told: window.seconds, asked, took })) {
      const figures = `${load.tool} reports ${window.seconds} s for a window of ${Math.round(took * 1000) / 1000} s`;
      throw new MeasureError('clock-stepped', `the system clock was changed under load: ${figures}`);
    }
    if (window.requests === 0) {
      const message = `answered no request in ${windows.seconds} s of load`;
      throw new MeasureError('died-under-load', message, instance.logTail());
    }
    const { waiting = [], ...observed } = await observer.stop();
    life.latencies.push(latencies);
    life.trial.windows.push({ at: Math.round(at * 1000) / 1000, ...window, ...observed });
    for (const [index, share] of waiting.entries()) others[index]?.waited.push(share);
  } finally {
    await observer.stop();
    life.windowSeconds += elapsed() - at;
  }
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
async function whoDied({ member, instance }) {
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
 * @param {Life[]} lives
 * @returns {number[]} process groups
 */
function frontsOf(lives) {
  return lives.flatMap(({ instance }) => instance?.front?.pid ?? []);
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
