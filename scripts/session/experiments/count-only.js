/**
 * Counts without clocks: what requests allocate, and ask of services and other servers. A start of each side
 * says it for all routes; what differs is counted again in two more, in the other order.
 * @import { CaseComparison, Comparison, Config, Metric, Run } from '../../types.js'
 * @import { Answer, Experiment } from './experiment.js'
 */

import { join, resolve } from 'node:path';
import { outcomeOf } from '../../judge/gate.js';
import { WARMUP_REQUESTS } from '../../model/times.js';
import { UNFITTED } from '../../plan/timetable.js';
import { countsAnswer } from '../../report/document/counts-answer.js';
import { answerMarkdown } from '../../report/render/markdown.js';
import { answerTerminal } from '../../report/render/terminal.js';
import { atOnce, countedLoad } from '../../run/settling.js';
import { mean } from '../../samples/interval.js';
import { valuesOf } from '../../samples/case-figures.js';
import { COUNTS } from '../../samples/figures.js';
import { writeText } from '../../store/json-file.js';
import { clearPages } from '../results.js';
import { pairOf } from '../watching.js';

/** @typedef {{ base?: Run, head: Run }} Pair */

const [BETTER, WORSE] = /** @type {const} */ (['improved', 'regressed']);
/** Starts of what differs. */
const ROUNDS = 3;

/**
 * Results go to the folder `counts` in the results folder, without a page, whose figures have clocks.
 * @param {Config} config read with {@link ALONE}
 * @param {{ cwd: string }} surroundings
 * @returns {Experiment<Answer & { run: Run, comparison?: Comparison }>}
 */
export function countOnly(config, { cwd }) {
  const out = join(config.out, 'counts');
  const cases = config.cases.map(({ untilLevel: _, load, ...planned }) => ({
    ...planned,
    counted: /** @type {const} */ (true),
    warmupRequests: WARMUP_REQUESTS,
    load: countedLoad(load),
  }));
  return {
    config: { ...config, ...UNFITTED, controls: undefined, out, cases, rounds: ROUNDS, counts: true },
    dependencies: atOnce,
    looks: {
      shares: [1 / ROUNDS],
      leastRounds: 1,
      look: (runs) => ({ decided: unchangedIn(pairOf(runs, undefined)) }),
    },
    async answer({ run, base, comparison: whole }) {
      const comparison = whole && {
        ...whole,
        cases: whole.cases.map((each) => countsIn(each, { base, head: run })),
      };
      const answer = countsAnswer({ run, base, comparison });
      await clearPages(resolve(cwd, out));
      await writeText(join(resolve(cwd, out), 'report.md'), answerMarkdown(answer));
      return {
        run,
        comparison,
        code: outcomeOf({ run, comparison }, config),
        json: { run, comparison },
        text: (screen) => answerTerminal(answer, screen),
      };
    },
  };
}

/** Ids of the cases that need no more starts. @type {(pair: Pair) => Set<string>} */
function unchangedIn(pair) {
  const started = pair.head.cases.filter(({ trials }) => trials.length > 0);
  const same = started.filter(({ id }) => COUNTS.every((row) => !differenceIn(id, row, pair)));
  return new Set(same.map(({ id }) => id));
}

/**
 * Without what clocks say; gates of counts alone fail a case.
 * @type {(compared: CaseComparison, pair: Pair) => CaseComparison}
 */
function countsIn({ metrics, ...compared }, pair) {
  const counts = COUNTS.flatMap((row) => {
    const change = metrics.find(({ metric }) => metric === row.id);
    const isMore = differenceIn(compared.id, row, pair, ROUNDS);
    if (!change || change.verdict !== 'unsure' || !isMore) return change ?? [];
    // Its interval is of too few starts for the judge of clocks.
    const { ciPct: _, ...known } = change;
    return { ...known, verdict: isMore === row.better ? BETTER : WORSE };
  });
  const verdict = compared.verdict === 'failed' ? 'failed' : 'same';
  return { ...compared, verdict, metrics: counts };
}

/**
 * Undefined unless every start of one side has more than all of the other, and they differ by the margin.
 * @type {(id: string, row: Metric, pair: Pair, starts?: number) => 'more' | 'less' | undefined}
 */
function differenceIn(id, row, { base, head }, starts = 1) {
  const [from = [], to = []] = [base, head].map((side) => {
    const measured = side?.cases.find((each) => each.id === id);
    return measured ? valuesOf(measured, row) : [];
  });
  if (Math.min(from.length, to.length) < starts) return undefined;
  const least = (row.judged.margin ?? 0) * mean(from);
  if (Math.abs(mean(to) - mean(from)) <= least) return undefined;
  if (Math.min(...to) > Math.max(...from)) return 'more';
  return Math.max(...to) < Math.min(...from) ? 'less' : undefined;
}
