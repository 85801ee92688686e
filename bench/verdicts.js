/**
 * How often each rule raises a false alarm and how soon it finds a slowdown: over recorded rounds, over made-up worlds, and live.
 *
 *     npm run bench:verdicts -- [--tries 1000] [--data FILE.jsonl|FOLDER] [--only NAME]   FOLDER: of a run with both sides
 *     npm run bench:verdicts -- --ablate [--tries 300]    what each part and each constant of the judge is worth
 *     npm run bench:verdicts -- --live [--repeats 20] [--only fastify]   whole commands on this machine
 *     npm run bench:verdicts -- --speed                   how long a large comparison takes
 *
 * @import { Trial } from '../scripts/types.js'
 */

import { parseArgs } from 'node:util';
import { ABLATIONS, withAblation } from './verdicts/ablate.js';
import { liveTable } from './verdicts/live.js';
import { JUDGE, play } from './verdicts/play.js';
import { drawRounds, readRounds, readRoundsOfRun, seededRandom } from './verdicts/recordings.js';
import { RULES, throughputs } from './verdicts/rules.js';
import { printSpeed } from './verdicts/speed.js';
import { simulate, WORLDS } from './verdicts/worlds.js';

const { values: options } = parseArgs({
  options: {
    tries: { type: 'string', default: '1000' },
    data: { type: 'string', multiple: true, default: [] },
    only: { type: 'string' },
    ablate: { type: 'boolean', default: false },
    live: { type: 'boolean', default: false },
    repeats: { type: 'string', default: '20' },
    speed: { type: 'boolean', default: false },
  },
});

/** As in a run with `--against`: five minutes at most, two windows a side and start, some seven seconds a round. */
const RUN = { roundSeconds: 7, budgetSeconds: 300 };
const ROUNDS = Math.floor(RUN.budgetSeconds / RUN.roundSeconds);
/** The other rules get as many starts as ours needs to find 5 % on the steadiest server. */
const THEIR_BOOTS = 8;
const SLOWER = [1, 0.98, 0.95];
/** The margin must be smaller than the change to find. */
const MARGINS = new Map([[0.98, 0.01]]);

/** @typedef {{ name: string, draw: (how: { rounds: number, speed: number, random: () => number }) => { base: Trial[], head: Trial[] } }} Source */

if (options.speed) printSpeed();
else if (options.live) await liveTable({ repeats: Number(options.repeats), only: options.only });
else {
  const sources = [...simulated(), ...(await recorded())].filter(
    ({ name }) => !options.only || name.includes(options.only),
  );
  if (options.ablate) await printAblations(sources.filter(isUnchanged));
  else printRules(sources);
}

/** @param {Source} source @returns {boolean} whether nothing but chance lies between its sides */
function isUnchanged({ name }) {
  return !name.startsWith('recorded') || name.endsWith('-same');
}

/** @returns {Source[]} */
function simulated() {
  return Object.entries(WORLDS).map(([name, world]) => ({
    name,
    draw: ({ rounds, speed, random }) => {
      const [base = [], head = []] = simulate(world, { rounds, windows: 2, speed, random });
      return { base, head };
    },
  }));
}

/** @returns {Promise<Source[]>} rounds of identical servers, made slower by scaling; recorded slowdowns are separate rows */
async function recorded() {
  const given = options.data.map((path) =>
    path.endsWith('.jsonl') ? readRounds(path) : readRoundsOfRun(path),
  );
  const recordings = await Promise.all([...['alternating', 'woven', 'slices'].map(readRounds), ...given]);
  return recordings.flatMap((pools) =>
    [...pools].map(([name, pool]) => ({
      name: `recorded ${name}`,
      draw: ({ rounds, speed, random }) => {
        const isSame = name.endsWith('-same');
        return drawRounds(pool, { rounds, random, swap: isSame, speed: isSame ? speed : 1 });
      },
    })),
  );
}

/** @param {Source[]} sources */
function printRules(sources) {
  const tries = Number(options.tries);
  console.log(
    `${tries} comparisons a cell: % called slower (faster); ours: % found within 1 / 1.5 / 3 / 5 minutes\n`,
  );
  console.log(`| noise | change | perf-action | ${RULES.map(({ name }) => name).join(' | ')} |`);
  console.log(`| --- | ---: | ---: |${' ---: |'.repeat(RULES.length)}`);
  for (const source of sources) {
    for (const speed of isUnchanged(source) ? SLOWER : [1]) {
      const random = seededRandom(1);
      const theirs = RULES.map(() => ({ regressed: 0, improved: 0, neither: 0 }));
      const ours = { regressed: /** @type {number[]} */ ([]), improved: 0 };
      for (let i = 0; i < tries; i++) {
        const pair = source.draw({ rounds: ROUNDS, speed, random });
        const { comparison, seconds } = play(pair, { ...RUN, margin: MARGINS.get(speed) ?? 0.05 });
        if (comparison.verdict === 'regressed') ours.regressed.push(seconds);
        if (comparison.verdict === 'improved') ours.improved++;
        // They start servers one after the other, so no start shares its neighbour's moment.
        const [base, head] = [pair.base, pair.head].map((side, turn) =>
          throughputs(side.slice(0, 2 * THEIR_BOOTS).filter((_, place) => place % 2 === turn)),
        );
        for (const [place, { call }] of RULES.entries()) {
          const counts = theirs[place];
          if (counts) counts[call(base ?? [], head ?? [])]++;
        }
      }
      const share = (/** @type {number} */ count) => Number(((100 * count) / tries).toFixed(1));
      const within = [60, 90, 180, 300].map((end) => share(ours.regressed.filter((at) => at <= end).length));
      const cells = [
        `${speed === 1 ? within.at(-1) : within.join(' / ')} (${share(ours.improved)})`,
        ...theirs.map(({ regressed, improved }) => `${share(regressed)} (${share(improved)})`),
      ];
      console.log(
        `| ${source.name} | ${speed === 1 ? 'as recorded' : `−${Math.round(100 * (1 - speed))} %`} | ${cells.join(' | ')} |`,
      );
    }
  }
}

/** @param {Source[]} sources */
async function printAblations(sources) {
  const tries = Number(options.tries);
  console.log(
    `${tries} comparisons a cell. false: % of unchanged called slower or faster; found: % of 5 % slower found within 90 s; same: % of unchanged called the same within 90 s; missed: % of 5 % slower called the same\n`,
  );
  const names = sources.map(({ name }) => name);
  console.log(`| without | ${names.join(' | ')} |\n| --- |${' ---: |'.repeat(names.length)}`);
  const print = (/** @type {string} */ name, /** @type {typeof JUDGE} */ judge) =>
    console.log(`| ${name} | ${sources.map((source) => ablatedCell(source, judge, tries)).join(' | ')} |`);
  print('(nothing)', JUDGE);
  for (const ablation of ABLATIONS) await withAblation(ablation, (judge) => print(ablation.name, judge));
}

/** @param {Source} source @param {typeof JUDGE} judge @param {number} tries */
function ablatedCell(source, judge, tries) {
  const random = seededRandom(2);
  const counts = { alarms: 0, found: 0, same: 0, missed: 0, opposite: 0 };
  for (let i = 0; i < tries; i++) {
    const unchanged = play(source.draw({ rounds: ROUNDS, speed: 1, random }), { ...RUN, judge });
    const slower = play(source.draw({ rounds: ROUNDS, speed: 0.95, random }), { ...RUN, judge });
    const soon = (/** @type {number} */ seconds) => seconds <= 90;
    if (['regressed', 'improved'].includes(unchanged.comparison.verdict)) counts.alarms++;
    if (unchanged.comparison.verdict === 'same' && soon(unchanged.seconds)) counts.same++;
    if (slower.comparison.verdict === 'regressed' && soon(slower.seconds)) counts.found++;
    if (slower.comparison.verdict === 'same') counts.missed++;
    if (slower.comparison.verdict === 'improved') counts.opposite++;
  }
  const share = (/** @type {number} */ count) => Number(((100 * count) / tries).toFixed(1));
  return `${share(counts.alarms)} false, ${share(counts.found)} found, ${share(counts.same)} same, ${share(counts.missed)} missed${counts.opposite > 0 ? `, ${counts.opposite} opposite` : ''}`;
}
