/** The pull-request comment: its order, its limit, its chart. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartsOf, renderMermaid } from '../../scripts/report/charts.js';
import { marker, renderComment } from '../../scripts/report/comment.js';
import { wordsIn } from '../../scripts/report/words.js';
import { assertGolden } from './golden.js';
import { sampleComparison, sampleRun } from './sample.js';

const WORDS = wordsIn();

const comparison = sampleComparison();

test('the comment', () =>
  assertGolden('comment.md', renderComment(sampleRun(), { comparison, key: 'perf' })));

test('a comment that would be too long loses whole parts, the last first, and says which', () => {
  const whole = renderComment(sampleRun(), { comparison, key: 'perf' });
  let shortest = whole.length;
  for (let limit = whole.length - 1; limit > 400; limit -= 97) {
    const text = renderComment(sampleRun(), { comparison, key: 'perf', limit });
    assert.ok(text.length <= limit, `${text.length} > ${limit}`);
    assert.ok(text.length <= shortest, 'a lower limit never shows more');
    shortest = text.length;
    assert.ok(text.startsWith(`${marker('perf')}\n\n### 🔴 Slower`));
    assert.match(text, /Left out for length: .*the full boxes\._|Nothing more fits/);
    assert.equal(count(text, '<details>'), count(text, '</details>'), 'no part is cut in the middle');
    assert.ok(whole.startsWith(text.slice(0, text.lastIndexOf('\n\n_'))), 'what is kept is unchanged');
  }
});

test('not even a boundless run goes over the limit', () => {
  const [first] = sampleRun().cases;
  const cases = Array.from({ length: 500 }, (_, index) => ({
    .../** @type {NonNullable<typeof first>} */ (first),
    id: `case ${index} ${'x'.repeat(900)}`,
    serverName: 'y'.repeat(9000),
  }));
  const text = renderComment({ ...sampleRun(), title: 'z'.repeat(1e5), cases }, { key: 'perf' });
  assert.ok(text.length <= 65_536);
  assert.match(text, /fits|Left out/);
});

test('a long log takes no room from what follows', () => {
  const run = sampleRun();
  const logTail = Array.from({ length: 500 }, () => 'y'.repeat(5000));
  const failure = { kind: /** @type {const} */ ('never-ready'), message: 'no answer', logTail };
  const broken = run.cases.map((of) =>
    of.summary ? of : { ...of, trials: [{ round: 0, failure, windows: [] }] },
  );
  const text = renderComment({ ...run, cases: broken }, { key: 'perf' });
  assert.match(text, /never-ready/);
  assert.doesNotMatch(text, /Left out/);
});

test('where the whole report is, if it is anywhere', () => {
  const reportUrl = 'https://example.test/runs/1';
  const text = renderComment(sampleRun(), { key: 'perf', reportUrl });
  assert.ok(text.endsWith('\n\n[The whole report](https://example.test/runs/1)'));
  const short = renderComment(sampleRun(), { key: 'perf', reportUrl, limit: 2500 });
  assert.match(short, /_Left out for length: .*\._ \[The whole report\]/);
  for (const bad of ['javascript:alert(1)', 'https://a) @all', 'https://a"onclick'])
    assert.doesNotMatch(renderComment(sampleRun(), { key: 'perf', reportUrl: bad }), /whole report\]/);
});

test('one chart a load, the longest bar first, without what the client limited', () => {
  const run = sampleRun();
  const more = run.cases.map((of) => ({ ...of, id: `${of.id} 2`, load: { ...of.load, connections: 500 } }));
  const charts = chartsOf({ ...run, cases: [...run.cases, ...more] }, WORDS);
  assert.deepEqual(
    charts.map(({ title, bars }) => [title, bars.map(({ label }) => label)]),
    [100, 500].map((each) => [`/, autocannon, ${each} connections`, ['node:http', 'Fastify', 'Express']]),
  );
});

test('no label breaks the chart', () => {
  const text = renderMermaid(
    {
      title: 'a"]\n``` b',
      bars: ['Ünï 日本', '"]\n  bar [1', '', '%%{init: {}}%% ; #quot;'].map((label) => ({
        label,
        value: 1.5,
      })),
    },
    WORDS,
  );
  assert.deepEqual(text.split('\n'), [
    '```mermaid',
    'xychart-beta horizontal',
    '  title "Requests per second: a b"',
    '  x-axis ["Ünï 日本", "bar 1", "3", "init: quot"]',
    '  y-axis 0 --> 2',
    '  bar [1.5, 1.5, 1.5, 1.5]',
    '```',
  ]);
});

/**
 * @param {string} text
 * @param {string} part
 */
function count(text, part) {
  return text.split(part).length - 1;
}
