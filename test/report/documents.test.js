/**
 * What a report says, situation by situation: documents to read, whose titles are what the tests claim. The
 * renderers print the same document, see outputs.test.js.
 * @import { CaseComparison, Comparison, FunctionChange, LimitResult, MetricComparison, Run, RunCase, Warning
 *   } from '../../scripts/types.js'
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measuredWith } from '../../scripts/report/document/conditions.js';
import { renderHtml } from '../../scripts/report/page/page.js';
import { renderComment } from '../../scripts/report/render/comment.js';
import { renderReport } from '../../scripts/report/render/markdown.js';
import { renderTerminal } from '../../scripts/report/render/terminal.js';
import { unmarked } from '../../scripts/report/text/inline.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { assertExcerpts, excerpt } from './excerpts.js';
import { recordedServers } from './recorded.js';
import { change, compared, LEANER, sampleComparison, sampleRun, WAITS } from './sample.js';

const RUN = sampleRun();
const SAMPLE = sampleComparison();
const OPEN = change('throughput', 'unsure', [51_100, 51_000], [-0.2, -6, 6], { code: 'open', moreRounds: 4 });
const SLOWER = {
  ...change('throughput', 'same', [51_000, 49_400], [-3.2, -4, -2.4], { code: 'inside-margin' }),
  marginPct: 5,
};
/** @type {MetricComparison} */
const FAILED = {
  metric: 'throughput',
  verdict: 'failed',
  why: { code: 'failed', kind: 'never-ready', message: 'not ready after 30 s' },
};
const ROUTE = { oneOfRoutes: /** @type {const} */ (true) };
/** @type {{ base: object, head: object }} */
const ANSWER = { base: { type: 'text/html', bytes: 44_012 }, head: { bytes: 2 } };
/** @type {LimitResult[]} */
const LIMITS = [
  {
    case: 'express / autocannon c100',
    metric: 'memory',
    bound: 256e6,
    value: 8e7,
    interval: [7e7, 9e7],
    verdict: 'passes',
  },
  {
    case: 'fastify / autocannon c100',
    metric: 'p99',
    bound: 50,
    rate: 500,
    value: 71.2,
    interval: [64, 79],
    verdict: 'fails',
  },
  {
    case: 'express / autocannon c100',
    metric: 'throughput',
    bound: 9000,
    verdict: 'unsure',
    why: { code: 'not-measured' },
  },
];

/** @type {FunctionChange} */
const AUDIT = {
  name: 'auditTrail',
  file: 'src/audit.js',
  line: 2,
  basePct: 0,
  headPct: 17,
  effectPct: 17,
  ciPct: [15.2, 18.8],
};
/** @type {FunctionChange} */
const HASH = { ...AUDIT, name: 'Hash', file: '', line: 0, headPct: 6.5, effectPct: 6.5, ciPct: [5.9, 7.1] };
/**
 * @param {FunctionChange[]} functions of the table
 * @param {FunctionChange} [blamed]
 * @returns {Partial<Comparison>}
 */
const blaming = (functions, blamed = AUDIT) => ({
  cases: [{ ...compared('fastify', 'regressed', [WAITS]), functions, blamed }],
});

const PLACES = [
  { name: 'auditTrail', file: 'src/audit.js', line: 2 },
  { name: 'priceOf', file: 'src/audit.js', line: 9 },
];
const TOUCHED = {
  routes: ['/', '/other'].map((route) => ({ server: 'fastify', route, touched: true, functions: PLACES })),
  reasons: [],
};

/**
 * @param {MetricComparison[]} metrics of Fastify
 * @param {Comparison['verdict']} [verdict]
 * @param {Partial<Comparison>} [changes]
 * @returns {Comparison}
 */
function comparing(metrics, verdict = 'regressed', changes = {}) {
  const cases = [compared('fastify', verdict, metrics)];
  return { ...SAMPLE, verdict, method: 'side-by-side', warnings: [], cases, ...changes };
}

/**
 * The sample, with every case changed.
 * @type {(changesOf: (runCase: RunCase) => object, more?: Partial<Run>) => Run}
 */
function runWith(changesOf, more) {
  return { ...RUN, ...more, cases: RUN.cases.map((runCase) => ({ ...runCase, ...changesOf(runCase) })) };
}

/**
 * @param {Partial<CaseComparison>} changes of Express, the only case
 * @param {Partial<Comparison>} [more]
 * @returns {Comparison}
 */
function ofExpress(changes, more) {
  const [express] = SAMPLE.cases;
  return { ...SAMPLE, cases: [{ .../** @type {CaseComparison} */ (express), ...changes }], ...more };
}

test('what changed', () => {
  /**
   * @param {Comparison} comparison
   * @param {string} [ids]
   * @param {Run} [run]
   * @param {Run} [base]
   */
  const shown = (comparison, ids = 'changes', run = RUN, base = undefined) =>
    excerpt(run, ids, { comparison, base });
  const wide = { ...OPEN, effectPct: -90, ciPct: /** @type {[number, number]} */ ([-99.8, 404]) };
  const noisy = {
    id: 'node-http / autocannon c100',
    effectPct: 10,
    ciPct: /** @type {[number, number]} */ ([-82, 571]),
  };
  const memory = { metric: 'memory', verdict: /** @type {const} */ ('regressed') };
  assertExcerpts('documents/changes.md', {
    'where p99 alone decided, the row of the case shows p99': shown(
      comparing([OPEN, WAITS, LEANER]),
      'changes figures',
    ),
    'under a red headline, a gain of speed is listed and a gain of memory is not': shown(
      comparing([change('throughput', 'improved', [51_100, 61_320], [20, 15, 25]), WAITS, LEANER]),
    ),
    'a gain of memory alone': shown(comparing([LEANER], 'improved')),
    'memory alone got worse': shown(comparing([{ ...LEANER, ...memory }])),
    'an interval that excludes neither half nor double is not quoted': shown(comparing([wide], 'unsure')),
    'a certain change keeps its interval, however wide, and no give-or-take': shown(
      comparing([OPEN, change('p99', 'regressed', [12, 35], [900, 200, 3000])]),
    ),
    'against stored runs, a change is one beside the reference, and bounded': shown(
      comparing([change('p99', 'regressed', [12, 35], [1173.7, 400, 4000])], 'regressed', {
        method: 'stored',
      }),
    ),
    'slower within the margin': shown(comparing([SLOWER], 'same')),
    'CPU that is more within the margin is slower': shown(
      comparing([{ ...SLOWER, metric: 'cpuPerRequest', effectPct: 3.2, ciPct: [2.4, 4] }], 'same'),
    ),
    'no change within the margin': shown(
      comparing([{ ...SLOWER, effectPct: -0.2, ciPct: [-1.4, 1] }], 'same'),
    ),
    'sizes that say something else than the rounds which count are not shown': shown(
      comparing([
        { ...WAITS, metric: 'cpuPerRequest', base: 146.8, head: 148.7, effectPct: 7, ciPct: [4.2, 9.9] },
      ]),
    ),
    'another kind of machine shows no sizes': shown({ ...SAMPLE, method: 'other-machine' }),
    'a noisy reference is not quoted': /** @type {const} */ (['side-by-side', 'stored', 'other-machine']).map(
      (method) => shown(comparing([OPEN], 'unsure', { reference: noisy, method }), 'trust'),
    ),
    'the function to blame comes before what it calls, unless the table says its cost first; it may be alone':
      [[HASH], [AUDIT], [{ ...AUDIT, headPct: 3, effectPct: 3 }], []].map((functions) =>
        shown(comparing([WAITS], 'regressed', blaming(functions)), 'functions'),
      ),
    'the table says how much of the difference its rows explain, and nothing where nothing costs more': [
      71, -2,
    ].map((effectPct) =>
      shown(
        comparing([{ ...WAITS, metric: 'cpuPerRequest', effectPct }], 'regressed', {
          cases: [
            {
              ...compared('fastify', 'regressed', [{ ...WAITS, metric: 'cpuPerRequest', effectPct }]),
              functions: [HASH, { ...HASH, name: 'writev', effectPct: 2.5, ciPct: [2, 3] }],
            },
          ],
        }),
        'functions',
      ),
    ),
    'changed functions that a slower route executes are named without a profile, above it, and not of other routes':
      [comparing([WAITS], 'regressed', blaming([HASH])), comparing([WAITS]), comparing([WAITS], 'same')].map(
        (comparison) => shown({ ...comparison, touched: TOUCHED }, 'functions'),
      ),
    'of a control that got slower, those that other routes execute': shown(
      {
        ...comparing([WAITS], 'regressed', {
          cases: [{ ...compared('fastify', 'regressed', [WAITS]), role: 'control' }],
        }),
        touched: { ...TOUCHED, routes: TOUCHED.routes.slice(1) },
      },
      'functions',
    ),
    'the place of a function without a name is said once': shown(
      comparing([WAITS], 'regressed', blaming([HASH], { ...AUDIT, name: '' })),
      'functions',
    ),
    'a lost shard is in the headline, which is not green': shown(comparing([SLOWER], 'same'), '', {
      ...RUN,
      warnings: [{ code: 'shards-missing', shards: [2], of: 3 }],
    }),
    'tables begin with the worst verdict': shown(
      comparing([OPEN, WAITS], 'regressed', {
        cases: [
          compared('limited', 'unsure', [OPEN]),
          compared('express', 'same', [SLOWER]),
          compared('fastify', 'regressed', [OPEN, WAITS]),
        ],
      }),
      'figures',
      { ...RUN, cases: RUN.cases.filter(({ summary }) => summary) },
    ),
    'a case that only the base has is named by the base': shown(
      comparing([], 'unsure', { cases: [{ ...compared('fastify', 'unsure', []), only: 'base' }] }),
      'changes',
      { ...RUN, cases: RUN.cases.filter(({ server }) => server !== 'fastify') },
      RUN,
    ),
    'one measured route of several is named': ['/me', '/'].map((route) =>
      shown(
        comparing([WAITS]),
        'changes',
        runWith(() => ({ ...ROUTE, route })),
      ),
    ),
    'a preset names no route': shown(
      comparing([WAITS]),
      'changes',
      runWith(() => ({ ...ROUTE, route: '/me' }), { preset: 'quick' }),
    ),
    'something failed, something is slower': shown({
      ...SAMPLE,
      verdict: 'failed',
      cases: [...SAMPLE.cases, compared('broken', 'failed', [])],
    }),
    'what differs between runs of different days comes first': shown(
      { ...SAMPLE, differs: [{ fact: 'node', base: '24.1.0', head: '24.2.0' }] },
      'differences changes',
    ),
  });
});

test('what was compared with what', () => {
  const sha = 'fedcba9876543210fedcba9876543210fedcba98';
  const against = (/** @type {string} */ name) =>
    excerpt(RUN, 'trust', {
      comparison: {
        ...SAMPLE,
        method: 'side-by-side',
        against: name,
        base: { ...SAMPLE.base, label: 'base', sha },
      },
    });
  const itself = { ...SAMPLE, method: /** @type {const} */ ('side-by-side'), against: 'self' };
  const [express, , limited] = SAMPLE.cases.map((runCase) => ({ ...runCase, findsPct: 2.44 }));
  assert.ok(express && limited);
  assertExcerpts('documents/trust.md', {
    'a commit that was asked for is called by its name': ['v1.2', 'base', sha].map(against),
    'a stored run is called by its time and commit, not by the side it was': excerpt(RUN, 'trust', {
      comparison: { ...SAMPLE, base: { ...SAMPLE.base, label: 'head', ref: 'main' } },
    }),
    'a server against itself has a noise floor, and a difference is a false alarm': excerpt(
      RUN,
      'changes trust figures',
      { comparison: itself },
    ),
    'half of −1.2 to +0.5 % is the noise floor of Express': excerpt(RUN, 'changes', {
      comparison: { ...itself, verdict: 'unsure', cases: [express, limited] },
    }),
    'a noise floor below the margin': excerpt(RUN, '', {
      comparison: { ...itself, verdict: 'same', cases: [express] },
    }),
  });
});

test('a side that could not be measured is called by its name', () => {
  const failing = ofExpress(
    { verdict: 'failed', metrics: [FAILED] },
    { verdict: 'failed', against: 'main', head: { ...SAMPLE.head, ref: 'faster' } },
  );
  const broken = runWith(({ server, summary }) =>
    server === 'express' ? { summary: undefined } : { summary },
  );
  const onNode = {
    environment: { ...RUN.environment, runtimes: { node: '24.17.0', 'node@24.16': '24.16.0' } },
  };
  const versions = (/** @type {Record<string, string>} */ of) => ({
    ...failing,
    against: 'x',
    base: { ...failing.base, versions: of },
  });
  const shown = (/** @type {Comparison} */ comparison, /** @type {Run} */ run) =>
    excerpt(run, 'changes', { comparison, ...(run.environment.runtimes['node@24.16'] && { base: RUN }) });
  /** @type {Warning} */
  const moved = { code: 'packages-moved', packages: [{ name: 'fastify', from: '5.2.0', to: '5.3.0' }] };
  assertExcerpts('documents/failed.md', {
    'the base failed': shown(failing, RUN),
    'the head failed': shown(failing, broken),
    'one commit on two versions of Node: the newer failed': shown(versions({ node: '24.16' }), {
      ...broken,
      ...onNode,
    }),
    'the older failed': shown(versions({ node: '24.16' }), { ...RUN, ...onNode }),
    'the same versions in two stored runs of one commit': shown(
      {
        ...failing,
        method: 'stored',
        differs: [{ fact: 'node', base: '24.16.0', head: '24.17.0' }],
        head: { ...failing.head, sha: failing.base.sha ?? '' },
      },
      { ...broken, ...onNode },
    ),
    'a package keeps its name': shown(versions({ fastify: '5.2.0' }), {
      ...broken,
      ...onNode,
      warnings: [moved],
    }),
  });
});

test('an answer that changed is in the headline, which is not green; several are in the list', () => {
  const shown = (/** @type {Comparison} */ comparison, language = 'en') =>
    excerpt({ ...RUN, language }, 'changes', { comparison });
  assertExcerpts('documents/answers.md', {
    'of the only case': shown(ofExpress({ answer: ANSWER }, { verdict: 'same' })),
    'of one of several': shown({
      ...SAMPLE,
      cases: [...ofExpress({ answer: ANSWER }).cases, ...SAMPLE.cases.slice(1)],
    }),
    'of several cases': shown({ ...SAMPLE, cases: SAMPLE.cases.map((one) => ({ ...one, answer: ANSWER })) }),
    'of a case that got faster': shown(
      ofExpress({ answer: ANSWER, verdict: 'improved' }, { verdict: 'improved' }),
    ),
    'in Korean': shown(ofExpress({ answer: ANSWER }, { verdict: 'same' }), 'ko'),
  });
});

test('titles: the size, both sides of a trade, and gates that are not decided', () => {
  const requests = (/** @type {number} */ pct) =>
    change('throughput', pct < 0 ? 'regressed' : 'improved', [100, 100 + pct], [pct, pct - 2, pct + 2]);
  const cpu = change('startupCpu', 'regressed', [400, 740], [85, 80, 90]);
  const memory = change('startupMemory', 'regressed', [6e7, 8e7], [30, 28, 32]);
  /** @type {MetricComparison} */
  const sent = {
    ...{ metric: 'outgoing', verdict: 'regressed', base: 1, head: 3, why: { code: 'exact-count' } },
    changedKinds: [
      { name: 'prices.local', base: 0, head: 3 },
      { name: 'stock.local', base: 1, head: 0 },
    ],
  };
  const bytes = change('allocated', 'improved', [7112, 6400], [-10, -10.2, -9.8]);
  const p99 = change('p99', 'regressed', [10, 12], [20, 16, 24]);
  const open = change('startupCpu', 'unsure', [600, 700], [40, -62, 215], { code: 'open', moreRounds: 90 });
  const note = { case: 'fastify / autocannon c100', metric: 'startupCpu' };
  /** @type {Warning[]} */
  const undecided = [{ ...note, code: 'gate-open', verdict: 'unsure', rule: 'regressed' }];
  /** @type {Warning[]} */
  const closed = [{ ...note, code: 'gate-closed', verdict: 'regressed', rule: 'regressed' }];
  const routes = comparing([], 'regressed', {
    cases: [-30, 12, 9, 5].map((pct, place) => ({
      ...compared('fastify', pct < 0 ? 'regressed' : 'improved', [requests(pct)]),
      id: `shop /${'abcd'[place]}`,
    })),
  });
  const titles = (/** @type {Comparison} */ comparison) =>
    ['en', 'ko'].map((language) => excerpt({ ...RUN, language }, '', { comparison }));
  assertExcerpts('documents/titles.md', {
    'one case got slower': titles(comparing([requests(-30)])),
    'more requests, a dearer start': titles(comparing([requests(40), cpu, memory], 'improved')),
    'the same, whose start has a gate': titles(
      comparing([requests(40), cpu], 'improved', { warnings: closed }),
    ),
    'a start that is not decided, with a gate': excerpt(RUN, 'changes notes', {
      comparison: comparing([requests(40), open], 'improved', { warnings: undecided }),
    }),
    'the same in Korean': titles(comparing([requests(40), open], 'improved', { warnings: undecided })).slice(
      1,
    ),
    'no change but of the start': titles(comparing([SLOWER, cpu], 'same')),
    'no change but of a count': titles(comparing([SLOWER, sent], 'same')),
    'no change but of a count that fell': titles(
      comparing([SLOWER, { ...sent, verdict: 'improved', base: 3, head: 1 }], 'same'),
    ),
    'unsure of requests, more of a count and fewer bytes': excerpt(RUN, 'changes', {
      comparison: comparing([OPEN, sent, bytes], 'unsure'),
    }),
    'unsure of requests, a dearer start': titles(comparing([OPEN, cpu], 'unsure')),
    'more requests, a longer tail': titles(comparing([requests(40), p99])),
    'one route slower, three faster': titles(routes),
    'several slower': titles(
      comparing([], 'regressed', {
        cases: [-30, -12].map((pct) => ({ ...compared('a', 'regressed', [requests(pct)]), id: `a ${pct}` })),
      }),
    ),
    'more slower than a title holds': titles(
      comparing([], 'regressed', {
        cases: [-12, -30, -9, -8].map((pct) => ({
          ...compared('a', 'regressed', [requests(pct)]),
          id: `a ${pct}`,
        })),
      }),
    ),
  });
});

test('limits: the worst first, the machine, and the headline', () => {
  const shown = (/** @type {(LimitResult | undefined)[]} */ limits, options = {}) =>
    excerpt({ ...RUN, limits: limits.flatMap((limit) => limit ?? []) }, 'limits', options);
  const [passes, fails, unsure] = LIMITS;
  assertExcerpts('documents/limits.md', {
    'all of them': shown(LIMITS),
    'unsure about one': shown([passes, unsure]),
    'all pass': shown([passes]),
    'all pass, beside a comparison, whose headline stays': shown([passes], { comparison: SAMPLE }),
    'one fails, beside a comparison': shown([fails], { comparison: SAMPLE }),
    'without limits, none is named': shown([]),
  });
});

test('tables of a run that was compared with nothing', async () => {
  const [reference, one] = RUN.cases;
  assert.ok(reference && one);
  const on = (/** @type {[server: string, route: string][]} */ ...measured) =>
    excerpt(
      {
        ...RUN,
        warnings: [],
        cases: [
          reference,
          ...measured.map(([server, route]) => ({
            ...one,
            id: `${server} ${route}`,
            server,
            serverName: server,
            route,
          })),
        ],
      },
      'allFigures',
    );
  const ofTools = runWith(({ summary }, place = RUN.cases.findIndex((each) => each.summary === summary)) => ({
    load: { ...one.load, tool: place > 1 ? 'ab' : 'wrk' },
    ...(summary && { summary: { ...summary, ...(place > 1 && { meanPercentiles: true }) } }),
  }));
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
  const slower = RUN.cases.map((runCase) => ({
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
  assertExcerpts('documents/tables.md', {
    'a client at its limit is marked, never ranked, and its ratios are bounds': excerpt(
      RUN,
      'allFigures notes',
    ),
    'shares of a reference that the client limited are bounds, too': excerpt(
      runWith(({ reference: is, summary }) =>
        is && summary ? { summary: { ...summary, clientBound: true } } : {},
      ),
      'allFigures',
    ),
    'percentiles that are means of the windows’ are called so, others are not': excerpt(ofTools, 'notes'),
    'routes that only one server has share a table, whose rows name them': on(
      ['orders', '/orders/1'],
      ['search', '/search?q=shoe'],
      ['search', '/health'],
    ),
    'a route that servers share has a table of its own': on(['a', '/'], ['a', '/own'], ['b', '/']),
    'a table of the reference alone comes last': excerpt(
      runWith(({ reference: is }) => (is ? {} : { route: '/orders' })),
      'allFigures',
    ),
    'ratios are to the server that relativeTo names': excerpt(
      { ...(await recordedServers()), relativeTo: 'express' },
      'allFigures',
    ),
    'published figures are beside those of the same load, and which ratios hold': excerpt(
      { ...RUN, cases: [...RUN.cases, ...slower] },
      'published',
    ),
    'published figures may be ranges, and of one route': excerpt({ ...RUN, published }, 'published'),
    'a run that measured nothing says so': excerpt(
      runWith(({ summary: _ }) => ({ summary: undefined })),
      '',
    ),
    'a failure needs something else than a baseline': excerpt(RUN, 'hint failures', {
      baselineHint: 'Make one so.',
    }),
    'a whole run without a baseline says how one is made': excerpt(
      { ...RUN, cases: RUN.cases.filter(({ summary }) => summary) },
      'hint failures',
      { baselineHint: 'Make one so.' },
    ),
  });
});

test('the conditions of a run', () => {
  const lines = (/** @type {Run} */ run) => measuredWith(run, wordsIn()).map(unmarked).join('\n');
  const more = RUN.cases.map((runCase) => ({
    ...runCase,
    load: { ...runCase.load, connections: 500, keepAlive: false },
  }));
  const cpu = { serverSeconds: 1, clientSeconds: 1, foreignShare: 0, stealShare: 0, waitingSeconds: 0.002 };
  const [first] = RUN.cases;
  assert.ok(first);
  const { windows: _, ...load } = first.load;
  const starts = first.trials.map((trial, index) => ({
    ...trial,
    windows: Array.from({ length: 4 + 2 * index }, () => ({ seconds: 1.004, requests: 10, cpu })),
  }));
  const shared = starts.map(({ windows, ...trial }, index) => ({
    ...trial,
    ...(index === 0 && { waitingShare: 0.004, sharesCore: /** @type {const} */ (true) }),
    windows: windows.map(({ cpu: __, ...window }) => window),
  }));
  const warm = [4000, 9000, 16000].map((requests, at) => ({ at, seconds: 1, requests }));
  const jit = first.trials.map((trial) => ({ ...trial, warmup: { level: true, windows: warm } }));
  assertExcerpts('documents/conditions.md', {
    'all values of the load': lines({ ...RUN, cases: [...RUN.cases, ...more] }),
    'of a pull request that was merged to be measured, its own commit comes first': lines({
      ...RUN,
      revision: { sha: 'a'.repeat(40), mergedInto: 'b'.repeat(40) },
    }),
    'how many windows there were, and what idle servers used': lines({
      ...RUN,
      cases: [{ ...first, load, trials: starts }],
    }),
    'both sides shared a core': lines({ ...RUN, cases: [{ ...first, load, trials: shared }] }),
    'compilers warmed up': lines({ ...RUN, cases: [{ ...first, trials: jit }] }),
  });
});

test('the option that would decide an unsure comparison', () => {
  /** Ten rounds that took 300 s. */
  const run = runWith(
    ({ trials }) => ({
      trials: trials.flatMap((trial) =>
        Array.from({ length: 10 }, (_, round) => ({
          ...trial,
          round,
          windows: trial.windows.map((window) => ({ ...window, at: 30 * round + 28, seconds: 2 })),
        })),
      ),
    }),
    { looks: [0.5] },
  );
  const { looks: _, ...counted } = run;
  /**
   * @param {MetricComparison['why'][]} reasons
   * @param {Run} [of]
   * @param {Partial<Comparison>} [more]
   */
  const shown = (reasons, of = run, more) => {
    const cases = reasons.map((why, place) => ({
      ...compared('limited', 'unsure', [{ ...OPEN, why }]),
      id: `case ${place}`,
    }));
    return excerpt(of, 'changes', {
      comparison: { ...comparing([], 'unsure', { cases }), against: 'main', ...more },
    });
  };
  const needing = (/** @type {number[]} */ ...rounds) =>
    rounds.map((moreRounds) => ({ code: /** @type {const} */ ('open'), moreRounds }));
  assertExcerpts('documents/rerun.md', {
    'the budget that would settle it, in whole minutes': shown(needing(14)),
    'a run with a number of rounds gets more rounds': shown(needing(14), counted),
    'a budget that ended the run is what would settle it': shown(needing(14), {
      ...counted,
      warnings: [{ code: 'budget-ended', seconds: 300, rounds: 10 }],
    }),
    'a budget that ended with time for the startup left is not advised again': shown(needing(2), {
      ...counted,
      warnings: [{ code: 'budget-ended', seconds: 360, rounds: 10 }],
    }),
    'no number of rounds is known to help': shown([{ code: 'one-start' }]),
    'no budget of twenty minutes would do': shown(needing(5000)),
    'more rounds than anybody runs': shown(needing(1001), {
      ...run,
      cases: run.cases.map((measured) => ({
        ...measured,
        trials: measured.trials.map((trial) => ({
          ...trial,
          windows: trial.windows.map((window) => ({ ...window, at: trial.round, seconds: 1 })),
        })),
      })),
    }),
    'runs that were not measured side by side': shown(needing(14), run, { method: 'stored' }),
    'of several cases, those that a run of twenty minutes would decide': shown(needing(14, 30, 300)),
  });
});

test('every renderer prints limits, differences and answers', () => {
  const run = { ...RUN, limits: LIMITS };
  const comparison = ofExpress(
    { answer: ANSWER },
    { differs: [{ fact: 'node', base: '24.1.0', head: '24.2.0' }] },
  );
  for (const text of [
    renderReport(run, { comparison }),
    renderTerminal(run, { comparison }),
    renderComment(run, { comparison, key: 'perf' }),
    renderHtml(run, { comparison }),
  ])
    for (const said of [
      'Beyond a limit: Fastify',
      'limit at most 50 ms: fails',
      'Limits are judged on this machine',
      'These differ between the two runs: node 24.1.0 → 24.2.0.',
      'The answer changed: content type text/html to none',
    ])
      assert.ok(text.includes(said), `${said}: ${text.slice(0, 600)}`);
});
