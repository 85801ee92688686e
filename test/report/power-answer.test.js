/** The slowdowns that a plan promises to find. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foretell } from '../../scripts/judge/power.js';
import { powerBlocks } from '../../scripts/report/document/power-answer.js';
import { blocksTerminal } from '../../scripts/report/render/terminal.js';
import { en } from '../../scripts/report/text/en.js';
import { caseOf, runOf, seededNormal, startsOf } from '../judge/runs.js';

const random = seededNormal(2);
const side = () => runOf([caseOf('a', startsOf({ level: 1000, noise: 0.001, starts: 12, random }))]);
const earlier = { base: side(), head: side() };

/** @param {Parameters<typeof powerBlocks>} asked */
const printed = (...asked) => blocksTerminal(powerBlocks(...asked), en);

/** @param {{ rounds: number, margin: number }} plan */
const textOf = (plan) =>
  printed(foretell(earlier, { ids: ['a'], ...plan }), { ...plan, source: 'run.json' }, en);

test('what is smaller than the margin is found with another margin only', () => {
  const usual = textOf({ rounds: 10, margin: 0.05 });
  assert.match(usual, /10 rounds detect a slowdown of 5 %;/);
  assert.match(usual, /1 % \(with --margin 1%\): .*2 % \(with --margin 2%\): .* 5 %: .* 10 %: /);
  const narrow = textOf({ rounds: 10, margin: 0.01 });
  assert.match(narrow, /10 rounds detect a slowdown of 1 %;/);
  assert.doesNotMatch(narrow, /--margin/);
});

test('fewer rounds than a change takes find nothing', () =>
  assert.match(
    textOf({ rounds: 3, margin: 0.05 }),
    /a: 3 rounds detect nothing; detecting 5 % takes 4 rounds/,
  ));

test('before a first run each case is assumed to be as noisy as Express', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const text = (/** @type {number} */ rounds, /** @type {string[]} */ cases) =>
    printed(foretell(undefined, { ids: cases, rounds, margin: 0.05 }), { rounds, margin: 0.05 }, en);
  assert.match(text(5, ids), /5 rounds detect a slowdown of 12 %; detecting 5 % takes 11 rounds/);
  assert.match(text(25, ['a']), /25 rounds detect a slowdown of 5 %; detecting 5 % takes 9 rounds/);
});
