/**
 * Measures a group of the plan, with as many members running at a time as is possible: within the memory there is, and separately
 * for servers that cannot run next to others or do not rest while they wait.
 * @import { Case, Plan, Server, Step, Warning } from '../types.js'
 * @import { Service } from '../deploy/services/start.js'
 * @import { Member, ServerRun } from './server-run.js'
 * @import { GroupContext } from './group.js'
 */

import { max, median, sum } from 'd3-array';
import { addressVariables } from '../deploy/services.js';
import { windowsOf } from './counterbalance.js';
import { runGroup } from './group.js';
import { startsAgain } from './starts.js';
import { mostSecondsOf } from './window-length.js';

/** A server that uses more than this share of a core while it waits disturbs the one that is measured. */
const RESTLESS = 0.05;
/** On a crowded machine a start takes several times as long as planned. Only one that takes this much longer still is ended. */
const GRACE_SECONDS = 30;
/** A single value may still belong to the server's own warm-up. */
const LEAST_WAITS = 2;

/**
 * @param {Omit<GroupContext, 'round' | 'deadline' | 'endsAt'> & { plan: Plan, services: Service[], warnings: Warning[], onStart: (members: Member[]) => void }} context
 *   warnings: get those about servers that are measured separately
 * @returns {(group: Step[], bounds: { round: number, seconds: number }) => AsyncGenerator<ServerRun[]>} yields members that ran together;
 *   seconds: that they may take
 */
export function isolating({ plan, services, warnings, onStart, ...context }) {
  /** @type {Set<string>} ids of cases */
  const measuredAlone = new Set();
  /** @type {Set<string>} sides and cases that do not even start alone */
  const broken = new Set();
  /** @type {Map<string, number>} largest memory, by case id */
  const bytes = new Map();
  /** @type {Map<string, number[]>} shares of a core used while waiting, by case id */
  const waitingShares = new Map();
  const caseOf = (/** @type {Step} */ step) => /** @type {Case} */ (plan.cases[step.case]);
  const nameOf = (/** @type {Step} */ step) => `${step.side} ${caseOf(step).id}`;

  const run = async (/** @type {Step[]} */ steps, /** @type {GroupContext} */ bounded) => {
    const { round } = bounded;
    const windows = windowsOf(steps.map(caseOf));
    const members = steps.map((step, place) => {
      const planned = caseOf(step);
      const server = /** @type {Server} */ (plan.sides[step.side]?.servers[planned.server]);
      return {
        step,
        case: planned,
        server,
        windows: {
          .../** @type {{ count: number, seconds: number }} */ (windows[place]),
          mostSeconds: mostSecondsOf(caseOf(step), plan),
        },
        startsAgain: startsAgain(step, round, plan),
        services: servicesOf(server, services, step.side),
      };
    });
    onStart(members);
    const group = await runGroup(members, bounded);
    for (const { member, trial } of group) {
      const peak = max(trial.windows, ({ rssBytes }) => rssBytes) ?? 0;
      bytes.set(member.case.id, Math.max(bytes.get(member.case.id) ?? 0, peak));
    }
    return group;
  };

  const separate = (
    /** @type {Case} */ { id },
    /** @type {{ beside: string } | { share: number }} */ why,
  ) => {
    if (!measuredAlone.has(id)) warnings.push({ code: 'measured-alone', case: id, ...why });
    measuredAlone.add(id);
  };

  /** A server that starts alone but not next to others is measured separately from then on. */
  const runAlone = async (
    /** @type {ServerRun} */ { member, trial },
    /** @type {GroupContext} */ bounded,
  ) => {
    const alone = await run([member.step], bounded);
    const { kind, message } = trial.failure ?? {};
    const beside = kind === 'port-taken' ? 'its port is taken' : `it failed (${message})`;
    if (alone[0]?.wasStarted) separate(member.case, { beside });
    else broken.add(nameOf(member.step));
    return alone;
  };

  /** @returns {Step[][]} those for which there was no memory, beside the reference; alone if only the reference had started */
  const withoutRoom = (/** @type {Step[]} */ part, /** @type {Step[]} */ rest) => {
    const references = part.filter((step) => caseOf(step).reference && !rest.includes(step));
    return references.length + rest.length < part.length
      ? [[...references, ...rest]]
      : rest.map((step) => [step]);
  };

  return async function* measureGroup(group, { round, seconds }) {
    const deadline = context.dependencies.deadline(seconds + GRACE_SECONDS);
    const signal = AbortSignal.any([context.signal, deadline]);
    const bounded = { ...context, round, signal, deadline, endsAt: context.elapsed() + seconds };
    const parts = divide(group, plan, {
      bytesOf: (step) => bytes.get(caseOf(step).id) ?? 0,
      roomBytes: context.dependencies.roomBytes(),
      measuredAlone,
    });
    for (let part = parts.shift(); part && !signal.aborted; part = parts.shift()) {
      const all = await run(part, bounded);
      const ran = all.filter(({ leftOut }) => !leftOut);
      const rest = all.filter(({ leftOut }) => leftOut).map(({ member }) => member.step);
      if (rest.length > 0) parts.unshift(...withoutRoom(part, rest));
      const mayRunAlone = (/** @type {ServerRun} */ { member, trial: { failure }, wasStarted }) =>
        all.length > 1 &&
        failure !== null &&
        failure.kind !== 'cancelled' &&
        !wasStarted &&
        !broken.has(nameOf(member.step));
      yield ran.filter((serverRun) => !mayRunAlone(serverRun));
      for (const serverRun of ran.filter(mayRunAlone)) yield runAlone(serverRun, bounded);
      for (const { member, waited } of ran) {
        const shares = [...(waitingShares.get(member.case.id) ?? []), ...waited];
        waitingShares.set(member.case.id, shares);
        const share = median(shares) ?? 0;
        if (shares.length >= LEAST_WAITS && share > RESTLESS) separate(member.case, { share });
      }
    }
  };
}

/**
 * Divides a group into parts whose members can run at the same time. The reference is in every part, if two servers may run at once.
 * @param {Step[]} group
 * @param {Pick<Plan, 'cases' | 'maxRunning'>} plan
 * @param {{ bytesOf: (step: Step) => number, roomBytes: number, measuredAlone: Set<string> }} limits bytesOf: the memory a server was seen to
 *   use, 0 where that is not known yet; roomBytes: what servers may use together; measuredAlone: ids of cases that are measured separately
 * @returns {Step[][]} as few parts as fit, then one for each member that is measured separately
 */
function divide(group, { cases, maxRunning = Infinity }, { bytesOf, roomBytes, measuredAlone }) {
  const caseOf = (/** @type {Step} */ step) => /** @type {Case} */ (cases[step.case]);
  const separate = group.filter((step) => measuredAlone.has(caseOf(step).id));
  const together = group.filter((step) => !separate.includes(step));
  const hasServers = together.some((step) => !caseOf(step).reference);
  const references = maxRunning > 1 && hasServers ? together.filter((step) => caseOf(step).reference) : [];
  /** @type {Step[][]} */
  const parts = [];
  for (const step of together.filter((member) => !references.includes(member))) {
    const last = parts.at(-1);
    if (last && last.length < maxRunning && sum([...last, step], bytesOf) <= roomBytes) last.push(step);
    else parts.push([...references, step]);
  }
  // One part keeps the order of the group.
  return [...(parts.length === 1 ? [together] : parts), ...separate.map((step) => [step])];
}

/** @param {Server} server @param {Service[]} services all that were started @param {number} side @returns {Member['services']} */
function servicesOf({ needs }, services, side) {
  const used = services.filter(({ id }) => needs.includes(id));
  return {
    env: Object.assign({}, ...used.map(({ id, urlOf }) => addressVariables(id, urlOf(side)))),
    groups: services.flatMap(({ group }) => group?.pid ?? []),
    ended: () => used.find(({ group }) => group?.hasExited()),
  };
}
