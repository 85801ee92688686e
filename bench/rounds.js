/**
 * What longer starts would gain: how far rounds of an unchanged server scatter, by how many of a start's
 * windows are used.
 *
 *     perf-action run --servers express --against self --config windows.yml # load: { duration: 6s, windows:
 *       6 }
 *     node bench/rounds.js [FOLDER...]                                        # default: perf-results
 */

import { deviation, mean } from 'd3-array';
import { differencesOf } from '../scripts/judge/mean-estimate.js';
import { SPEEDS } from '../scripts/samples/figures.js';
import { samplesOf } from '../scripts/samples/case-figures.js';
import { readRoundsOfRun } from './verdicts/recordings.js';

const FOLDERS = process.argv.length > 2 ? process.argv.slice(2) : ['perf-results'];

console.log(
  'Standard deviation of the rounds’ means in %, by the number of windows a side; in parentheses the variance times windows and',
  '3.2 s, which is what a start takes beside them: the less, the sooner a change is found.\n',
);
for (const folder of FOLDERS)
  for (const [name, rounds] of await readRoundsOfRun(folder)) {
    const [base, head] = [rounds.map(({ base }) => base), rounds.map(({ head }) => head)].map(samplesOf);
    for (const { id, label } of SPEEDS) {
      const differences = differencesOf(base ?? [], head ?? [], id);
      const most = Math.max(...differences.map(({ length }) => length));
      const cells = Array.from({ length: most }, (_, place) => cellOf(differences, place + 1));
      console.log(`${name}, ${label}, ${differences.length} rounds: ${cells.join(' | ')}`);
    }
  }

/**
 * @param {number[][]} differences of each round's windows
 * @param {number} count windows used
 */
function cellOf(differences, count) {
  const means = differences.map((round) => mean(round.slice(0, count)) ?? Number.NaN);
  const scatter = 100 * (deviation(means) ?? Number.NaN);
  return `${count}: ${scatter.toFixed(2)} (${(scatter ** 2 * (3.2 + 2 * count)).toFixed(1)})`;
}
