/** The README's figures are those of the page of evidence. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

test('the README repeats the figures of the evidence', () => {
  const read = (/** @type {string} */ file) =>
    readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const readme = read('README.md');
  const evidence = read('docs/evidence.md');
  const cellsOf = (/** @type {string} */ line) => line.split('|').map((cell) => cell.trim());
  const rowOf = (/** @type {string[]} */ start) =>
    evidence
      .split('\n')
      .map(cellsOf)
      .find((cells) => start.every((cell, place) => cells[place + 1] === cell)) ?? [];
  /** "a (b)": percent called slower, and faster; of ours, within 1, 1.5, 3 and 5 minutes. */
  const figures = (/** @type {string} */ cell) => {
    const [slower = '', faster = ''] = cell.split(/[()]/);
    return [Number(slower.split('/').at(-1)), Number(faster)];
  };
  const rows = /** @type {const} */ ([
    ['simulated noisy server', 'none'],
    ['simulated noisy server', '−5 %'],
    ['simulated busy machine', 'none'],
    ['simulated busy machine', '−5 %'],
  ]);
  for (const [noise, change] of rows) {
    const name = `${noise}, ${change === 'none' ? 'no change' : '5 % slower'}`;
    const [, , , ours = '', five = '', ten = '', , , , welch = ''] = rowOf([noise, change]);
    const expected = [ours, five, ten, welch].map((cell) => {
      const [slower = 0, faster = 0] = figures(cell);
      return change === 'none' ? Number((slower + faster).toFixed(1)) : slower;
    });
    const line = readme.split('\n').find((each) => each.startsWith(`| ${name}`)) ?? '';
    assert.deepEqual(cellsOf(line).slice(2, 6).map(Number), expected, `README: ${name}`);
  }
});
