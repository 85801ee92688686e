/**
 * `perf-action report`: renders a run file, or the trend of many.
 * @import { Comparison, Run } from '../types.js'
 * @import { Arguments } from '../verbs.js'
 * @import { Io } from '../cli.js'
 */

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../errors.js';
import { harmlessJson } from '../harmless.js';
import { oneOf } from '../plan/units.js';
import { renderBenchmarkAction } from '../report/benchmark-action.js';
import { renderHtml } from '../report/html.js';
import { renderJson } from '../report/json.js';
import { renderReport } from '../report/markdown.js';
import { SIDES } from '../session/results.js';
import { readComparison } from '../store/comparison-file.js';
import { readRun } from '../store/run-file.js';
import { history } from './history.js';

/** @type {Record<string, (run: Run, options: { comparison?: Comparison, base?: Run }) => string>} */
const FORMATS = {
  md: renderReport,
  html: renderHtml,
  json: renderJson,
  'benchmark-action': (run) => `${harmlessJson(renderBenchmarkAction(run))}\n`,
};

/**
 * @param {Arguments} args
 * @param {Io} io
 * @returns {Promise<number>}
 */
export async function report({ values, positionals }, io) {
  const [file, ...more] = positionals;
  if (values.history !== undefined) return history({ values, positionals }, io);
  if (file === undefined || more.length > 0)
    throw new UserError(
      'report needs one run file, or stored ones: perf-action report RUN | --history FOLDER|BRANCH',
    );
  const format = oneOf(String(values.format ?? 'md'), Object.keys(FORMATS), '--format');
  const run = await readRun(resolve(io.cwd, file));
  const { comparison } = values;
  const told =
    typeof comparison === 'string'
      ? await readCompared(resolve(io.cwd, comparison), resolve(io.cwd, file))
      : {};
  io.stdout.write(/** @type {(typeof FORMATS)[string]} */ (FORMATS[format])(run, told));
  return 0;
}

/**
 * @param {string} comparison a file
 * @param {string} run the file that it is about: a session leaves what it was compared with beside it
 * @returns {Promise<{ comparison: Comparison, base?: Run }>}
 */
async function readCompared(comparison, run) {
  const base = join(dirname(run), SIDES[1]);
  return {
    comparison: await readComparison(comparison),
    ...(existsSync(base) && { base: await readRun(base) }),
  };
}
