import assert from 'node:assert/strict';
import { test } from 'node:test';
import jstat from 'jstat';
import { seededRandom } from '../../bench/verdicts/recordings.js';
import { sequentialLevels } from '../../scripts/judge/alpha-spending.js';

const LOOKS = [0.1, 0.2, 0.4, 0.8, 1].map((share) => ({ share, alpha: 0.01 }));

test('looks at their levels claim a change of an unchanged figure as often as they may, and no more', () => {
  const levels = sequentialLevels(LOOKS);
  const random = seededRandom(5);
  const tries = 40_000;
  let claims = 0;
  for (let i = 0; i < tries; i++) {
    let [total, last] = [0, 0];
    const isClaimed = LOOKS.some(({ share }, place) => {
      total += Math.sqrt(share - last) * jstat.normal.inv(random(), 0, 1);
      last = share;
      return jstat.normal.cdf(-total / Math.sqrt(share), 0, 1) < (levels[place] ?? 0);
    });
    if (isClaimed) claims++;
  }
  // 0.05 is expected, and its standard error is 0.001.
  assert.ok(Math.abs(claims / tries - 0.05) < 0.003, `${claims / tries}`);
});

test('a first look, which shares rounds with none before it, tests at what it may add', () => {
  for (const alpha of [0.05, 1e-3, 1e-6]) assert.deepEqual(sequentialLevels([{ share: 1, alpha }]), [alpha]);
});

test('a later look tests at a higher level than it may add, since the looks before it spent some of the same chances', () => {
  const levels = sequentialLevels(LOOKS);
  assert.ok(
    levels.slice(1).every((level) => level > 0.011 && level < 0.05),
    `${levels}`,
  );
});

test('a look that may add nothing tests nothing, and costs the next one nothing', () => {
  const [first, none, last] = sequentialLevels([
    { share: 0.2, alpha: 0.01 },
    { share: 0.3, alpha: 0 },
    { share: 0.4, alpha: 0.01 },
  ]);
  assert.equal(none, 0);
  assert.deepEqual([first, last], sequentialLevels(LOOKS.slice(1, 3)));
});
