/**
 * Searches for the highest rate at which a server keeps its limit of p99, of both sides alternately where there are two.
 * @import { Case, Config, LimitRule, Run } from '../types.js'
 * @import { Dependencies } from '../run/dependencies.js'
 * @import { Surroundings } from './session.js'
 * @import { Asked } from './repro-command.js'
 * @import { Capacity, Tried, Wanted } from '../judge/capacity.js'
 */

import { join, resolve } from 'node:path';
import { capacityOf, compareCapacity, isBelowFirst, nextRate } from '../judge/capacity.js';
import { limitedCases } from '../model/limits.js';
import { MeasureError, UserError } from '../model/errors.js';
import { areDisturbed } from '../model/interference.js';
import { onlyCase } from '../plan/relevant.js';
import { ERRORS } from '../samples/figures.js';
import { isSkipped } from '../store/skipped.js';
import { readRunConfig } from './config.js';
import { failureIn } from './failure.js';
import { clearPages } from './results.js';
import { holdSession } from './session.js';

/** Windows of each start: five find the capacity, the others surround it. */
const WINDOWS = 20;
const WINDOW_SECONDS = 1;
/** At full speed. */
const WARMUP_SECONDS = 2;
const ROUNDS = 5;

/**
 * @typedef {object} Found
 * @property {Case} case
 * @property {LimitRule} limit
 * @property {Capacity} head
 * @property {Capacity | undefined} base
 * @property {ReturnType<typeof compareCapacity> | undefined} compared
 * @property {boolean} isDisturbed whether other programs used much of the machine in most windows
 * @property {Run} run the head's
 * @property {Config['failOn']} failOn
 *
 * The first limit of p99 is searched, from its rate on, with the first case that it applies to. Results go to the folder `capacity` in
 * the results folder: every window with its rate, and no report, whose tables would mix the rates.
 * @param {Asked} options of `run`, as they were given
 * @param {Surroundings & { hold?: typeof holdSession }} surroundings hold: measures
 * @returns {Promise<Found>}
 * @throws {UserError} without a limit of p99, and for a capacity that is not within the rates of the search
 * @throws {MeasureError} cancelled, or why the server could not be measured
 */
export async function searchCapacity(options, { hold = holdSession, ...surroundings }) {
  if (options.resume)
    throw new UserError(
      '--resume: a search for the capacity starts again; leave it out, and give the options',
    );
  const alone = { ...options, reference: 'off', explain: 'false' };
  const config = readRunConfig(alone, surroundings.cwd);
  const limit = config.limits?.find(({ metric }) => metric === 'p99');
  const [planned] = limit ? limitedCases(limit, config.cases) : [];
  if (!limit || !planned)
    throw new UserError(
      'capacity: it needs a limit of p99, and the rate where the search begins; add limits: { p99: 50ms, at: 500/s } to perf.yml',
    );
  const wanted = { firstRate: limit.rate ?? 1, mostMs: limit.bound };
  const kept = {
    ...alone,
    out: join(config.out, 'capacity'),
    rounds: options.rounds || String(ROUNDS),
  };
  const outcome = await hold(kept, {
    ...surroundings,
    alter: ({ config: measured, sides }) => ({ config: asSearch(measured, planned), sides }),
    instrument: (dependencies) => searching(dependencies, wanted),
  });
  if (isSkipped(outcome.run))
    throw new UserError(
      `capacity: no changed file affects ${planned.server}, so both sides would be the same; leave --against out`,
    );
  if (surroundings.signal.aborted)
    throw new MeasureError('cancelled', 'before the search for the capacity had ended');
  const [head] = outcome.run.cases;
  // A stored run has no search to compare with.
  const [before] = outcome.base?.session === outcome.run.session ? outcome.base.cases : [];
  if (head && [head, before ?? head].every((side) => isBelowFirst(side, wanted)))
    throw new UserError(
      `capacity: ${planned.id} has a p99 above ${limit.bound} ms at the first rate already, ${limit.rate} requests per second; set a lower at`,
    );
  const capacity = head && capacityOf(head, wanted);
  if (!head || !capacity)
    throw (
      failureIn(outcome.run) ??
      new UserError(
        `capacity: ${planned.id} is not found within ${WINDOWS} windows from ${limit.rate} requests per second on; set a higher at`,
      )
    );
  await clearPages(resolve(surroundings.cwd, kept.out));
  const isDisturbed = areDisturbed(head.trials);
  const found = {
    case: planned,
    limit,
    head: capacity,
    isDisturbed,
    run: outcome.run,
    failOn: config.failOn,
  };
  if (!before) return { ...found, base: undefined, compared: undefined };
  const compared = compareCapacity({ base: before, head }, { ...wanted, margin: config.margin });
  return { ...found, base: capacityOf(before, wanted), compared };
}

/** @param {Config} config @param {Case} planned @returns {Config} the case alone, in the windows of a search, which no look ends */
function asSearch({ budgetSeconds: _, ...config }, planned) {
  const { untilLevel: __, ...rest } = planned;
  const load = {
    ...planned.load,
    warmupSeconds: WARMUP_SECONDS,
    durationSeconds: WINDOWS * WINDOW_SECONDS,
    windows: WINDOWS,
  };
  // Overload shows in the answers, too.
  const limits = [{ metric: ERRORS.id, bound: 1 }];
  return { ...onlyCase(config, planned.id), cases: [{ ...rest, load }], limits };
}

/** Each start searches anew. The warm-up runs without a rate. @param {Dependencies} dependencies @param {Wanted} wanted @returns {Dependencies} */
export function searching(dependencies, wanted) {
  /** @type {Map<string, Tried[]>} by the address of a start */
  const tried = new Map();
  return {
    ...dependencies,
    // Each side has a rate of its own, and a queue that grows needs a whole window.
    canInterleave: () => false,
    async startServer(server, options) {
      const instance = await dependencies.startServer(server, options);
      tried.set(instance.url, []);
      return instance;
    },
    async load(target) {
      // A warm-up has no rate.
      if (target.load.rate === undefined) return dependencies.load(target);
      const windows = tried.get(target.url) ?? [];
      const rate = nextRate(windows, wanted);
      const loaded = { ...(await dependencies.load({ ...target, load: { ...target.load, rate } })), rate };
      windows.push(loaded);
      return loaded;
    },
  };
}
