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
import { MeasureError, UserError } from '../model/errors.js';
import { onlyCase } from '../plan/relevant.js';
import { readRunConfig } from './config.js';
import { failureIn } from './failure.js';
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
 * @param {{ by: number, hold?: typeof holdSession } & Surroundings} surroundings by: a share; hold: measures
 * @returns {Promise<Proof>}
 * @throws {UserError} for a server into which nothing can be planted
 * @throws {MeasureError} cancelled, or why the server could not be measured
 */
export async function prove(options, { by, hold = holdSession, ...surroundings }) {
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
    /** @param {Asked} asked @param {NonNullable<Surroundings['alter']>} alter */
    const measure = async (asked, alter) => {
      const own = { ...alone, against: 'self', out: join(config.out, 'prove'), ...asked };
      const outcome = await hold(own, { ...surroundings, alter });
      if (surroundings.signal.aborted) throw new MeasureError('cancelled', 'before anything was proved');
      return outcome;
    };
    return await comparePlanted(measure, { wanted, planted, by, margin: Math.min(config.margin, by / 2) });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * @param {(asked: Asked, alter: NonNullable<Surroundings['alter']>) => ReturnType<typeof holdSession>} measure the server beside itself
 * @param {{ wanted: Case, planted: Plant, by: number, margin: number }} what
 * @returns {Promise<Proof>}
 */
async function comparePlanted(measure, { wanted, planted, by, margin }) {
  const { run: first } = await measure({ rounds: ROUNDS }, ({ config, sides }) => ({
    config: onlyCase(config, wanted.id),
    sides,
  }));
  const cost = first.cases[0]?.summary?.cpuPerRequestUs;
  if (cost === undefined)
    throw failureIn(first) ?? new UserError('prove: CPU time is measured on Linux only; run it there');
  const plantedUs = by * cost;
  const [none, work] = [planted({ share: 0, us: 0 }), planted({ share: by, us: plantedUs })];
  const alter = planting(wanted, { base: none, head: work });
  const outcome = await measure({ margin: `${100 * margin}%` }, alter);
  const { run: head, base, comparison, seconds, code } = outcome;
  const [compared] = comparison?.cases ?? [];
  if (!compared || compared.verdict === 'failed')
    throw failureIn(head, base) ?? new UserError(`prove: ${wanted.id} could not be compared`);
  const rounds = head.cases[0]?.trials.length ?? 0;
  const [foretold] = foretell({ base, head }, { ids: [wanted.id], rounds, margin });
  return { case: wanted, by, plantedUs, margin, compared, seconds, foretold, code, head };
}

/** Both sides load what plants; only the head works. @param {Case} wanted @param {Record<'base' | 'head', Record<string, string>>} planted @returns {NonNullable<Surroundings['alter']>} */
function planting({ id, server }, { base, head }) {
  // The margin is that of the proof, for every figure.
  return ({ config: { margins: _, ...config }, sides }) => ({
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
