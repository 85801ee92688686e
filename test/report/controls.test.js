/** What a report says of routes that execute changed code, and of the controls that do not. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderHtml } from '../../scripts/report/page/page.js';
import { renderComment } from '../../scripts/report/render/comment.js';
import { renderTerminal } from '../../scripts/report/render/terminal.js';
import { en } from '../../scripts/report/text/en.js';
import { LANGUAGES } from '../../scripts/report/text/words.js';
import { touchedName } from '../../scripts/report/document/touched-answer.js';
import { CONTROLS, control, shopCase, shopComparison, shopRun, touchedRoutes } from './controls.js';
import { assertExcerpts, excerpt } from './excerpts.js';

/** @import { CaseComparison, Comparison, MetricComparison, Verdict } from '../../scripts/types.js' */

const RUN = shopRun();
const SLOWER = [shopCase('/orders', 'regressed', [7, 9]), shopCase('POST /orders', 'same', [-1, 1])];
const REGRESSED = shopComparison('regressed', [...SLOWER, ...CONTROLS]);
const UNSURE = shopComparison('unsure', [
  shopCase('/orders', 'unsure', [-3, 9]),
  shopCase('POST /orders', 'same', [-1, 1]),
  ...CONTROLS,
]);
/** No route is touched. @type {(verdict: Verdict, cases?: CaseComparison[]) => Comparison} */
const untouched = (verdict, cases = []) => {
  const controls = [control('/orders'), control('POST /orders'), ...CONTROLS];
  const others = controls.filter(({ id }) => cases.every((each) => each.id !== id));
  return shopComparison(verdict, [...others, ...cases], touchedRoutes([]));
};

test('what controls measured', () => {
  const shown = (/** @type {Comparison} */ comparison, ids = 'changes figures') =>
    excerpt(RUN, ids, { comparison });
  /** @type {(more: Partial<MetricComparison>) => CaseComparison} */
  const withChange = (more) => {
    const [change] = control('/users').metrics;
    return { ...control('/users'), metrics: [{ .../** @type {MetricComparison} */ (change), ...more }] };
  };
  const { ciPct: _, effectPct: __, ...unknown } = /** @type {MetricComparison} */ (CONTROLS[0]?.metrics[0]);
  /** @type {MetricComparison} */
  const few = { ...unknown, why: { code: /** @type {const} */ ('few-rounds'), least: 4, moreRounds: 3 } };
  const withoutInterval = (/** @type {string} */ route) => ({ ...control(route), metrics: [few] });
  assertExcerpts('documents/controls.md', {
    'controls share a line, and the table shows what is touched': shown(REGRESSED),
    'an unsure route is advised fewer routes by name, a quieter machine, a budget': shown(UNSURE, 'changes'),
    'one control': shown(shopComparison('regressed', [...SLOWER, control('/users')]), 'changes'),
    'a control without an interval says why': shown(
      shopComparison('regressed', [...SLOWER, withoutInterval('/users')]),
      'changes',
    ),
    'some of them have no interval, and one says nothing': shown(
      shopComparison('regressed', [
        ...SLOWER,
        control('/items'),
        withoutInterval('/health'),
        withChange({ ciPct: [-90, 400] }),
      ]),
      'changes',
    ),
    'intervals of several confidences are named with the lowest': shown(
      shopComparison('regressed', [...SLOWER, control('/items'), withChange({ ciLevelPct: 99.9 })]),
      'changes',
    ),
    'a control that was promoted is a row like any other, and says that it was one': [
      shown(
        shopComparison('unsure', [...SLOWER.slice(1), ...CONTROLS, control('/orders', { promoted: true })]),
      ),
      shown(
        shopComparison('same', [shopCase('/orders', 'same', [-1, 1], { role: 'control', promoted: true })]),
      ),
    ],
    'a control that regressed is one': shown(
      untouched('regressed', [shopCase('/orders', 'regressed', [20, 30], { role: 'control' })]),
      'changes',
    ),
    'where no route is touched, and controls are unsure, no time is claimed': shown(untouched('unsure')),
    'where no route is touched, and every control lies within the margin': shown(untouched('same')),
    'a control that was promoted and stays unsure leaves the whole unsure': shown(
      untouched('unsure', [control('/orders', { promoted: true })]),
      'changes',
    ),
  });
});

test('a comment folds which routes execute changed code, also when nothing is slower', () => {
  const same = shopComparison('same', [shopCase('/orders', 'same', [-1, 1]), ...CONTROLS]);
  for (const comparison of [REGRESSED, UNSURE, same]) {
    const text = renderComment(RUN, { comparison, key: 'perf' });
    const [open = '', ...folds] = text.split('<details>');
    const fold = folds.find((each) => each.includes('2 of 6 routes execute changed code</summary>')) ?? '';
    assert.match(
      `${fold}${folds.at(-1)}`,
      /2 of 6 routes execute changed code: GET \/orders, POST \/orders \(`listOrders`, `priceOf` in src\/orders\.js\)\n\n- Untouched: GET \/items, GET \/items\/1, GET \/users, GET \/health/,
    );
    assert.doesNotMatch(open, /2 of 6 routes/);
    assert.doesNotMatch(open, /^\| .*\/(items|users|health) /m, 'controls have no row');
  }
});

test('where no route executes changed code the comment is a headline and one fold', () => {
  for (const [verdict, headline] of /** @type {const} */ ([
    ['unsure', '⚪ No route executes changed code'],
    ['same', '🟢 No change'],
  ])) {
    const text = renderComment(RUN, { comparison: untouched(verdict), key: 'perf' });
    const [open = '', ...inside] = text.split('<details><summary>Details</summary>');
    assert.deepEqual(open.split('\n').filter(Boolean).slice(1), [`### ${headline}`]);
    assert.equal(inside.length, 1);
    assert.ok(text.trimEnd().endsWith('</details>'));
    assert.match(text, /<summary>No route of 6 executes changed code<\/summary>/);
    assert.match(text, /6 controls/);
    assert.doesNotMatch(text, /unsure|would decide/);
  }
});

test('what is lost or asked is not folded away where no route executes changed code', () => {
  /** @type {(warning: import('../../scripts/types.js').Warning) => string} */
  const commentWith = (warning) =>
    renderComment({ ...RUN, warnings: [warning] }, { comparison: untouched('unsure'), key: 'perf' });
  const lost = commentWith({ code: 'never-started', cases: ['shop /items'] });
  assert.match(
    lost,
    /### 🟡 No route executes changed code \(incomplete: 1 case never started\)\n\n(?!<details)/,
  );
  const looser = commentWith({ code: 'looser-than-base', routes: ['/old'] });
  assert.match(looser, /### 🟡 No route executes changed code; perf\.yml asks for less.*\n\n(?!<details)/);
});

test('the page has a table of routes, marks controls, and draws them last', () => {
  const page = renderHtml(RUN, { comparison: REGRESSED });
  const [, section = ''] = /<section id="touched">(.*?)<\/section>/s.exec(page) ?? [];
  assert.match(section, /<h2>2 of 6 routes execute changed code<\/h2>/);
  assert.match(section, /<td>\/orders<\/td><td>yes<\/td><td><code>listOrders<\/code>, <code>priceOf<\/code>/);
  assert.match(section, /<td>\/items<\/td><td>no<\/td><td><\/td>/);
  assert.equal(page.match(/class="interval control"/g)?.length, CONTROLS.length);
  const cases = [...page.matchAll(/<h3>Shop (.*?)<\/h3><span class="pill\s?(\w*)">(.*?)<\/span>/g)];
  assert.deepEqual(
    cases.map(([, route, , verdict]) => `${route}: ${verdict}`),
    [
      '/orders: regressed',
      'POST /orders: same',
      ...['/items', '/items/1', '/users', '/health'].map((route) => `${route}: control`),
    ],
  );
});

test('the table of routes says why a route counts as touched', () => {
  const { routes } = touchedRoutes();
  const [first] = routes;
  const touched = {
    routes: routes.map((route) =>
      route.route === '/items'
        ? { ...route, touched: true, why: /** @type {const} */ ('unknown') }
        : route.route === '/users'
          ? { .../** @type {typeof route} */ (first), route: '/users', why: /** @type {const} */ ('calls') }
          : route,
    ),
    reasons: [],
  };
  const other = {
    ...routes[5],
    server: 'api',
    route: '/',
    touched: true,
    why: /** @type {const} */ ('file'),
    functions: [],
  };
  const reasons = [
    { server: 'api', why: /** @type {const} */ ('file'), places: [{ name: '', file: 'data.json' }] },
  ];
  const page = renderHtml(RUN, {
    comparison: { ...REGRESSED, touched: { routes: [...touched.routes, other], reasons } },
  });
  assert.match(page, /<td>\/items<\/td><td>counts as touched<\/td><td>not asked on both sides<\/td>/);
  assert.match(page, /<td>\/users<\/td><td>yes<\/td><td>executes others: <code>/);
  assert.match(
    page,
    /<td>api<\/td><td>\/<\/td><td>counts as touched<\/td><td>coverage does not see what reads/,
  );
  assert.match(page, /<li>api: its route counts as touched: coverage does not see .* \(data\.json\)<\/li>/);
  assert.equal(touchedName(touched, en), '3 of 6 routes execute changed code; 1 counts as touched');
});

test('a terminal names the touched routes in a line, and not the others', () => {
  const text = renderTerminal(RUN, { comparison: REGRESSED });
  assert.match(
    text,
    /^2 of 6 routes execute changed code: GET \/orders, POST \/orders \(`listOrders`, .*\)$/m,
  );
  assert.doesNotMatch(text, /Untouched|\n\n\n/);
  assert.match(text, /^· 4 controls \(Shop \/items, .*−2\.1 to \+3\.0 % at most$/m);
});

test('every language words it', () => {
  for (const language of Object.keys(LANGUAGES))
    for (const comparison of [REGRESSED, UNSURE, untouched('unsure')]) {
      const run = shopRun(language);
      const text = renderComment(run, { comparison, key: 'perf' });
      for (const each of [text, renderHtml(run, { comparison })])
        assert.doesNotMatch(each, /undefined|NaN|\[object|\{\}/);
      if (language === 'ko') assert.doesNotMatch(text, /executes? |control/);
    }
});
