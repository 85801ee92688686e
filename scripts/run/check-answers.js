/**
 * Checks what a server answers before and after its load, and notes the answers to the measured route.
 * @import { Answer, Case, Route, Trial } from '../types.js'
 * @import { GroupContext } from './group.js'
 * @import { Instance, ServerRun } from './server-run.js'
 */

import { isDeepStrictEqual } from 'node:util';
import { FAILURES, MeasureError } from '../model/errors.js';
import { errorsIn } from '../samples/case-figures.js';

/** Times that a route is asked before load; twice beyond so many seconds: the first answer may be slow. */
const TIMES = 4;
const LEAST_TIMES = 2;
const MOST_SECONDS = 0.5;

/**
 * Asks a server that started. Throws a MeasureError: wrong-answer, too-slow, cancelled.
 * @type {(serverRun: ServerRun, context: GroupContext) => Promise<void>}
 */
export async function checkAnswers(serverRun, context) {
  const { server, step, trial } = serverRun;
  const { case: planned } = step;
  const ask = (/** @type {ServerRun['server']['routes']} */ routes) =>
    timedAnswers(serverRun, routes, context);
  const { elapsed } = context;
  const end = elapsed() + MOST_SECONDS;
  const routes = server.routes.flatMap((route) => asked(route, planned));
  const answers = await ask(routes);
  const own = answers.filter((_, place) => routes[place]?.id === planned.route);
  note(trial, own);
  const repeated = repeatable({ server, step });
  const isEnough = (/** @type {number} */ times) =>
    times >= TIMES || (times >= LEAST_TIMES && elapsed() >= end);
  for (let times = 1; repeated.length > 0 && !isEnough(times); times++)
    note(trial, await ask(repeated).catch(toleratingWrong));
}

/**
 * Asks its own route, of a server that was checked for another one. Throws as above.
 * @type {(serverRun: ServerRun, context: GroupContext) => Promise<void>}
 */
export async function checkRoute(serverRun, context) {
  const repeated = repeatable(serverRun);
  if (repeated.length === 0) return;
  note(serverRun.trial, await timedAnswers(serverRun, repeated, context).catch(toleratingWrong));
}

/**
 * Keeps how long the fastest answers took.
 * @type {(serverRun: ServerRun, routes: ReturnType<typeof asked>, context: GroupContext) =>
 *   Promise<Answer[]>}
 */
async function timedAnswers(serverRun, routes, { signal, dependencies, elapsed }) {
  const askedAt = elapsed();
  const answers = await dependencies.verify(/** @type {Instance} */ (serverRun.instance), routes, { signal });
  const seconds = elapsed() - askedAt;
  serverRun.answerSeconds = Math.min(serverRun.answerSeconds || seconds, seconds);
  return answers;
}

/**
 * A wrong answer after the load means that wrong answers were measured. A server that showed errors is not
 * checked: one more answer would be chance.
 * @type {(serverRun: ServerRun, context: GroupContext) => Promise<void>}
 */
export async function checkAgain({ server, step, instance, trial }, { signal, dependencies }) {
  const repeated = repeatable({ server, step });
  const hasErrors = Object.values(errorsIn(trial) ?? {}).some((count) => count > 0);
  if (!instance || hasErrors || repeated.length === 0) return;
  const answers = await dependencies.verify(instance, repeated, { signal }).catch((error) => {
    if (error instanceof MeasureError && FAILURES[error.kind]?.ofAnswer)
      error.message = `after the load: ${error.message}`;
    throw error;
  });
  note(trial, answers);
}

/**
 * Its route if it only reads: a write may change the next answer.
 * @type {(serverRun: Pick<ServerRun, 'server' | 'step'>) => ReturnType<typeof asked>}
 */
export function repeatable({ server, step: { case: planned } }) {
  return server.routes
    .filter(({ id, method }) => id === planned.route && ['GET', 'HEAD'].includes(method))
    .flatMap((route) => asked(route, planned));
}

/**
 * The first, the middle and the last of requests that vary; both sides are loaded with the case's data.
 * @type {(route: Route, planned: Case) => (Route & { row?: string })[]}
 */
function asked(route, planned) {
  const data = route.id === planned.route ? planned.request.data : route.data;
  if (!data?.rows) return [route];
  const { rows, name = 'row' } = data;
  const places = new Set([0, Math.floor((rows.length - 1) / 2), rows.length - 1]);
  return [...places].map((place) => ({
    ...route,
    data: { ...data, rows: rows.slice(place, place + 1) },
    row: `${name}:${place + 1}`,
  }));
}

/** The load shows how many answers are wrong. @type {(error: unknown) => Answer[]} */
function toleratingWrong(error) {
  if (error instanceof MeasureError && FAILURES[error.kind]?.ofAnswer) return [];
  throw error;
}

/** @type {(trial: Trial, answers: Answer[]) => void} */
function note(trial, answers) {
  for (const answer of answers) {
    trial.answers ??= [];
    const alike = trial.answers.find(({ times: _, ...known }) => isDeepStrictEqual(known, answer));
    if (alike) alike.times++;
    else trial.answers.push({ ...answer, times: 1 });
  }
}
