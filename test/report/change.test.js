/**
 * A case of a comparison shows the metric that decided it, and nothing misleading.
 * @import { CaseComparison, Comparison, MetricComparison } from '../../scripts/types.js'
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisiveOf } from '../../scripts/judge/case-verdict.js';
import { renderBadge } from '../../scripts/report/badge.js';
import { renderComment } from '../../scripts/report/render/comment.js';
import { caseNames } from '../../scripts/report/text/names.js';
import { isTooWide } from '../../scripts/report/text/format.js';
import { renderHtml } from '../../scripts/report/page/page.js';
import { renderReport } from '../../scripts/report/render/markdown.js';
import { renderTerminal } from '../../scripts/report/render/terminal.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { partOf, tablesIn } from './parts.js';
import { recordedServers } from './recorded.js';
import { LEANER, sampleComparison, sampleRun, WAITS } from './sample.js';

const WORDS = wordsIn();

/** @type {MetricComparison} */
const OPEN = {
  metric: 'throughput',
  verdict: 'unsure',
  base: 51_100,
  head: 51_000,
  effectPct: -0.2,
  ciPct: [-6, 6],
  why: { code: 'open', moreRounds: 4 },
};
/**
 * @param {MetricComparison[]} metrics of Fastify @param {CaseComparison['verdict']} [verdict]
 * @returns {Comparison}
 */
function comparing(metrics, verdict = 'regressed') {
  const comparison = sampleComparison();
  const decisive = decisiveOf({ verdict, metrics }, false) ?? '';
  const cases = [{ id: 'fastify / autocannon c100', verdict, decisive, metrics }];
  return { ...comparison, verdict, method: 'side-by-side', warnings: [], cases };
}

/** @param {Comparison} comparison */
const everywhere = (comparison) => [
  renderComment(sampleRun(), { comparison, key: 'perf' }),
  renderReport(sampleRun(), { comparison }),
  renderTerminal(sampleRun(), { comparison }),
  renderHtml(sampleRun(), { comparison }),
];

test('where p99 alone decided, the row of the case shows p99 and its change', () => {
  for (const text of everywhere(comparing([OPEN, WAITS, LEANER])))
    assert.match(text, /p99 latency regressed: 12 ms → 35 ms, \+191\.7 %/);
  assert.match(
    partOf(sampleRun(), 'figures', { comparison: comparing([OPEN, WAITS, LEANER]) }),
    /\| Fastify[ ¹]+\| regressed \| p99 latency \+191\.7 % \(/,
  );
});

test('under a red headline a gain of speed is listed, a gain of memory is not', () => {
  const quick = /** @type {MetricComparison} */ ({
    ...OPEN,
    verdict: 'improved',
    effectPct: 20,
    ciPct: [15, 25],
  });
  const lines = renderReport(sampleRun(), { comparison: comparing([quick, WAITS, LEANER]) }).split('\n');
  const bullets = lines.filter((line) => line.startsWith('- **Fastify**')).join('\n');
  assert.match(bullets, /Throughput improved: [^]*p99 latency regressed: 12 ms → 35 ms, \+191\.7 %/);
  assert.doesNotMatch(bullets, /Memory/);
  const green = renderReport(sampleRun(), { comparison: comparing([LEANER], 'improved') });
  assert.match(green, /- \*\*Fastify\*\*: Memory improved/);
});

test('an interval that excludes neither half nor double tells nothing, and is not quoted', () => {
  for (const ci of [
    [-49, 300],
    [-90, 1],
    [-9.5, -5],
    [150, 240],
  ])
    assert.equal(isTooWide(/** @type {[number, number]} */ (ci)), false, String(ci));
  for (const ci of [
    [-99.8, 404],
    [-82, 571],
    [-50, 100],
    [-100, 1000],
  ])
    assert.equal(isTooWide(/** @type {[number, number]} */ (ci)), true, String(ci));
  const wide = /** @type {MetricComparison} */ ({ ...OPEN, effectPct: -90, ciPct: [-99.8, 404] });
  for (const text of everywhere(comparing([wide], 'unsure'))) {
    assert.match(text, /Throughput inconclusive: neither within the margin/);
    assert.doesNotMatch(text, /−99\.8|\+404/);
  }
});

test('a certain change keeps its interval, however wide, and no give-or-take beside it', () => {
  const far = /** @type {MetricComparison} */ ({ ...WAITS, effectPct: 900, ciPct: [200, 3000] });
  for (const text of everywhere(comparing([OPEN, far]))) {
    assert.match(text, /\+900\.0 % \(\+200\.0 to over \+999\.0 %\)/);
    assert.doesNotMatch(text, /give or take/);
  }
});

test('a reference that scatters as wide is too noisy to use', () => {
  const reference = {
    id: 'node-http / autocannon c100',
    effectPct: 10,
    ciPct: /** @type {[number, number]} */ ([-82, 571]),
  };
  const report = (/** @type {Comparison['method']} */ method) =>
    renderReport(sampleRun(), { comparison: { ...comparing([OPEN], 'unsure'), reference, method } });
  for (const method of /** @type {const} */ (['side-by-side', 'stored', 'other-machine']))
    assert.match(
      report(method),
      /The reference server, which this change cannot affect, was too noisy to use\. /,
    );
  assert.doesNotMatch(report('side-by-side'), /571/);
});

test('a table of the reference alone comes last', () => {
  const run = sampleRun();
  const cases = run.cases.map((runCase) => (runCase.reference ? runCase : { ...runCase, route: '/orders' }));
  assert.deepEqual(
    tablesIn({ ...run, cases }).map((table) => table.split('\n')[0]),
    [
      '**/orders, autocannon, 100 connections (closed loop)**',
      '**/, autocannon, 100 connections (closed loop)**',
    ],
  );
});

test('a case is named by its server, with its route and its load where these differ', () => {
  const run = sampleRun();
  const more = run.cases.flatMap((runCase) =>
    runCase.server === 'express'
      ? [{ ...runCase, id: 'express /slow', route: '/slow' }]
      : runCase.server === 'limited'
        ? [{ ...runCase, id: 'limited / autocannon c500', load: { ...runCase.load, connections: 500 } }]
        : [],
  );
  const all = { ...run, cases: [...run.cases, ...more] };
  assert.deepEqual(
    all.cases
      .filter(({ server }) => ['express', 'fastify', 'limited'].includes(server))
      .map(({ id }) => caseNames({ run: all }, WORDS)(id)),
    ['Express /', 'Fastify', 'Limited, 100 connections', 'Express /slow', 'Limited, 500 connections'],
  );
});

test('what counts as no change although it surely is one says so, and the headline names the margin', () => {
  /** @type {MetricComparison} */
  const slower = {
    metric: 'throughput',
    verdict: 'same',
    base: 51_000,
    head: 49_400,
    effectPct: -3.2,
    ciPct: [-4, -2.4],
    marginPct: 5,
    why: { code: 'inside-margin' },
  };
  for (const text of everywhere(comparing([slower], 'same'))) {
    assert.match(text, /No change above 5 %/);
    assert.match(text, /slower by 3\.2 % \(2\.4 % to 4\.0 %\), within the margin/);
  }
  const cpu = /** @type {MetricComparison} */ ({
    ...slower,
    metric: 'cpuPerRequest',
    effectPct: 3.2,
    ciPct: [2.4, 4],
  });
  assert.match(renderReport(sampleRun(), { comparison: comparing([cpu], 'same') }), /slower by 3\.2 %/);
  const none = /** @type {MetricComparison} */ ({ ...slower, effectPct: -0.2, ciPct: [-1.4, 1] });
  assert.doesNotMatch(renderReport(sampleRun(), { comparison: comparing([none], 'same') }), /slower by/);
});

test('a lost shard stands in the headline, which is not green', () => {
  const lost = { code: /** @type {const} */ ('shards-missing'), shards: [2], of: 3 };
  const run = { ...sampleRun(), warnings: [lost] };
  const comparison = { ...comparing([{ ...OPEN, verdict: 'same', ciPct: [-1, 1] }], 'same') };
  assert.match(
    renderReport(run, { comparison }),
    /^## 🟡 No change.* \(incomplete: shard 2 of 3 left no results\)/,
  );
  assert.deepEqual(
    [renderBadge(run, comparison).message, renderBadge(run, comparison).color],
    ['incomplete', 'yellow'],
  );
});

test('against stored runs the change is one beside the reference, and no figure is above what its interval shows', () => {
  const huge = /** @type {MetricComparison} */ ({ ...WAITS, effectPct: 1173.7, ciPct: [400, 4000] });
  const comparison = { ...comparing([huge]), method: /** @type {const} */ ('stored') };
  assert.match(
    renderReport(sampleRun(), { comparison }),
    /12 ms → 35 ms, over \+999\.0 % \(\+400\.0 to over \+999\.0 %\) relative to the reference server/,
  );
});

test('tables begin with the worst verdict', () => {
  const comparison = comparing([OPEN, WAITS]);
  const [first] = comparison.cases;
  assert.ok(first);
  const cases = [
    { ...first, id: 'limited / autocannon c100', verdict: /** @type {const} */ ('unsure'), metrics: [OPEN] },
    { ...first, id: 'express / autocannon c100', verdict: /** @type {const} */ ('same'), metrics: [OPEN] },
    first,
  ];
  const run = { ...sampleRun(), cases: sampleRun().cases.filter(({ summary }) => summary) };
  const table = partOf(run, 'figures', { comparison: { ...comparison, cases } });
  const names = table.match(/^\| \w[\w:]*/gm)?.slice(1);
  assert.deepEqual(names, ['| Fastify', '| Express', '| Limited', '| node:http']);
});

test('where nothing was compared, a ratio is the same figure in the table and in the notes', async () => {
  const run = { ...(await recordedServers()), relativeTo: 'express' };
  const text = renderReport(run);
  const [, ratio] = /higher for .*?Fastify ([\d.]+x)/.exec(text) ?? [];
  assert.ok(ratio);
  assert.match(text, new RegExp(`\\| Fastify .*\\| +${ratio} Express \\|`));
});

test('a case that only the base has is called as everywhere else, where the base is known', () => {
  const base = sampleRun();
  const run = { ...base, cases: base.cases.filter(({ server }) => server !== 'fastify') };
  const comparison = comparing([], 'unsure');
  const cases = comparison.cases.map((compared) => ({ ...compared, only: /** @type {const} */ ('base') }));
  assert.match(
    partOf(run, 'changes', { base, comparison: { ...comparison, cases } }),
    /^- \*\*Fastify\*\*: removed: only the base has it$/,
  );
});

test('one measured route of several is named in headline, bullet and tables', () => {
  const comparison = comparing([OPEN, WAITS, LEANER]);
  const named = (/** @type {string} */ route, /** @type {{ preset?: string }} */ more = {}) => {
    const run = sampleRun();
    const cases = run.cases.map((runCase) => ({
      ...runCase,
      route,
      oneOfRoutes: /** @type {const} */ (true),
    }));
    return renderReport({ ...run, ...more, cases }, { comparison });
  };
  for (const route of ['/me', '/']) {
    const text = named(route);
    assert.match(text, new RegExp(`lower than the base: Fastify ${route}\n`));
    assert.match(text, new RegExp(`\\*\\*Fastify ${route}\\*\\*: p99 latency regressed`));
  }
  assert.match(named('/me', { preset: 'quick' }), /lower than the base: Fastify\n/);
});
