/**
 * The history of stored runs, a line each: it outlives their files, and thousands are read in a moment.
 * @import { PastRun, Run } from '../types.js'
 */

import { appendFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { differencesOf, estimate } from '../judge/mean-estimate.js';
import { defined } from '../model/defined.js';
import { jsonIn } from '../model/json.js';
import { referenceOf } from '../model/reference.js';
import { UserError } from '../model/errors.js';
import { mistakeText } from '../model/schema.js';
import { SPEEDS } from '../samples/figures.js';
import { samplesOf, startsOf } from '../samples/case-figures.js';
import { summarize } from '../samples/summary.js';
import { kindOf } from '../store/json-file.js';
import { readIfThere } from '../system/bounded-file.js';
import { readBaselines, saveBaseline } from './baselines.js';
import { changeBranch } from './branch.js';

const NAME = 'history.jsonl';

/** @type {import('../store/json-file.js').Kind<PastRun>} */
const { check } = kindOf('past-run.schema.json', 'it is written where a run is stored');

/**
 * Returns the branch and the file in it; for the count see {@link keepRun}.
 * @type {(run: Run, branch: Omit<Parameters<typeof changeBranch>[0], 'message'>, count: number) =>
 *   Promise<string>}
 */
export function keepOnBranch(run, branch, count) {
  const message = `baseline of ${run.revision.sha ?? run.startedAt}`;
  return changeBranch({ ...branch, message }, async (top) => {
    const file = await keepRun(run, top, count);
    return `${branch.branch}:${relative(top, file)}`;
  });
}

/**
 * Stores a run: the full file until newer ones replace it, and one permanent history line. Makes the folder
 * where it is missing; `count` runs of the same cases stay whole. Returns the file.
 * @type {(run: Run, dir: string, count: number) => Promise<string>}
 * @throws {import('../model/errors.js').UserError} for a run that measured nothing, or half of a comparison
 */
export async function keepRun(run, dir, count) {
  const past = pastOf(run);
  const why = run.against === undefined ? undefined : whyUnusable([run]);
  if (why) throw new UserError(`run ${run.id} is not stored: ${why}`);
  const saved = await saveBaseline(run, dir, count);
  if (past) await appendFile(join(dir, NAME), `${JSON.stringify(past)}\n`);
  return saved;
}

/**
 * past: lines in the order of the file, each run once, and stored runs without a line, as those of older
 * versions; runs: those stored whole; broken: what is wrong with each line and file that cannot be read.
 * @type {(dir: string) => Promise<{ past: PastRun[], runs: Run[], broken: string[] }>}
 */
export async function readHistory(dir) {
  const { past, broken } = readLines(join(dir, NAME));
  const stored = await readBaselines(dir);
  const runs = stored.baselines.map(({ run }) => run);
  const unlisted = runs.flatMap((run) => (past.has(run.id) ? [] : (pastOf(run) ?? [])));
  return { past: [...past.values(), ...unlisted], runs, broken: [...broken, ...stored.broken] };
}

/** Why runs without a line do not serve a trend, if any are. @type {(runs: Run[]) => string | undefined} */
export function whyUnusable(runs) {
  const { length } = runs.filter((run) => pastOf(run) === undefined);
  if (length === 0) return undefined;
  const which = length === 1 ? 'the run' : `${length} runs`;
  return `${which} did not measure the reference server, with which runs of different days are compared; store runs that are made without --against and without \`reference: off\``;
}

/**
 * Undefined where nothing was measured beside a reference: without one, days cannot be compared.
 * @type {(run: Run) => PastRun | undefined}
 */
export function pastOf({ id, startedAt, revision, environment, cases }) {
  const { sha, committedAt } = revision;
  const { fingerprint, cpuModel } = environment;
  const past = cases.flatMap((runCase) => {
    const samples = samplesOf(runCase.trials);
    const summary = summarize(startsOf(runCase), runCase);
    const referenceCase = referenceOf(runCase, cases);
    if (runCase.reference || !summary || !referenceCase) return [];
    const referenceSamples = samplesOf(referenceCase.trials);
    // For each speed: the logarithm of its ratio to the reference, and the error of that.
    const beside = SPEEDS.flatMap(({ id: speed }) => {
      const ratio = estimate(differencesOf(referenceSamples, samples, speed));
      return ratio ? [[speed, { log: ratio.effect, error: ratio.error }]] : [];
    });
    if (beside.length === 0) return [];
    const { throughput } = summary;
    return [{ id: runCase.id, server: runCase.server, throughput, beside: Object.fromEntries(beside) }];
  });
  if (past.length === 0) return undefined;
  const schema = /** @type {const} */ ('perf-action/past-run@1');
  return defined({ schema, id, startedAt, fingerprint, cpuModel, cases: past, sha, committedAt });
}

/** @param {string} file */
function readLines(file) {
  /** @type {Map<string, PastRun>} */
  const past = new Map();
  /** @type {string[]} */
  const broken = [];
  const lines = readIfThere(file)?.split('\n') ?? [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const value = jsonIn(line) ?? line;
    if (check(value)) past.set(value.id, value);
    else
      broken.push(`${NAME}:${index + 1}: ${check.errors[0] ? mistakeText(check.errors[0]) : 'is not a run'}`);
  }
  return { past, broken };
}
