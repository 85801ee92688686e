/**
 * The step that reads what is asked, resolves what it is compared with, and says what the job must install.
 * @import { Asked, Config } from '../../types.js'
 * @import { Surroundings } from '../../session/experiments/experiment.js'
 * @import { Step } from '../contract/outputs.js'
 */

import { randomUUID } from 'node:crypto';
import { readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { exportVariable } from '@actions/core';
import { defined } from '../../model/defined.js';
import { UserError } from '../../model/errors.js';
import { parseBoolean } from '../../model/units.js';
import { askedExperiment } from '../../session/experiments/count-only.js';
import { readRunConfig } from '../../session/run-config.js';
import { previewSession } from '../../session/preview.js';
import { placeFrom, placeInside } from '../../system/folder.js';
import { findStored, settingsOf, whyNoneStored } from '../baselines/stored-baseline.js';
import { keepsToken } from '../credentials.js';
import { directoryOf, isPosted, readInputs, readOptions, warningOfSharedKey } from '../contract/inputs.js';
import { fetchRef, findBase, readMergeCommit } from '../baselines/merge-base.js';
import { notice, print, warning } from '../step-log.js';
import { placeOf } from '../machine-kinds.js';
import { keepsArtifacts } from '../event.js';
import { SERVICES, missingServices, servicesNeeded } from '../../deploy/services.js';
import { programsOf } from '../../deploy/topology/proxies.js';
import { RUNTIMES } from '../../deploy/runtimes.js';
import { findTool } from '../../load/tools.js';
import { findProgram } from '../../system/process/find-program.js';

/** Later steps of the job have it, whatever measured code does. */
const PLANNED = 'PERF_ACTION_PLANNED';

/** Reports every mistake before anything is installed. @type {Step<'plan'>} */
export async function plan({ env, cwd }) {
  if (env[PLANNED])
    throw new UserError(
      'perf-action has already measured in this job, and the code that it ran may have changed the checkout and the runner; use two jobs, or one step that measures both (servers: a,b)',
    );
  const inputs = readInputs(env);
  const shared = warningOfSharedKey(inputs, env);
  if (shared !== undefined) warning(shared);
  const directory = directoryOf(inputs, cwd);
  if (await keepsToken(directory))
    warning(
      'the checkout keeps its token where measured code can read it; give actions/checkout `persist-credentials: false`',
    );
  if (readdirSync(directory).length === 0)
    throw new UserError(`there is nothing in ${directory}; add actions/checkout before this step`);
  // Both are used after minutes of measuring.
  settingsOf(env);
  isPosted(inputs);
  const { planned: asked, config, uncompared } = await comparedWith(readOptions(inputs), { env, directory });
  // Uploading from elsewhere could take along, or writing there change, what is another's.
  const place = placeInside(directory, resolve(directory, config.out));
  if (!place)
    throw new UserError(
      `out: ${config.out} does not lie inside the folder that is measured; use a folder there, like perf-results`,
    );
  print((await previewSession(config, directory)).text());
  const { setups, packages } = needsOf(config, env);
  const artifacts = keepsArtifacts(env);
  if (!artifacts)
    notice(
      'GitHub Enterprise Server does not support upload-artifact v4 and later: the results are in the job summary and ' +
        'the comment; to keep the folder results-path, add a step with actions/upload-artifact@v3',
    );
  exportVariable(PLANNED, 'true');
  const merge = await readMergeCommit(env, directory);
  /** @type {Planned} */
  const planned = {
    ...asked,
    // Readers of a pull request know its head, not GitHub's merge commit.
    ...(merge && { revision: { sha: merge.head, mergedInto: merge.into } }),
    ...(uncompared !== undefined && { warnings: [{ code: 'not-compared', why: uncompared }] }),
  };
  // A variable would hold too little.
  const plan = join(env.RUNNER_TEMP || tmpdir(), `perf-plan-${randomUUID()}.json`);
  writeFileSync(plan, JSON.stringify(planned), { flag: 'wx', mode: 0o600 });
  return {
    artifacts: String(artifacts),
    plan,
    out: join(realpathSync(directory), place),
    sockets: String(parseBoolean(inputs.sockets ?? 'false', 'sockets')),
    shard: String(config.shard?.index ?? ''),
    part: `${placeOf(inputs.machines && inputs.machine)}${config.shard?.index ?? ''}`,
    setups: JSON.stringify(setups),
    packages: packages.join(' '),
  };
}

/**
 * What the step `run` reads again, so that no file holds the configuration's secrets. own: options that no
 * other machine can have
 * @typedef {Pick<Surroundings, 'cwd' | 'revision' | 'warnings'> & { options: Asked, own?: Asked }} Planned
 */

/**
 * @param {Record<string, string>} given options
 * @param {{ env: NodeJS.ProcessEnv, directory: string }} context
 * @returns {Promise<{ planned: Planned, config: Config, uncompared?: string }>} uncompared: why it is
 *   compared with nothing
 */
async function comparedWith(given, { env, directory }) {
  const asked = readRunConfig(given, directory);
  const base = asked.against === 'base' ? await findBase(env, directory) : undefined;
  if (!base && asked.against !== undefined) await fetchRef(asked.against, directory, env);
  const noBase = base && 'none' in base ? base.none : undefined;
  const against = base && { against: 'sha' in base ? base.sha : 'off' };
  // Measure the order that is printed here.
  const options = { ...given, ...against, seed: String(asked.seed) };
  // Without a base, perf.yml may name a baseline.
  const { config: based } = askedExperiment(options, directory);
  const isAlone = based.against === undefined && based.baseline === undefined && !based.counts;
  const stored = isAlone ? await findStored(env) : undefined;
  const noneStored = isAlone ? whyNoneStored(env) : undefined;
  const baseline = stored === undefined ? undefined : placeFrom(directory, stored);
  // Stored runs that were fetched to this machine exist on no other.
  const planned = baseline?.startsWith('/')
    ? { cwd: directory, options, own: { baseline } }
    : { cwd: directory, options: { ...options, ...defined({ baseline }) } };
  const { config } = askedExperiment(planned.options, directory, planned.own);
  return { planned, config, uncompared: config.baseline === undefined ? (noBase ?? noneStored) : undefined };
}

/**
 * Setups: runtimes that a step of the action installs; packages: Debian packages of the tools, services and
 * proxies that are missing. The PATH of `env` finds a tool by its name.
 * @type {(config: Config, env: NodeJS.ProcessEnv) => { setups: string[], packages: string[] }}
 */
export function needsOf({ servers, reference, cases }, env) {
  const all = [...(reference ? [reference] : []), ...servers];
  const tools = [...new Set(cases.map(({ load }) => load.tool))];
  const services = missingServices(servicesNeeded(all), env);
  const proxies = [...new Set(cases.flatMap(programsOf))];
  return {
    setups: [...new Set(all.map(({ runtime }) => runtime))].filter((id) => RUNTIMES[id]?.setup),
    packages: [
      ...tools.filter((tool) => !findProgram(tool, { env })).map((tool) => findTool(tool).package),
      ...proxies.flatMap((proxy) => (findProgram(proxy.program, { ...proxy, env }) ? [] : proxy.package)),
      ...services.map((id) => SERVICES[id]?.package),
    ].filter((name) => name !== undefined),
  };
}
