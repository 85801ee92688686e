/** Steps in a history: planted into recorded noise, and none where nothing changed. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { drawRounds, readRounds, seededRandom } from '../../bench/verdicts/recordings.js';
import { pastOf } from '../../scripts/history/past-runs.js';
import { trendsOf } from '../../scripts/history/trend.js';
import { trendAnswer } from '../../scripts/report/document/trend-answer.js';
import { renderTrendPage } from '../../scripts/report/page/trend-page.js';
import { answerMarkdown } from '../../scripts/report/render/markdown.js';
import { dayOf, historyOf, longHistory } from '../judge/history.js';
import { caseOf, runOf, seededNormal } from '../judge/runs.js';

/** @import { PastRun, Trend } from '../../scripts/types.js' */

const POOLS = readRounds('alternating');
const RUNS = 200;
/** Flat histories; all of them with `scripts/test --all`. */
const HISTORIES = process.env.PERF_TEST_ALL ? 1000 : 200;
/** Logarithms of quotients by the reference. @type {Record<string, number[]>} */
const SECONDS = JSON.parse(
  readFileSync(new URL('../data/noise/one-second-runs.json', import.meta.url), 'utf8'),
);

/**
 * Runs of ten recorded rounds in which a server lives beside another one: the reference.
 * @param {string} pool
 * @param {{ seed: number, speed: (place: number) => number }} of
 * @returns {PastRun[]}
 */
function recorded(pool, { seed, speed }) {
  const random = seededRandom(seed);
  return Array.from({ length: RUNS }, (_, place) => {
    const rounds = POOLS.get(pool) ?? [];
    const { base, head } = drawRounds(rounds, { rounds: 10, random, speed: speed(place) });
    const run = runOf([caseOf('gauge', base, { reference: true }), caseOf('app', head)]);
    const named = { id: `run-${place}`, startedAt: dayOf(place), revision: { sha: `${place}` } };
    return pastOf({ ...run, ...named }) ?? assert.fail('nothing was measured beside the reference');
  });
}

/**
 * @param {{ random: () => number, alike: number, spread: number }} options alike: the correlation of
 *   neighbours
 * @returns {() => number} the next run's, as on a machine that has bad weeks
 */
function drifting({ random, alike, spread }) {
  let drift = 0;
  return () => (drift = alike * drift + spread * Math.sqrt(1 - alike ** 2) * random());
}

/** @param {Trend[]} trends */
const stepsOf = (trends) =>
  trends.flatMap(({ id, steps }) =>
    steps.map(({ at, within, better, everywhere }) => ({ id, at, within, better, everywhere })),
  );

for (const pool of ['b express-same', 'a express-0.3', 'a fastify-0.3']) {
  test(`5 % slower in recorded noise of ${pool} is found within two commits, and nothing where nothing changed`, () => {
    for (let seed = 1; seed <= 2; seed++) {
      const slower = trendsOf(recorded(pool, { seed, speed: (place) => (place < 120 ? 1 : 0.95) }));
      assert.equal(slower.length, 2, 'CPU per request and throughput');
      for (const { metric, steps } of slower) {
        assert.equal(steps.length, 1, `${metric}: ${JSON.stringify(steps)}`);
        const [{ at, better } = { at: 0, better: true }] = steps;
        assert.ok(Math.abs(at - 120) <= 2 && !better, `${metric}: ${at}`);
      }
      assert.deepEqual(stepsOf(trendsOf(recorded(pool, { seed, speed: () => 1 }))), []);
    }
  });
}

test('of many flat histories few show a step, also where a run resembles the last one', () => {
  const random = seededNormal(5);
  for (const [alike = 0, most = 0] of [
    [0, 0.01],
    [0.3, 0.01],
    [0.6, 0.03],
  ]) {
    let found = 0;
    for (let tries = 0; tries < HISTORIES; tries++) {
      const next = drifting({ random, alike, spread: 0.02 });
      const runs = historyOf(['app'], () => ({ log: next() }));
      if (stepsOf(trendsOf(runs)).length > 0) found++;
    }
    assert.ok(found <= most * HISTORIES, `${found} of ${HISTORIES} whose neighbours correlate by ${alike}`);
  }
});

test('a step as high as runs scatter is found among 200, at the right commits, also where a run resembles the last one', () => {
  const random = seededNormal(7);
  for (const { alike, least } of [
    { alike: 0, least: 98 },
    { alike: 0.3, least: 85 },
  ]) {
    let [found, held] = [0, 0];
    for (let tries = 0; tries < 100; tries++) {
      const next = drifting({ random, alike, spread: 0.04 });
      const runs = historyOf(['app'], (_server, place) => ({ log: next() - (place < 120 ? 0 : 0.05) }));
      const [step] = stepsOf(trendsOf(runs));
      if (step) found++;
      if (step && step.within[0] <= 120 && 120 <= step.within[1]) held++;
    }
    const counts = `${found} of 100 whose neighbours correlate by ${alike}, ${held} of them at the right commits`;
    assert.ok(found >= least && held >= 0.95 * found, counts);
  }
});

test('in 200 real runs of one second a Fastify that costs 5 % more from one commit on is found by both metrics', () => {
  // One after the other on two cores; from the 131st on, a loop of 600 turns in the handler.
  for (const [metric, logs] of Object.entries(SECONDS)) {
    const pastUpTo = (/** @type {number} */ runs) =>
      historyOf(['app'], (_server, place) => ({ log: logs[place] ?? Number.NaN }), runs);
    assert.deepEqual(stepsOf(trendsOf(pastUpTo(130))), [], metric);
    const [step, ...more] = stepsOf(trendsOf(pastUpTo(200)));
    assert.deepEqual(more, [], metric);
    const [first, last] = step?.within ?? [Number.NaN, Number.NaN];
    assert.ok(first <= 130 && 130 <= last && last - first <= 20, `${metric}: ${JSON.stringify(step)}`);
  }
});

test('kinds of machine that take turns hide no step and make none', () => {
  const [found, ...more] = stepsOf(trendsOf(longHistory()));
  assert.deepEqual(more, []);
  assert.ok(found?.id === 'fastify' && !found.better && Math.abs(found.at - 150) <= 2, JSON.stringify(found));
});

test('a step of all servers at once is reported as such, the step of one as its own', () => {
  const random = seededNormal(4);
  const runs = historyOf(['one', 'two', 'three'], (server, place) => ({
    log: (place < 60 ? 0 : -0.08) + (server === 'two' && place >= 140 ? 0.1 : 0) + 0.02 * random(),
  }));
  const steps = stepsOf(trendsOf(runs));
  assert.deepEqual(
    steps.map(
      ({ id, better, everywhere }) => `${id} ${better ? 'up' : 'down'}${everywhere ? ' with all' : ''}`,
    ),
    ['one down with all', 'two down with all', 'two up', 'three down with all'],
  );
});

test('one wrecked run is no step, nor is a kind of machine that changes for good', () => {
  const random = seededNormal(6);
  const wrecked = historyOf(['app'], (_, place) => ({ log: (place === 100 ? -1 : 0) + 0.02 * random() }));
  const moved = historyOf(['app'], (_, place) => ({
    log: (place < 100 ? 0 : 0.3) + 0.02 * random(),
    kind: place < 100 ? 'old' : 'new',
  }));
  assert.deepEqual(
    [wrecked, moved].flatMap((runs) => stepsOf(trendsOf(runs))),
    [],
  );
});

test('runs that are all alike tell how far runs differ, too, and three runs do not', () => {
  const spreadsOf = (/** @type {number[]} */ logs) =>
    trendsOf(historyOf(['app'], (_server, place) => ({ log: logs[place] ?? Number.NaN }), logs.length)).map(
      ({ spreadPct }) => spreadPct && Math.round(spreadPct),
    );
  assert.deepEqual(spreadsOf([0, 0.02, 0]), [undefined]);
  assert.deepEqual(spreadsOf([0, 0.02, 0, 0.02]), [2]);
  assert.deepEqual(spreadsOf([0.1, 0.1, 0.1, 0.1]), [0]);
});

test('a run without a reference, or in which nothing was measured, has no line of history', () => {
  const { base } = drawRounds(POOLS.get('b express-same') ?? [], { rounds: 2, random: seededRandom(1) });
  assert.equal(pastOf(runOf([caseOf('app', base)])), undefined);
  assert.equal(pastOf(runOf([caseOf('gauge', base, { reference: true })])), undefined);
  assert.deepEqual(trendsOf([]), []);
});

test('a repeated run of an old commit is drawn where its commit is', () => {
  const runs = historyOf(['app'], () => ({ log: 0 }), 4);
  const committed = runs.map((run, place) => ({ ...run, committedAt: dayOf(place === 3 ? 0 : place) }));
  const [trend] = trendsOf(committed);
  assert.deepEqual(
    trend?.points.map(({ run }) => run),
    [0, 3, 1, 2].map((place) => runs[place]?.id),
  );
});

test('of two runs the trend says that they are too few, not that nothing changed', () => {
  const runs = historyOf(['app'], (_server, place) => ({ log: 0.4 * place }), 2);
  for (const text of [answerMarkdown(trendAnswer(trendsOf(runs))), renderTrendPage(trendsOf(runs))]) {
    assert.match(text, /1 case has too few runs to say: a step needs two runs before it and two after/);
    assert.doesNotMatch(text, /No step|noise/);
  }
  const long = historyOf(['app'], (_server, place) => ({ log: place % 2 ? 0.01 : 0 }), 9);
  const both = long.map((run, place) => {
    const added = place < 2 ? run.cases.map((past) => ({ ...past, id: 'new' })) : [];
    return { ...run, cases: [...run.cases, ...added] };
  });
  const text = answerMarkdown(trendAnswer(trendsOf(both)));
  assert.match(text, /No step was found: every other case/);
  assert.match(text, /1 case has too few runs/);
});

test('the axis names commits, linked where the site is known, and a long pause is a gap', () => {
  const runs = historyOf(['app'], () => ({ log: 0 }), 5).map((run, place) => ({
    ...run,
    sha: `${place}`.repeat(40),
    startedAt: dayOf(place < 4 ? place : 60),
  }));
  const trends = trendsOf(runs);
  const page = renderTrendPage(trends, { site: 'https://example.org/o/r' });
  assert.match(
    page,
    new RegExp(`<a href="https://example.org/o/r/commit/${'4'.repeat(40)}"><text[^>]*>4444444<`),
  );
  assert.doesNotMatch(renderTrendPage(trends), /<a href/);
  assert.match(renderTrendPage(trends), />4444444</);
  const dots = /class="dots small s0" d="([^"]*)"/.exec(page)?.[1] ?? '';
  const places = [...dots.matchAll(/M(\d+)/g)].map(([, x]) => Number(x));
  const steps = places.slice(1).map((x, place) => x - (places[place] ?? 0));
  assert.equal(steps.length, 4);
  assert.ok((steps[3] ?? 0) > 1.8 * (steps[0] ?? 0), steps.join());
});
