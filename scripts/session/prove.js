/**
 * Proves what a comparison finds here: plants work into one of the user's servers, and compares it with itself without that work.
 * @import { Case, Comparison, Run, Side } from '../types.js'
 * @import { Surroundings } from './session.js'
 * @import { Asked } from './repro-command.js'
 */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withMore } from '../deploy/start/environment.js';
import { DEFAULT_RUNTIME } from '../deploy/runtimes.js';
import { foretell } from '../judge/power.js';
import { UserError } from '../model/errors.js';
import { onlyCase } from '../plan/relevant.js';
import { preloading } from '../system/process/environment.js';
import { readRunConfig } from './config.js';
import { holdSession } from './session.js';

const PLANTED_WORK = fileURLToPath(new URL('../deploy/runtimes/planted-work.cjs', import.meta.url));
/** Enough to know what a request costs where two sides are loaded alternately. */
const ROUNDS = '2';

/**
 * @typedef {object} Proof
 * @property {Case} case
 * @property {number} by the share of CPU per request that was planted
 * @property {number} plantedUs the same, in microseconds
 * @property {number} margin a share
 * @property {Comparison['cases'][number]} compared
 * @property {number} seconds that measuring took
 * @property {ReturnType<typeof foretell>[number] | undefined} foretold what other slowdowns take here; undefined where too little was measured
 * @property {number} code the run's exit code
 * @property {Run} head
 *
 * The first case alone is measured. Results go to the folder `prove` in the results folder.
 * @param {Asked} options of `run`, as they were given
 * @param {{ by: number } & Surroundings} surroundings by: a share
 * @returns {Promise<Proof>}
 * @throws {UserError} for a server that does not run on Node, or that could not be measured
 */
export async function prove(options, { by, ...surroundings }) {
  const alone = { ...options, reference: 'off', explain: 'false' };
  const config = readRunConfig(alone, surroundings.cwd);
  const [wanted] = config.cases;
  const server = config.servers.find(({ id }) => id === wanted?.server);
  if (!wanted || server?.runtime !== DEFAULT_RUNTIME)
    throw new UserError(
      `prove: work is planted into Node servers only, and ${server?.id} runs on ${server?.runtime}; name another one with --servers`,
    );
  const margin = Math.min(config.margin, by / 2);
  const kept = { ...alone, out: join(config.out, 'prove') };
  const once = { ...kept, against: 'self', rounds: ROUNDS };
  const { run: first } = await holdSession(once, { ...surroundings, alter: only(wanted) });
  const cost = first.cases[0]?.summary?.cpuPerRequestUs;
  if (cost === undefined)
    throw new UserError(`prove: ${wanted.id} could not be measured; perf-action run says why`);
  const plantedUs = by * cost;
  const compared = { ...kept, against: 'self', margin: `${100 * margin}%` };
  const outcome = await holdSession(compared, { ...surroundings, alter: planting(wanted, plantedUs) });
  const { run: head, base, comparison, seconds, code } = outcome;
  const [changed] = comparison?.cases ?? [];
  if (!changed) throw new UserError(`prove: ${wanted.id} could not be compared; perf-action run says why`);
  const rounds = head.cases[0]?.trials.length ?? 0;
  const [foretold] = foretell({ base, head }, { ids: [wanted.id], rounds, margin });
  return { case: wanted, by, plantedUs, margin, compared: changed, seconds, foretold, code, head };
}

/** @param {Case} wanted @returns {NonNullable<Surroundings['alter']>} */
function only({ id }) {
  return ({ config, sides }) => ({ config: onlyCase(config, id), sides });
}

/** Both sides listen for requests; the head works at each of them. @param {Case} wanted @param {number} plantedUs @returns {NonNullable<Surroundings['alter']>} */
function planting({ id, server }, plantedUs) {
  return ({ config, sides }) => ({
    config: { ...onlyCase(config, id), against: 'itself-without-the-planted-work' },
    sides: sides.map((side) => planted(side, server, side.label === 'head' ? plantedUs : 0)),
  });
}

/** @param {Side} side @param {string} id @param {number} us @returns {Side} */
function planted(side, id, us) {
  const server = side.servers[id];
  if (!server) return side;
  const env = { ...withMore(server.env, preloading([PLANTED_WORK])), PLANTED_US: String(us) };
  return { ...side, servers: { ...side.servers, [id]: { ...server, env } } };
}
