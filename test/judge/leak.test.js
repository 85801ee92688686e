/** Leaks, over made-up series: 20 cycles of 10 s of load with 50,000 requests, and of 10 s of rest. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeLeak, LEAST_GROWTH } from '../../scripts/judge/leak.js';
import { seededNormal } from './runs.js';

const HOUR = 3600;
/** As readings of one server scatter after a collection, in bytes. */
const NOISE = 15_000;
const START = 8e6;

/**
 * @param {(at: number, requests: number) => number} grown bytes
 * @param {{ cycles?: number, seed?: number, noise?: number, held?: number }} [options] held: bytes that the
 *   last requests hold until the rest ends
 */
function series(grown, { cycles = 20, seed = 1, noise = NOISE, held = 0 } = {}) {
  const random = seededNormal(seed);
  return Array.from({ length: 2 * cycles }, (_, place) => {
    const at = 10 * (place + 1);
    const requests = 50_000 * Math.ceil((place + 1) / 2);
    const bytes = START + grown(at, requests) + (place % 2 === 0 ? held : 0) + noise * random();
    return { at, requests, heapBytes: bytes, externalBytes: 2e6, rssBytes: 6e7 + bytes };
  });
}

const SECONDS = 400;

/** @type {(count: number) => number[]} */
const seedsOf = (count) => Array.from({ length: count }, (_, seed) => seed);
const rising = (/** @type {number} */ share) => (/** @type {number} */ at) =>
  5e6 * Math.min(1, at / (share * SECONDS));
const slowing = (/** @type {number} */ share) => (/** @type {number} */ at) =>
  5e6 * (1 - Math.exp(-at / (share * SECONDS)));
const HELD = { held: 35_000, noise: 4000 };

/**
 * By what the series shows: each of them has this verdict, or another one than that after "not".
 * @type {Record<string, [verdict: string, series: ReturnType<typeof series>[]]>}
 */
const SERIES = {
  'a server that keeps its memory': [
    'does-not-leak',
    seedsOf(200).map((seed) => series(() => 0, { seed, noise: 4000 })),
  ],
  'noise alone': ['not leaks', seedsOf(500).map((seed) => series(() => 0, { seed, noise: 200_000 }))],
  'a leak of requests': ['leaks with requests', [series((_, requests) => 20 * requests)]],
  'a leak of a timer': ['leaks with time', [series((at) => 20_000 * at)]],
  'two leaks': ['leaks with both', [series((at, requests) => 20_000 * at + 8 * requests)]],
  'what the last requests hold': [
    'does-not-leak',
    seedsOf(100).map((seed) => series((at) => 0.25 * at, { ...HELD, seed })),
  ],
  'what they hold, however many cycles there are': [
    'does-not-leak',
    [13, 15, 17, 20].flatMap((cycles) =>
      seedsOf(20).map((seed) => series(() => 0, { cycles, seed, noise: 2000, held: 400_000 })),
    ),
  ],
  'growth of a few bytes an hour': [
    'does-not-leak',
    [series((at) => (0.3 * LEAST_GROWTH * at) / HOUR, { noise: 2000 })],
  ],
  'a rise at the beginning that ends': [
    'does-not-leak',
    [0.1, 0.2, 0.3, 0.45].map((share) => series(rising(share), { noise: 4000 })),
  ],
  'growth that gets slower': [
    'not leaks',
    [0.15, 0.25, 0.4].map((share) => series(slowing(share), { noise: 4000 })),
  ],
  'a step, such as a cache that is filled once': [
    'not leaks',
    seedsOf(20).map((place) => series((at) => (at > 20 * place ? 3e6 : 0), { seed: 20 * place })),
  ],
  'a cache that is filled and emptied': ['not leaks', [series((at) => 2e6 * Math.sin(at / 25))]],
  'too few readings': ['unsure: few-readings', [series((at) => 1e5 * at, { cycles: 5 })]],
};

for (const [name, [expected, all]] of Object.entries(SERIES))
  test(`${name}: ${expected}`, () => {
    const [, not, verdict] = /^(not )?(.*)$/.exec(expected) ?? [];
    for (const [place, readings] of all.entries()) {
      const judged = judgeLeak(readings);
      const said = [
        judged.verdict,
        judged.growsWith && ` with ${judged.growsWith}`,
        judged.why && `: ${judged.why}`,
      ].join('');
      if (not) assert.ok(!said.startsWith(`${verdict}`), `${place}: ${said}`);
      else assert.equal(said.replace(verdict === 'leaks' ? / .*/ : '', ''), verdict, `${place}`);
    }
  });

test('the intervals hold the truth', () => {
  const { bytesPerRequest, idleBytesPerHour } = judgeLeak(
    series((at, requests) => 20 * requests + 20_000 * at),
  );
  const isIn = (/** @type {number[] | undefined} */ ci, /** @type {number} */ truth) =>
    Number(ci?.[0]) < truth && truth < Number(ci?.[1]);
  assert.ok(isIn(bytesPerRequest?.ci, 20) && isIn(idleBytesPerHour?.ci, 20_000 * HOUR));
  const [low = 0, high = 0] = judgeLeak(series((_, requests) => 20 * requests)).bytesPerRequest?.ci ?? [];
  assert.ok(low > 18 && low < 20 && high > 20 && high < 22, `${low} to ${high}`);
});

test('what the last requests hold hides no slow leak', () => {
  for (const seed of seedsOf(100)) {
    const slow = judgeLeak(series((at) => 2000 * at, { ...HELD, seed }));
    assert.equal(slow.verdict, 'leaks', `seed ${seed}`);
    assert.notEqual(slow.growsWith, 'requests');
  }
});

test('single readings that are far too high change no verdict', () => {
  const readings = series((_, requests) => 20 * requests);
  for (const place of [14, 27]) Object.assign(readings[place] ?? {}, { heapBytes: 60e6 });
  assert.equal(judgeLeak(readings).verdict, 'leaks');
});

test('leaks are found in nearly all of many series, and short ones of two minutes suffice for large leaks', () => {
  const found = (/** @type {(seed: number) => ReturnType<typeof series>} */ made) =>
    seedsOf(100).filter((seed) => judgeLeak(made(seed)).verdict === 'leaks').length;
  assert.ok(found((seed) => series((at) => 2000 * at, { seed })) >= 95);
  assert.ok(found((seed) => series((_, requests) => 1000 * requests, { seed, cycles: 12 })) >= 95);
});
