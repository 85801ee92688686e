/** The pull-request comment: its order and its limit. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marker, renderComment } from '../../scripts/report/render/comment.js';
import { compare } from '../../scripts/judge/compare.js';
import { manyOf, recordedAgainst } from './recorded.js';
import { sampleComparison, sampleRun } from './sample.js';

const comparison = sampleComparison();

test('a comment that would be too long loses whole parts, the last first, and says which', () => {
  const whole = renderComment(sampleRun(), { comparison, key: 'perf' });
  let shortest = whole.length;
  for (let limit = whole.length - 1; limit > 400; limit -= 291) {
    const text = renderComment(sampleRun(), { comparison, key: 'perf', limit });
    assert.ok(text.length <= limit, `${text.length} > ${limit}`);
    assert.ok(text.length <= shortest, 'a lower limit never shows more');
    shortest = text.length;
    assert.ok(text.startsWith(`${marker('perf')}\n\n### 🔴 Fastify answers`));
    assert.match(text, /Left out for length: .*Statistics of each case\._|Nothing more fits/);
    assert.equal(count(text, '<details>'), count(text, '</details>'), 'no part is cut in the middle');
    assert.ok(whole.startsWith(text.slice(0, text.lastIndexOf('\n\n_'))), 'what is kept is unchanged');
  }
});

test('other processes are mentioned once: the run names them, so its cases need no mark', () => {
  const run = sampleRun();
  const shared = { code: /** @type {const} */ ('machine-shared'), shared: 3, windows: 4, programs: ['tsc'] };
  const disturbed = { code: /** @type {const} */ ('disturbed'), share: 0.1, case: run.cases[0]?.id ?? '' };
  const commentWith = (/** @type {import('../../scripts/types.js').Warning[]} */ ...warnings) =>
    renderComment({ ...run, warnings }, { key: 'perf' });
  const inCase = /other processes used more than 10 % of the machine in most windows/;
  assert.match(commentWith(disturbed), inCase);
  const text = commentWith(disturbed, shared);
  assert.match(text, /other processes used much of the machine in 3 of 4 windows, most of all: tsc/);
  assert.doesNotMatch(text, inCase);
});

test('not even a boundless run goes over the limit', () => {
  const [first] = sampleRun().cases;
  const cases = Array.from({ length: 100 }, (_, index) => ({
    .../** @type {NonNullable<typeof first>} */ (first),
    id: `case ${index} ${'x'.repeat(900)}`,
    serverName: 'y'.repeat(9000),
  }));
  const text = renderComment({ ...sampleRun(), title: 'z'.repeat(1e5), cases }, { key: 'perf' });
  assert.ok(text.length <= 65_536);
  assert.match(text, /Nothing more fits|Left out for length/);
});

test('a long log takes no room from what follows', () => {
  const run = sampleRun();
  const logTail = Array.from({ length: 500 }, () => 'y'.repeat(5000));
  const failure = { kind: /** @type {const} */ ('never-ready'), message: 'no answer', logTail };
  const broken = run.cases.map((runCase) =>
    runCase.summary ? runCase : { ...runCase, trials: [{ round: 0, failure, windows: [] }] },
  );
  const text = renderComment({ ...run, cases: broken }, { key: 'perf' });
  assert.match(text, /never-ready/);
  assert.doesNotMatch(text, /Left out/);
});

test('the comment says where the whole report is, if it is anywhere', () => {
  const reportUrl = 'https://example.test/runs/1';
  const text = renderComment(sampleRun(), { key: 'perf', reportUrl });
  assert.ok(text.endsWith('\n\n[The whole report](https://example.test/runs/1)'));
  const short = renderComment(sampleRun(), { key: 'perf', reportUrl, limit: 2500 });
  assert.match(short, /_Left out for length: .*\._ \[The whole report\]/);
  for (const bad of ['javascript:alert(1)', 'https://a) @all', 'https://a"onclick'])
    assert.doesNotMatch(renderComment(sampleRun(), { key: 'perf', reportUrl: bad }), /whole report\]/);
});

/**
 * @param {string} text
 * @param {string} part
 */
function count(text, part) {
  return text.split(part).length - 1;
}

/** Letters of a line of prose, and lines of a usual screen. */
const [LETTERS, SCREEN] = [130, 45];

/** The lines that are seen before anything is unfolded. @type {(text: string) => number} */
function linesSeen(text) {
  let depth = 0;
  const unfolded = text.split('\n').filter((line) => {
    const isInside = depth > 0;
    depth += (line.startsWith('<details>') ? 1 : 0) - (line === '</details>' ? 1 : 0);
    return !isInside;
  });
  const seen = unfolded.join('\n').replace(/^<!--.*-->$/gm, '');
  return seen
    .split('\n')
    .filter((line) => !/^\| :-/.test(line))
    .reduce((sum, line) => sum + (line.startsWith('|') ? 1 : Math.ceil(line.length / LETTERS)), 0);
}

test('of an unchanged pull request a comment has the headline and how far to trust it before anything is unfolded', async () => {
  const { options } = await recordedAgainst();
  const text = renderComment(options.base, { comparison: compare(options.base, options.base), key: 'perf' });
  const seen = text.slice(0, text.indexOf('<details>')).split('\n').filter(Boolean);
  assert.ok(seen.length <= 5, seen.join('\n'));
  assert.match(text, /### 🟢 No change/);
});

test('before anything is unfolded there is one screen at most, however many cases there are', async () => {
  const { run, options } = await recordedAgainst();
  const failing = sampleRun().cases.filter(({ summary }) => !summary);
  for (const times of [1, 5, 12]) {
    const [base, many] = [manyOf(options.base, times), manyOf(run, times)];
    const broken = Array.from({ length: times }, (_, copy) =>
      failing.map((runCase) => ({ ...runCase, id: `${runCase.id} ${copy}` })),
    );
    const warnings = many.cases.map(({ id }, place) => ({
      code: /** @type {const} */ ('baseline-unreadable'),
      case: id,
      message: `warning ${place}`,
    }));
    const head = { ...many, warnings, cases: [...many.cases, ...broken.flat()] };
    for (const text of [
      renderComment(head, { comparison: compare(base, head), key: 'perf', limit: 1e9 }),
      renderComment(head, { key: 'perf', limit: 1e9 }),
    ]) {
      const lines = linesSeen(text);
      assert.ok(lines <= SCREEN, `${times}: ${lines} lines`);
      const rows = text.slice(0, text.indexOf('<details>')).match(/^\| (?:Shop|Broken)/gm)?.length ?? 0;
      assert.equal(rows, Math.min(3 * times, 10));
      assert.equal(/\d+ more cases: see All figures below/.test(text), 3 * times > 10);
    }
  }
});
