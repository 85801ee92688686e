/**
 * Proves what a comparison finds here: compares one of the user's servers with itself plus planted work.
 * @import { Case, Comparison, Config, Run } from '../../types.js'
 * @import { Answer, Experiment, Surroundings } from './experiment.js'
 * @import { Plant } from '../../deploy/runtimes.js'
 */

import { join } from 'node:path';
import { serverEnvironment, withMore } from '../../deploy/process/server-environment.js';
import { RUNTIMES } from '../../deploy/runtimes.js';
import { isUnmeasured } from '../../judge/case-verdict.js';
import { foretell } from '../../judge/power.js';
import { MeasureError, UserError } from '../../model/errors.js';
import { onlyCase } from '../../plan/relevant.js';
import { proofAnswer } from '../../report/document/power-answer.js';
import { answerTerminal } from '../../report/render/terminal.js';
import { runSession } from '../session.js';
import { sidesHere } from '../sides.js';
import { ALONE, failureIn } from './experiment.js';

/** The server beside itself. */
export const PROVE_OPTIONS = { ...ALONE, against: 'self' };

/** Enough to know what a request costs where two sides are loaded alternately. */
const ROUNDS = 2;

/**
 * @typedef {object} Proof
 * @property {Case} case
 * @property {number} by the share of CPU per request that was planted
 * @property {number} plantedUs the same, in microseconds
 * @property {number} margin a share
 * @property {Comparison['cases'][number]} compared
 * @property {number} seconds that measuring took
 * @property {ReturnType<typeof foretell>[number] | undefined} foretold what other slowdowns take here;
 *   undefined where too little was measured
 * @property {Run} head
 */

/**
 * The first case alone is measured. Results go to the folder `prove` in the results folder.
 * @param {Config} config read with {@link PROVE_OPTIONS}
 * @param {number} by a share
 * @param {Surroundings & { hold?: typeof runSession }} surroundings hold: measures
 * @returns {Promise<Answer>} the exit code is 1 where the work was not found
 * @throws {UserError} for a server into which nothing can be planted
 * @throws {MeasureError} cancelled, or why the server could not be measured
 */
export async function prove(config, by, { hold = runSession, ...surroundings }) {
  const [wanted] = config.cases;
  const server = config.servers.find(({ id }) => id === wanted?.server);
  const { plant } = RUNTIMES[server?.runtime ?? ''] ?? {};
  if (!wanted || !server || !plant)
    throw new UserError(
      `prove: work is planted into Node and Java servers only, and ${server?.id} runs on ${server?.runtime}; name another one with --servers`,
    );
  const own = { ...onlyCase(config, wanted.id), out: join(config.out, 'prove') };
  const planted = await plant(serverEnvironment(surroundings.env, server));
  const cost = await hold(learning(own), surroundings);
  return await hold(planting(own, { cost, by, planted }), surroundings);
}

/** The microseconds of CPU per request; own: of one case. @type {(own: Config) => Experiment<number>} */
function learning(own) {
  return {
    verb: 'prove',
    config: { ...own, rounds: ROUNDS, budgetSeconds: undefined },
    answer({ run, isCancelled }) {
      if (isCancelled) throw unproved();
      const cost = run.cases[0]?.summary?.cpuPerRequestUs;
      if (cost !== undefined) return cost;
      throw failureIn(run) ?? new UserError('prove: CPU time is measured on Linux only; run it there');
    },
  };
}

/**
 * Both sides load what plants; only the head works. own: of one case; cost: of a request, in microseconds.
 * @type {(own: Config, work: { cost: number, by: number, planted: Plant }) => Experiment<Answer>}
 */
function planting(own, { cost, by, planted }) {
  const plantedUs = by * cost;
  // The margin is that of the proof, for every figure.
  const margin = Math.min(own.margin, by / 2);
  const config = { ...own, against: 'itself-without-the-planted-work', margin, margins: undefined };
  const sides = sidesHere(config).map((side) => {
    const more = planted(side.label === 'head' ? { share: by, us: plantedUs } : { share: 0, us: 0 });
    const servers = Object.entries(side.servers).map(([id, server]) => [
      id,
      { ...server, env: withMore(server.env, more) },
    ]);
    return { ...side, servers: Object.fromEntries(servers) };
  });
  return {
    verb: 'prove',
    config,
    sides,
    answer({ run: head, base, comparison, seconds, isCancelled, code: runCode }) {
      if (isCancelled) throw unproved();
      const [wanted] = /** @type {[Case]} */ (own.cases);
      const [compared] = comparison?.cases ?? [];
      if (!compared || isUnmeasured(compared))
        throw failureIn(head, base) ?? new UserError(`prove: ${wanted.id} could not be compared`);
      const rounds = head.cases[0]?.trials.length ?? 0;
      const [foretold] = foretell({ base, head }, { ids: [wanted.id], rounds, margin });
      const facts = { by, plantedUs, margin, seconds, foretold };
      const isFound = compared.verdict === 'regressed';
      return {
        code: isFound ? 0 : 1,
        json: { case: wanted.id, isFound, ...facts, code: runCode, metrics: compared.metrics },
        text: (screen) => answerTerminal(proofAnswer({ case: wanted, compared, head, ...facts }), screen),
      };
    },
  };
}

function unproved() {
  return new MeasureError('cancelled', 'before anything was proved');
}
