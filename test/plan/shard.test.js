import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlan } from '../../scripts/plan/plan.js';
import { shardCount, shardPlan } from '../../scripts/plan/shard.js';
import { serversById } from '../../scripts/plan/side-servers.js';
import { configOf } from './sources.js';

const CONFIG = configOf({ routes: '/,/json', connections: '50,100,200', rounds: '4', seed: '5' });
const PLAN = makePlan(
  CONFIG,
  ['base', 'head'].map((label) => ({ label, servers: serversById(CONFIG) })),
);
const OWN = PLAN.cases.filter(({ reference }) => !reference);

/** @param {number} count */
const shards = (count) =>
  Array.from({ length: count }, (_, place) => shardPlan(PLAN, { index: place + 1, of: count }));

for (const count of [1, 2, 3, 5, 12]) {
  test(`${count} shards get every case once, evenly, and the reference each`, () => {
    const parts = shards(count);
    const dealt = parts.flatMap(({ cases }) => cases.filter(({ reference }) => !reference));
    assert.deepEqual(new Set(dealt), new Set(OWN));
    assert.equal(dealt.length, OWN.length);
    for (const { cases } of parts) assert.equal(cases.filter(({ reference }) => reference).length, 3);
    const estimates = parts.map(({ estimateSeconds }) => estimateSeconds);
    const oneCase = 2 * 4 * (0.45 + 2 + 10 * 1.04);
    assert.ok(Math.max(...estimates) - Math.min(...estimates) <= oneCase, String(estimates));
  });
}

test('a shard measures its cases of both sides in the order of the whole plan', () => {
  for (const part of shards(3)) {
    const mine = new Set(part.cases.map(({ id }) => id));
    /** @param {import('../../scripts/types.js').Plan} plan */
    const visits = ({ order }) =>
      order.map((groups) =>
        groups
          .flat()
          .map((step) => `${step.side.label} ${step.case.id}`)
          .filter((visit) => mine.has(visit.slice(5))),
      );
    assert.deepEqual(visits(part), visits(PLAN));
    assert.equal(part.order[3]?.flat().length, 2 * part.cases.length);
  }
});

test('the longest case gets a machine first', () => {
  const [first, ...others] = OWN.slice(0, 3);
  assert.ok(first);
  const long = { ...first, load: { ...first.load, durationSeconds: 60 } };
  const plan = { ...PLAN, cases: [...others, long] };
  const [one, two] = [1, 2].map((index) => shardPlan(plan, { index, of: 2 }).cases);
  assert.deepEqual([one, two], [[long], others]);
});

test('a shard prepares only the servers that it measures', () => {
  const { cases, sides } = shardPlan(PLAN, { index: 1, of: 12 });
  const started = [...new Set(cases.map(({ server }) => server))].sort();
  assert.equal(started.length, 2);
  assert.deepEqual(
    sides.map(({ servers }) => Object.keys(servers).sort()),
    [started, started],
  );
});

test('no shard is empty, and a reference that is all there is is distributed', () => {
  assert.deepEqual([shardCount(PLAN, 200), shardCount(PLAN, 2)], [12, 2]);
  const message = '--shard: 13/13 has nothing to measure; use at most 12 shards';
  assert.throws(() => shardPlan(PLAN, { index: 13, of: 13 }), { name: 'UserError', message });
  const alone = makePlan(configOf({ servers: 'gauge', routes: '/', connections: '50,100' }));
  assert.equal(shardCount(alone, 7), 2);
});

test('shards that cannot be, and shards without a common seed, are refused', () => {
  const refusal = (/** @type {RegExp} */ message) => ({ name: 'UserError', message });
  for (const shard of ['0/3', '4/3', '3', '1/0', '-1/3', '1/3/5', 'a/b', '1.5/3', '1/1000'])
    assert.throws(() => configOf({ shard, seed: '1' }), refusal(/--shard: ".*" is not a valid shard/), shard);
  assert.throws(() => configOf({ shard: '1/2' }), refusal(/need the same seed; add --seed to each/));
});
