/**
 * An Experiment is what a session measures and how figures become an answer; Surroundings are its caller's.
 * @import { Config, Run, Side, Warning } from '../../types.js'
 * @import { Dependencies } from '../../run/dependencies.js'
 * @import { Hooks } from '../../run/measure.js'
 * @import { Screen } from '../../system/terminal-output.js'
 * @import { Finished } from '../finish.js'
 */

import { MeasureError } from '../../model/errors.js';

/**
 * @typedef {object} Surroundings
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {import('../../system/terminal-output.js').Output} stderr gets the progress
 * @property {AbortSignal} signal ends the measuring; what was measured until then is judged and written
 * @property {string} [runner] the kind of machine, where the caller knows it
 * @property {Run['revision']} [revision] of the head, in place of what git says
 * @property {Warning[]} [warnings] from before the session
 * @property {string} [earlierFolder] of an earlier comparison of the same commits, whose rounds count, too
 */

/** code: of the exit. @typedef {{ code: number, json: unknown, text: (screen?: Screen) => string }} Answer */

/**
 * @template A
 * @typedef {object} Experiment
 * @property {string} [verb] of the command that repeats it (default: run)
 * @property {Config} config
 * @property {Side[]} [sides] in place of those that `config.against` names
 * @property {(dependencies: Dependencies) => Dependencies} [dependencies] how it is measured
 * @property {Hooks['looks']} [looks] in place of those that a budget asks for
 * @property {(finished: Finished) => A | Promise<A>} answer
 */

/** Options of an experiment with one case. */
export const ALONE = { reference: 'off', explain: 'false' };

/** The experiment of `run`. @type {(config: Config) => Experiment<Finished & Answer>} */
export function asConfigured(config) {
  return {
    config,
    answer: (finished) => ({ ...finished, json: { run: finished.run, comparison: finished.comparison } }),
  };
}

/** Why the first failed start failed. @type {(...runs: (Run | undefined)[]) => MeasureError | undefined} */
export function failureIn(...runs) {
  const trials = runs.flatMap((run) => run?.cases ?? []).flatMap((measured) => measured.trials);
  const [failure] = trials.flatMap((trial) => trial.failure ?? []);
  return failure && new MeasureError(failure.kind, failure.message, failure.logTail);
}
