/** The report, in its other formats and by its parts. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderBenchmarkAction } from '../../scripts/report/benchmark-action.js';
import { renderComment } from '../../scripts/report/render/comment.js';
import { measuredWith } from '../../scripts/report/document/conditions.js';
import { errorText } from '../../scripts/report/document/tables.js';
import { renderHtml } from '../../scripts/report/page/page.js';
import { renderReport } from '../../scripts/report/render/markdown.js';
import { publishedBlocks } from '../../scripts/report/document/published.js';
import { renderTerminal } from '../../scripts/report/render/terminal.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { assertGolden } from './golden.js';
import { unmarked } from '../../scripts/report/text/inline.js';
import { markdownOf, tablesIn } from './parts.js';
import { sampleComparison, sampleRun } from './sample.js';

const WORDS = wordsIn();

const comparison = sampleComparison();

test('the report of a comparison stays the same', () =>
  assertGolden('report.md', renderReport(sampleRun(), { comparison })));

test('the terminal stays the same', () =>
  assertGolden('terminal.txt', renderTerminal(sampleRun(), { comparison })));

test('the report without a baseline says how one is made', () => {
  const run = sampleRun();
  const baselineHint = 'Make one so.';
  const whole = { ...run, cases: run.cases.filter(({ summary }) => summary) };
  const text = renderReport(whole, { baselineHint });
  assert.match(text, /^## Measured: A sample\n[^]*\n\nMake one so\.\n/);
  assert.doesNotMatch(text, /Verdict/);
  assert.match(renderTerminal(whole, { baselineHint }), /\nMake one so\.\n/);
  for (const render of [renderReport, renderTerminal])
    assert.doesNotMatch(render(run, { baselineHint }), /Make one so/, 'a failure is no baseline');
});

test('a client at its limit is marked, never ranked, and its ratios are bounds', () => {
  const [table = ''] = tablesIn(sampleRun());
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  const names = rows.map((line) => line.split('|')[1]?.trim());
  assert.deepEqual(names.slice(2, 6), ['Fastify ¹', 'Express ¹', 'Limited †', 'Broken \\']);
  assert.match(rows[4] ?? '', /≥ 116 % \| +≥ 6\.93x Express \|$/);
  assert.match(renderTerminal(sampleRun(), {}), /\n† The load tool ran out of CPU/);
});

test('percentiles that are means of the windows’ are called so, others are not', () => {
  const run = sampleRun();
  assert.doesNotMatch(renderTerminal(run, {}), /means of the windows/);
  const cases = run.cases.map((runCase, place) => ({
    ...runCase,
    load: { ...runCase.load, tool: place > 1 ? 'ab' : 'wrk' },
    ...(runCase.summary && {
      summary: { ...runCase.summary, ...(place > 1 && { meanPercentiles: /** @type {const} */ (true) }) },
    }),
  }));
  const reports = renderTerminal({ ...run, cases }, {}).match(/Latency percentiles of .*/g);
  assert.deepEqual(reports, [
    'Latency percentiles of ab are means of the windows’ percentiles, since it reports no histogram.',
  ]);
});

test('shares of a reference that the client limited are bounds, too', () => {
  const run = sampleRun();
  const cases = run.cases.map((runCase) =>
    runCase.reference && runCase.summary
      ? { ...runCase, summary: { ...runCase.summary, clientBound: /** @type {const} */ (true) } }
      : runCase,
  );
  const rows = tablesIn({ ...run, cases })
    .join('')
    .split('\n');
  assert.match(rows.find((line) => line.startsWith('| Fastify')) ?? '', /≤ 84 %/);
  assert.doesNotMatch(rows.find((line) => line.startsWith('| Limited')) ?? '', /\d %/);
});

/** The sample with other servers and routes. @param {[server: string, route: string][]} measured */
function runOn(measured) {
  const run = sampleRun();
  const [reference, one] = run.cases;
  assert.ok(reference && one);
  const cases = measured.map(([server, route]) => ({
    ...one,
    id: `${server} ${route} autocannon c100`,
    server,
    serverName: server,
    route,
  }));
  return { ...run, cases: [reference, ...cases] };
}

test('routes that only one server has share a table, whose rows tell them', () => {
  const tables = tablesIn(
    runOn([
      ['orders', '/orders/1'],
      ['search', '/search?q=shoe'],
      ['search', '/health'],
    ]),
  );
  assert.equal(tables.length, 1);
  const [title, , head = '', , ...rows] = tables[0]?.split('\n') ?? [];
  assert.equal(title, '**autocannon, 100 connections (closed loop)**');
  const cellsOf = (/** @type {string} */ line) => line.split('|').map((cell) => cell.trim());
  assert.deepEqual(cellsOf(head).slice(1, 3), ['Server', 'Route']);
  const ofReference = cellsOf(head).indexOf('of node:http');
  assert.deepEqual(
    rows.map((row) => [...cellsOf(row).slice(1, 3), cellsOf(row)[ofReference]]),
    [
      ['orders', '/orders/1', '17 %'],
      ['search', '/search?q=shoe', '17 %'],
      ['search', '/health', '17 %'],
      ['node:http (reference)', '/', ''],
    ],
  );
});

test('a route that servers share has a table of its own, which names it once', () => {
  const tables = tablesIn(
    runOn([
      ['a', '/'],
      ['a', '/own'],
      ['b', '/'],
    ]),
  );
  assert.deepEqual(
    tables.map((table) => [table.split('\n')[0], /\| Route /.test(table)]),
    [
      ['**/, autocannon, 100 connections (closed loop)**', false],
      ['**/own, autocannon, 100 connections (closed loop)**', false],
    ],
  );
});

test('the headline names what is slower, and calls nothing slower that is not', () => {
  const cases = comparison.cases.map((runCase) => ({
    ...runCase,
    metrics: runCase.metrics.map((change) => ({
      ...change,
      verdict:
        change.metric === 'memory' ? /** @type {const} */ ('regressed') : /** @type {const} */ ('same'),
    })),
  }));
  const memory = renderReport(sampleRun(), { comparison: { ...comparison, cases } });
  assert.match(memory, /^## 🔴 Worse than the base: Fastify \(memory\)\n/);
  const failed = renderReport(sampleRun(), {
    comparison: {
      ...comparison,
      verdict: 'failed',
      cases: [...comparison.cases, { id: 'broken / autocannon c100', verdict: 'failed', metrics: [] }],
    },
  });
  assert.match(failed, /^## 🔴 Something could not be measured: Broken .*; slower than the base: Fastify\n/);
});

test('the report says what a comparison rests on', () => {
  const reports = (/** @type {Partial<typeof comparison>} */ changes) =>
    renderReport(sampleRun(), { comparison: { ...comparison, ...changes } });
  assert.match(reports({ method: 'side-by-side' }), /both sides were measured in the same rounds/);
  const across = reports({ method: 'other-machine' });
  assert.match(across, /another kind of machine and decides nothing here/);
  assert.doesNotMatch(across, /55,000 req\/s →/);
});

test('published figures are shown beside those of the same load, and which ratios hold', () => {
  const run = sampleRun();
  const slower = run.cases.map((runCase) => ({
    ...runCase,
    id: `${runCase.id} 2`,
    load: { ...runCase.load, connections: 500 },
    ...(runCase.summary && {
      summary: {
        ...runCase.summary,
        throughput: runCase.summary.throughput / (runCase.server === 'express' ? 2 : 4),
      },
    }),
  }));
  const text = markdownOf(publishedBlocks({ ...run, cases: [...run.cases, ...slower] }, WORDS));
  assert.equal(text.match(/The published ratio to Express holds here for Fastify\./g)?.length, 2);
  assert.match(text, /\*\*\/, autocannon, 500 connections\*\*/);
  assert.match(text, /Published under: another machine \(somewhere\)\./);
});

test('published figures may be ranges, and of one route', () => {
  const published = {
    source: 'a paper',
    conditions: 'a laptop',
    servers: {
      express: { throughput: 2000 },
      'express /': { throughput: /** @type {[number, number]} */ ([1000, 2000]) },
      'fastify /': { throughput: 5000 },
      'fastify /db': { throughput: 1 },
    },
  };
  const text = markdownOf(publishedBlocks({ ...sampleRun(), published }, WORDS));
  assert.match(text, /\| Express +\| +1,000 to 2,000 \|/);
  assert.match(text, /\| Fastify +\| +5,000 \|/);
  assert.match(text, /The published ratio to Express holds here for Fastify\./);
});

test('of a pull request that was merged for the measurement, its own commit comes first', () => {
  const lines = measuredWith(
    { ...sampleRun(), revision: { sha: 'a'.repeat(40), mergedInto: 'b'.repeat(40) } },
    WORDS,
  );
  assert.match(unmarked(lines.at(-1) ?? ''), /^commit a{10} merged into b{10}, 2026/);
});

test('the exact load is given, with all of its values', () => {
  const run = sampleRun();
  const more = run.cases.map((runCase) => ({
    ...runCase,
    load: { ...runCase.load, connections: 500, keepAlive: false },
  }));
  const lines = measuredWith({ ...run, cases: [...run.cases, ...more] }, WORDS);
  assert.ok(
    lines.includes(
      'autocannon, 100 / 500 connections, keep-alive on / off, pipelining 1, 1 client thread, 1 s of warm-up, 1 window of 2 s per start',
    ),
    lines.join('\n'),
  );
});

test('the report gives the number of windows, what idle servers used and whether both sides shared a core', () => {
  const run = sampleRun();
  const cases = run.cases.slice(0, 1).map((runCase) => {
    const { windows: _, ...load } = runCase.load;
    const trials = runCase.trials.map((trial, index) => ({
      ...trial,
      windows: Array.from({ length: 4 + 2 * index }, () => ({
        seconds: 1.004,
        requests: 10,
        cpu: {
          serverSeconds: 1,
          clientSeconds: 1,
          foreignShare: 0,
          stealShare: 0,
          waitingSeconds: 0.002,
        },
      })),
    }));
    return { ...runCase, load, trials };
  });
  const text = measuredWith({ ...run, cases }, WORDS).join('\n');
  assert.match(text, /, 4 to 6 windows of 1 s per start[,\n]/);
  assert.match(text, /, idle servers used 0\.2 % of a core, /);

  const interleaved = cases.map((runCase) => ({
    ...runCase,
    trials: runCase.trials.map(({ windows, ...trial }, index) => ({
      ...trial,
      ...(index === 0 && { waitingShare: 0.004, sharesCore: /** @type {const} */ (true) }),
      windows: windows.map(({ cpu: _, ...window }) => window),
    })),
  }));
  const reports = measuredWith({ ...run, cases: interleaved }, WORDS).join('\n');
  assert.match(reports, /, base and head shared a core, idle servers used 0\.4 % of a core, /);
});

test('errors are listed by kind, even a kind that only another program knows', () => {
  assert.equal(errorText(undefined, WORDS), '');
  assert.equal(errorText({}, WORDS), '');
  assert.equal(errorText({ timeouts: 0, non2xx: 0 }, WORDS), '0');
  assert.equal(errorText({ timeouts: 1, connect: 0, non2xx: 2000 }, WORDS), '1 timeout, 2,000 wrong answers');
  assert.equal(errorText(/** @type {any} */ ({ timeouts: 0, resets: 3 }), WORDS), '3 resets');
});

test('github-action-benchmark gets its custom format', () => {
  const { throughput, p99 } = renderBenchmarkAction(sampleRun());
  assert.equal(throughput.length, 4);
  const [, { value = 0, ...rest } = assert.fail()] = throughput;
  assert.equal(Math.round(value), 10_100);
  assert.deepEqual(rest, {
    name: 'express / autocannon c100',
    unit: 'req/s',
    range: '± 141',
    extra: '2 starts',
  });
  assert.deepEqual(p99[1], { name: 'express / autocannon c100 p99', unit: 'ms', value: 3 });
});

test('a commit that was asked for is called by its name', () => {
  const reports = (/** @type {string} */ against, sha = 'fedcba9876543210fedcba9876543210fedcba98') =>
    renderReport(sampleRun(), {
      comparison: {
        ...comparison,
        method: 'side-by-side',
        against,
        base: { ...comparison.base, label: 'base', sha },
      },
    });
  assert.match(reports('v1.2'), /Compared with v1\.2 \(commit fedcba9876\); both sides/);
  assert.match(reports('base'), /Compared with the base \(commit fedcba9876\); both sides/);
  assert.match(
    reports('fedcba9876543210fedcba9876543210fedcba98'),
    /Compared with commit fedcba9876; both sides/,
  );
});

test('a stored run is called by its time and commit, not by the side it was', () => {
  const base = { ...comparison.base, label: 'head', ref: 'main' };
  const text = renderReport(sampleRun(), { comparison: { ...comparison, base } });
  assert.match(
    text,
    /Compared with the run of 2026-11-19 10:00 UTC \(main, commit fedcba9876\), measured on the same/,
  );
});

test('what differs between runs of different days stands before what changed', () => {
  const differs = [{ fact: 'node', base: '24.1.0', head: '24.2.0' }];
  for (const text of [
    renderReport(sampleRun(), { comparison: { ...comparison, differs } }),
    renderTerminal(sampleRun(), { comparison: { ...comparison, differs } }),
    renderComment(sampleRun(), { comparison: { ...comparison, differs }, key: 'perf' }),
    shownText(renderHtml(sampleRun(), { comparison: { ...comparison, differs } })),
  ]) {
    const place = text.search(/Between the two runs differ: node 24\.1\.0 → 24\.2\.0\./);
    assert.ok(place > 0 && place < text.search(/p99 latency|Throughput/), text.slice(0, 600));
  }
});

test('a server against itself has a noise floor, and no base that anything is slower than', () => {
  const itself = /** @type {typeof comparison} */ ({
    ...comparison,
    method: 'side-by-side',
    against: 'self',
  });
  const [express, , limited] = itself.cases;
  assert.ok(express && limited);
  const reports = (/** @type {typeof comparison} */ compared) => [
    renderReport(sampleRun(), { comparison: compared }),
    renderTerminal(sampleRun(), { comparison: compared }),
    renderComment(sampleRun(), { comparison: compared, key: 'perf' }),
    shownText(renderHtml(sampleRun(), { comparison: compared })),
  ];
  for (const text of reports(itself)) {
    assert.match(text, /A false alarm about Fastify: a server measured against itself differs/);
    assert.match(text, /measured against itself in the same rounds: any difference is noise/);
    assert.doesNotMatch(
      text.replace(/\d % (worse|better) than the base/g, ''),
      /the base|regressed|improved/i,
    );
  }
  for (const text of reports({
    ...itself,
    verdict: 'unsure',
    cases: [{ ...express, findsPct: 2.44 }, limited],
  })) {
    assert.match(text, /The noise floor is above the margin: Limited/);
    // Half of −1.2 to +0.5 %.
    assert.match(text, /Express\D*−1\.2 to \+0\.5\s%\D*0\.9\s%\D*2\.4\s%/);
  }
  for (const text of reports({ ...itself, verdict: 'same', cases: [express] }))
    assert.match(text, /The noise floor is below the margin/);
});

test('a side that could not be measured is called by its name', () => {
  const [express, ...others] = comparison.cases;
  assert.ok(express);
  const why = /** @type {const} */ ({
    code: 'failed',
    kind: 'never-ready',
    message: 'not ready after 30 s',
  });
  const failed = {
    metric: /** @type {const} */ ('throughput'),
    verdict: /** @type {const} */ ('failed'),
    why,
  };
  const failing = {
    ...comparison,
    against: 'main',
    head: { ...comparison.head, ref: 'faster' },
    cases: [{ ...express, verdict: /** @type {const} */ ('failed'), metrics: [failed] }, ...others],
  };
  assert.match(
    renderReport(sampleRun(), { comparison: failing }),
    /\*\*Express\*\*: main \(commit fedcba9876\) could not be measured: not ready after 30 s\. faster could: both can be compared once it is merged/,
  );
  const run = sampleRun();
  const cases = run.cases.map(({ summary, ...runCase }) =>
    runCase.server === 'express' ? runCase : { ...runCase, ...(summary && { summary }) },
  );
  assert.match(
    renderReport({ ...run, cases }, { comparison: failing }),
    /\*\*Express\*\*: faster could not be measured: not ready after 30 s\n/,
  );

  // One commit on two versions of Node: its branch names neither side.
  const environment = { ...run.environment, runtimes: { node: '24.17.0', 'node@24.16': '24.16.0' } };
  const versions = { ...failing.base, versions: { node: '24.16' } };
  const onNode = { ...failing, against: 'node@24.16', base: versions };
  const broken = { ...run, cases, environment };
  const text = renderReport(broken, { comparison: onNode, base: sampleRun() });
  assert.match(text, /\*\*Express\*\*: Node 24\.17\.0: not ready after 30 s; Node 24\.16\.0 works\n/);
  assert.doesNotMatch(text, /faster could not|main \(/);
  assert.match(
    renderReport({ ...run, environment }, { comparison: onNode }),
    /\*\*Express\*\*: Node 24\.16\.0: not ready after 30 s; Node 24\.17\.0 works\n/,
  );
  // The same versions in two stored runs of one commit.
  const stored = {
    ...failing,
    method: /** @type {const} */ ('stored'),
    differs: [{ fact: 'node', base: '24.16.0', head: '24.17.0' }],
    head: { ...failing.head, sha: failing.base.sha ?? '' },
  };
  assert.match(
    renderReport(broken, { comparison: stored, base: sampleRun() }),
    /Node 24\.17\.0: not ready after 30 s; Node 24\.16\.0 works\n/,
  );
  // A package keeps its name.
  const moved = {
    code: /** @type {const} */ ('packages-moved'),
    packages: [{ name: 'fastify', from: '5.2.0', to: '5.3.0' }],
  };
  const onPackage = { ...onNode, base: { ...failing.base, versions: { fastify: '5.2.0' } } };
  assert.match(
    renderReport({ ...broken, warnings: [moved] }, { comparison: onPackage, base: sampleRun() }),
    /fastify 5\.3\.0: not ready after 30 s; fastify 5\.2\.0 works\n/,
  );
});

test('an answer that changed is in the headline and the list of every report', () => {
  const [express, ...others] = comparison.cases;
  assert.ok(express);
  const answer = { base: { type: 'text/html', bytes: 44_012 }, head: { bytes: 2 } };
  const reports = (/** @type {import('../../scripts/types.js').Verdict} */ verdict, isOnly = true) => {
    const cases = [{ ...express, verdict, answer }, ...(isOnly ? [] : others)];
    const options = { comparison: { ...comparison, verdict, cases } };
    return [
      renderReport(sampleRun(), options),
      renderComment(sampleRun(), { ...options, key: 'perf' }),
      renderTerminal(sampleRun(), options),
      shownText(renderHtml(sampleRun(), options)),
    ];
  };
  const what = 'the answer changed: content type text/html to none, 44,012 to 2 bytes';
  for (const text of reports('same')) {
    assert.match(text, new RegExp(`(🟡 )?No change above \\d+ %, but ${what}\\s`));
    assert.match(text, new RegExp(`Express(\\*\\*)?\\s*: ${what}`));
  }
  for (const text of reports('regressed', false)) assert.match(text, new RegExp(`; ${what} \\(Express\\)`));
  const page = renderHtml(sampleRun(), {
    comparison: { ...comparison, verdict: 'improved', cases: [{ ...express, verdict: 'improved', answer }] },
  });
  assert.match(page, /<header class="unsure">/);
  const korean = renderReport(
    { ...sampleRun(), language: 'ko' },
    {
      comparison: { ...comparison, verdict: 'same', cases: [{ ...express, verdict: 'same', answer }] },
    },
  );
  assert.match(korean, /, 단 응답이 달라짐: 콘텐츠 유형 text\/html → 없음, 44,012바이트 → 2바이트/);
});

/** @param {string} page @returns {string} what a reader sees of it */
function shownText(page) {
  return page.replace(/<style>[\s\S]*?<\/style>|<[^>]*>/g, ' ');
}
