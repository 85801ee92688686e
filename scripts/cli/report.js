/**
 * `perf-action report`: renders a run file.
 * @import { Comparison, Run } from '../types.js'
 * @import { Arguments } from '../verbs.js'
 * @import { Io } from '../cli.js'
 */

import { resolve } from 'node:path';
import { UserError } from '../errors.js';
import { harmlessJson } from '../harmless.js';
import { oneOf } from '../plan/units.js';
import { renderBenchmarkAction } from '../report/benchmark-action.js';
import { renderHtml } from '../report/html.js';
import { renderJson } from '../report/json.js';
import { renderReport } from '../report/markdown.js';
import { readComparison } from '../store/comparison-file.js';
import { readRun } from '../store/run-file.js';

/** @type {Record<string, (run: Run, options: { comparison?: Comparison }) => string>} */
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
  if (file === undefined || more.length > 0)
    throw new UserError('report needs one run file: perf-action report RUN');
  const format = oneOf(String(values.format ?? 'md'), Object.keys(FORMATS), '--format');
  const run = await readRun(resolve(io.cwd, file));
  const { comparison } = values;
  const told =
    typeof comparison === 'string' ? { comparison: await readComparison(resolve(io.cwd, comparison)) } : {};
  io.stdout.write(/** @type {(typeof FORMATS)[string]} */ (FORMATS[format])(run, told));
  return 0;
}
