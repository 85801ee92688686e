/** Every language says everything, with the figures it is given. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderComment } from '../../scripts/report/render/comment.js';
import { renderHtml } from '../../scripts/report/page/page.js';
import { renderReport } from '../../scripts/report/render/markdown.js';
import { trendAnswer } from '../../scripts/report/document/trend-answer.js';
import { LANGUAGES, wordsIn } from '../../scripts/report/text/words.js';
import { sampleComparison, sampleRun } from './sample.js';

/**
 * @param {any} words
 * @param {string} [at]
 * @returns {string[]} "page.charts.how: object", a line each
 */
const keysOf = (words, at = '') =>
  Object.entries(words).flatMap(([key, value]) => {
    const name = `${at}${key}`;
    if (Array.isArray(value)) return [`${name}: ${value.length} words`];
    return typeof value === 'object' ? keysOf(value, `${name}.`) : [`${name}: ${typeof value}`];
  });

for (const [language, words] of Object.entries(LANGUAGES)) {
  if (language !== 'en')
    test(`${language} has every key of English, and no other`, () => {
      assert.deepEqual(keysOf(words).sort(), keysOf(wordsIn('en')).sort());
    });

  test(`a run says that its reports are in ${language}`, () => {
    const run = { ...sampleRun(), language };
    const comparison = sampleComparison();
    const texts = [
      renderReport(run, { comparison }),
      renderComment(run, { comparison, key: 'perf' }),
      renderHtml(run, { comparison }),
    ];
    assert.equal(trendAnswer([], { runs: [run] }).title, words.trend.title);
    for (const text of texts) {
      assert.ok(text.includes(words.parts.conditions));
      assert.ok(text.includes(words.change.verdicts.regressed));
      assert.doesNotMatch(text, /undefined|NaN|\[object|\{\}/);
    }
    assert.match(texts[2] ?? '', new RegExp(`<html lang="${language}">`));
  });
}

test('Korean leaves no English sentence in a report', () => {
  const text = renderReport({ ...sampleRun(), language: 'ko' }, { comparison: sampleComparison() });
  // Names, units and programs stay; a sentence would have several plain words in a row.
  const sentences = text.replace(/```[^]*?```/g, '').match(/(?:\b[a-z]{3,}\b[ ,]+){4,}/g);
  assert.deepEqual(sentences ?? [], []);
});

test('a language that is nobody’s is English', () => {
  assert.equal(wordsIn('tlh').language, 'en');
  assert.equal(wordsIn('constructor').language, 'en');
});
