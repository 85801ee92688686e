/** Other programs, as the record and the simulated worlds have them. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sum } from 'd3-array';
import { drawBursts } from '../../bench/bursts.js';
import { CASES, nameOf, NEIGHBOURS } from '../../bench/record/cases.js';
import { simulate, WORLDS } from '../../bench/verdicts/worlds.js';
import { seededRandom } from '../../scripts/plan/random.js';

for (const share of [0.3, 0.6])
  test(`bursts of 0.2 to 5 s fill ${100 * share} % of the time`, () => {
    const coming = drawBursts({ share, lengths: [0.2, 5] }, seededRandom(1));
    const drawn = Array.from({ length: 5000 }, () => coming.next().value);
    const lengths = drawn.map(([from, to]) => to - from);
    assert.ok(lengths.every((length) => length > 0.19 && length < 5.01));
    assert.ok(Math.min(...lengths) < 0.3 && Math.max(...lengths) > 4);
    const [, end] = drawn.at(-1) ?? [0, 0];
    assert.ok(Math.abs(sum(lengths) / end - share) < 0.02, `${sum(lengths) / end}`);
  });

test('a program of the record ends when its parent has ended', () => {
  const program = fileURLToPath(new URL('../../bench/record/busy-program.js', import.meta.url));
  const how = { share: 0.9, lengths: [60, 60], begin: Date.now(), seed: 1, parent: 0 };
  const { status, signal } = spawnSync(process.execPath, [program, JSON.stringify(how)], { timeout: 60_000 });
  assert.deepEqual({ status, signal }, { status: 0, signal: null });
});

test('the record has an unchanged server beside bursts on all cores, from the start and later, with two margins', () => {
  const beside = CASES.filter(({ busy }) => busy?.startsWith('bursts'));
  assert.deepEqual(
    beside.map(({ busy = 'busy', margin, planted }) => [NEIGHBOURS[busy].share, margin, planted]),
    [0.3, 0.6, 0.3, 0.6].flatMap((share) => ['2%', '5%'].map((margin) => [share, margin, 0])),
  );
  assert.equal(new Set(CASES.map(nameOf)).size, CASES.length);
});

test('in a simulated burst both sides lose the same windows', () => {
  const world = WORLDS['bursts later'];
  assert.ok(world);
  const sides = simulate(world, { rounds: 40, windows: 2, random: seededRandom(1) });
  const [base, head] = sides.map((trials) =>
    trials.flatMap(({ windows }) => windows.map(({ cpu }) => cpu?.foreignShare)),
  );
  assert.deepEqual(base, head);
  assert.ok(base?.includes(0) && base.some((share = 0) => share > 0.4));
});
