/**
 * Proves what a comparison finds here: plants work into one of the user's servers, and compares it with itself without that work.
 * @import { Case, Comparison, Run, Side } from '../types.js'
 * @import { Surroundings } from './session.js'
 * @import { Asked } from './repro-command.js'
 * @import { Plant } from '../deploy/runtimes.js'
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverEnvironment, withMore } from '../deploy/start/environment.js';
import { RUNTIMES } from '../deploy/runtimes.js';
import { foretell } from '../judge/power.js';
import { UserError } from '../model/errors.js';
import { onlyCase } from '../plan/relevant.js';
import { readRunConfig } from './config.js';
import { holdSession } from './session.js';

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
 * @throws {UserError} for a server into which nothing can be planted, or that could not be measured
 */
export async function prove(options, { by, ...surroundings }) {
  const alone = { ...options, reference: 'off', explain: 'false' };
  const config = readRunConfig(alone, surroundings.cwd);
  const [wanted] = config.cases;
  const server = config.servers.find(({ id }) => id === wanted?.server);
  const { plant } = RUNTIMES[server?.runtime ?? ''] ?? {};
  if (!wanted || !server || !plant)
    throw new UserError(
      `prove: work is planted into Node and Java servers only, and ${server?.id} runs on ${server?.runtime}; name another one with --servers`,
    );
  const folder = await mkdtemp(join(tmpdir(), 'perf-prove-'));
  try {
    const planted = await plant({ folder, env: serverEnvironment(surroundings.env, server) });
    return await comparePlanted({ ...alone, out: join(config.out, 'prove') }, surroundings, {
      wanted,
      planted,
      by,
      margin: Math.min(config.margin, by / 2),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * @param {Asked} options @param {Surroundings} surroundings
 * @param {{ wanted: Case, planted: Plant, by: number, margin: number }} what
 * @returns {Promise<Proof>}
 */
async function comparePlanted(options, surroundings, { wanted, planted, by, margin }) {
  const once = { ...options, against: 'self', rounds: ROUNDS };
  const { run: first } = await holdSession(once, { ...surroundings, alter: only(wanted) });
  const cost = first.cases[0]?.summary?.cpuPerRequestUs;
  if (cost === undefined)
    throw new UserError(`prove: ${wanted.id} could not be measured; perf-action run says why`);
  const plantedUs = by * cost;
  const compared = { ...options, against: 'self', margin: `${100 * margin}%` };
  const [none, work] = [planted({ share: 0, us: 0 }), planted({ share: by, us: plantedUs })];
  const alter = planting(wanted, { base: none, head: work });
  const outcome = await holdSession(compared, { ...surroundings, alter });
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

/** Both sides load what plants; only the head works. @param {Case} wanted @param {Record<'base' | 'head', Record<string, string>>} planted @returns {NonNullable<Surroundings['alter']>} */
function planting({ id, server }, { base, head }) {
  return ({ config, sides }) => ({
    config: { ...onlyCase(config, id), against: 'itself-without-the-planted-work' },
    sides: sides.map((side) => withEnvironment(side, server, side.label === 'head' ? head : base)),
  });
}

/** @param {Side} side @param {string} id @param {Record<string, string>} more @returns {Side} */
function withEnvironment(side, id, more) {
  const server = side.servers[id];
  if (!server) return side;
  return { ...side, servers: { ...side.servers, [id]: { ...server, env: withMore(server.env, more) } } };
}
