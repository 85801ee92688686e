/**
 * Counts without clocks: what requests allocate, and ask of services and other servers. A start of each side
 * says it for all routes; what differs is counted again in up to two more, in the other order.
 * @import { Asked, Config, Run } from '../../types.js'
 * @import { Finished } from '../finish.js'
 * @import { Answer, Experiment } from './experiment.js'
 */

import { join } from 'node:path';
import { groups } from 'd3-array';
import { differenceOf, LEAST_STARTS } from '../../judge/counts.js';
import { UserError } from '../../model/errors.js';
import { startOf } from '../../model/is-control.js';
import { WARMUP_REQUESTS } from '../../model/times.js';
import { parseBoolean } from '../../model/units.js';
import { UNFITTED } from '../../plan/timetable.js';
import { atOnce, countedLoad } from '../../run/settling.js';
import { COUNTS } from '../../samples/figures.js';
import { readRunConfig } from '../run-config.js';
import { ALONE, asConfigured } from './experiment.js';

/**
 * The experiment that options of a run ask for. own: overrides, which the command that repeats the run lacks.
 * @type {(options: Asked, cwd: string, own?: Asked) => Experiment<Finished & Answer>}
 * @throws {UserError} with every mistake
 */
export function askedExperiment(options, cwd, own) {
  return parseBoolean(String(options.counts || false), 'counts')
    ? countOnly(readRunConfig(options, cwd, { ...own, ...ALONE }))
    : asConfigured(readRunConfig(options, cwd, own));
}

/**
 * Results go to the folder `counts` in the results folder.
 * @type {(config: Config) => Experiment<Finished & Answer>} config: read with {@link ALONE}
 * @throws {UserError} for a stored run, whose starts were loaded otherwise
 */
export function countOnly(config) {
  if (config.baseline !== undefined && config.against === undefined)
    throw new UserError(
      'baseline: counts alone compare two sides of one run, and no stored one; use --against main instead',
    );
  const out = join(config.out, 'counts');
  const all = config.cases.map(({ untilLevel: _, load, ...planned }) => ({
    ...planned,
    counted: /** @type {const} */ (true),
    warmupRequests: WARMUP_REQUESTS,
    load: countedLoad(load),
  }));
  // Without its rate, the case that a limit adds is one that is there.
  const alike = groups(all, (planned) => JSON.stringify([startOf(planned), planned.route, planned.load]));
  const cases = alike.flatMap(([, [first]]) => first ?? []);
  return {
    config: { ...config, ...UNFITTED, controls: undefined, out, cases, rounds: LEAST_STARTS, counts: true },
    dependencies: atOnce,
    looks: {
      shares: [1 / LEAST_STARTS, 2 / LEAST_STARTS],
      leastRounds: 1,
      look: ([base, head = base]) => ({ decided: unchangedIn(base, head) }),
    },
    answer: asConfigured(config).answer,
  };
}

/** Ids of the cases that need no more starts. @type {(base?: Run, head?: Run) => Set<string>} */
function unchangedIn(base, head) {
  const same = (head?.cases ?? []).filter((measured) => {
    const pair = { base: base?.cases.find(({ id }) => id === measured.id) ?? measured, head: measured };
    return measured.trials.length > 0 && COUNTS.every((row) => differenceOf(pair, row) === 0);
  });
  return new Set(same.map(({ id }) => id));
}
