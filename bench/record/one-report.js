/** One report, made as its user makes it: `perf-action run --against COMMIT`. */

import { median } from 'd3-array';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isQuietControl } from '../../scripts/judge/case-verdict.js';
import { othersShare } from '../../scripts/model/interference.js';
import { tryGit } from '../../scripts/system/git.js';
import { nameOf } from './cases.js';
import { perfAction } from '../perf-action.js';
import { ROOT } from './planted-repository.js';

/** @import { Case } from './cases.js' */

/**
 * A line of the record.
 * @typedef {object} Row
 * @property {string} name of the case
 * @property {string} date when the run started
 * @property {string} machine its kind
 * @property {string} version of perf-action, with its commit
 * @property {number} planted the share of CPU that the head costs more
 * @property {string} verdict of the server that may cost more
 * @property {Record<string, string>} metrics the verdict of each figure
 * @property {string[]} [outside] why the report's promise may not hold
 * @property {string[]} others the verdicts of the servers or routes beside it that count for the whole
 * @property {number} changePct of CPU per request, or of a start
 * @property {[number, number]} [ciPct] its interval; the first rows lack it and what follows seconds
 * @property {number} seconds from the first start to the end of the last window
 * @property {number} [rounds] that were measured
 * @property {{ minutes: number, verdict?: string }} [advised] the budget that would probably settle an
 *   `unsure`, and what it led to
 * @property {number} [othersShare] the median share of a core that other programs used during a window
 */

/**
 * @param {string} folder a repository whose HEAD is measured
 * @param {Case} each
 * @param {{ base: string, machine: string }} how base: the commit to compare with; machine: its kind
 * @returns {Promise<Row>}
 */
export async function makeReport(folder, each, { base, machine }) {
  const { tool, margin, budget, planted, what } = each;
  const options = [
    ...['--against', base, '--margin', margin, '--fail-on', 'never', '--no-explain'],
    ...(tool ? ['--tool', tool] : []),
    ...(budget ? ['--budget', `${budget}s`] : []),
  ];
  await perfAction(folder, ['run', ...options]);
  const read = (/** @type {string} */ file) =>
    JSON.parse(readFileSync(join(folder, 'perf-results', file), 'utf8'));
  const [comparison, head, baseRun] = [read('comparison.json'), read('run.json'), read('base/run.json')];
  /** @type {import('../../scripts/types.js').Window[]} */
  const windows = [head, baseRun].flatMap(({ cases }) =>
    cases.flatMap((/** @type {any} */ { trials }) =>
      trials.flatMap((/** @type {any} */ trial) => trial.windows),
    ),
  );
  const advice = /--budget (\d+)m/.exec(readFileSync(join(folder, 'perf-results/report.md'), 'utf8'));
  const [changed, ...others] = comparison.cases;
  const judged = what === 'start' ? 'startupCpu' : 'cpuPerRequest';
  const change = changed.metrics.find((/** @type {any} */ { metric }) => metric === judged);
  return {
    name: nameOf(each),
    date: head.startedAt,
    machine,
    version: `${JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version} (${await tryGit(ROOT, 'rev-parse', '--short', 'HEAD')})`,
    planted,
    verdict: changed.verdict,
    metrics: Object.fromEntries(
      changed.metrics.map((/** @type {any} */ { metric, verdict }) => [metric, verdict]),
    ),
    outside: comparison.promise.outside.map((/** @type {any} */ { code }) => code),
    others: others.flatMap((/** @type {any} */ each) => (isQuietControl(each) ? [] : each.verdict)),
    changePct: change?.effectPct ?? Number.NaN,
    ciPct: change?.ciPct,
    seconds: endOf(windows),
    rounds: new Set(head.cases[0].trials.map((/** @type {any} */ { round }) => round)).size,
    ...(advice && { advised: { minutes: Number(advice[1]) } }),
    othersShare:
      median(
        windows.filter(({ cpu }) => cpu),
        othersShare,
      ) ?? Number.NaN,
  };
}

/**
 * Windows that were loaded alternately begin together, and each counts only its own seconds.
 * @param {import('../../scripts/types.js').Window[]} windows
 */
function endOf(windows) {
  /** @type {Map<number, number>} */
  const ends = new Map();
  for (const { at = 0, seconds } of windows) ends.set(at, (ends.get(at) ?? at) + seconds);
  return Math.max(...ends.values());
}
