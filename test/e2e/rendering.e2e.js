/** Names of strangers, rendered by GitHub's own Markdown: they stay text, wherever they stand. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderComment } from '../../scripts/report/render/comment.js';
import { inMarkdown, quietEntities } from '../../scripts/report/render/escape.js';
import { plain } from '../../scripts/report/text/inline.js';
import { renderReport } from '../../scripts/report/render/markdown.js';
import { hostileComparison, hostileRun } from '../report/hostile.js';
import { runTool } from './tools.js';

/** Texts that GitHub turns into something else. */
const TRIES = [
  'www.evil.example/x',
  'WWW.evil.example',
  'w\u200bww.evil.example',
  'www\u00ad.evil.example',
  'http://evil.example',
  'HTTPS://evil.example/a?b',
  'ftp://evil.example',
  'https:\u2060//evil.example',
  'a@evil.example',
  'mailto:a@evil.example',
  'xmpp:a@evil.example/x',
  'a.b+c-d@evil.example',
  '@octocat',
  '@org/team',
  '&#64;octocat',
  '&commat;octocat',
  'octo/app@0123456',
  '#123',
  'GH-1',
  'gh-123',
  'octo/app#1',
  'octo#1',
  '&#35;1',
  'deadbeef',
  '0123456789abcdef0123456789abcdef01234567',
  'DEADBEEF01',
  'a...0123456789',
  '![i](https://evil.example/i.png)',
  '[l](www.evil.example)',
  '[l]: //evil.example',
  '[^1]',
  '[x]',
  '<a href=//evil.example>x</a>',
  '<https://evil.example>',
  '<a@evil.example>',
  '<!--',
  '-->',
  '<b>',
  '</td></tr></table>',
  '</summary></details>',
  '&lt;b&gt;',
  '|',
  '| x |',
  '\\',
  '\\|',
  '`',
  '``` x',
  '~~~',
  '~~x~~',
  '**x**',
  '_x_',
  '$x$',
  '$$',
  '# x',
  '- x',
  '+ x',
  '* x',
  '1. x',
  '1) x',
  '> x',
  '> [!NOTE]',
  '---',
  '===',
  '- [ ] x',
  'http&#58;//evil.example',
  'www&period;evil.example',
  'x\n\n# y',
  'x\r- y',
];
const BEFORE = ['', '_', '*', '~', '(', '[', '"', '.', '-', 'x ', '\\', '&', '\u200e', '\u061c', '\u{e0041}'];
const AFTER = ['', '.', '_', ')', '*x', '\u202e'];
const NAMES = BEFORE.flatMap((before) =>
  TRIES.flatMap((tried) => AFTER.map((after) => `${before}${tried}${after}`)),
);

/** Where a name stands in what is posted. @type {((name: string) => string)[]} */
const PLACES = [
  (name) => `### x ${inMarkdown(plain(name))}`,
  (name) => `**${inMarkdown(plain(name))}**: slower`,
  (name) => `- **${inMarkdown(plain(name))}**: slower`,
  (name) => `x (${inMarkdown(plain(name))}), y`,
  (name) => `| server | x |\n| --- | --- |\n| ${inMarkdown(plain(name))} | y |`,
  (name) => `<details><summary>${quietEntities(name, 1000)}</summary>\n\nx\n\n</details>`,
];

/** References that GitHub looks for after Markdown, in the text that is left. */
const REFERENCES = [
  /https?:\/\/|ftp:\/\/|www\./i,
  /(?<![\w`])@[a-z0-9]/i,
  /[\w.+-]@[\w-]+\./,
  /#\d/,
  /\bGH-\d/i,
  /(?<![0-9a-z])[0-9a-f]{7,40}(?![0-9a-z])/i,
];
/** Of no width, but for the one that we set. */
const UNSEEN = /(?![\t\n\r\u200b])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

const RENDER = `
import json, sys, cmarkgfm
from cmarkgfm.cmark import Options
render = lambda text: cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE)
json.dump([render(text) for text in json.load(sys.stdin)], sys.stdout)
`;

/**
 * @param {string[]} texts Markdown
 * @returns {Promise<string[]>} HTML
 */
async function render(texts) {
  const { code, output } = await runTool(['python', '-c', RENDER], { stdin: JSON.stringify(texts) });
  assert.equal(code, 0, output);
  return JSON.parse(output);
}

/** Its tags, as they are. @type {(html: string) => string[]} */
const tagsOf = (html) => html.match(/<[^>]*>/g) ?? [];

/** What a reader sees. @type {(html: string) => string} */
const textOf = (html) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#36;', '$')
    .replaceAll('&amp;', '&');

test('the renderer makes links, as GitHub does', async () => {
  const [html = ''] = await render(['_www.evil.example/x a@b.co https://c.example <b>x</b> ~~y~~']);
  assert.equal(tagsOf(html).filter((tag) => tag.startsWith('<a ')).length, 3);
  assert.match(html, /<b>x<\/b> <del>y/);
});

for (const [number, place] of PLACES.entries())
  test(`${NAMES.length} hostile names are text in ${JSON.stringify(place('NAME'))}`, async () => {
    const [harmless = '', ...htmls] = await render(['name', ...NAMES].map((name) => place(name)));
    for (const [index, html] of htmls.entries()) {
      const description = `${number}: ${JSON.stringify(NAMES[index])}: ${html}`;
      assert.deepEqual(tagsOf(html), tagsOf(harmless), description);
      for (const reference of REFERENCES) assert.doesNotMatch(textOf(html), reference, description);
      assert.doesNotMatch(html, UNSEEN, description);
    }
  });

test('a comment and a report whose every text is hostile are built as if it were harmless', async () => {
  const tried = ['name', ...TRIES, ...TRIES.map((each) => `_${each}`)];
  const texts = tried.flatMap((name) => {
    const run = hostileRun(name);
    const comparison = hostileComparison(name);
    return [renderComment(run, { comparison, key: name }), renderReport(run, { comparison })];
  });
  const htmls = (await render(texts))
    .map(tagsOf)
    .map((tags) => tags.filter((tag) => !tag.startsWith('<!--')));
  for (const [index, tags] of htmls.entries())
    assert.deepEqual(tags, htmls[index % 2], JSON.stringify(tried[Math.floor(index / 2)]));
});
