/**
 * What all cases of a comparison say together, where all execute changed code.
 * @import { Run, RunCase, Trial } from '../../scripts/types.js'
 * @import { World } from './worlds.js'
 */

import { mean } from 'd3-array';
import { compare } from '../../scripts/judge/compare.js';
import { runOf, seededRandom } from './recordings.js';
import { simulate, WORLDS } from './worlds.js';

/** What a budget leaves: a start a side of many routes, or more starts of few, or starts that all share. */
const SHAPES = [
  { cases: 20, rounds: 1 },
  { cases: 20, rounds: 2 },
  { cases: 5, rounds: 6 },
  { cases: 20, rounds: 5, sharedSeconds: 0.25 },
  { cases: 20, rounds: 14, sharedSeconds: 0.37 },
  { cases: 5, rounds: 20, sharedSeconds: 1 },
];

/** Starts alone differ. */
const STEADY = { window: 0, moment: 0, throughput: 0, disturbed: 0, bursts: undefined };
/** Starts do not differ. */
const ALIKE = { start: 0, gap: 0, fast: 0, wrecked: 0 };

/** A table: false alarms, and what is found, by world. @param {{ tries: number }} how */
export function printTogether({ tries }) {
  console.log(
    `${tries} comparisons in which all routes execute changed code: % in which all together were called changed, unchanged and with 5 % planted into all, and in which any single one was\n`,
  );
  console.log('| noise | routes | rounds | shared s | regressed | improved | found | one alone | falsely |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const [name, world] of Object.entries(WORLDS))
    for (const shape of SHAPES) {
      const random = seededRandom(5);
      const found = { regressed: 0, improved: 0, slower: 0, alone: 0, falsely: 0 };
      for (let i = 0; i < tries; i++) {
        const { together: unchanged, cases: own } = comparisonIn(world, { ...shape, speed: 1, random });
        const { together, cases } = comparisonIn(world, { ...shape, speed: 0.95, random });
        if (unchanged?.verdict === 'regressed') found.regressed++;
        if (unchanged?.verdict === 'improved') found.improved++;
        if (together?.verdict === 'regressed') found.slower++;
        if (cases.some(({ verdict }) => verdict === 'regressed')) found.alone++;
        if (own.some(({ verdict }) => verdict === 'regressed')) found.falsely++;
      }
      const shares = Object.values(found).map((count) => Number(((100 * count) / tries).toFixed(1)));
      console.log(
        `| ${[name, shape.cases, shape.rounds, shape.sharedSeconds ?? '', ...shares].join(' | ')} |`,
      );
    }
}

/**
 * @param {World} world
 * @param {{ cases: number, rounds: number, sharedSeconds?: number, speed: number, random: () => number }} how
 *   sharedSeconds: of load in starts that all cases share; speed: of the head
 */
function comparisonIn(world, { cases: count, rounds, sharedSeconds, speed, random }) {
  const starts = simulate({ ...world, ...STEADY }, { rounds, windows: 1, random });
  const own = sharedSeconds ? { ...world, ...ALIKE, window: world.window / Math.sqrt(sharedSeconds) } : world;
  /** @type {RunCase[]} */
  const before = [];
  /** @type {RunCase[]} */
  const after = [];
  const like = /** @type {RunCase} */ (runOf('side', []).cases[0]);
  for (let place = 0; place < count; place++) {
    const sides = simulate(own, { rounds, windows: sharedSeconds ? 1 : 2, random, speed });
    const [base = [], head = []] = sharedSeconds
      ? sides.map((side, index) => beside(side, starts, index))
      : sides;
    const measured = {
      ...like,
      id: `case /${place}`,
      route: `/${place}`,
      ...(sharedSeconds && { sharedSeconds }),
    };
    before.push({ ...measured, trials: base });
    after.push({ ...measured, trials: head });
  }
  /** @type {(cases: RunCase[]) => Run} */
  const runWith = (cases) => ({ ...runOf('side', []), cases });
  return compare(runWith(before), runWith(after));
}

/**
 * As fast as the starts of that side are.
 * @type {(trials: Trial[], starts: Trial[][], side: number) => Trial[]}
 */
function beside(trials, starts, side) {
  const requestsOf = (/** @type {Trial | undefined} */ trial) => trial?.windows[0]?.requests ?? NaN;
  const usual = mean(starts.flat(), requestsOf) ?? NaN;
  return trials.map((trial, round) => {
    const factor = requestsOf(starts[side]?.[round]) / usual;
    return {
      ...trial,
      windows: trial.windows.map((each) => ({ ...each, requests: each.requests * factor })),
    };
  });
}
