/** The manual's table of constants is the code's, and the README's figures are the manual's. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';

const scripts = new URL('../../scripts/', import.meta.url);
const manual = readFileSync(new URL('../../docs/verdicts.md', import.meta.url), 'utf8');
const listed = [...manual.matchAll(/^\| `([A-Z_]+)` \| `(.+?)` \| `(.+?)` \|/gm)].map(
  ([, name = '', value = '', file = '']) => ({ name, value: parse(value), file }),
);
const judge = readdirSync(new URL('judge/', scripts))
  .filter((file) => file.endsWith('.js'))
  .map((file) => `judge/${file}`);

/** Numbers, lists and records of them. @param {string} file @returns {Promise<[string, unknown][]>} */
async function constantsIn(file) {
  const isNumeric = (/** @type {unknown} */ value) =>
    Object.values(Object(value)).every((each) => typeof each === 'number') && typeof value !== 'string';
  return Object.entries(await import(new URL(file, scripts).href)).filter(
    ([name, value]) => /^[A-Z_]+$/.test(name) && isNumeric(value),
  );
}

test('every constant has the value in the manual', async () => {
  assert.ok(listed.length > 20, `only ${listed.length} were found`);
  for (const { name, value, file } of listed)
    assert.deepEqual(
      Object.fromEntries(await constantsIn(file))[name],
      value,
      `docs/verdicts.md: ${name} of ${file}`,
    );
});

test('the manual leaves none out', async () => {
  const files = ['model/interference.js', 'model/load-model-check.js', 'samples/spreads.js', ...judge];
  const all = await Promise.all(
    files.map(async (file) => (await constantsIn(file)).map(([name]) => `${name} of ${file}`)),
  );
  const names = listed.map(({ name, file }) => `${name} of ${file}`);
  assert.deepEqual(
    all.flat().filter((name) => !names.includes(name)),
    [],
    'missing in docs/verdicts.md',
  );
});

test('the README repeats the figures of the table', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const cellsOf = (/** @type {string} */ line) => line.split('|').map((cell) => cell.trim());
  const rowOf = (/** @type {string[]} */ start) =>
    manual
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
