/**
 * The outputs, whole, in seven situations, and the page in one: a change of the report shows here as a
 * difference to read.
 */

import { test } from 'node:test';
import { renderComment } from '../../scripts/report/render/comment.js';
import { renderHtml } from '../../scripts/report/page/page.js';
import { renderReport } from '../../scripts/report/render/markdown.js';
import { renderTerminal } from '../../scripts/report/render/terminal.js';
import { assertGolden } from './golden.js';
import { situations } from './situations.js';

for (const { name, run, options, width = 80 } of await situations()) {
  test(`${name}: the Markdown report stays the same`, () =>
    assertGolden(`${name}/report.md`, renderReport(run, options)));

  test(`${name}: the comment stays the same`, () =>
    assertGolden(`${name}/comment.md`, renderComment(run, { ...options, key: 'perf' })));

  test(`${name}: the terminal stays the same`, () =>
    assertGolden(`${name}/terminal.txt`, renderTerminal(run, { ...options, width })));

  if (name === 'regression')
    test('the page stays the same', () =>
      assertGolden('regression/page.html', withoutDrawings(renderHtml(run, options))));
}

/** Its text: drawings and styles have tests of their own. @type {(page: string) => string} */
function withoutDrawings(page) {
  return page
    .replace(/<svg[\s\S]*?<\/svg>/g, '<svg/>')
    .replace(/<style>[\s\S]*?<\/style>/g, '<style/>')
    .replace(/<(?:tr|li|section|details|div|p)\b/g, '\n$&');
}
