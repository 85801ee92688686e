/**
 * Draws the README's pictures, light and dark, with Chromium: the comment of a result folder (`node
 * tools/pictures.js perf-results`), or the answer of a run file's page, with its picture (`node
 * tools/pictures.js perf-results/run.json`). A second word names the pictures. The comment has GitHub's
 * colours.
 */

import { fileURLToPath } from 'node:url';
import { marked } from 'marked';
import { chromium } from 'playwright-core';
import { renderComment } from '../scripts/report/render/comment.js';
import { renderHtml } from '../scripts/report/page/page.js';
import { readResults } from '../scripts/session/results.js';
import { readRun } from '../scripts/store/run-file.js';
import { BROWSER } from './browser.js';

const IMAGES = fileURLToPath(new URL('../docs/img/', import.meta.url));
/** @type {['light' | 'dark', string][]} */
const THEMES = [
  ['light', '--text: #1f2328; --page: #fff; --line: #d1d9e0; --row: #f6f8fa; --link: #0969da'],
  ['dark', '--text: #f0f6fc; --page: #0d1117; --line: #3d444d; --row: #151b23; --link: #4493f8'],
];
const STYLE = `
  body { margin: 0; padding: 16px 24px; width: 880px; color: var(--text); background: var(--page);
    font: 14px/1.5 -apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif; }
  h3 { font-size: 1.25em; margin: 0 0 16px; }
  p, ul, table, details { margin: 0 0 16px; }
  table { border-collapse: collapse; font-size: 1em; }
  th, td { border: 1px solid var(--line); padding: 6px 13px; }
  tr:nth-child(2n) td { background: var(--row); }
  a { color: var(--link); text-decoration: none; }
`;

/** @type {(folder: string) => Promise<string>} */
async function commentPage(folder) {
  const { run, base, comparison } = await readResults(folder);
  const comment = renderComment(run, { key: 'perf', base, ...(comparison && { comparison }) });
  // Few machines that draw have a font with it.
  const drawn = comment.replace('🔴', '<span style="color: #d1242f">●</span>');
  const colours = THEMES.map(
    ([name, values]) => `@media (prefers-color-scheme: ${name}) { :root { ${values} } }`,
  );
  const style = `:root { color-scheme: light dark; } ${colours.join(' ')} ${STYLE}`;
  return `<meta charset="utf-8"><style>${style}</style>${await marked(drawn, { gfm: true })}`;
}

const [place = 'perf-results', given] = process.argv.slice(2);
const isFile = place.endsWith('.json');
const picture = given ?? (isFile ? 'quick' : 'comment');
const html = isFile ? renderHtml(await readRun(place)) : await commentPage(place);
const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
try {
  for (const [name] of THEMES) {
    const page = await browser.newPage({
      deviceScaleFactor: isFile ? 1.5 : 2,
      colorScheme: name,
      // A page is at least as high as its window.
      viewport: { width: isFile ? 1080 : 1280, height: 100 },
    });
    await page.setContent(html);
    if (isFile) await page.addStyleTag({ content: 'nav, section ~ section { display: none }' });
    await page.locator('body').screenshot({ path: `${IMAGES}${picture}-${name}.png` });
  }
} finally {
  await browser.close();
}
