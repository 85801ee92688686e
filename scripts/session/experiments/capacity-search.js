/**
 * Searches for the highest rate at which a server keeps its limit of p99; of two sides alternately.
 * @import { Case, Config, LimitRule, Run } from '../../types.js'
 * @import { Dependencies } from '../../run/dependencies.js'
 * @import { Capacity, Tried, Wanted } from '../../judge/capacity.js'
 * @import { Answer, Experiment } from './experiment.js'
 * @import { Finished } from '../finish.js'
 */

import { join, resolve } from 'node:path';
import { capacityOf, compareCapacity, isBelowFirst, nextRate } from '../../judge/capacity.js';
import { limitedCases } from '../../model/limited-cases.js';
import { MeasureError, UserError } from '../../model/errors.js';
import { areDisturbed } from '../../model/interference.js';
import { onlyCase } from '../../plan/relevant.js';
import { UNFITTED } from '../../plan/timetable.js';
import { capacityAnswer } from '../../report/document/capacity-answer.js';
import { answerTerminal } from '../../report/render/terminal.js';
import { ERRORS } from '../../samples/figures.js';
import { isSkipped } from '../../store/skipped.js';
import { clearPages } from '../results.js';
import { failureIn } from './experiment.js';

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
 */

/**
 * Searches the first limit of p99, from its rate on, with the first case that it applies to. The results
 * folder's `capacity` gets every window with its rate, and no report, whose tables would mix the rates.
 * @param {Config} config read with {@link ALONE}
 * @param {{ cwd: string }} surroundings
 * @returns {Experiment<Answer & { found: Found }>} Its answer throws a MeasureError where it was cancelled,
 *   or that says why the server could not be measured, or a UserError for a capacity beyond its rates
 * @throws {UserError} without a limit of p99
 */
export function searchCapacity(config, { cwd }) {
  const limit = config.limits?.find(({ metric }) => metric === 'p99');
  const [planned] = limit ? limitedCases(limit, config.cases) : [];
  if (!limit || !planned)
    throw new UserError(
      'capacity: it needs a limit of p99, and the rate where the search begins; add limits: { p99: 50ms, at: 500/s } to perf.yml',
    );
  const wanted = { firstRate: limit.rate ?? 1, mostMs: limit.bound };
  const own = asSearch(config, planned);
  return {
    config: own,
    dependencies: (dependencies) => searching(dependencies, wanted),
    async answer(measured) {
      const { head, base, compared } = judged(measured, { planned, limit, wanted, margin: config.margin });
      await clearPages(resolve(cwd, own.out));
      const isDisturbed = areDisturbed(measured.run.cases[0]?.trials ?? []);
      const facts = { limit, head, base, compared, isDisturbed };
      const found = { case: planned, run: measured.run, ...facts };
      const fails = compared?.verdict === 'regressed' && config.failOn !== 'never';
      return {
        found,
        code: compared && !base ? 3 : fails ? 1 : 0,
        json: { case: planned.id, ...facts },
        text: (screen) => answerTerminal(capacityAnswer(found), screen),
      };
    },
  };
}

/**
 * @param {Finished} measured
 * @param {{ planned: Case, limit: LimitRule, wanted: Wanted, margin: number }} search
 * @returns {Pick<Found, 'head' | 'base' | 'compared'>}
 */
function judged({ run, base, isCancelled }, { planned, limit, wanted, margin }) {
  if (isSkipped(run))
    throw new UserError(
      `capacity: no changed file affects ${planned.server}, so both sides would be the same; leave --against out`,
    );
  if (isCancelled) throw new MeasureError('cancelled', 'before the search for the capacity had ended');
  const [head] = run.cases;
  // A stored run has no search to compare with.
  const [before] = base?.session === run.session ? base.cases : [];
  if (head && [head, before ?? head].every((side) => isBelowFirst(side, wanted)))
    throw new UserError(
      `capacity: ${planned.id} has a p99 above ${limit.bound} ms at the first rate already, ${limit.rate} requests per second; set a lower at`,
    );
  const capacity = head && capacityOf(head, wanted);
  const lost = `capacity: ${planned.id} is not found within ${WINDOWS} windows from ${limit.rate} requests per second on; set a higher at`;
  if (!head || !capacity) throw failureIn(run) ?? new UserError(lost);
  if (!before) return { head: capacity, base: undefined, compared: undefined };
  const compared = compareCapacity({ base: before, head }, { ...wanted, margin });
  return { head: capacity, base: capacityOf(before, wanted), compared };
}

/** The case alone, in a search's windows, without looks. @type {(config: Config, planned: Case) => Config} */
function asSearch(config, planned) {
  const durationSeconds = WINDOWS * WINDOW_SECONDS;
  const times = { warmupSeconds: WARMUP_SECONDS, durationSeconds, windows: WINDOWS };
  return {
    ...onlyCase(config, planned.id),
    cases: [{ ...planned, untilLevel: undefined, load: { ...planned.load, ...times } }],
    // Overload shows in the answers, too.
    limits: [{ metric: ERRORS.id, bound: 1 }],
    rounds: config.asked.rounds ? config.rounds : ROUNDS,
    ...UNFITTED,
    out: join(config.out, 'capacity'),
  };
}

/**
 * Each start searches anew. The warm-up runs without a rate.
 * @type {(dependencies: Dependencies, wanted: Wanted) => Dependencies}
 */
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
      if (target.load.rate === undefined) return dependencies.load(target);
      const windows = tried.get(target.url) ?? [];
      const rate = nextRate(windows, wanted);
      const loaded = { ...(await dependencies.load({ ...target, load: { ...target.load, rate } })), rate };
      windows.push(loaded);
      return loaded;
    },
  };
}
