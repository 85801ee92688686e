/**
 * What comparisons say of streams on this machine, again and again: a server that buffers, begins later,
 * pauses longer, or does not change. About a minute each.
 *
 *     node bench/streams.js [--runs 10] [--rounds 10] [--only CHANGE]
 */

import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { CHANGES, judgeChange } from './stream-changes.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
  },
});
const VERDICTS = ['regressed', 'improved', 'same', 'unsure', 'failed'];

const rows = [];
for (const change of Object.values(CHANGES).filter(({ what, route }) =>
  `${what} ${route}`.includes(values.only),
)) {
  /** @type {string[]} */
  const verdicts = [];
  for (let run = 0; run < Number(values.runs); run++) {
    const { verdict, decisive, metrics } = await judgeChange(change, ['--rounds', values.rounds]);
    verdicts.push(verdict);
    const effects = metrics.map(({ metric, effectPct, errorPct, verdict: own }) => [
      metric,
      effectPct,
      errorPct,
      own,
    ]);
    process.stderr.write(`${JSON.stringify([change.what, change.route, verdict, decisive, effects])}\n`);
  }
  const counts = VERDICTS.map((verdict) => verdicts.filter((each) => each === verdict).length);
  rows.push([`${change.what}, ${change.route}`, ...counts.map((count) => String(count || ''))]);
}
console.log(markdownTable([['the head', ...VERDICTS], ...rows]));
