/** Works on one core in bursts, until its parent ends or stops it: `node busy-program.js '{"begin":...}'`. */

import { setTimeout } from 'node:timers/promises';
import { seededRandom } from '../../scripts/plan/random.js';
import { drawBursts } from '../bursts.js';

/** It ends by then, even if the bench was killed. */
const LONGEST_SECONDS = 4 * 60 * 60;

const { begin, seed, parent, ...bursts } = JSON.parse(process.argv[2] ?? '');

for (const [from, to] of drawBursts(bursts, seededRandom(seed))) {
  const at = (/** @type {number} */ seconds) => begin + 1000 * seconds;
  await setTimeout(at(from) - Date.now());
  if (to > LONGEST_SECONDS || process.ppid !== parent) break;
  while (Date.now() < at(to)) for (let i = 0; i < 1e4; i++) Math.imul(i, i);
}
