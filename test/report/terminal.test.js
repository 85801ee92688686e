/** The report in a terminal: as wide as it is, in its colours, a line a verdict. */

import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import { test } from 'node:test';
import stringWidth from 'string-width';
import { renderTerminal } from '../../scripts/report/render/terminal.js';
import { hostileComparison, hostileRun } from './hostile.js';
import { sampleComparison, sampleRun } from './sample.js';

const comparison = sampleComparison();

/** The lines of its tables. @type {(text: string) => string[]} */
const tableOf = (text) => {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^Server {2}/.test(line));
  assert.ok(start >= 0, text);
  return lines.slice(start, lines.indexOf('', start));
};

test('a table fits the width, and columns go by their priority', () => {
  /** @type {string[][]} */
  const heads = [];
  for (let width = 170; width >= 48; width -= 1) {
    const text = renderTerminal(sampleRun(), { width });
    const lines = tableOf(text);
    assert.equal(lines.length, 6);
    for (const line of lines) assert.ok(stringWidth(line) <= width, `${width}: ${line}`);
    const names = lines[0]?.split(/ {2,}/) ?? [];
    const before = heads.at(-1) ?? names;
    assert.ok(
      names.every((name) => before.includes(name)),
      'what went stays away',
    );
    assert.equal(/Left out to fit the width/.test(text), names.length < (heads[0] ?? names).length);
    heads.push(names);
  }
  assert.deepEqual(heads[0]?.slice(0, 3), ['Server', 'Req/s', 'p50 ms']);
});

test('letters that take two columns are counted as two', () => {
  const run = sampleRun();
  const cases = run.cases.map((runCase) => ({ ...runCase, serverName: '성능측정서버'.repeat(2) }));
  for (const line of tableOf(renderTerminal({ ...run, cases }, { comparison, width: 60 })))
    assert.ok(stringWidth(line) <= 60, line);
});

test('colours are only a second way to say it, and only ours', () => {
  const plain = renderTerminal(sampleRun(), { comparison, width: 120 });
  const coloured = renderTerminal(sampleRun(), { comparison, width: 120, colours: true });
  assert.equal(stripVTControlCharacters(coloured), plain);
  assert.match(coloured, /^\u001b\[31m✗\u001b\[39m /m);
  const hostile = renderTerminal(hostileRun(), {
    comparison: hostileComparison(),
    width: 120,
    colours: true,
  });
  assert.doesNotMatch(hostile.replace(/\u001b\[(?:1|2|22|3[1-3]|39)m/g, ''), /\u001b/);
});

test('the last line says where the report is', () => {
  const text = renderTerminal(sampleRun(), { report: 'perf-results/report.html' });
  assert.ok(text.endsWith('\nReport: perf-results/report.html\n'));
});
