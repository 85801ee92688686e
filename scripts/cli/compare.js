/**
 * `perf-action compare`: judges two run files.
 * @import { Arguments } from './verbs.js'
 * @import { Io } from '../cli.js'
 */

import { resolve } from 'node:path';
import { UserError } from '../errors.js';
import { compare } from '../judge/compare.js';
import { gateFails } from '../judge/gate.js';
import { readRules } from '../plan/rules.js';
import { renderTerminal } from '../report/terminal.js';
import { readRun } from '../store/run-file.js';
import { ROOT } from './root.js';
import { isSkipped } from '../store/skipped.js';

/**
 * @param {Arguments} args
 * @param {Io} io
 * @returns {Promise<number>}
 */
export async function compareRuns({ values, positionals }, io) {
  const { base, head } = values;
  if (typeof base !== 'string' || typeof head !== 'string' || positionals.length > 0) {
    throw new UserError('compare takes two run files: perf-action compare --base RUN --head RUN');
  }
  const { base: _base, head: _head, json, ...options } = values;
  const rules = readRules({ options, cwd: io.cwd, root: ROOT });
  const [baseRun, headRun] = await Promise.all([readMeasured(base, io.cwd), readMeasured(head, io.cwd)]);
  const comparison = compare(baseRun, headRun, rules);
  io.stdout.write(
    json ? `${JSON.stringify(comparison, null, 2)}\n` : renderTerminal(headRun, { comparison }),
  );
  if (gateFails(comparison, rules)) return 1;
  return comparison.verdict === 'failed' ? 3 : 0;
}

/**
 * @param {string} name
 * @param {string} cwd
 * @throws {UserError} where nothing was to be measured: that is no result to compare with
 */
async function readMeasured(name, cwd) {
  const run = await readRun(resolve(cwd, name));
  if (isSkipped(run))
    throw new UserError(`${name}: the run was skipped and measured nothing; name one that measured`);
  return run;
}
