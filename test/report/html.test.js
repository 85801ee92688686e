/**
 * The page: what it shows, what it needs, how large it gets. test/e2e/page.e2e.js looks at it in a browser.
 * @import { Run, Trial } from '../../scripts/types.js'
 */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { roundsOf } from '../../scripts/judge/mean-estimate.js';
import { renderHtml } from '../../scripts/report/page/page.js';
import { renderComment } from '../../scripts/report/render/comment.js';
import { renderReport } from '../../scripts/report/render/markdown.js';
import { manyOf, recordedAgainst, recordedServers, recordedWhy } from './recorded.js';
import { change, sampleComparison, sampleRun } from './sample.js';

const LARGEST = 400 * 1024;

/** @type {Awaited<ReturnType<typeof recordedAgainst>>} */
let against;
/** @type {Awaited<ReturnType<typeof recordedServers>>} */
let servers;
before(async () => {
  [against, servers] = await Promise.all([recordedAgainst(), recordedServers()]);
});

/**
 * @param {string} page
 * @param {string} label how a drawing's name begins
 * @returns {string[]}
 */
const drawings = (page, label) =>
  [...page.matchAll(/<svg [^>]*aria-label="([^"]*)">(.*?)<\/svg>/gs)].flatMap(([, name = '', drawn = '']) =>
    name.startsWith(label) ? drawn : [],
  );

test('the page needs nothing from outside and runs nothing', () => {
  for (const page of [renderHtml(against.run, against.options), renderHtml(servers)]) {
    assert.match(page, /^<!doctype html>/);
    assert.match(page, /content="default-src 'none'; style-src 'unsafe-inline'"/);
    assert.doesNotMatch(page, /<script|<link|src=|@import|url\(|\son\w+=/);
    assert.doesNotMatch(page, /NaN|undefined|Infinity/);
  }
});

test('the verdict comes first, then all cases in one picture', () => {
  const page = renderHtml(sampleRun(), { comparison: sampleComparison() });
  const verdict = page.indexOf('<h1>Fastify answers 7.3 % fewer requests, but memory −17 % (Fastify)</h1>');
  assert.ok(verdict > 0 && verdict < page.indexOf('<svg '));
  assert.ok(page.indexOf('aria-label="Throughput: change of 3 cases') < page.indexOf('class="case"'));
});

test('in a picture of one server its routes are named alone, and what does not fit is left out in the middle', () => {
  const { run, options } = against;
  const changes = drawings(renderHtml(run, options), 'CPU per request: change of 2 cases').join();
  assert.match(changes, /class="halo">\/items</);
  assert.match(changes, /class="halo">\/health</);
  const renamed = run.cases.map((runCase) => ({
    ...runCase,
    route: `/api/v1/customers/4242/orders${runCase.route}`,
  }));
  const long = drawings(
    renderHtml({ ...run, cases: renamed }, options),
    'CPU per request: change of 2 cases',
  );
  assert.match(
    long.join(),
    /<title>\/api\/v1\/customers\/4242\/orders\/items<\/title>[^<]{9,}…[^<]+\/items</,
  );
  const bars = drawings(renderHtml(run), 'Throughput, req/s').join();
  assert.match(bars, />\/items</);
  assert.match(bars, />node:http \/ \(reference\)</);
});

test('a reference does not set the scale of the bars, and its own says that it goes on', () => {
  const widths = (/** @type {number} */ times) => {
    const faster = (/** @type {Trial} */ trial) => ({
      ...trial,
      windows: trial.windows.map((window) => ({ ...window, requests: times * window.requests })),
    });
    const cases = servers.cases.map((runCase) =>
      runCase.reference ? { ...runCase, trials: runCase.trials.map(faster) } : runCase,
    );
    const [bars = ''] = drawings(renderHtml({ ...servers, cases }), 'Throughput, req/s');
    return {
      goesOn: bars.includes('»'),
      widths: [...bars.matchAll(/class="bar s\d" x="\d+" y="\d+" width="(\d+)"/g)].map(([, width]) =>
        Number(width),
      ),
    };
  };
  assert.deepEqual([widths(1).goesOn, widths(9).goesOn], [false, true]);
  assert.ok(widths(9).widths.length > 3);
  assert.deepEqual(widths(9), widths(90));
});

test('the picture of all cases has figures of the start only where they changed', () => {
  const shows = (/** @type {'regressed' | 'unsure'} */ verdict) => {
    const comparison = sampleComparison();
    comparison.cases[0]?.metrics.push(change('startupCpu', verdict, [1, 1.1], [10, 5, 15]));
    return renderHtml(sampleRun(), { comparison }).includes('aria-label="CPU until ready: change of');
  };
  assert.deepEqual([shows('regressed'), shows('unsure')], [true, false]);
});

test('in the picture of all cases each has a band as wide as its own margin', () => {
  const comparison = sampleComparison();
  for (const [place, { metrics }] of comparison.cases.entries())
    for (const change of metrics) change.marginPct = 2 + 4 * place;
  const [drawn = ''] = drawings(renderHtml(sampleRun(), { comparison }), 'Throughput: change of 3 cases');
  const bands = [...drawn.matchAll(/class="margin" x="\d+" y="(\d+)" width="(\d+)"/g)];
  assert.equal(new Set(bands.map(([, y]) => y)).size, 3);
  const widths = bands.map(([, , width]) => Number(width)).toSorted((a, b) => a - b);
  for (const [place, width] of widths.entries())
    assert.ok(Math.abs(width / Number(widths[0]) - (1 + 2 * place)) < 0.5, widths.join());
});

test('each round is a dot, beside the interval and the margin', () => {
  const { run, options } = against;
  const page = renderHtml(run, options);
  const own = run.cases.filter(({ reference }) => !reference);
  const strips = drawings(page, 'CPU per request: ').filter((drawn) => /class="interval/.test(drawn));
  const [overview, ...cases] = strips;
  assert.equal(overview?.match(/class="interval/g)?.length, own.length);
  assert.equal(cases.length, own.length);
  const found = cases.map((drawn) => {
    assert.match(drawn, /class="margin"/);
    return drawn.match(/h0/g)?.length;
  });
  const rounds = own.map((head) => {
    const base = options.base.cases.find(({ id }) => id === head.id);
    assert.ok(base);
    return roundsOf({ base, head }, 'cpuPerRequest').length;
  });
  assert.deepEqual(found.toSorted(), rounds.toSorted());
  assert.ok(rounds.every((number) => number > 1));
});

test('both sides are drawn over time, and by percentile; without the base file, the head alone', () => {
  const { run, options } = against;
  const both = renderHtml(run, options);
  const alone = renderHtml(run, { comparison: options.comparison });
  for (const label of ['Over time: ', 'Latency by percentile'])
    for (const [page, base] of /** @type {const} */ ([
      [both, true],
      [alone, false],
    ])) {
      const drawn = drawings(page, label);
      assert.ok(drawn.length >= 2, label);
      for (const each of drawn) {
        assert.equal(/class="(line|line thick|dots small) base"/.test(each), base, label);
        assert.match(each, /class="(line|line thick|dots small) head"/, label);
      }
    }
  const other = { ...options.base, id: 'another' };
  assert.equal(renderHtml(run, { ...options, base: other }), alone, 'a file of another run is no base');
});

test('the curve of latency passes through the percentiles', () => {
  const { run } = against;
  const one = { round: 0, failure: null, windows: [{ seconds: 1, requests: 1000 }] };
  const latencies = { us: [1000, 2000, 100_000], counts: [900, 90, 10] };
  const [runCase] = run.cases;
  assert.ok(runCase);
  const page = renderHtml({ ...run, cases: [{ ...runCase, trials: [{ ...one, latencies }] }] });
  const [drawn = ''] = drawings(page, 'Latency by percentile');
  const path = /class="line thick head" d="M([^"]*)"/.exec(drawn)?.[1] ?? '';
  const points = path.split('L').map((point) => point.split(',').map(Number));
  const heights = [...new Set(points.map(([, y]) => y))];
  // 1 ms up to the 90th, 2 ms up to the 99th, 100 ms beyond, up to the last of a thousand requests: a third
  // of the way each.
  assert.equal(heights.length, 3);
  const [first = 0, last = 0] = [points[0]?.[0], points.at(-1)?.[0]];
  const steps = heights.slice(1).map((height) => points.find(([, y]) => y === height)?.[0] ?? 0);
  for (const [place, x] of steps.entries())
    assert.ok(Math.abs((x - first) / (last - first) - (place + 1) / 3) < 0.05, `${place}: ${x}`);
});

test('twenty cases of two sides, of thirty rounds each, fit into 400 KiB with all their charts', () => {
  const { run, options } = against;
  const [base, head] = [options.base, run].map((side) => longer(manyOf(side, 10), 30));
  assert.ok(base && head);
  const page = renderHtml(head, { base, comparison: compare(base, head) });
  assert.equal(page.match(/<details class="case"/g)?.length, 20);
  assert.equal(drawings(page, 'Over time: ').length, 20);
  assert.equal(drawings(page, 'CPU per request: ').length, 21);
  assert.ok(Buffer.byteLength(page) <= LARGEST, `${Buffer.byteLength(page)} bytes`);
});

/** The frames of its flame graphs. @type {(page: string) => string[]} */
const framesOf = (page) => page.match(/<svg x="[\d.]+%"[^>]*><title>.*?<\/svg>/g) ?? [];

test('functions that changed are shown from where they are called: by width, by colour, by sign', async () => {
  const { run, options } = await recordedWhy();
  const page = renderHtml(run, options);
  const frames = framesOf(page);
  const { functions = [], calls = [] } = options.comparison.cases[0] ?? {};
  assert.ok(frames.length > 20 && frames.length <= calls.length, `${frames.length}`);
  const coloured = frames.filter((frame) => /class="f (more|less)/.test(frame));
  assert.equal(functions.length, 1);
  assert.equal(coloured.length, 1);
  assert.match(
    coloured.join(),
    /width="59\.85%".*<title>stringify \(src\/json\.js:3\): 200 %.*class="f more c3".*>\+ stringify</,
  );
});

test('pass-through calls share a row, a function that changed never does, and calls too narrow for a name have none', async () => {
  const { run, options } = await recordedWhy();
  const [found] = options.comparison.cases;
  assert.ok(found?.functions?.[0]);
  const call = (/** @type {number} */ nth) => ({
    parent: nth - 1,
    name: `f${nth}`,
    file: 'a.js',
    line: nth + 1,
    basePct: 100,
    headPct: 100,
    ownBasePct: 0,
    ownHeadPct: 0,
  });
  const changed = { ...found.functions[0], name: 'f20', file: 'a.js', line: 21 };
  const calls = Array.from({ length: 42 }, (_, nth) => ({ ...call(nth), headPct: nth < 40 ? 100 : 1 }));
  const cases = [{ ...found, functions: [changed], calls }];
  const page = renderHtml(run, { ...options, comparison: { ...options.comparison, cases } });
  const rows = framesOf(page).map((frame) => [
    Number(/ y="(\d+)"/.exec(frame)?.[1]) / 18,
    /<text[^>]*>(.*?)</.exec(frame)?.[1],
  ]);
  assert.deepEqual(rows, [
    [0, 'f0'],
    [1, '⋯ 19 pass-through calls'],
    [2, '+ f20'],
    [3, 'f21'],
    [4, '⋯ 17 pass-through calls'],
    [5, 'f39'],
  ]);
  assert.match(page, /<title>⋯ 19 pass-through calls: f1 → f2 → .* → f19<\/title>/);
});

test('where no function changed beyond doubt, nothing is drawn of calls', async () => {
  const { run, options } = await recordedWhy();
  const cases = options.comparison.cases.map((runCase) => ({ ...runCase, functions: [] }));
  const page = renderHtml(run, { ...options, comparison: { ...options.comparison, cases } });
  assert.deepEqual([framesOf(page), page.includes('class="flame"')], [[], false]);
});

test('calls of two cases fit beside twenty cases; names of functions cannot act', async () => {
  const { run, options } = await recordedWhy();
  const found = options.comparison.cases[0];
  const evil = '</title><script>alert(1)</script>';
  const calls = (found?.calls ?? []).map((call, nth) => ({ ...call, name: nth === 1 ? evil : call.name }));
  const [head, base] = [manyOf(run, 10), manyOf(options.base, 10)];
  const comparison = compare(base, head);
  const cases = comparison.cases.map((runCase, nth) =>
    nth < 2 ? { ...runCase, functions: found?.functions ?? [], calls } : runCase,
  );
  const page = renderHtml(head, { base, comparison: { ...comparison, cases } });
  assert.ok(new TextEncoder().encode(page).length <= LARGEST);
  assert.equal(page.match(/class="flame"/g)?.length, 2);
  assert.doesNotMatch(page, /<script/);
  assert.match(page, /&lt;\/title&gt;&lt;script&gt;/);
});

test('of very many cases only some have charts, and the page says so', () => {
  const many = manyOf(servers, process.env.PERF_TEST_ALL ? 100 : 30);
  const page = renderHtml(many);
  const drawn = page.match(/<details class="case"/g)?.length ?? 0;
  assert.ok(drawn >= 5 && drawn < many.cases.length, `${drawn} cases have charts`);
  assert.match(page, /\d+ more cases have no charts here/);
});

test('every chart has its values beside its marks or on hover', () => {
  for (const page of [renderHtml(against.run, against.options), renderHtml(servers)]) {
    const drawn = drawings(page, '');
    assert.ok(drawn.length > 8, `${drawn.length} charts`);
    for (const each of drawn) assert.match(each, /<title>|class="end( halo)?( \w+)?"/);
    assert.ok((page.match(/<title>/g)?.length ?? 0) > 100);
  }
});

test('a table links to its cases; those that changed are open, the others folded', () => {
  const { run, options } = against;
  const comparison = compare(options.base, run);
  const [first, second] = comparison.cases;
  assert.ok(first && second);
  const cases = [
    { ...first, verdict: /** @type {const} */ ('same') },
    { ...second, verdict: /** @type {const} */ ('regressed') },
  ];
  const page = renderHtml(run, { ...options, comparison: { ...comparison, cases } });
  const open = [
    ...page.matchAll(/<details class="case"( open)?>.*?<h3>(.*?)<\/h3>.*?<div id="(case-\d)">/gs),
  ];
  assert.deepEqual(
    open.map(([, isOpen = '', , id]) => [isOpen, id]),
    [
      [' open', 'case-1'],
      ['', 'case-2'],
    ],
  );
  for (const [, , name = '', id] of open) {
    const route = name.split(' ').at(-1);
    assert.ok(page.includes(`<td><a href="#${id}">${route}</a></td>`), `${route} is no link to ${id}`);
  }
});

test('a table of contents leads to every section', () => {
  const page = renderHtml(against.run, against.options);
  const [nav = ''] = page.match(/<nav .*?<\/nav>/) ?? [];
  const [links, sections] = [nav.matchAll(/href="#([\w-]+)"/g), page.matchAll(/<section id="([\w-]+)"/g)].map(
    (found) => [...found].map(([, id]) => id),
  );
  assert.deepEqual(links, sections);
  assert.ok(sections && sections.length >= 3);
});

test('commits and files are links where the run knows its repository, on the page alone', async () => {
  const site = 'https://github.com/example/shop';
  const sha = 'a'.repeat(40);
  const { run, options } = await recordedWhy();
  const [found, ...others] = options.comparison.cases;
  const cases = [{ .../** @type {NonNullable<typeof found>} */ (found), sources: 'api' }, ...others];
  const context = { ...options, comparison: { ...options.comparison, cases } };
  const measured = (/** @type {Run['revision']} */ revision) => ({
    ...run,
    revision: { sha, site, ...revision },
  });
  const page = renderHtml(measured({}), context);
  assert.ok(page.includes(`<a href="${site}/blob/${sha}/api/src/json.js#L3">src/json.js:3</a>`));
  assert.ok(page.includes(`<a href="${site}/commit/${sha}">aaaaaaaaaa</a>`));
  assert.doesNotMatch(renderHtml(measured({ dirty: true }), context), /\/blob\/a/);
  assert.doesNotMatch(renderHtml(run, context), /github\.com\/example/);
  const evil = { ...found?.functions?.[0], file: 'x" onclick="alert(1)' };
  const odd = [{ ...cases[0], functions: [evil] }, ...others];
  const html = renderHtml(measured({}), {
    ...context,
    comparison: { ...context.comparison, cases: /** @type {any} */ (odd) },
  });
  assert.doesNotMatch(html, /" onclick/);
  for (const text of [
    renderReport(measured({}), context),
    renderComment(measured({}), { ...context, key: 'perf' }),
  ])
    assert.ok(!text.includes(site), 'a comment has no link to where a run file says');
});

test('who is left unsure gets a link to what that means', () => {
  const of = (/** @type {'unsure' | 'regressed'} */ verdict) =>
    renderHtml(sampleRun(), { comparison: { ...sampleComparison(), verdict } });
  assert.match(of('unsure'), /<a href="https:\/\/github\.com\/[^"]*\/docs\/verdicts\.md#[^"]*">What does/);
  assert.doesNotMatch(of('regressed'), /What does/);
});

/**
 * @param {Run} run
 * @param {number} rounds
 * @returns {Run} with starts like its own until there are so many
 */
function longer(run, rounds) {
  const cases = run.cases.map((runCase) => ({
    ...runCase,
    trials: Array.from({ length: rounds }, (_, round) => {
      const trial = runCase.trials[round % runCase.trials.length];
      const lap = Math.floor(round / runCase.trials.length);
      const windows = trial?.windows.map((window) => ({ ...window, at: (window.at ?? 0) + 200 * lap }));
      return { .../** @type {Trial} */ (trial), round, windows: windows ?? [] };
    }),
  }));
  return { ...run, cases };
}
