/** How long `compare` takes on a large pair of runs made of recorded boots. */

import { compare } from '../../scripts/judge/compare.js';
import { readBoots, runOf, seededRandom, trialOf } from './recordings.js';

const CASES = 1000;
const TRIALS = 30;

/** @type {Record<string, number>} throughput of the head against the base */
const CHANGES = { 'identical code': 1, 'every case 9 % slower': 0.91 };

export function printSpeed() {
  console.log(`| ${CASES} cases of ${TRIALS} boots a side | seconds |\n| --- | ---: |`);
  for (const [name, speed] of Object.entries(CHANGES)) {
    const random = seededRandom(1);
    const [base, head] = [manyCases('base', { random, speed: 1 }), manyCases('head', { random, speed })];
    const startedAt = performance.now();
    compare(base, head);
    console.log(`| ${name} | ${((performance.now() - startedAt) / 1000).toFixed(1)} |`);
  }
}

/**
 * @param {'base' | 'head'} side
 * @param {{ random: () => number, speed: number }} of
 */
function manyCases(side, { random, speed }) {
  const all = readBoots('quiet');
  const variants = ['fastify', 'express', 'node-http'];
  const run = runOf(side, []);
  const cases = run.cases.flatMap((of) =>
    Array.from({ length: CASES }, (_, index) => {
      const pool = all.filter(({ variant }) => variant === variants[index % variants.length]);
      const trials = Array.from({ length: TRIALS }, (_, round) => {
        const boot = pool[Math.floor(random() * pool.length)];
        return boot ? { ...trialOf(boot, { speed }), round } : [];
      }).flat();
      return { ...of, id: `case ${index}`, trials };
    }),
  );
  return { ...run, cases };
}
