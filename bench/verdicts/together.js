/**
 * What all cases of a comparison say together, where all execute changed code.
 * @import { Run, RunCase, Trial } from '../../scripts/types.js'
 * @import { World } from './worlds.js'
 */

import { compare } from '../../scripts/judge/compare.js';
import { runOf, seededRandom } from './recordings.js';
import { simulate, WORLDS } from './worlds.js';

/** What a budget leaves: a start a side of many routes, or more starts of few. */
const SHAPES = [
  { cases: 20, rounds: 1 },
  { cases: 20, rounds: 2 },
  { cases: 5, rounds: 6 },
];

/** A table: false alarms, and what is found, by world. @param {{ tries: number }} how */
export function printTogether({ tries }) {
  console.log(
    `${tries} comparisons in which all routes execute changed code: % in which all together were called changed, unchanged and with 5 % planted into all, and in which any single one was\n`,
  );
  console.log('| noise | routes | rounds | regressed | improved | found | one alone |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const [name, world] of Object.entries(WORLDS))
    for (const shape of SHAPES) {
      const random = seededRandom(5);
      const found = { regressed: 0, improved: 0, slower: 0, alone: 0 };
      for (let i = 0; i < tries; i++) {
        const { together: unchanged } = comparisonIn(world, { ...shape, speed: 1, random });
        const { together, cases } = comparisonIn(world, { ...shape, speed: 0.95, random });
        if (unchanged?.verdict === 'regressed') found.regressed++;
        if (unchanged?.verdict === 'improved') found.improved++;
        if (together?.verdict === 'regressed') found.slower++;
        if (cases.some(({ verdict }) => verdict === 'regressed')) found.alone++;
      }
      const shares = Object.values(found).map((count) => Number(((100 * count) / tries).toFixed(1)));
      console.log(`| ${[name, shape.cases, shape.rounds, ...shares].join(' | ')} |`);
    }
}

/**
 * @param {World} world
 * @param {{ cases: number, rounds: number, speed: number, random: () => number }} how speed: of the head
 */
function comparisonIn(world, { cases: count, rounds, speed, random }) {
  /** @type {RunCase[]} */
  const before = [];
  /** @type {RunCase[]} */
  const after = [];
  const like = /** @type {RunCase} */ (runOf('side', []).cases[0]);
  for (let place = 0; place < count; place++) {
    const [base, head] = simulate(world, { rounds, windows: 2, random, speed });
    const measured = { ...like, id: `case /${place}`, route: `/${place}` };
    before.push({ ...measured, trials: /** @type {Trial[]} */ (base) });
    after.push({ ...measured, trials: /** @type {Trial[]} */ (head) });
  }
  /** @type {(cases: RunCase[]) => Run} */
  const runWith = (cases) => ({ ...runOf('side', []), cases });
  return compare(runWith(before), runWith(after));
}
