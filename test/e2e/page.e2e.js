/**
 * The HTML report in Chromium, as people open it: from disk, light and dark, on a phone, without scripts, on
 * paper. Pictures of it stay in .cache/screenshots/.
 * @import { Browser, Page } from 'playwright-core'
 */

import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { trendsOf } from '../../scripts/history/trend.js';
import { renderHtml } from '../../scripts/report/page/page.js';
import { renderTrendPage } from '../../scripts/report/page/trend-page.js';
import { longHistory } from '../judge/history.js';
import { CONTROLS, shopCase, shopComparison, shopRun } from '../report/controls.js';
import { recordedAgainst, recordedServers, recordedWhy } from '../report/recorded.js';
import { BROWSER } from '../../tools/browser.js';
import { ROOT } from './tools.js';
import { scratchFolder } from '../scratch.js';

/** What code has that runs in the page. */
const { document, getComputedStyle } = /** @type {any} */ (globalThis);

const PICTURES = join(ROOT, '.cache/screenshots');
const FLAGS =
  '--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync --disable-quic'.split(
    ' ',
  );
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };

const VIEWS = {
  light: { viewport: DESKTOP },
  dark: { viewport: DESKTOP, colorScheme: 'dark' },
  phone: { viewport: PHONE, isMobile: true, hasTouch: true },
};
const REPORTS = ['against', 'controls', 'servers', 'trend', 'why'];

const folder = scratchFolder();
/** @type {Browser} */
let browser;
before(async () => {
  mkdirSync(PICTURES, { recursive: true });
  const { run, options } = await recordedAgainst();
  writeFileSync(join(folder, 'against.html'), renderHtml(run, options));
  const cases = [shopCase('/orders', 'regressed', [7, 9]), ...CONTROLS];
  const comparison = shopComparison('regressed', cases);
  writeFileSync(join(folder, 'controls.html'), renderHtml(shopRun(), { comparison }));
  const why = await recordedWhy();
  writeFileSync(join(folder, 'why.html'), renderHtml(why.run, why.options));
  writeFileSync(join(folder, 'servers.html'), renderHtml(await recordedServers()));
  writeFileSync(
    join(folder, 'trend.html'),
    renderTrendPage(trendsOf(longHistory()), { site: 'https://example.org' }),
  );
  browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
});
after(async () => {
  await browser?.close();
});

/**
 * @param {string} report
 * @param {import('playwright-core').BrowserContextOptions} view
 * @param {(page: Page) => Promise<void>} look
 */
async function open(report, view, look) {
  const context = await browser.newContext(view);
  try {
    const page = await context.newPage();
    /** @type {string[]} */
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => assert.fail(`the page complains: ${message.text()}`));
    const address = pathToFileURL(join(folder, `${report}.html`)).href;
    await page.goto(address);
    await look(page);
    assert.deepEqual(asked, [address], 'the page asks for nothing else');
  } finally {
    await context.close();
  }
}

for (const report of REPORTS)
  for (const [name, view] of Object.entries(
    report === 'against' || process.env.PERF_TEST_ALL ? VIEWS : { light: VIEWS.light },
  ))
    test(`${report}, ${name}: nothing keeps anybody from reading it`, () =>
      open(report, view, async (page) => {
        // All of it, also what is folded.
        await page.evaluate(() => {
          for (const each of document.querySelectorAll('details')) each.open = true;
        });
        await page.evaluate(axe.source);
        const { violations, passes } = await page.evaluate(() => /** @type {any} */ (globalThis).axe.run());
        assert.deepEqual(
          violations.map(
            (/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`,
          ),
          [],
        );
        assert.ok(passes.length > 15, `only ${passes.length} rules had anything to look at`);
        const { wide, inner } = await page.evaluate(() => ({
          wide: document.documentElement.scrollWidth,
          inner: document.documentElement.clientWidth,
        }));
        assert.ok(wide <= inner, `${wide} px on a screen of ${inner}`);
        const picture = join(PICTURES, `${report}-${name}.png`);
        await page.screenshot({ path: picture, fullPage: true });
        assert.ok(statSync(picture).size > 20_000);
      }));

test('texts in drawings are large enough on a phone, inside, and do not lie on each other', () =>
  open('against', { viewport: PHONE }, async (page) => {
    const { least, overlaps, outside } = await page.evaluate(() => {
      const drawings = [...document.querySelectorAll('figure svg[role]')];
      const texts = drawings.map((/** @type {any} */ drawing) =>
        [...drawing.querySelectorAll('text')].map((text) => ({
          box: text.getBoundingClientRect(),
          text: text.textContent,
          frame: drawing.getBoundingClientRect(),
        })),
      );
      const overlaps = texts.flatMap((boxes) =>
        boxes.flatMap((one, place) =>
          boxes.slice(place + 1).flatMap((other) => {
            const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
            const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
            return across > 2 && down > 5 ? `${one.text} / ${other.text}` : [];
          }),
        ),
      );
      const outside = texts
        .flat()
        .filter(({ box, frame }) => box.left < frame.left - 3 || box.right > frame.right + 3)
        .map(({ text }) => text);
      return { outside, least: Math.min(...texts.flat().map(({ box }) => box.height)), overlaps };
    });
    assert.ok(least >= 10, `${least} px`);
    assert.deepEqual(overlaps, []);
    assert.deepEqual(outside, []);
  }));

test('a flame graph fills the screen with letters of their own size, and tells each call when it is pointed at', async () => {
  for (const viewport of [DESKTOP, PHONE])
    await open('why', { viewport }, async (page) => {
      const flame = page.locator('svg.flame');
      const frame = flame.locator('svg', { hasText: 'stringify' }).last();
      const [whole, part, text] = await Promise.all([
        flame.boundingBox(),
        frame.boundingBox(),
        frame.locator('text').boundingBox(),
      ]);
      assert.ok(whole && part && text);
      assert.ok(whole.width > 0.8 * viewport.width, `${whole.width} of ${viewport.width} px`);
      assert.ok(Math.abs(part.width / whole.width - 0.6) < 0.05, `${part.width} of ${whole.width} px`);
      assert.ok(text.height >= 10 && text.height <= 18, `${text.height} px`);
      assert.match(
        (await frame.locator('title').textContent()) ?? '',
        /^stringify \(src\/json\.js:3\): 200 %, was 0/,
      );
    });
});

test('without scripts everything is there, and a link opens the case that it leads to', () =>
  open('servers', { viewport: DESKTOP, javaScriptEnabled: false }, async (page) => {
    assert.match((await page.locator('h1').textContent()) ?? '', /Measured/);
    const link = page.locator('#overview > .scroll td a').last();
    const target = page.locator((await link.getAttribute('href')) ?? '');
    assert.equal(await target.isVisible(), false, 'folded at first');
    await link.focus();
    await page.keyboard.press('Enter');
    await target.locator('svg').first().waitFor({ state: 'visible' });
  }));

test('the keyboard reaches what is folded and what is wider than the screen', () =>
  open('against', { viewport: PHONE }, async (page) => {
    const reached = new Set();
    for (let press = 0; press < 60; press++) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate(() => {
          const { activeElement } = document;
          return activeElement?.className || activeElement?.localName;
        }),
      );
    }
    for (const kind of ['summary', 'scroll']) assert.ok(reached.has(kind), [...reached].join(', '));
    const summary = page.locator('summary', { hasText: 'All figures' });
    await summary.focus();
    await page.keyboard.press('Enter');
    assert.equal(await summary.locator('xpath=..').getAttribute('open'), '');
  }));

test('on paper everything is unfolded, in the colours of paper', () =>
  open('servers', { viewport: DESKTOP, colorScheme: 'dark' }, async (page) => {
    await page.emulateMedia({ media: 'print' });
    const { colour, folded } = await page.evaluate(() => ({
      colour: getComputedStyle(document.body).backgroundColor,
      folded: [...document.querySelectorAll('details:not([open]) > div')].filter(
        (/** @type {any} */ part) => part.getBoundingClientRect().height === 0,
      ).length,
    }));
    assert.equal(colour, 'rgb(255, 255, 255)');
    assert.equal(folded, 0);
    const paper = await page.pdf({ format: 'A4', path: join(PICTURES, 'servers.pdf') });
    assert.ok(paper.length > 20_000);
  }));
