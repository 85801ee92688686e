/**
 * The experiment that options of a run ask for, in a terminal or in a job.
 * @import { Asked } from '../../types.js'
 * @import { Finished } from '../finish.js'
 * @import { Answer, Experiment } from './experiment.js'
 */

import { parseBoolean } from '../../model/units.js';
import { readRunConfig } from '../run-config.js';
import { countOnly } from './count-only.js';
import { ALONE, asConfigured } from './experiment.js';

/**
 * own: overrides, which the command that repeats the run lacks.
 * @type {(options: Asked, cwd: string, own?: Asked) => Experiment<Finished & Answer>}
 * @throws {import('../../model/errors.js').UserError} with every mistake
 */
export function askedExperiment(options, cwd, own) {
  return parseBoolean(String(options.counts || false), 'counts')
    ? countOnly(readRunConfig(options, cwd, { ...own, ...ALONE }))
    : asConfigured(readRunConfig(options, cwd, own));
}
