/** What the jobs that measured left in their artifacts. @import { Run, Warning } from '../types.js' */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { range } from 'd3-array';
import { parseCount } from '../model/units.js';
import { writeText } from '../store/json-file.js';
import { COMPARISON, SIDES } from '../store/result-files.js';
import { readComparison, readRun } from '../store/run-file.js';
import { readArchives } from './comment/artifact.js';
import { placeOf } from './machine-kinds.js';

/** GitHub starts no more jobs for one matrix. */
export const MOST_JOBS = 256;
/** The last job compares again; it takes only the functions from the comparison of a machine. */
const COLLECTED = [...SIDES, COMPARISON];

/**
 * Ignores a stored run that a machine compared with, since it has no shard number, and the results of an
 * earlier attempt, which have another seed. lost: the shards without results; isForeign: whether some figures
 * belong to another run.
 * @param {string | undefined} machine the label of its kind; undefined where all are of one
 * @param {string} folder for files, named by us
 * @param {{ env: NodeJS.ProcessEnv, seed: number }} run env.PERF_SHARDS: the archives; env.PERF_COUNT: how
 *   many machines of a kind shared the cases
 * @throws {import('../model/errors.js').UserError} for an archive that is rejected
 */
export async function collect(machine, folder, { env: { PERF_SHARDS = '', PERF_COUNT = '' }, seed }) {
  const numbers = range(1, Math.min(parseCount(PERF_COUNT, 'shards'), MOST_JOBS) + 1);
  const wanted = numbers.flatMap((number) => COLLECTED.map((name) => `${number}/${name}`));
  const archives = readArchives(PERF_SHARDS, wanted, machine === undefined ? '' : `@${placeOf(machine)}`);
  for await (const [name, content] of archives) await writeText(join(folder, name), content.toString());
  /** @type {<T>(name: string, read: (file: string) => Promise<T>) => Promise<T[]>} */
  const readAll = (name, read) => {
    const files = numbers.map((number) => join(folder, String(number), name));
    return Promise.all(files.filter((file) => existsSync(file)).map((file) => read(file)));
  };
  const [left, leftBases] = [await readAll(SIDES[0], readRun), await readAll(SIDES[1], readRun)];
  const isOurs = (/** @type {Run} */ run) => run.shard && run.seed === seed;
  const heads = left.filter(isOurs);
  const comparisons = await readAll(COMPARISON, readComparison);
  const missing = numbers.filter((number) => !heads.some(({ shard }) => shard?.index === number));
  const of = numbers.length;
  /** @type {Warning[]} */
  const lost = missing.length > 0 ? [{ code: 'shards-missing', shards: missing, of }] : [];
  return {
    machine,
    heads,
    bases: leftBases.filter(isOurs),
    comparisons: comparisons.filter(({ head }) => heads.some(({ id }) => id === head.id)),
    lost,
    isForeign: left.some((run) => run.seed !== seed),
  };
}
