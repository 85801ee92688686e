/**
 * From a plan to run files: conducts, and keeps what was measured after every group.
 * @import { Config, Plan, Run, Side, Warning } from '../types.js'
 * @import { Context, Look, Measured } from './conduct.js'
 * @import { Looks } from './next-action.js'
 */

import { resolve } from 'node:path';
import { merge } from 'd3-array';
import { runtimeVersions, inBuildDirs } from '../deploy/source/versions.js';
import { installTopologies } from '../deploy/preflight/install-topology.js';
import { serviceVersions } from '../deploy/services/start-services.js';
import { toolVersions } from '../load/load.js';
import { toolsOf } from '../load/tools.js';
import { describeMachine } from '../observe/describe-machine.js';
import { servicesNeeded } from '../deploy/services.js';
import { planWith } from '../plan/plan.js';
import { isRuled } from '../samples/figures.js';
import { assembleRuns, neverStarted } from './record/assemble.js';
import { conduct } from './conduct.js';
import { withSecrets } from './with-secrets.js';
import { siteOf, tryGit } from '../system/git.js';
import { requireProc } from '../system/process/proc.js';
import { findSupervisor } from '../system/process/supervisor.js';

/**
 * @typedef {object} Order what is measured, and what the run files say about it
 * @property {Plan} plan
 * @property {Config} config
 * @property {string} session
 * @property {string} command that repeats the run
 * @property {string} cwd
 * @property {string} [runner] what kind of machine this is
 * @property {Run['revision']} [head] replaces what git says about the head
 * @property {Warning[]} [warnings] from before the run
 *
 * @typedef {object} Hooks
 * @property {(runs: Run[]) => Promise<void>} onRuns gets all after each group: a killed run loses one
 * @property {Looks & { look: (runs: Run[], share: number) => ReturnType<Look> }} [looks] may end cases early
 * @property {(runs: Run[]) => Set<string>} [promote] ids of controls that become full cases
 *
 * @param {Order} order
 * @param {Hooks & Pick<Context, 'env' | 'dependencies' | 'signal' | 'onProgress' | 'scout'>} hooks the
 *   dependencies end with the run
 * @returns {Promise<{ runs: Run[], plan: Plan, elapsed: () => number }>} runs: one a side; plan: as it was
 *   measured; elapsed: seconds of the budget that are used
 */
export async function measure(order, hooks) {
  const { env, dependencies, signal, scout, onProgress, onRuns, looks, promote } = hooks;
  requireProc();
  const { config, warnings = [] } = order;
  const out = resolve(order.cwd, config.out);
  const tools = {
    ...(await toolVersions(toolsOf(config.cases))),
    ...(await installTopologies(config.cases, { env, signal })),
  };
  const { sides, runtimes } = await inBuildDirs(order.plan.sides, { env, signal, out });
  const plan = planWith(order.plan, { sides });
  const servers = sides.flatMap((side) => Object.values(side.servers));
  const services = servicesNeeded(servers);
  const ownRuntimes = servers.flatMap(({ version, runtime }) => (version === undefined ? [runtime] : []));
  // The system's clock is read once, since it may be set during a run.
  const offset = Date.now() - dependencies.now();
  const timestamp = () => new Date(offset + dependencies.now()).toISOString();
  /** @type {number[]} */
  const looksTaken = [];
  /** @type {Map<string, number>} */
  const decidedAt = new Map();
  const facts = {
    config,
    session: order.session,
    command: order.command,
    startedAt: timestamp(),
    environment: await describeMachine({
      runtimes: { ...(await runtimeVersions(ownRuntimes)), ...runtimes },
      tools: { ...tools, ...(await serviceVersions(services, env)) },
      ...(order.runner !== undefined && { runner: order.runner }),
    }),
    revisions: await Promise.all(sides.map((side) => revisionOf(side, order))),
    looks: looksTaken,
    decidedAt,
  };
  const plannedIn = (/** @type {Plan} */ { order: rounds }) => rounds.flat(2).length;
  const unsupervised = findSupervisor() ? [] : [{ code: /** @type {const} */ ('unsupervised') }];
  const assemble = (/** @type {Measured} */ measured, isWhole = false) =>
    assembleRuns({
      ...facts,
      plan: measured.plan,
      trials: measured.trials,
      touched: measured.touched,
      warnings: [...warnings, ...unsupervised, ...measured.warnings],
      unfinished: isWhole ? undefined : { planned: plannedIn(measured.plan) },
      finishedAt: timestamp(),
    });

  const measured = await conduct(plan, {
    signal,
    env,
    gates: config.gates,
    isCounting: config.counts ?? isRuled(config, 'statements'),
    dependencies: withSecrets(dependencies, plan, env),
    scout: scout && { ...scout, dependencies: withSecrets(scout.dependencies, plan, env) },
    services,
    onProgress,
    onMeasured: (sofar) => onRuns(assemble(sofar)),
    promote: promote && ((sofar) => promote(assemble(sofar))),
    looks: looks && {
      ...looks,
      look(sofar, share) {
        looksTaken.push(share);
        const found = looks.look(assemble(sofar), share);
        for (const id of found.decided) decidedAt.set(id, decidedAt.get(id) ?? share);
        return found;
      },
    },
  }).finally(() => Promise.all([dependencies.stop(), scout?.dependencies.stop()]));
  if (signal.aborted) {
    const started = merge(measured.trials.values()).length;
    measured.warnings.push({ code: 'cancelled', measured: started, planned: plannedIn(measured.plan) });
  } else measured.warnings.push(...neverStarted(measured.plan, measured.trials));
  const runs = assemble(measured, !signal.aborted);
  await onRuns(runs);
  return { runs, plan: measured.plan, elapsed: measured.elapsed };
}

/** @type {(side: Side, order: Order) => Promise<Run['revision']>} */
async function revisionOf({ label, revision, versions }, { cwd, head }) {
  const known = { ...(revision ?? (await describeRevision(cwd))), ...(label === 'head' && head) };
  const site = known.sha && (await siteOf(cwd));
  const seconds =
    known.sha && (await tryGit(cwd, 'show', '--no-patch', '--no-show-signature', '--format=%ct', known.sha));
  const committedAt = seconds ? new Date(Number(seconds) * 1000).toISOString() : undefined;
  return { ...known, site, committedAt, label, versions };
}

/** The commit checked out; empty outside a checkout. @type {(cwd: string) => Promise<Run['revision']>} */
async function describeRevision(cwd) {
  const [sha, ref, changes] = await Promise.all([
    tryGit(cwd, 'rev-parse', '--verify', '--quiet', 'HEAD'),
    tryGit(cwd, 'symbolic-ref', '--short', '--quiet', 'HEAD'),
    tryGit(cwd, 'status', '--porcelain', '--untracked-files=no'),
  ]);
  return { ...(sha && { sha }), ...(ref && { ref }), ...(changes && { dirty: true }) };
}
