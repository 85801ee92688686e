/**
 * Measures a group of the plan, with as many servers running at a time as is possible: within the memory
 * there is, and separately for servers that cannot run next to others or do not rest while they wait.
 * @import { Case, Plan, Server, Side, Step, Warning } from '../types.js'
 * @import { Dependencies } from './dependencies.js'
 * @import { Service } from '../deploy/services/start-services.js'
 * @import { ServerRun } from './server-run.js'
 * @import { GroupContext } from './group.js'
 */

import { least, max, median, sum } from 'd3-array';
import { isControl, isReference, rides, startOf } from '../model/is-control.js';
import { failureOf, MeasureError } from '../model/errors.js';
import { GRACE_SECONDS } from '../model/times.js';
import { windowsOf } from '../plan/timetable.js';
import { runGroup } from './group.js';
import { servicesOf, whyNotStarted } from './server-run.js';
import { unlikeOthers } from '../deploy/start/startup-errors.js';

/** A server that uses more than this share of a core while it waits disturbs the one that is measured. */
const RESTLESS = 0.05;
/** A single value may still belong to the server's own warm-up. */
const LEAST_WAITS = 2;

/**
 * What earlier groups showed of a case.
 * @typedef {object} Seen
 * @property {number} bytes the most memory that it used; 0 where that is not known yet
 * @property {number[]} waited shares of a core that it used while it waited
 * @property {{ beside?: string, share?: number }} [alone] why it is measured separately
 * @property {Set<Side>} broken sides that do not even start alone
 * @property {Set<Side>} started sides that have started
 *
 * @typedef {ReturnType<Dependencies['keepTrees']>} Trees
 *
 * @typedef {object} GroupSurroundings
 * @property {Map<Case, Seen>} seen is kept up to date
 * @property {Service[]} services all that were started
 * @property {Pick<Trees, 'restore'>} trees in which they were built
 * @property {Warning[]} warnings get those about servers that are measured separately
 * @property {(steps: Step[]) => void} onStart
 */

/** What is known of its case. @type {(seen: Map<Case, Seen>, step: Step) => Seen} */
export function seenOf(seen, step) {
  const nothing = { bytes: 0, waited: [], broken: new Set(), started: new Set() };
  const own = seen.get(step.case) ?? nothing;
  seen.set(step.case, own);
  return own;
}

/**
 * @param {Step[]} group
 * @param {{ round: number, seconds: number }} bounds seconds: that it may take
 * @param {GroupSurroundings & Omit<GroupContext, 'round' | 'deadline' | 'endsAt'>} surroundings
 * @returns {AsyncGenerator<ServerRun[]>} yields members that ran together
 */
export async function* measureGroup(group, { round, seconds }, surroundings) {
  const { plan, seen, dependencies } = surroundings;
  const deadline = dependencies.deadline(seconds + GRACE_SECONDS);
  const signal = AbortSignal.any([surroundings.signal, deadline]);
  // Others share the starts of a full case, or always of one of them: if there is one, with changed code.
  const full = group.filter((step) => !rides(step.case));
  const ofGroup = plan.cases.filter((planned) => group.some((step) => step.case === planned));
  const first = least(ofGroup, (planned) => Number(planned.role !== undefined) + Number(isControl(planned)));
  const leading = full.length > 0 ? full : group.filter((step) => step.case === first);
  const riders = group.filter((step) => !leading.includes(step));
  const endsAt = surroundings.elapsed() + seconds;
  const context = { ...surroundings, riders, round, signal, deadline, endsAt };
  const parts = divide(leading, plan, { seen, roomBytes: dependencies.roomBytes() });
  for (let part = parts.shift(); part && !signal.aborted; part = parts.shift()) {
    const all = await run(part, context);
    const ran = all.filter(({ leftOut }) => !leftOut);
    const again = part.length > 1 ? ran.filter((serverRun) => mayRunAlone(serverRun, seen)) : [];
    parts.unshift(...withoutRoom(all));
    yield withRiders(ran.filter(({ step }) => !again.some((failed) => failed.step === step)));
    // A server that starts alone but never next to others is measured separately from then on, unless its
    // port was why, and it was moved. Its failed starts were theirs.
    for (const serverRun of again) {
      const { step } = serverRun;
      const alone = await run([step], context);
      const beside = unlikeOthers(whyNotStarted(serverRun) ?? '');
      if (!alone[0]?.wasStarted) {
        seenOf(seen, step).broken.add(step.side);
        yield withRiders(ran.filter((failed) => failed.step === step));
      } else if (!alone[0].instance?.isMoved) separate(step, { beside }, surroundings);
      yield withRiders(alone);
    }
    for (const { step, waited } of ran) {
      const shares = seenOf(seen, step).waited;
      shares.push(...waited);
      const share = median(shares) ?? 0;
      if (shares.length >= LEAST_WAITS && share > RESTLESS) separate(step, { share }, surroundings);
    }
  }
}

/** With what was measured in their starts. @param {ServerRun[]} ran */
function withRiders(ran) {
  return ran.flatMap((serverRun) => [serverRun, ...serverRun.riding]);
}

/** Whether others may still be the cause. @type {(serverRun: ServerRun, seen: Map<Case, Seen>) => boolean} */
function mayRunAlone(serverRun, seen) {
  const { step } = serverRun;
  const { broken, started } = seenOf(seen, step);
  const isKnown = broken.has(step.side) || started.has(step.side);
  return !isKnown && !serverRun.isRepeated && whyNotStarted(serverRun) !== undefined;
}

/**
 * Divides a group into parts that can run at once; the reference is in each, if two may run at once. Pure.
 * @param {Step[]} group
 * @param {Pick<Plan, 'maxRunning'>} plan
 * @param {{ seen: Map<Case, Seen>, roomBytes: number }} known roomBytes: what servers may use together
 * @returns {Step[][]} as few parts as fit, then one for each member that is measured separately
 */
function divide(group, { maxRunning = Infinity }, { seen, roomBytes }) {
  const alone = group.filter((step) => seenOf(seen, step).alone);
  const together = group.filter((step) => !alone.includes(step));
  const hasServers = !together.every(isReference);
  const references = maxRunning > 1 && hasServers ? together.filter(isReference) : [];
  const fits = (/** @type {Step[]} */ part) =>
    part.length <= maxRunning && sum(part, (step) => seenOf(seen, step).bytes) <= roomBytes;
  /** @type {Step[][]} */
  const parts = [];
  for (const step of together.filter((member) => !references.includes(member))) {
    const last = parts.at(-1);
    if (last && fits([...last, step])) last.push(step);
    else parts.push([...references, step]);
  }
  // One part keeps the order of the group.
  return [...(parts.length === 1 ? [together] : parts), ...alone.map((step) => [step])];
}

/** What had no memory; beside the reference, unless it ran alone. @type {(part: ServerRun[]) => Step[][]} */
function withoutRoom(part) {
  const rest = part.filter(({ leftOut }) => leftOut);
  if (rest.length === 0) return [];
  const references = part.filter(({ leftOut, step }) => step.case.reference && !leftOut);
  const steps = [...references, ...rest].map(({ step }) => step);
  return steps.length < part.length ? [steps] : rest.map(({ step }) => [step]);
}

/**
 * @type {(steps: Step[], context: GroupSurroundings & GroupContext & { riders: Step[] }) =>
 *   Promise<ServerRun[]>}
 */
async function run(steps, context) {
  const { plan, seen, services, trees } = context;
  const planned = steps.map((step) => {
    const server = /** @type {Server} */ (step.side.servers[step.case.server]);
    const riders = context.riders.filter(({ side }) => side === step.side);
    const windows = windowsOf(step.case, { ...plan.timetable, isAlone: steps.length === 1 });
    const isMissed = (/** @type {Step} */ { case: { id } }) =>
      riders.length > 0 && !riders.some((rider) => rider.case.id === id);
    const stirring = touchedBeside(plan, step).filter((touched) => step.case.role || isMissed(touched));
    const own = servicesOf(server, services, plan.sides.indexOf(step.side));
    return { step, server, windows, riders, stirring, services: own };
  });
  context.onStart([...steps, ...context.riders]);
  const group = await runGroup(planned, context);
  if (new Set(steps.map(({ side }) => side)).size < plan.sides.length)
    for (const { trial } of withRiders(group)) trial.alone = true;
  failDisturbed(group, trees.restore(), context);
  for (const { step, trial, wasStarted } of group) {
    const own = seenOf(seen, step);
    own.bytes = Math.max(own.bytes, max(trial.windows, ({ rssBytes }) => rssBytes) ?? 0);
    if (wasStarted) own.started.add(step.side);
  }
  for (const { step, trial } of group)
    if (trial.failure && seenOf(seen, step).started.has(step.side))
      trial.failure.message = unlikeOthers(trial.failure.message);
  return group;
}

/**
 * Other routes of the same start that execute changed code: together loaded for as long as one with starts
 * of its own, after which what they fill is as full.
 * @type {(plan: Plan, step: Step) => Step[]}
 */
function touchedBeside({ order }, { side, case: planned }) {
  const touched = (order[0] ?? [])
    .flat()
    .filter((step) => step.side === side && startOf(step.case) === startOf(planned))
    .filter((step) => step.case !== planned && !step.case.role && !step.case.counted);
  const sharedSeconds = (planned.load.warmupSeconds + planned.load.durationSeconds) / touched.length;
  return touched.map((step) => ({ side, case: { ...step.case, sharedSeconds } }));
}

/**
 * What a server writes into its own tree is undone. A change that is not, or of a tree in which none of these
 * servers ran, makes the round say nothing. Its file may have the name of a secret.
 * @type {(group: ServerRun[], restored: ReturnType<Trees['restore']>, context: GroupContext) => void}
 */
function failDisturbed(group, restored, { dependencies: { conceal } }) {
  for (const { buildDir, changed, lost } of restored) {
    const isOwn = group.some(({ server }) => server.buildDir === buildDir);
    const [path] = isOwn ? lost : changed;
    if (path === undefined) continue;
    const why = isOwn
      ? `a server changed ${path}, a file of its packages, which cannot be restored in this run; let it write elsewhere`
      : `a server changed ${path} of the other side, which did not run; let it write to its own folder alone`;
    const failure = failureOf(new MeasureError('tree-changed', why), conceal);
    for (const { trial } of withRiders(group)) trial.failure ??= failure;
  }
}

/** @type {(step: Step, why: { beside: string } | { share: number }, known: GroupSurroundings) => void} */
function separate(step, why, { seen, warnings }) {
  const own = seenOf(seen, step);
  if (!own.alone) warnings.push({ code: 'measured-alone', case: step.case.id, ...why });
  own.alone ??= why;
}
