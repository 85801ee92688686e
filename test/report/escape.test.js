/** Text of strangers: it may be shown, never act. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marked } from 'marked';
import { renderComment } from '../../scripts/report/render/comment.js';
import { fenced, inMarkdown, quietEntities } from '../../scripts/report/render/escape.js';
import { plain } from '../../scripts/report/text/inline.js';
import { renderHtml } from '../../scripts/report/page/page.js';
import { renderReport } from '../../scripts/report/render/markdown.js';
import { renderTerminal } from '../../scripts/report/render/terminal.js';
import { hostileComparison, hostileRun, PAYLOAD } from './hostile.js';
import { sampleRun } from './sample.js';

/** The markup that reports use; anything else came from a text. */
const TAGS = new Set(
  'h2 h3 p strong em ul li table thead tbody tr th td pre code details summary br'.split(' '),
);
const PAGE_TAGS = new Set([
  ...TAGS,
  ...'html head body title style meta header main section nav h1 div span a dl dt dd'.split(' '),
  ...'figure figcaption svg g text rect path'.split(' '),
]);

/**
 * @param {unknown} text
 * @param {number} [limit]
 */
const escaped = (text, limit) => inMarkdown(plain(text, limit));
const run = hostileRun();
const comparison = hostileComparison();

test('a hostile run file adds no element, link, mention or reference to any format', () => {
  const texts = [renderComment(run, { comparison, key: PAYLOAD }), renderReport(run, { comparison })];
  for (const text of texts) {
    const html = marked.parse(text, { async: false });
    assertHarmless(html.replace(/^<!-- perf-action:[\w.-]+ -->/, ''), TAGS);
    const prose = text.replace(/^<!--.*-->$/m, '').replace(/^(`{3,}).*\n[\s\S]*?\n\1$/gm, '');
    assert.match(prose, /evil/);
    assert.doesNotMatch(prose, /:\/\/|www\.|\$|@\w|(?<!&)#\d|GH-\d/i, 'the site would read it');
  }
  assertHarmless(renderHtml(run, { comparison }).replace('<!doctype html>', ''), PAGE_TAGS);
});

test('a terminal gets no control sequences', () => {
  const text = renderTerminal(run, { comparison });
  assert.match(text, /onerror/, 'the texts are shown');
  assert.doesNotMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('text is escaped for Markdown', () => {
  assert.equal(
    escaped('a|b <b> @all `x`\n--> [l](u)'),
    'a\\|b &lt;b&gt; @\u200ball \\`x\\` --&gt; \\[l\\](u)',
  );
  assert.equal(escaped('#12 $x$ www.a.b https://c'), '\\#\u200b12 &#36;x&#36; www\u200b.a.b https:\u200b//c');
  assert.equal(
    escaped('_www.a ftp://b c@d.e octo/app@01234567'),
    '\\_www\u200b.a ftp:\u200b//b c@\u200bd.e octo/app@\u200b012345\u200b67',
  );
  assert.deepEqual(
    ['- a', '1. a', '---', '-5 %'].map((text) => escaped(text)),
    ['\\- a', '1\\. a', '\\---', '-5 %'],
  );
  assert.equal(escaped('a\u200e\u200f\u061c\u00ad\ufeff\u2060\u3164\u{e0041}\ufe0fb\ud800'), 'ab');
  assert.equal(escaped('x'.repeat(2000)).length, 1001);
  assert.equal(escaped('ab\ud83d\ude00', 3), 'ab…', 'no half of a character is left');
});

test('where Markdown is not read, no escape of it is shown', () => {
  assert.equal(quietEntities('a_b *c* "d" <e>', 99), 'a_b *c* &quot;d&quot; &lt;e&gt;');
});

test('no line of a log closes its block, however it is broken', () => {
  for (const lines of [['```'], ['` x\n````'], ['a\r`````\rb'], ['~~~', '``````', '```']]) {
    const html = marked.parse(`${fenced(lines)}\n\nend`, { async: false });
    assert.match(html, /^<pre><code[^>]*>[^<]*<\/code><\/pre>\s*<p>end<\/p>\s*$/, JSON.stringify(lines));
  }
});

test('a run file that tells little or nonsense is still shown', () => {
  const [runCase] = sampleRun().cases;
  const trials = [{ round: 0, failure: null, windows: [{ seconds: 1, requests: 10 }] }];
  for (const [name, value] of Object.entries({
    published: {},
    warnings: [],
    environment: { fingerprint: 'f' },
    cases: [],
  })) {
    assert.match(
      renderReport({ ...sampleRun(), [name]: value }),
      /^## (Fastify answers|Measured: A sample|Nothing was measured)/,
      name,
    );
  }
  const least = /** @type {any} */ ({ ...runCase, load: {}, trials, summary: undefined });
  assert.match(renderHtml({ ...sampleRun(), cases: [least] }), /not measured/);
  for (const summary of [{}, { errors: null, latencyMs: 'x', throughput: 'y' }]) {
    const odd = /** @type {any} */ ({ ...runCase, summary });
    assert.match(renderTerminal({ ...sampleRun(), cases: [odd] }, {}), /node:http \(reference\) +– ±/);
  }
});

/** @type {(html: string, tags: Set<string>) => void} */
function assertHarmless(html, tags) {
  assert.match(html, /onerror/, 'the texts are shown');
  const elements = [...html.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, tag]) => tag ?? '');
  assert.deepEqual(
    [...new Set(elements)].filter((tag) => !tags.has(tag)),
    [],
  );
  assert.doesNotMatch(html, /<!--|-->/);
}
