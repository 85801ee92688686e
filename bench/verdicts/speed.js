/** How long `compare` takes on a large pair of runs. */

import { compare } from '../../scripts/judge/compare.js';
import { runOf, seededRandom } from './recordings.js';
import { simulate, WORLDS } from './worlds.js';

const CASES = 1000;
const ROUNDS = 30;

/** @type {Record<string, { speed: number, against?: 'self' }>} */
const ROWS = {
  'identical code': { speed: 1 },
  'every case 9 % slower': { speed: 0.91 },
  'a run against itself': { speed: 1, against: 'self' },
};

export function printSpeed() {
  console.log(`| ${CASES} cases of ${ROUNDS} rounds | seconds |\n| --- | ---: |`);
  for (const [name, { speed, ...revision }] of Object.entries(ROWS)) {
    const random = seededRandom(1);
    const worlds = Object.values(WORLDS);
    const pairs = Array.from({ length: CASES }, (_, place) => {
      const world = worlds[place % worlds.length];
      return world ? simulate(world, { rounds: ROUNDS, windows: 2, speed, random }) : [];
    });
    const [base, head] = [0, 1].map((side) => {
      const run = runOf('side', []);
      const cases = run.cases.flatMap((row) =>
        pairs.map((pair, place) => ({ ...row, id: `case ${place}`, trials: pair[side] ?? [] })),
      );
      return { ...run, ...revision, cases };
    });
    if (!base || !head) return;
    const startedAt = performance.now();
    compare(base, head);
    console.log(`| ${name} | ${((performance.now() - startedAt) / 1000).toFixed(1)} |`);
  }
}
