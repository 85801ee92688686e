/**
 * Measures what a plan groups, as far as it can be alive together: within the memory there is, and without those that
 * cannot live beside others or will not rest while they wait.
 * @import { Case, Plan, Server, Step, Warning } from '../types.js'
 * @import { Service } from '../deploy/services/start.js'
 * @import { Member, Outcome } from './server-run.js'
 * @import { Means } from './dependencies.js'
 */

import { addressVariables } from '../deploy/services.js';
import { divide } from './partition.js';
import { runGroup } from './group.js';
import { windowsOf } from './windows.js';

/** A server that uses more than this share of a core while it waits takes it from the one that is measured. */
const RESTLESS = 0.05;
/** Once may be the end of its own warm-up. */
const LEAST_WAITS = 2;

/**
 * @typedef {{ plan: Plan, means: Means, signal: AbortSignal, elapsed: () => number, services: Service[],
 *   warnings: Warning[], onStart: (members: Member[], round: number) => void }} Surroundings warnings: those that it adds to
 */

/**
 * @param {Surroundings} surroundings
 * @returns {(group: Step[], round: number) => AsyncGenerator<Outcome[]>} what became of a group, as many of it as were alive at once
 */
export function startNeighbours({ plan, means, signal, elapsed, services, warnings, onStart }) {
  /** @type {{ byTurns: Set<string>, broken: Set<string>, bytes: Map<string, number>, waited: Map<string, number[]> }} */
  const known = { byTurns: new Set(), broken: new Set(), bytes: new Map(), waited: new Map() };
  const { budgetSeconds } = plan;
  const caseOf = (/** @type {Step} */ step) => /** @type {Case} */ (plan.cases[step.case]);

  const nameOf = (/** @type {Step} */ step) => `${step.side} ${caseOf(step).id}`;

  /** @param {Step[]} steps @param {number} round */
  const run = async (steps, round) => {
    const split = windowsOf(steps.map(caseOf));
    const members = steps.map((step, place) => {
      const of = caseOf(step);
      const server = /** @type {Server} */ (plan.sides[step.side]?.servers[of.server]);
      const own = /** @type {Member['windows']} */ (split[place]);
      return { step, case: of, server, windows: own, services: servicesOf(server, services, step.side) };
    });
    onStart(members, round);
    const outcomes = await runGroup(members, { round, signal, means, elapsed, budgetSeconds });
    for (const { member, trial } of outcomes) {
      const peaks = trial.windows.map(({ rssBytes = 0 }) => rssBytes);
      known.bytes.set(member.case.id, Math.max(known.bytes.get(member.case.id) ?? 0, ...peaks));
    }
    return outcomes;
  };

  /** @param {Case} of @param {{ beside: string } | { share: number }} why */
  const separate = ({ id }, why) => {
    if (known.byTurns.has(id)) return;
    known.byTurns.add(id);
    warnings.push({ code: 'by-turns', case: id, ...why });
  };

  /**
   * Who fails beside others and not alone cannot live with them.
   * @param {Outcome} outcome
   * @param {number} round
   */
  const runAlone = async ({ member, trial }, round) => {
    const [again] = /** @type {[Outcome]} */ (await run([member.step], round));
    const { kind, message } = trial.failure ?? {};
    const reason = kind === 'port-taken' ? 'its port is taken' : `it failed (${message})`;
    if (again.booted) separate(member.case, { beside: reason });
    else known.broken.add(nameOf(member.step));
    return again;
  };

  /**
   * @param {Step[]} part
   * @param {Step[]} rest those of it that did not fit
   * @returns {Step[][]} beside the reference, unless that alone is too much
   */
  const withoutRoom = (part, rest) => {
    const gauges = part.filter((step) => caseOf(step).reference && !rest.includes(step));
    return gauges.length + rest.length < part.length ? [[...gauges, ...rest]] : rest.map((step) => [step]);
  };

  return async function* measure(group, round) {
    const limits = {
      bytesOf: (/** @type {Step} */ step) => known.bytes.get(caseOf(step).id) ?? 0,
      roomBytes: means.roomBytes(),
      byTurns: known.byTurns,
    };
    const parts = divide(group, plan, limits);
    for (let part = parts.shift(); part && !signal.aborted; part = parts.shift()) {
      const all = await run(part, round);
      const outcomes = all.filter(({ leftOut }) => !leftOut);
      const rest = all.filter(({ leftOut }) => leftOut).map(({ member }) => member.step);
      if (rest.length > 0) parts.unshift(...withoutRoom(part, rest));
      const mayLiveAlone = (/** @type {Outcome} */ { member, trial, booted }) =>
        all.length > 1 && trial.failure !== null && !booted && !known.broken.has(nameOf(member.step));
      yield outcomes.filter((outcome) => !mayLiveAlone(outcome));
      for (const outcome of outcomes.filter(mayLiveAlone)) yield [await runAlone(outcome, round)];
      for (const { member, waited } of outcomes) {
        const all = [...(known.waited.get(member.case.id) ?? []), ...waited];
        known.waited.set(member.case.id, all);
        const share = median(all);
        if (all.length >= LEAST_WAITS && share > RESTLESS) separate(member.case, { share });
      }
    }
  };
}

/**
 * @param {Server} server
 * @param {Service[]} services
 * @param {number} side
 */
function servicesOf({ needs }, services, side) {
  const used = services.filter(({ id }) => needs.includes(id));
  return {
    env: Object.assign({}, ...used.map(({ id, urlOf }) => addressVariables(id, urlOf(side)))),
    groups: services.flatMap(({ group }) => group?.pid ?? []),
    ended: () => used.find(({ group }) => group?.hasExited()),
  };
}

/**
 * @param {number[]} values
 * @returns {number} 0 of none
 */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
