/**
 * The statements that servers send to their services, from the services' own counters, which are read at
 * either end of a window while all are idle.
 * @import { Step, Window } from '../types.js'
 * @import { Statements } from '../deploy/services/statements.js'
 * @import { GroupContext } from './group.js'
 * @import { ServerRun } from './server-run.js'
 */

import { sum } from 'd3-array';
import { isTransaction } from '../deploy/services/statements.js';
import { awaitIdle } from './queue.js';

/** Pings of a pool and jobs come in it, if they are frequent; they are those of a server, not of a route. */
const IDLE_MS = 1000;
/** Readings of a server that is at work. */
const TRIES = 5;
/** Kinds of statements that a window keeps. */
const MOST_KINDS = 50;

/**
 * Asks nothing before the first window of a case, and for a while before the first one that its server has.
 * @type {(serverRun: ServerRun, context: GroupContext) => Promise<void>}
 */
export async function watchIdle(serverRun, context) {
  const { services, inside, step, windows } = serverRun;
  const { plan, round, dependencies, signal } = context;
  const isOwn = (/** @type {Step} */ { case: { server } }) => server === step.case.server;
  const isCounted = services.statements || inside.some(({ rest }) => rest);
  if (round > 0 || !isCounted || windows.count === 0) return;
  await awaitIdle([serverRun], context);
  await restFrom(serverRun);
  const first = plan.order[0]?.find((members) => members.some(isOwn));
  if (first?.includes(step)) await dependencies.untilIdle([], { leastMs: IDLE_MS, mostMs: IDLE_MS, signal });
}

/**
 * Begins to count what comes without load, until the next window; what a check asked before is left out.
 * @type {(serverRun: ServerRun) => Promise<void>}
 */
export async function restFrom(serverRun) {
  await Promise.all(serverRun.inside.map(({ rest }) => rest?.()));
  serverRun.counted = await read(serverRun);
}

/**
 * Begins a window, and returns what ends it. Servers of one side share services, so one is counted at a time.
 * @type {(turn: ServerRun[], waiting: ServerRun[], context: GroupContext) =>
 *   Promise<() => Promise<Partial<Window>[]>>} a part of each server's window
 */
export async function countStatements(turn, waiting, context) {
  const isBeside = (/** @type {ServerRun} */ one) => (/** @type {ServerRun} */ other) =>
    other !== one && other.step.side === one.step.side && other.services.statements;
  const readAll = () => Promise.all(turn.map((each) => (turn.some(isBeside(each)) ? undefined : read(each))));
  const starts = await readAll();
  return async () => {
    if (!starts.some(Boolean)) return [];
    await awaitIdle(turn, context);
    const ends = await readAll();
    for (const other of waiting) if (turn.some(isBeside(other))) delete other.counted;
    return turn.map((serverRun, place) => {
      const [last, start, end] = [serverRun.counted, starts[place], ends[place]];
      serverRun.counted = end;
      if (!start || !end) return {};
      const own = between(start, end);
      const idle = last && { idle: sum(between(last, start), ([, n]) => n) };
      const by = own.slice(0, MOST_KINDS).map(([name, n]) => [context.dependencies.conceal(name), n]);
      const statements = { count: sum(own, ([, n]) => n), ...idle, by: Object.fromEntries(by) };
      return { statements, controlStatements: sum(between(start, end, true), ([, n]) => n) };
    });
  };
}

/**
 * Undefined where no service counts. A server that is still at work may collect its garbage: it counts once
 * its statements do not change any more.
 * @type {(serverRun: ServerRun) => Promise<Statements | undefined>}
 */
async function read({ services: { statements }, isQueued }) {
  /** @type {Statements | undefined} */
  let last;
  for (let tries = 0; statements && tries < TRIES; tries++) {
    const now = await statements();
    if (!isQueued || (now && last && sum(now.values()) === sum(last.values()))) return now;
    last = now;
  }
  return undefined;
}

/**
 * The most frequent first. isControl: of transactions and settings.
 * @type {(start: Statements, end: Statements, isControl?: boolean) => [name: string, count: number][]}
 */
function between(start, end, isControl = false) {
  return [...end]
    .map(([name, count]) => /** @type {[string, number]} */ ([name, count - (start.get(name) ?? 0)]))
    .filter(([name, count]) => count > 0 && isTransaction(name) === isControl)
    .sort(([, a], [, b]) => b - a);
}
