/**
 * Every figure that the judge draws from the recordings, to twelve digits. A refactoring keeps
 * data/judge/recordings.json; a change that alters verdicts on purpose replaces it by the `.got` beside it.
 * @import { Run, Trial } from '../../scripts/types.js'
 */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  drawRounds,
  readRounds,
  runOf as recordedRun,
  seededRandom,
} from '../../bench/verdicts/recordings.js';
import { compare } from '../../scripts/judge/compare.js';
import { effectsOf, relate } from '../../scripts/judge/effects.js';
import { pValue } from '../../scripts/judge/verdicts.js';
import { roundsOf } from '../../scripts/judge/mean-estimate.js';
import { foretell } from '../../scripts/judge/power.js';
import { quotientOf } from '../../scripts/judge/ratio.js';
import { levelOf } from '../../scripts/samples/case-figures.js';
import { poolRuns } from '../../scripts/history/pooled-base.js';
import { pastOf } from '../../scripts/history/past-runs.js';
import { trendsOf } from '../../scripts/history/trend.js';
import { summarize } from '../../scripts/samples/summary.js';
import { readRun } from '../../scripts/store/run-file.js';
import { historyOf, longHistory } from './history.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

const GOLDEN = fileURLToPath(new URL('../data/judge/recordings.json', import.meta.url));
const RUNS = new URL('../data/report/runs/', import.meta.url);
const STORED = new URL('../../baselines/quick-c9d6f997/', import.meta.url);
/** Of a double's 16. */
const DIGITS = 12;
const NONE = { timeouts: 0, connect: 0, read: 0, write: 0, non2xx: 0 };

/** @param {URL} url */
const read = (url) => readRun(fileURLToPath(url));

/**
 * @param {Run} base
 * @param {Run} head
 * @param {Parameters<typeof compare>[2]} [options]
 */
function judged(base, head, options) {
  const { verdict, method, reference, promise, warnings, cases } = compare(base, head, options);
  return {
    verdict,
    method,
    reference,
    promise,
    warnings,
    cases: cases.map((compared) => ({ ...compared, p: chances(base, head, compared.id) })),
  };
}

/**
 * The p values before any correction.
 * @param {Run} base
 * @param {Run} head
 * @param {string} id
 */
function chances(base, head, id) {
  const [from, to] = [base, head].map(({ cases }) => cases.find((each) => each.id === id));
  if (!from || !to) return {};
  const effects = effectsOf({ base: from, head: to }, relate(base, head));
  return Object.fromEntries(effects.map((effect) => [effect.metric, pValue(effect)]));
}

/**
 * @param {Run} run
 * @param {number} [count]
 */
function firstRounds({ cases, ...run }, count = 4) {
  return { ...run, cases: cases.map((each) => ({ ...each, trials: each.trials.slice(0, count) })) };
}

async function sideBySide() {
  const [base, head] = [
    await read(new URL('against-base.json', RUNS)),
    await read(new URL('against-head.json', RUNS)),
  ];
  const looks = [0.1, 0.3];
  const decided = head.cases.map((each, place) => ({ ...each, ...(place === 0 && { decidedAt: 0.1 }) }));
  const own = head.cases.filter(({ reference }) => !reference);
  return {
    whole: judged(base, head),
    reversed: judged(head, base, { margin: 0.02, margins: { p99: 0.3 }, gates: { p99: 'regressed' } }),
    four: judged(firstRounds(base), firstRounds(head)),
    three: judged(firstRounds(base, 3), firstRounds(head, 3)),
    itself: judged(base, { ...base, id: 'head' }),
    small: judged(base, head, { alpha: 1e-7 }),
    looked: judged(base, { ...head, looks, cases: decided }),
    ofPart: judged(base, { ...head, shard: { index: 1, of: 2, cases: ['x', ...own.map(({ id }) => id)] } }),
    missing: judged(base, { ...head, cases: head.cases.slice(0, -1) }),
    rounds: head.cases.map((each, place) =>
      roundsOf({ base: base.cases[place] ?? each, head: each }, 'throughput'),
    ),
    foretold: foretell({ base, head }, { ids: own.map(({ id }) => id), rounds: 12, margin: 0.05 }),
    foretoldAlone: foretell({ head }, { ids: own.map(({ id }) => id), rounds: 12, margin: 0.05 }),
  };
}

async function servers() {
  const run = await read(new URL('four-servers.json', RUNS));
  const [first = assert.fail(), ...others] = run.cases;
  return {
    summaries: run.cases.map((each) => summarize(each.trials, each)),
    quotients: others.map((each) => quotientOf(each, first)),
    level: levelOf(first, 'throughput'),
  };
}

async function storedRuns() {
  const names = readdirSync(STORED).sort();
  const runs = await Promise.all(names.map((name) => read(new URL(name, STORED))));
  const [head = assert.fail(), ...earlier] = runs.toReversed();
  const elsewhere = { ...head, environment: { ...head.environment, fingerprint: 'another' } };
  const withoutReference = (/** @type {Run} */ run) => ({
    ...run,
    cases: run.cases.map(({ reference: _, ...each }) => each),
  });
  return {
    pooled: judged(poolRuns(earlier), head),
    last: judged(earlier[0] ?? head, head),
    elsewhere: judged(earlier[0] ?? head, elsewhere),
    alone: judged(withoutReference(earlier[0] ?? head), withoutReference(head)),
    past: runs.map(pastOf),
    trends: trendsOf(runs.flatMap((run) => pastOf(run) ?? [])),
  };
}

/** Rounds of recorded windows as they are, and drawn from them with one side slower. */
function noise() {
  const random = seededRandom(21);
  const both = (/** @type {{ base: Trial[], head: Trial[] }} */ { base, head }) =>
    judged(recordedRun('base', base), recordedRun('head', head));
  return ['alternating', 'interleaved'].flatMap((name) =>
    [...readRounds(name)].map(([pool, rounds]) => ({
      pool: `${name} ${pool}`,
      whole: both({ base: rounds.map(({ base }) => base), head: rounds.map(({ head }) => head) }),
      drawn: [1, 0.95, 0.9].map((speed) =>
        both(drawRounds(rounds, { rounds: 10, random, swap: true, speed })),
      ),
    })),
  );
}

/** What no recording has: errors, whole milliseconds, a rate, memory, a crowded machine. */
function madeUp() {
  const normal = seededNormal(5);
  const pair = (/** @type {((scale: number, round: number) => object)} */ more, load = {}) => {
    const [base, head] = [1, 1.2].map((scale) => {
      const starts = startsOf({ level: 10_000, noise: 0.02, starts: 9, random: normal });
      const trials = starts.map((trial) => ({
        ...trial,
        windows: trial.windows.map((window) => ({ ...window, ...more(scale, trial.round) })),
      }));
      const made = caseOf('app', trials);
      return runOf([{ ...made, load: { ...made.load, ...load } }]);
    });
    return judged(base ?? assert.fail(), head ?? assert.fail());
  };
  return {
    rate: pair((scale, round) => ({
      errors: { ...NONE, non2xx: Math.round(30 * scale * (1 + (round % 3))) },
    })),
    none: pair(() => ({ errors: NONE })),
    fresh: pair((scale) => ({ errors: { ...NONE, resets: scale > 1 ? 3 : 0 } })),
    coarse: pair((scale, round) => ({ latencyMs: { p50: 4 * scale > 4 ? 6 : 4, p99: 20 + (round % 2) } })),
    open: pair(() => ({}), { rate: 20_000 }),
    memory: pair((scale, round) => ({
      rssBytes: 1e8 * scale + 1e5 * round,
      rssBytesPerSecond: 1e5 * scale,
      eventLoopDelayMs: { p50: 11, p99: 15 * scale + round, max: 40 },
    })),
    crowded: pair(() => ({
      cpu: { serverSeconds: 0.5, clientSeconds: 0.4, foreignShare: 0.6, stealShare: 0, proxySeconds: 0.1 },
    })),
  };
}

function trends() {
  const normal = seededNormal(3);
  const drifting = historyOf(['a', 'b'], (server, place) => ({
    log: (place > 60 ? 0.05 : 0) + (server === 'a' && place > 120 ? -0.1 : 0) + 0.03 * normal(),
  }));
  return [longHistory(), drifting].map(trendsOf).map((all) =>
    all.map(({ points, ...trend }) => ({
      ...trend,
      levels: [...new Set(points.map(({ level }) => level))],
    })),
  );
}

test('verdicts, p values and intervals of the recordings stay the same', async () => {
  const all = {
    sideBySide: await sideBySide(),
    servers: await servers(),
    storedRuns: await storedRuns(),
    noise: noise(),
    madeUp: madeUp(),
    trends: trends(),
  };
  const text = `${JSON.stringify(all, null, 1)}\n`;
  writeFileSync(`${GOLDEN}.got`, text);
  const [got, expected] = [text, readFileSync(GOLDEN, 'utf8')].map((json) => JSON.parse(json, rounded));
  assert.deepEqual(got, expected, `compare ${GOLDEN}.got`);
  rmSync(`${GOLDEN}.got`);
});

/**
 * Versions of Node differ in the last digits of logarithms.
 * @param {string} _key
 * @param {unknown} value
 */
function rounded(_key, value) {
  return typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value;
}
