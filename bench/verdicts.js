/**
 * How often each rule cries wolf, and how often it hears one: over recorded boots and over simulated ones.
 * `npm run bench:verdicts -- [--tries 1000] [--boots 5,10,20,30] [--half even|odd] [--add FILE.jsonl] [--only quiet]`
 * @import { Boot } from './verdicts/recordings.js'
 * @import { Change, Rule } from './verdicts/rules.js'
 */

import { parseArgs } from 'node:util';
import { readBoots, seededRandom } from './verdicts/recordings.js';
import { RULES } from './verdicts/rules.js';
import { simulate, WORLDS } from './verdicts/simulate.js';

/**
 * draw: n boots a side, unlike draws for equal boots.
 * @typedef {{ name: string, change: Change, draw: (n: number, random: () => number) => [Boot[], Boot[]] }} Column
 */

const { values: options } = parseArgs({
  options: {
    tries: { type: 'string', default: '1000' },
    boots: { type: 'string', default: '5,10,20,30' },
    half: { type: 'string' },
    add: { type: 'string', multiple: true, default: [] },
    only: { type: 'string' },
    ours: { type: 'boolean', default: false },
  },
});
const tries = Number(options.tries);
const rules = RULES.filter(({ ours }) => ours || !options.ours);

for (const label of ['quiet', 'busy', ...options.add, 'simulated'].filter(
  (name) => !options.only || name === options.only,
)) {
  const columns = label === 'simulated' ? simulatedColumns() : recordedColumns(readBoots(label));
  for (const boots of options.boots.split(',').map(Number)) printTable(label, boots, columns);
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
  const has = (/** @type {string} */ variant) => kept.some((boot) => boot.variant === variant);
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
  return [
    ...['fastify', 'express', 'node-http'].filter(has).map((variant) => column(variant, variant)),
    ...[0.98, 0.95].filter(() => has('fastify')).map((speed) => column('fastify', 'fastify', { speed })),
    ...[
      ['express', 'express-5'],
      ['express', 'express-9'],
      ['fastify', 'fastify-9'],
      ['fastify', 'fastify-15'],
    ].flatMap(([from = '', to = '']) => (has(from) && has(to) ? [column(from, to)] : [])),
  ];
}

/** @returns {Column[]} */
function simulatedColumns() {
  return Object.entries(WORLDS).flatMap(([name, world]) =>
    [1, 0.95, 0.9].map((speed) => ({
      name: speed === 1 ? `${name}: identical` : `× ${speed}`,
      change: { speed, latencyToo: true },
      draw: (/** @type {number} */ n, /** @type {() => number} */ random) =>
        /** @type {[Boot[], Boot[]]} */ ([simulate(world, n, random), simulate(world, n, random)]),
    })),
  );
}

/**
 * With replacement.
 * @param {Boot[]} pool
 * @param {number} n
 * @param {() => number} random
 */
function pick(pool, n, random) {
  return Array.from({ length: n }, () => /** @type {Boot} */ (pool[Math.floor(random() * pool.length)]));
}
