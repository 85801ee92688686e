/**
 * Situations that a report can be in: six of recorded runs, and a sample of everything that it can show.
 * @import { Comparison, Run } from '../../scripts/types.js'
 */

import { compare } from '../../scripts/judge/compare.js';
import { summarize } from '../../scripts/samples/summary.js';
import { recordedAgainst, recordedServers, recordedWhy } from './recorded.js';
import { sampleComparison, sampleRun } from './sample.js';

/**
 * width: of the terminal, in columns
 * @typedef {{ name: string, run: Run, options: { base?: Run, comparison?: Comparison }, width?: number }}
 *   Situation
 */

/** Too few to decide anything. */
const FEW_STARTS = 3;

/** @type {import('../../scripts/types.js').Failure} */
const CRASH = {
  kind: 'exited-at-start',
  message: '`node items.js` ended with 1 | <stock> & *more*',
  logHead: [
    'node:internal/modules/cjs/loader:1143',
    "Error: Cannot find module './stock'",
    '    at Object.<anonymous> (items.js:1:15)',
  ],
  logTail: ['Node.js v20.20.0'],
  command: 'HOST=127.0.0.1 PORT=3000 node items.js',
};

/** @returns {Promise<Situation[]>} */
export async function situations() {
  const { run, options } = await recordedAgainst();
  const { base } = options;
  const against = (/** @type {Run} */ from, /** @type {Run} */ to) => ({
    run: to,
    options: { base: from, comparison: compare(from, to) },
  });
  return [
    { name: 'regression', ...(await recordedWhy()) },
    { name: 'same', ...against(base, base) },
    { name: 'unsure', ...against(withFewStarts(base), withFewStarts(run)) },
    { name: 'failure', ...against(base, withCrash(run, 'shop /items autocannon c100')) },
    { name: 'four-servers', run: await recordedServers(), options: {} },
    { name: 'alone', run, options: {} },
    { name: 'sample', run: sampleRun(), options: { comparison: sampleComparison() }, width: Infinity },
  ];
}

/** @type {(run: Run) => Run} */
function withFewStarts(run) {
  const cases = run.cases.map((one) => {
    const trials = one.trials.slice(0, FEW_STARTS);
    const summary = summarize(trials, one);
    return { ...one, trials, ...(summary && { summary }) };
  });
  return { ...run, cases };
}

/**
 * @param {Run} run
 * @param {string} id the case whose server exits
 * @returns {Run}
 */
function withCrash(run, id) {
  const cases = run.cases.map((one) => {
    if (one.id !== id) return one;
    const { summary: _, ...rest } = one;
    return { ...rest, trials: [{ round: 0, windows: [], failure: CRASH }] };
  });
  return { ...run, cases };
}
