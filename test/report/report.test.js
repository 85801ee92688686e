import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBenchmarkAction } from '../../scripts/report/benchmark-action.js';
import { marker, renderComment } from '../../scripts/report/comment.js';
import { escaped, interval, milliseconds, percent } from '../../scripts/report/format.js';
import { renderHtml } from '../../scripts/report/html.js';
import { renderReport } from '../../scripts/report/markdown.js';
import { renderTerminal } from '../../scripts/report/terminal.js';
import { assertGolden } from './golden.js';
import { sampleComparison, sampleRun } from './sample.js';

const comparison = sampleComparison();

test('the report of a comparison', () =>
  assertGolden('report.md', renderReport(sampleRun(), { comparison })));

test('the report without a baseline says how one is made', () => {
  const text = renderReport(sampleRun(), { baselineHint: 'Make one so.' });
  assert.ok(text.startsWith('## Measured: A sample\n\nMake one so.\n'));
  assert.doesNotMatch(text, /Verdict/);
});

test('the comment', () =>
  assertGolden('comment.md', renderComment(sampleRun(), { comparison, key: 'perf' })));

test('the terminal', () => assertGolden('terminal.txt', renderTerminal(sampleRun(), { comparison })));

test('a client at its limit is marked and never ranked', () => {
  const lines = renderTerminal(sampleRun(), {}).split('\n');
  const rows = lines.filter((line) => line.startsWith('| ')).map((line) => line.split('|')[1]?.trim());
  assert.deepEqual(rows.slice(2, 6), ['Fastify', 'Express', 'Limited †', 'node:http (reference)']);
  assert.match(lines.join('\n'), /† The load tool had used up its CPU/);
});

test('a change that may be none shows no figure of its own', () => {
  const text = renderReport(sampleRun(), { comparison });
  assert.match(text, /~ \(−1\.2 to \+0\.5 %\)/);
  assert.doesNotMatch(text, /−0\.4 %/);
});

test('text from a run cannot act as Markdown, HTML or a mention', () => {
  assert.equal(
    escaped('a|b <b> @all `x`\n--> [l](u)'),
    'a\\|b &lt;b&gt; @\u200ball \\`x\\` --&gt; \\[l\\](u)',
  );
  const text = renderComment(sampleRun(), { comparison, key: '--><script>' });
  assert.doesNotMatch(text, /<script>|<b>|@all/);
  assert.match(text, /````text\nboom\n```\n````/);
});

test('a comment that would be too long loses whole parts, the last first, and says so', () => {
  const whole = renderComment(sampleRun(), { comparison, key: 'perf' });
  for (let limit = whole.length - 1; limit > 400; limit -= 97) {
    const text = renderComment(sampleRun(), { comparison, key: 'perf', limit });
    assert.ok(text.length <= limit, `${text.length} > ${limit}`);
    assert.ok(text.startsWith(`${marker('perf')}\n\n### 🔴 Slower`));
    assert.match(text, /fit/);
    assert.equal(
      text.split('<details>').length,
      text.split('</details>').length,
      'no part is cut in the middle',
    );
  }
});

test('the page needs nothing from outside', () => {
  const page = renderHtml(sampleRun(), { comparison });
  assert.match(page, /^<!doctype html>/);
  assert.match(page, /<svg /);
  assert.doesNotMatch(page, /<script|<link|src=|@import|<b>@/);
});

test('github-action-benchmark gets its custom format', () => {
  const { throughput, p99 } = renderBenchmarkAction(sampleRun());
  assert.equal(throughput.length, 4);
  assert.deepEqual(throughput[1], {
    name: 'express / autocannon c100',
    unit: 'req/s',
    value: 10_100,
    range: '± 141',
    extra: '2 boots',
  });
  assert.deepEqual(p99[1], { name: 'express / autocannon c100 p99', unit: 'ms', value: 3 });
});

test('numbers', () => {
  assert.deepEqual([percent(-7.25), percent(0.04), percent(-0.01)], ['−7.3 %', '0.0 %', '0.0 %']);
  assert.equal(interval([-9.5, 5]), '−9.5 to +5.0 %');
  assert.deepEqual(
    [milliseconds(0.123), milliseconds(12.34), milliseconds(1234.5)],
    ['0.12', '12.3', '1,235'],
  );
});
