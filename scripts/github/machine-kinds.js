/**
 * The kinds of machine that measure the same cases, each with its own base, and their results side by side.
 * @import { Comparison, MachineVerdict } from '../types.js'
 * @import { Finished, Sides } from '../session/finish.js'
 * @import { Inputs } from './contract/inputs.js'
 */

import { join } from 'node:path';
import { sort } from 'd3-array';
import { UserError } from '../model/errors.js';
import { jsonIn } from '../model/json.js';
import { decisiveChange, rankOf } from '../judge/case-verdict.js';

/** More columns than anybody reads. */
const MOST = 10;
/** The folder of each machine's results, inside those of the worst. */
const MACHINES = 'machines';

/**
 * @param {Inputs} inputs of the workflow
 * @returns {string[]} labels of runners; none where one kind measures
 * @throws {UserError}
 */
export function machinesOf({ machines, 'baseline-store': store = 'off' }) {
  if (machines === undefined) return [];
  const refuse = (/** @type {string} */ what) =>
    new UserError(`machines: ${what}; use a JSON list of labels, like ["ubuntu-latest", "ubuntu-24.04-arm"]`);
  const labels = jsonIn(machines);
  if (labels === undefined) throw refuse(`${machines} is not JSON`);
  if (!Array.isArray(labels) || labels.length === 0 || labels.some((label) => typeof label !== 'string'))
    throw refuse(`${machines} is not a list of texts`);
  const wrong = labels.find((label) => !/^\w[\w.-]*$/.test(label));
  if (wrong !== undefined) throw refuse(`${JSON.stringify(wrong)} cannot name an artifact`);
  if (new Set(labels).size < labels.length) throw refuse('a label is listed twice');
  if (labels.length > MOST) throw refuse(`${labels.length} labels are more than ${MOST}`);
  if (store === 'off') return labels;
  throw new UserError('machines: stored runs are of one machine; leave out baseline-store, and set against');
}

/** What its artifacts have before the number of the shard. @type {(machine: string | undefined) => string} */
export const placeOf = (machine) => (machine === undefined ? '' : `${machine}@`);

/**
 * Returns the sides with the worst verdict, and the verdicts of all: first those that fail the check.
 * @type {(sides: (Sides & { machine: string | undefined })[],
 *   finishIn: (out: string, sides: Sides) => Promise<Finished>) => Promise<Sides>}
 */
export async function worstOf(sides, finishIn) {
  const finished = await Promise.all(
    sides.map(async ({ machine = '', ...own }) => {
      const { code, comparison } = await finishIn(join(MACHINES, machine), own);
      return { own, code, comparison, verdicts: comparison ? [verdictOf(machine, comparison)] : [] };
    }),
  );
  const worstFirst = sort(
    finished,
    ({ code }) => (code === 1 ? 0 : 1),
    ({ comparison }) => (comparison ? rankOf(comparison.verdict) : Infinity),
  );
  const machines = worstFirst.flatMap(({ verdicts }) => verdicts);
  return { .../** @type {Sides} */ (worstFirst[0]?.own), ...(machines.length > 0 && { machines }) };
}

/** @type {(machine: string, comparison: Comparison) => MachineVerdict} */
function verdictOf(machine, comparison) {
  const cases = comparison.cases.map((compared) => {
    const change = decisiveChange(compared);
    return { id: compared.id, verdict: compared.verdict, ...(change && { change }) };
  });
  return { machine, verdict: comparison.verdict, cases };
}
