/**
 * How often each rule raises a false alarm and how soon it finds a slowdown: over recorded rounds and over
 * simulated worlds.
 *
 *     npm run bench:verdicts -- [--tries 1000] [--data FILE.jsonl|FOLDER] [--only NAME] FOLDER: of a run with
 *       both sides
 *     npm run bench:verdicts -- --ablate [--tries 300] what each part and each constant of the judge is worth
 *     npm run bench:verdicts -- --budget 60 --round 7.1 seconds of a run and of a round, with any of these;
 *       --margin 0.02
 *     npm run bench:verdicts -- --controls [--tries 300]  two touched routes beside 18 controls
 *     npm run bench:verdicts -- --together [--tries 300]  what twenty touched routes show together
 *     npm run bench:verdicts -- --speed                   how long a large comparison takes
 * @import { Trial } from '../scripts/types.js'
 * @import { Measured, Windows } from './verdicts/rules.js'
 */

import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { ABLATIONS, withAblation } from './verdicts/ablate.js';
import { printControls } from './verdicts/controls.js';
import { JUDGE, play } from './verdicts/play.js';
import { drawRounds, readRounds, readRoundsOfRun, seededRandom, slowed } from './verdicts/recordings.js';
import { RULES, throughputs } from './verdicts/rules.js';
import { printSpeed } from './verdicts/speed.js';
import { printTogether } from './verdicts/together.js';
import { simulate, WORLDS } from './verdicts/worlds.js';

const { values: options } = parseArgs({
  options: {
    tries: { type: 'string', default: '1000' },
    data: { type: 'string', multiple: true, default: [] },
    only: { type: 'string' },
    ablate: { type: 'boolean', default: false },
    controls: { type: 'boolean', default: false },
    together: { type: 'boolean', default: false },
    speed: { type: 'boolean', default: false },
    budget: { type: 'string', default: '300' },
    round: { type: 'string', default: '7' },
    margin: { type: 'string', default: '0.05' },
  },
});

/**
 * As in a run with `--against`: five minutes at most, two windows a side and start, some seven seconds a
 * round.
 */
const RUN = { roundSeconds: Number(options.round), budgetSeconds: Number(options.budget) };
/** Seconds after which a run may end; its first look finds large changes alone. */
const ENDS = [...JUDGE.looks.LOOKS.slice(1), 1].map((look) => look * RUN.budgetSeconds);
const ROUNDS = Math.floor(RUN.budgetSeconds / RUN.roundSeconds);
const SLOWER = [1, 0.98, 0.95];
/** The margin must be smaller than the change to find. */
const MARGINS = new Map([[0.98, 0.01]]);

/** @typedef {'base' | 'head'} Member */
/** @typedef {{ speed: number, random: () => number }} Drawing */
/**
 * @typedef {object} Source
 * @property {string} name
 * @property {(how: Drawing & { rounds: number }) => { base: Trial[], head: Trial[] }} draw
 * @property {(how: Drawing & { members: Member[], windows: number, areTogether: boolean }) => Trial[]}
 *   [drawLong] long starts, each of base or head; areTogether: alive at once and loaded in turn, else one
 *   after the other
 */

if (options.speed) printSpeed();
else if (options.together) printTogether({ tries: Number(options.tries) });
else if (options.controls) printControls({ ...RUN, tries: Number(options.tries) });
else {
  const sources = [...simulated(), ...(await recorded())].filter(
    ({ name }) => !options.only || name.includes(options.only),
  );
  if (options.ablate) await printAblations(sources.filter(isUnchanged));
  else printRules(sources);
}

/** Whether nothing but chance lies between its sides. @type {(source: Source) => boolean} */
function isUnchanged({ name }) {
  return !name.startsWith('recorded') || name.endsWith('-same');
}

/** @returns {Source[]} */
function simulated() {
  return Object.entries(WORLDS).map(([name, world]) => ({
    name: `simulated ${name}`,
    draw: ({ rounds, speed, random }) => {
      const [base = [], head = []] = simulate(world, { rounds, windows: 2, speed, random });
      return { base, head };
    },
    drawLong: ({ speed, random, members, windows, areTogether }) => {
      const simulated = (/** @type {number} */ count) =>
        simulate(world, { rounds: 1, windows, random, members: count }).flat();
      const trials = areTogether ? simulated(members.length) : members.flatMap(() => simulated(1));
      return trials.map((trial, place) => slowed(trial, members[place] === 'head' ? speed : 1));
    },
  }));
}

/**
 * @returns {Promise<Source[]>} rounds of identical servers, made slower by scaling; recorded slowdowns are
 *   separate rows
 */
async function recorded() {
  const given = options.data.map((path) =>
    path.endsWith('.jsonl') ? readRounds(path) : readRoundsOfRun(path),
  );
  const recordings = await Promise.all([
    ...['alternating', 'interleaved', 'slices'].map(readRounds),
    ...given,
  ]);
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
  const rows = sources.flatMap((source) =>
    (isUnchanged(source) ? SLOWER : [1]).map((speed) => ({
      source,
      speed,
      ...playedOut(source, speed, tries),
    })),
  );
  const share = (/** @type {number} */ count) => String(Number(((100 * count) / tries).toFixed(1)));
  console.log(
    `${tries} comparisons of ${RUN.budgetSeconds / 60} minutes a cell: % called slower (faster); perf-action: % found within ${ENDS.map((end) => end / 60).join(' / ')} minutes\n`,
  );
  const cells = rows.map(({ source: { name }, speed, ours, theirs }) => {
    const within = ENDS.map((end) => share(ours.regressed.filter((at) => at <= end).length));
    return [
      name,
      speed === 1
        ? name.startsWith('recorded')
          ? 'as recorded'
          : 'none'
        : `−${Math.round(100 * (1 - speed))} %`,
      `${speed === 1 ? within.at(-1) : within.join(' / ')} (${share(ours.improved)})`,
      ...theirs.map(({ regressed, improved, unknown }) =>
        unknown > 0 ? '' : `${share(regressed)} (${share(improved)})`,
      ),
    ];
  });
  console.log(
    markdownTable([['noise', 'change', 'perf-action', ...RULES.map(({ name }) => name)], ...cells], {
      align: ['l', ...(cells[0]?.slice(1).map(() => 'r') ?? [])],
    }),
  );
}

/**
 * @param {Source} source
 * @param {number} speed
 * @param {number} tries
 */
function playedOut({ draw, drawLong }, speed, tries) {
  const [random, ofRivals] = [seededRandom(1), seededRandom(3)];
  const theirs = RULES.map(() => ({ regressed: 0, improved: 0, neither: 0, unknown: 0 }));
  const ours = { regressed: /** @type {number[]} */ ([]), improved: 0 };
  for (let i = 0; i < tries; i++) {
    const pair = draw({ rounds: 2 * ROUNDS, speed, random });
    const [base, head] = [pair.base, pair.head].map((side) => side.slice(0, ROUNDS));
    const { comparison, seconds } = play(
      { base: base ?? [], head: head ?? [] },
      { ...RUN, margin: MARGINS.get(speed) ?? Number(options.margin) },
    );
    if (comparison.verdict === 'regressed') ours.regressed.push(seconds);
    if (comparison.verdict === 'improved') ours.improved++;
    // One start after the other takes half a round, and none shares its neighbour's moment.
    const [before, after] = [pair.base, pair.head].map((side, turn) =>
      throughputs(side.filter((_, place) => place % 2 === turn)),
    );
    const long = longStarts(drawLong, { speed, random, ofRivals });
    for (const [place, { call }] of RULES.entries()) {
      const counts = theirs[place];
      if (counts) counts[call({ starts: [before ?? [], after ?? []], ...long }) ?? 'unknown']++;
    }
  }
  return { ours, theirs };
}

/**
 * @param {Source['drawLong']} draw
 * @param {Drawing & { ofRivals: () => number }} how
 * @returns {Pick<Measured, 'runs' | 'together' | 'abba'>}
 */
function longStarts(draw, { speed, random, ofRivals }) {
  if (!draw) return { runs: undefined, together: undefined, abba: undefined };
  const drawn = (/** @type {Member[]} */ members, /** @type {boolean} */ areTogether, own = ofRivals) => {
    const windows = RUN.budgetSeconds / members.length;
    const trials = draw({ speed, random: own, members, windows, areTogether });
    const ofSide = (/** @type {Member} */ side) => trials.filter((_, place) => members[place] === side);
    return /** @type {const} */ ([ofSide('base'), ofSide('head')]);
  };
  const windowsOf = (/** @type {readonly Trial[][]} */ sides) =>
    /** @type {Windows} */ (
      sides.map((side) => side.map(({ windows }) => windows.map(({ requests }) => requests)))
    );
  const runs = drawn(['base', 'head'], false, random).flatMap(throughputs);
  return {
    runs: /** @type {[number, number]} */ (runs),
    together: windowsOf(drawn(['base', 'head', 'head', 'base'], true)),
    abba: windowsOf(drawn(['base', 'head', 'head', 'base'], false)),
  };
}

/** @param {Source[]} sources */
async function printAblations(sources) {
  const tries = Number(options.tries);
  console.log(
    `${tries} comparisons of ${RUN.budgetSeconds / 60} minutes a cell. false: % of unchanged called slower or faster; found: % of 5 % slower found within 90 s; same: % of unchanged called the same within 90 s; missed: % of 5 % slower called the same\n`,
  );
  const names = sources.map(({ name }) => name);
  console.log(`| without | ${names.join(' | ')} |\n| --- |${' ---: |'.repeat(names.length)}`);
  const print = (/** @type {string} */ name, /** @type {typeof JUDGE} */ judge) =>
    console.log(`| ${name} | ${sources.map((source) => ablatedCell(source, judge, tries)).join(' | ')} |`);
  print('(nothing)', JUDGE);
  for (const ablation of ABLATIONS) await withAblation(ablation, (judge) => print(ablation.name, judge));
}

/**
 * @param {Source} source
 * @param {typeof JUDGE} judge
 * @param {number} tries
 */
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
