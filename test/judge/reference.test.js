/** The arm that no change touches: its own change is told, what it shares with the others is taken off, and nothing else is. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { boots, caseOf, runOf, seededNormal } from './runs.js';

const BOOTS = 12;

/**
 * @param {{ seed: number, session: string, fingerprint?: string, machine?: number, speed?: number, references?: number,
 *   referenceNoise?: number, noise?: number }} of machine: how fast it is today; speed: of the server
 */
function measured({
  seed,
  session,
  fingerprint = 'here',
  machine = 1,
  speed = 1,
  references = BOOTS,
  referenceNoise = 0.02,
  noise = 0.02,
}) {
  const random = seededNormal(seed);
  const gauge = boots({ level: 50_000 * machine, noise: referenceNoise, boots: references, random });
  const server = boots({ level: 30_000 * machine * speed, noise, boots: BOOTS, random });
  return runOf([caseOf('gauge', gauge, { reference: true }), caseOf('a', server)], { session, fingerprint });
}

/**
 * How many of 100 comparisons raise an alarm, the head being measured later.
 * @param {Omit<Parameters<typeof measured>[0], 'seed' | 'session'>} head
 */
function alarms(head) {
  let count = 0;
  for (let seed = 1; seed <= 200; seed += 2) {
    const { machine: _machine, fingerprint: _fingerprint, ...alike } = head;
    const base = measured({ seed, session: 'yesterday', ...alike });
    const { verdict } = compare(base, measured({ seed: seed + 1, session: 'today', ...head }));
    if (verdict === 'regressed' || verdict === 'improved') count++;
  }
  return count;
}

test('its own change is told with an interval around it', () => {
  const { reference } = compare(
    measured({ seed: 1, session: 'one' }),
    measured({ seed: 2, session: 'one', machine: 0.97 }),
  );
  assert.equal(reference?.id, 'gauge');
  assert.ok(Math.abs(reference.effectPct + 3) < 2, `${reference.effectPct}`);
  assert.ok(reference.ciPct[0] < reference.effectPct && reference.effectPct < reference.ciPct[1]);
});

test('a machine that drifted between two runs raises no alarm, however little it drifted', () => {
  // The middle ones are too small to be sure of on the reference, and large enough to be one for the promise.
  for (const drift of [0.01, 0.025, 0.04, 0.1]) {
    const count = alarms({ machine: 1 - drift });
    assert.ok(count <= 4, `${count} of 100 at ${drift}`);
  }
});

test('what drifts within one session is shared by both sides, and is no reason to divide', () => {
  const base = measured({ seed: 3, session: 'one' });
  const head = measured({ seed: 4, session: 'one', speed: 0.9 });
  // As a lucky reference would have it: 10 % slower as well.
  for (const { windows } of head.cases[0]?.trials ?? []) for (const window of windows) window.requests *= 0.9;
  assert.deepEqual(
    compare(base, head).cases.map(({ verdict }) => verdict),
    ['regressed'],
  );
});

test('on another machine a slowdown is one of the server, not of the machine', () => {
  const base = measured({ seed: 5, session: 'yesterday', fingerprint: 'old' });
  const equal = compare(base, measured({ seed: 6, session: 'today', machine: 0.6 }));
  assert.equal(equal.method, 'through-reference');
  assert.notEqual(equal.verdict, 'regressed');
  const slower = compare(base, measured({ seed: 7, session: 'today', machine: 0.6, speed: 0.88 }));
  assert.equal(slower.verdict, 'regressed');
  const faster = compare(base, measured({ seed: 8, session: 'today', machine: 0.6, speed: 1.15 }));
  assert.equal(faster.verdict, 'improved');
});

test('the uncertainty of the reference is carried: few or unsteady boots of it make nobody sure', () => {
  const on = { fingerprint: 'other', machine: 0.7 };
  for (const gauge of [
    { references: 2, referenceNoise: 0.05, noise: 0.005 },
    { references: 3, referenceNoise: 0.05, noise: 0.005 },
    { referenceNoise: 0.08, noise: 0.005 },
  ]) {
    const count = alarms({ ...on, ...gauge });
    assert.ok(count <= 4, `${count} of 100 with ${JSON.stringify(gauge)}`);
  }
  const width = (/** @type {number} */ referenceNoise) => {
    const base = measured({ seed: 9, session: 'yesterday', fingerprint: 'old', referenceNoise });
    const head = measured({ seed: 10, session: 'today', referenceNoise });
    const [low, high] = compare(base, head).cases[0]?.metrics[0]?.ciPct ?? [0, 0];
    return high - low;
  };
  assert.ok(width(0.08) > 2 * width(0.01), `${width(0.08)} and ${width(0.01)}`);
});

test('a round in which the reference failed is left out, and the others still tell', () => {
  const base = measured({ seed: 11, session: 'yesterday', fingerprint: 'old' });
  const head = measured({ seed: 12, session: 'today', machine: 0.7, speed: 0.88 });
  const [gauge] = head.cases;
  assert.ok(gauge);
  gauge.trials = gauge.trials.filter(({ round }) => round !== 4);
  assert.equal(compare(base, head).verdict, 'regressed');
});
