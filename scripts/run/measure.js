/**
 * From a plan to run files: checks the machine, conducts, and keeps what was measured after every trial.
 * @import { Config, Plan, Run, Side, Unfinished, Warning } from '../types.js'
 * @import { Means } from './dependencies.js'
 * @import { Measured, Progress } from './conduct.js'
 */

import { resolve } from 'node:path';
import { runtimeVersions, underVersions } from '../deploy/runtimes/versions.js';
import { bringArrangements } from '../deploy/preflight/topology.js';
import { serviceVersions } from '../deploy/services/start.js';
import { requireTools } from '../load/load.js';
import { describeMachine } from '../observe/machine.js';
import { servicesNeeded } from '../deploy/services.js';
import { toldCases } from '../secrets/secrets.js';
import { assembleRuns } from './record/assemble.js';
import { conduct } from './conduct.js';
import { discreetMeans } from '../secrets/redaction.js';
import { earlierOf } from './resume-state.js';
import { describeRevision } from './prepare/revision.js';
import { findSupervisor } from '../system/process/supervisor.js';

/**
 * @param {{ plan: Plan, config: Config, session: string, command: string, cwd: string,
 *   runner?: string | undefined, head?: Run['revision'] | undefined, warnings?: Warning[],
 *   unfinished?: Unfinished, earlier?: Run[] | undefined }} what head: what is told of the
 *   head's commit otherwise than git does; warnings: what was noticed before; unfinished: what the run files say until all
 *   is measured; earlier: of the same plan, what an interrupted run has measured, one a side
 * @param {{
 *   means: Means,
 *   signal: AbortSignal,
 *   onProgress: (event: Progress) => void,
 *   onRuns: (runs: Run[]) => Promise<void>,
 *   looks?: number[],
 *   leastRounds?: number,
 *   onLook?: ((runs: Run[], share: number) => Set<string>) | undefined,
 * }} hooks means: are ended with the run; onLook: may end the measurement of cases early, see conduct; onRuns gets everything measured so far after every
 *   group, so that a killed run loses one group at most
 * @returns {Promise<{ runs: Run[], elapsed: () => number }>} runs: one a side of the plan; elapsed: seconds of the budget that are used by now
 * @throws {import('../model/errors.js').UserError} where a load tool is not installed
 */
export async function measure(
  { plan: asked, config, session, command, cwd, runner, head, warnings = [], unfinished, earlier },
  { means, signal, onProgress, onRuns, looks, leastRounds, onLook },
) {
  const tools = await requireTools([...new Set(config.cases.map(({ load }) => load.tool))]);
  const servers = asked.sides.flatMap((side) => Object.values(side.servers));
  const services = servicesNeeded(servers);
  const loads = config.cases.map(({ load }) => load);
  const arranged = await bringArrangements(loads, { env: process.env, signal });
  const out = resolve(cwd, config.out);
  const { sides, runtimes } = await underVersions(asked.sides, { env: process.env, signal, out });
  const plan = { ...asked, sides };
  const clock = startClock(means.now);
  const [first] = earlier ?? [];
  const facts = {
    plan: { ...plan, cases: toldCases(plan.cases) },
    config,
    session,
    command,
    startedAt: first?.startedAt ?? clock.startedAt,
    resumed: first ? (first.resumed ?? 0) + 1 : 0,
    environment: await describeMachine({
      runtimes: { ...(await runtimeVersions(runtimesOf(sides))), ...runtimes },
      tools: { ...tools, ...arranged, ...(await serviceVersions(services, process.env)) },
      ...(runner !== undefined && { runner }),
    }),
    revisions: await Promise.all(
      plan.sides.map(async ({ label, revision }) => ({
        ...(revision ?? (await describeRevision(cwd))),
        ...(label === 'head' && head),
        label,
      })),
    ),
  };
  /** @type {number[]} */
  const taken = [...(first?.looks ?? [])];
  /** @type {Map<string, number>} */
  const decidedAt = new Map(
    first?.cases.flatMap(({ id, decidedAt: share }) => (share === undefined ? [] : [[id, share]])),
  );
  /** @param {Measured} measured @param {{ isWhole?: boolean, more?: Warning[] }} [end] */
  const assemble = ({ trials, warnings: noticed }, { isWhole = false, more = [] } = {}) =>
    assembleRuns({
      ...facts,
      trials,
      warnings: [...warnings, ...(findSupervisor() ? [] : [{ code: 'unsupervised' }]), ...noticed, ...more],
      looks: taken,
      decidedAt,
      unfinished: isWhole ? undefined : unfinished,
      // Nor does a run that was resumed after the clock was set back end before it began.
      finishedAt: [clock.now(), first?.finishedAt ?? ''].toSorted()[1] ?? '',
    });

  const conducting = conduct(plan, {
    signal,
    env: process.env,
    means: discreetMeans(means, plan, process.env),
    services,
    ...(earlier && { earlier: earlierOf(plan, earlier) }),
    onProgress,
    onMeasured: (sofar) => onRuns(assemble(sofar)),
    looks,
    leastRounds,
    onLook:
      onLook &&
      ((sofar, share) => {
        taken.push(share);
        const decided = onLook(assemble(sofar), share);
        for (const id of decided) decidedAt.set(id, decidedAt.get(id) ?? share);
        return decided;
      }),
  });
  const measured = await conducting.finally(means.stop);
  const runs = assemble(measured, signal.aborted ? { more: [cancelled(plan, measured)] } : { isWhole: true });
  await onRuns(runs);
  return { runs, elapsed: measured.elapsed };
}

/**
 * The system's clock tells when a run began and is not asked again: it may be set in between.
 * @param {() => number} monotonicMs
 */
function startClock(monotonicMs) {
  const offset = Date.now() - monotonicMs();
  const now = () => new Date(offset + monotonicMs()).toISOString();
  return { startedAt: now(), now };
}

/**
 * @param {Side[]} sides
 * @returns {string[]} of servers that run on what the machine has
 */
function runtimesOf(sides) {
  const servers = sides.flatMap((side) => Object.values(side.servers));
  return servers.filter(({ version }) => version === undefined).map(({ runtime }) => runtime);
}

/**
 * @param {Plan} plan
 * @param {Measured} measured
 * @returns {Warning}
 */
function cancelled(plan, { trials }) {
  return { code: 'cancelled', measured: trials.flat(2).length, planned: plan.order.flat(2).length };
}
