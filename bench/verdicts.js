/**
 * How often each rule cries wolf, and how often it hears one: over recorded boots and over simulated ones.
 *
 *     npm run bench:verdicts -- [--tries 1000] [--boots 5,10,20,30] [--half even|odd] [--data FILE.jsonl] [--only quiet]
 *     npm run bench:verdicts -- --live --minutes 20 [--to FILE.jsonl]    records boots here, and adds their rows
 *     npm run bench:verdicts -- --speed                                  how long a large comparison takes
 *
 * @import { Boot } from './verdicts/recordings.js'
 * @import { Change, Rule } from './verdicts/rules.js'
 */

import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { UserError } from '../scripts/errors.js';
import { record } from './verdicts/live.js';
import { readBoots, seededRandom } from './verdicts/recordings.js';
import { RULES } from './verdicts/rules.js';
import { simulatePair, WORLDS } from './verdicts/simulate.js';
import { printSpeed } from './verdicts/speed.js';

/**
 * draw: n boots a side, unlike draws for equal boots.
 * @typedef {{ name: string, change: Change, draw: (n: number, random: () => number) => [Boot[], Boot[]] }} Column
 */

const { values: options } = parseArgs({
  options: {
    tries: { type: 'string', default: '1000' },
    boots: { type: 'string', default: '5,10,20,30' },
    half: { type: 'string' },
    data: { type: 'string', multiple: true, default: [] },
    only: { type: 'string' },
    ours: { type: 'boolean', default: false },
    live: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '20' },
    to: { type: 'string' },
    speed: { type: 'boolean', default: false },
  },
});
/** Draws from fewer boots of a variant would be the same few again and again. */
const LEAST_BOOTS = 5;

/** In test/data/noise. */
const RECORDED = ['quiet', 'busy', 'overloaded'];

const tries = Number(options.tries);
const rules = RULES.filter(({ ours }) => ours || !options.ours);

if (options.speed) printSpeed();
else {
  const live = options.live ? await recordLive() : [];
  const labels = [...RECORDED, ...options.data, ...live, 'simulated'];
  for (const label of labels.filter((name) => !options.only || name === options.only)) {
    const columns = label === 'simulated' ? simulatedColumns() : recordedColumns(readBoots(label));
    for (const boots of options.boots.split(',').map(Number)) printTable(label, boots, columns);
  }
}

/**
 * A first Ctrl-C ends the recording, a second one the table too.
 * @returns {Promise<string[]>} the file, where anything was recorded
 */
async function recordLive() {
  const minutes = Number(options.minutes);
  const now = new Date().toISOString().slice(0, 16).replace(':', '-');
  const file = options.to ?? `perf-results/boots-${now}.jsonl`;
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort()).once('SIGTERM', () => controller.abort());
  try {
    if (!(minutes > 0)) throw new UserError(`--minutes: ${options.minutes} is no number of minutes`);
    if (!file.endsWith('.jsonl')) throw new UserError(`--to: ${file} does not end in .jsonl`);
    const { signal } = controller;
    const recorded = await record(file, {
      minutes,
      seed: randomInt(2 ** 31),
      signal,
      stderr: process.stderr,
    });
    console.log(recorded > 0 ? `${recorded} boots in ${file}` : 'nothing was recorded');
    return recorded > 0 ? [file] : [];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(`bench:verdicts: ${error.message}`);
    process.exit(2);
  }
}

/**
 * @param {string} label
 * @param {number} boots a side
 * @param {Column[]} columns
 */
function printTable(label, boots, columns) {
  console.log(
    `\n### ${label}, ${boots} boots a side, ${tries} comparisons a cell, % called slower (faster)\n`,
  );
  console.log(`| rule | ${columns.map(({ name }) => name).join(' | ')} |`);
  console.log(`| --- |${' --- |'.repeat(columns.length)}`);
  for (const rule of rules) {
    console.log(`| ${rule.name} | ${columns.map((column) => cell(rule, column, boots)).join(' | ')} |`);
  }
}

/**
 * Every rule sees the same draws.
 * @param {Rule} rule
 * @param {Column} column
 * @param {number} boots
 */
function cell(rule, { change, draw }, boots) {
  const random = seededRandom(boots);
  const calls = { slower: 0, faster: 0, neither: 0 };
  for (let i = 0; i < tries; i++) calls[rule.call(...draw(boots, random), change)]++;
  const percent = (/** @type {number} */ count) => Number(((100 * count) / tries).toFixed(1));
  return `${percent(calls.slower)} (${percent(calls.faster)})`;
}

/**
 * @param {Boot[]} all
 * @returns {Column[]}
 */
function recordedColumns(all) {
  const kept = all.filter(
    ({ round }) => !options.half || (round / 2) % 2 === (options.half === 'odd' ? 1 : 0),
  );
  const has = (/** @type {string} */ name) =>
    kept.filter(({ variant }) => variant === name).length >= LEAST_BOOTS;
  const column = (
    /** @type {string} */ from,
    /** @type {string} */ to,
    /** @type {Change} */ change = {},
  ) => ({
    name: from === to ? `${from}${change.speed ? ` × ${change.speed}` : ', identical'}` : `${from} → ${to}`,
    change,
    draw: (/** @type {number} */ n, /** @type {() => number} */ random) =>
      /** @type {[Boot[], Boot[]]} */ (
        [from, to].map((variant) =>
          pick(
            kept.filter((boot) => boot.variant === variant),
            n,
            random,
          ),
        )
      ),
  });
  const neighbours = (/** @type {string} */ from, /** @type {string} */ to) => {
    const pairs = pairsOf(kept, from, to);
    return {
      name: `${from === to ? `${from}, identical` : `${from} → ${to}`}, by rounds`,
      change: {},
      draw: (/** @type {number} */ n, /** @type {() => number} */ random) => pickRounds(pairs, n, random),
    };
  };
  return [
    ...['fastify', 'express', 'node-http'].filter(has).map((variant) => column(variant, variant)),
    ...[0.98, 0.95].filter(() => has('fastify')).map((speed) => column('fastify', 'fastify', { speed })),
    ...[
      ['fastify', 'fastify-5'],
      ['express', 'express-5'],
      ['express', 'express-9'],
      ['fastify', 'fastify-9'],
      ['fastify', 'fastify-15'],
    ].flatMap(([from = '', to = '']) => (has(from) && has(to) ? [column(from, to)] : [])),
    ...[
      ['fastify', 'fastify'],
      ['express', 'express'],
      ['express', 'express-5'],
      ['fastify', 'fastify-9'],
    ].flatMap(([from = '', to = '']) => (has(from) && has(to) ? [neighbours(from, to)] : [])),
  ];
}

/**
 * Boots that were neighbours in time: of one round, or of one variant in two rounds.
 * @param {Boot[]} all
 * @param {string} from
 * @param {string} to
 * @returns {[Boot, Boot][]}
 */
function pairsOf(all, from, to) {
  const of = (/** @type {string} */ variant) =>
    all.filter((boot) => boot.variant === variant).toSorted((a, b) => a.round - b.round);
  if (from !== to) {
    const others = new Map(of(to).map((boot) => [boot.round, boot]));
    return of(from).flatMap((boot) => {
      const other = others.get(boot.round);
      return other ? [/** @type {[Boot, Boot]} */ ([boot, other])] : [];
    });
  }
  return of(from).flatMap((boot, index, boots) => {
    const next = index % 2 === 0 && boots[index + 1];
    return next ? [/** @type {[Boot, Boot]} */ ([boot, next])] : [];
  });
}

/**
 * With replacement, as neighbours; of one variant either may be the base.
 * @param {[Boot, Boot][]} pairs
 * @param {number} n
 * @param {() => number} random
 * @returns {[Boot[], Boot[]]}
 */
function pickRounds(pairs, n, random) {
  const picked = Array.from({ length: n }, (_, round) => {
    const [a, b] = /** @type {[Boot, Boot]} */ (pairs[Math.floor(random() * pairs.length)]);
    const isTurned = a.variant === b.variant && random() < 0.5;
    return (isTurned ? [b, a] : [a, b]).map((boot) => ({ ...boot, round }));
  });
  return /** @type {[Boot[], Boot[]]} */ ([0, 1].map((side) => picked.flatMap((pair) => pair[side] ?? [])));
}

/** @returns {Column[]} */
function simulatedColumns() {
  return Object.entries(WORLDS).flatMap(([name, world]) =>
    [1, 0.95, 0.9].map((speed) => ({
      name: speed === 1 ? `${name}: identical` : `× ${speed}`,
      change: { speed, latencyToo: true },
      draw: (/** @type {number} */ n, /** @type {() => number} */ random) => simulatePair(world, n, random),
    })),
  );
}

/**
 * With replacement; who is whose neighbour is chance.
 * @param {Boot[]} pool
 * @param {number} n
 * @param {() => number} random
 */
function pick(pool, n, random) {
  return Array.from({ length: n }, (_, round) => {
    const boot = /** @type {Boot} */ (pool[Math.floor(random() * pool.length)]);
    return { ...boot, round };
  });
}
