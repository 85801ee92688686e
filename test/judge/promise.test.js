/** What every report promises: few false alarms however many cells it has, and no "same" that was not earned. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate, WORLDS } from '../../bench/verdicts/simulate.js';
import { seededRandom, trialOf } from '../../bench/verdicts/recordings.js';
import { compare } from '../../scripts/judge/compare.js';
import { caseOf, runOf } from './runs.js';

const BOOTS = 8;
const MARGIN = 0.05;
const MIB = 2 ** 20;

/**
 * Boots of a made-up server, with memory that varies by itself.
 * @param {string} name of the world
 * @param {() => number} random
 * @param {number} [speed]
 */
function trialsOf(name, random, speed = 1) {
  const world = WORLDS[name];
  assert.ok(world);
  return simulate(world, BOOTS, random).map((boot) => {
    const trial = trialOf(boot, { speed, latencyToo: true });
    const rssBytes = (60 + 4 * random()) * MIB;
    return { ...trial, windows: trial.windows.map((window) => ({ ...window, rssBytes })) };
  });
}

/**
 * @param {() => number} random
 * @param {{ cases: number, speed?: number, worlds?: string[] }} of speed: of the head; worlds: of its cases by turns
 */
function report(random, { cases, speed = 1, worlds = Object.keys(WORLDS) }) {
  const run = (/** @type {number} */ by) =>
    runOf(
      Array.from({ length: cases }, (_, index) =>
        caseOf(`case ${index}`, trialsOf(worlds[index % worlds.length] ?? '', random, by)),
      ),
    );
  return compare(run(1), run(speed), { margin: MARGIN });
}

test('a report of many cases and metrics raises no more false alarms than one of a single cell', () => {
  const random = seededRandom(1);
  let alarms = 0;
  for (let i = 0; i < 15; i++) {
    const { verdict } = report(random, { cases: 100, worlds: ['one state', 'many wrecks'] });
    if (verdict === 'regressed' || verdict === 'improved') alarms++;
  }
  assert.ok(alarms <= 1, `${alarms} of 15 reports`);
});

test('one server that changed among many that did not is found, and alone', () => {
  const random = seededRandom(2);
  const run = (/** @type {number} */ speed) =>
    runOf(
      Array.from({ length: 12 }, (_, index) =>
        caseOf(`case ${index}`, trialsOf('one state', random, index === 7 ? speed : 1)),
      ),
    );
  const { cases, promise } = compare(run(1), run(0.85));
  assert.deepEqual(
    cases.filter(({ verdict }) => verdict === 'regressed').map(({ id }) => id),
    ['case 7'],
  );
  assert.equal(promise, 'at most 1 report in 100 raises a false alarm');
});

test('same is said of a metric exactly where its interval lies inside the margin', () => {
  const random = seededRandom(3);
  const metrics = [1, 0.98, 0.95, 0.9].flatMap((speed) =>
    report(random, { cases: 10, speed }).cases.flatMap((of) => of.metrics),
  );
  const within = metrics.filter(({ ciPct }) => ciPct && Math.max(-ciPct[0], ciPct[1]) < 100 * MARGIN);
  assert.ok(
    within.length > 10 && within.length < metrics.length / 2,
    `${within.length} of ${metrics.length}`,
  );
  assert.deepEqual(
    metrics.filter(({ verdict }) => verdict === 'same'),
    within,
  );
});

test('a server slower by the margin is practically never called the same', () => {
  const random = seededRandom(4);
  const verdicts = Array.from({ length: 10 }, () =>
    report(random, { cases: 10, speed: 1 - MARGIN }).cases.map(({ verdict }) => verdict),
  ).flat();
  const wrong = verdicts.filter((verdict) => verdict === 'same' || verdict === 'improved');
  assert.ok(wrong.length <= 1, `${wrong.length} of ${verdicts.length}`);
});

test('unsure says how many more rounds would settle it, a number that can be measured', () => {
  const random = seededRandom(5);
  const open = Array.from({ length: 6 }, () => report(random, { cases: 10, speed: 0.96 }).cases)
    .flat()
    .flatMap(({ metrics }) => metrics.filter(({ verdict, ciPct }) => verdict === 'unsure' && ciPct));
  assert.ok(open.length > 20, `${open.length}`);
  for (const { moreRounds, why } of open) {
    assert.ok(Number.isInteger(moreRounds) && (moreRounds ?? 0) >= 1, `${moreRounds}: ${why}`);
  }
});
