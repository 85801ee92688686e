/**
 * Starts both sides of each server again, together on one core, so that a comparison shows whether the startup changed. One core is
 * faster than another for seconds at a time, which moves a start by tens of percent; on one core both sides have the same moments.
 * @import { ServerRun } from './server-run.js'
 * @import { GroupContext } from './group.js'
 * @import { Plan, Step } from '../types.js'
 */

import { group as groupBy } from 'd3-array';
import { MeasureError } from '../model/errors.js';

/** Eight pairs of starts find 5 % where starts scatter by 2 %; they take some six seconds. */
const ROUNDS = 4;
const STARTS = 2;
/** A server that takes longer does not start again: no comparison takes minutes longer for this. */
const QUICK_MS = 1500;

/** @param {Step} step @param {number} round from 0 @param {Pick<Plan, 'cases'>} plan @returns {number} at most */
export function startsAgain(step, round, { cases }) {
  const planned = cases[step.case];
  const isFirst = cases.findIndex(({ server }) => server === planned?.server) === step.case;
  return isFirst && !planned?.reference && round < ROUNDS ? STARTS : 0;
}

/** @param {ServerRun[]} group that has stopped @param {GroupContext} context */
export async function startAgain(group, context) {
  for (const sides of groupBy(group, ({ member }) => member.case.id).values()) {
    // What observes a server from inside expects one start.
    const isQuick = sides.every(
      ({ trial, inside }) =>
        !trial.failure && inside.length === 0 && (trial.startupMs ?? Infinity) < QUICK_MS,
    );
    const most = isQuick && sides.length > 1 ? (sides[0]?.member.startsAgain ?? 0) : 0;
    for (let starts = 0; starts < most; starts++) if (!(await startTogether(sides, context))) break;
  }
}

/**
 * @param {ServerRun[]} sides of one server @param {GroupContext} context
 * @returns {Promise<boolean>} false if one did not start, which fails nothing: it did before
 */
async function startTogether(sides, { dependencies, signal }) {
  const outcomes = await Promise.allSettled(
    sides.map(({ member: { server, services, case: planned } }) =>
      dependencies.startServer(server, {
        deployment: planned,
        services: services.env,
        onOneCore: true,
        signal,
      }),
    ),
  );
  const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  await Promise.all(started.map(({ stop }) => stop()));
  for (const outcome of outcomes)
    if (outcome.status === 'rejected' && !(outcome.reason instanceof MeasureError)) throw outcome.reason;
  if (started.length < sides.length) return false;
  for (const [place, { startup }] of started.entries())
    sides[place]?.trial.startups?.push({ ...startup, sharesCore: true });
  return true;
}
