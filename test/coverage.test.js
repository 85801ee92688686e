/** Which end-to-end tests run by default. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  calledIn,
  chooseFiles,
  costOf,
  GOAL_SECONDS,
  KEPT,
  listFiles,
  readCovered,
} from '../tools/coverage.js';
import { scratchFolder } from './scratch.js';

/**
 * @param {number} seconds
 * @param {string} called a letter a function
 */
const note = (seconds, called) => ({ seconds, cpuSeconds: seconds, called: [...called] });

test('the files that cover least alone for their seconds go until the rest keeps the goal', () => {
  const notes = {
    'kept.e2e.js': note(40, 'a'),
    'all.e2e.js': note(10, 'abcd'),
    'half.e2e.js': note(10, 'bc'),
    'unit.e2e.js': note(20, 'xyz'),
    'own.e2e.js': note(20, 'efgh'),
    'e2e/measuring/twice.e2e.js': note(20, 'ijkl'),
  };
  const rules = { always: [...'xyz'], kept: ['kept.e2e.js'] };
  const gone = (/** @type {number} */ goal) =>
    Object.entries(chooseFiles(notes, { ...rules, goal })).flatMap(([name, { onlyWithAll, alone }]) =>
      onlyWithAll ? [`${name} ${alone.join('')}`] : [],
    );
  assert.deepEqual(gone(140), []);
  assert.deepEqual(gone(139), ['unit.e2e.js ']);
  assert.deepEqual(gone(119), ['unit.e2e.js ', 'half.e2e.js ']);
  // One that counts for two goes before one that covers as much.
  assert.deepEqual(gone(109), ['unit.e2e.js ', 'half.e2e.js ', 'e2e/measuring/twice.e2e.js ijkl']);
  // Without the half of it, the whole covers three alone: more for a second than the other.
  assert.deepEqual(gone(69).at(-1), 'own.e2e.js efgh');
  assert.deepEqual(gone(0).at(-1), 'all.e2e.js bcd');
  const { 'all.e2e.js': whole } = chooseFiles(notes, { ...rules, goal: 119 });
  assert.deepEqual(whole, { alone: ['b', 'c', 'd'] });
});

test('the stored choice is of files that there are, keeps the goal, and has what a default run must have', () => {
  const covered = readCovered();
  const gone = Object.keys(covered).filter((name) => !listFiles().includes(name));
  assert.deepEqual(gone, []);
  const chosen = Object.fromEntries(Object.entries(covered).filter(([, { onlyWithAll }]) => !onlyWithAll));
  for (const name of KEPT) assert.ok(name in chosen, name);
  assert.ok(costOf(chosen) <= GOAL_SECONDS, `${costOf(chosen)} s`);
});

test('what a program called of the engine or of a copy of it counts, and nothing else', () => {
  const file = join(scratchFolder(), 'coverage.json');
  const functions = [
    { functionName: 'main', ranges: [{ startOffset: 7, count: 2 }] },
    { functionName: 'never', ranges: [{ startOffset: 9, count: 0 }] },
  ];
  const urls = [
    '/engine/scripts/main.js',
    '/tmp/action/scripts/cli.js',
    '/app/scripts/theirs.js',
    '/app/a.js',
  ];
  const text = JSON.stringify({ result: urls.map((path) => ({ url: `file://${path}`, functions })) });
  writeFileSync(file, text);
  assert.deepEqual(calledIn(file), ['main.js#main:7', 'cli.js#main:7']);
  writeFileSync(file, text.slice(0, -2));
  assert.deepEqual(calledIn(file), [], 'a program that was ended while it wrote');
});
