/** Sentences from figures: what the intervals carry is said, nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionsOf, splitConditions } from '../../scripts/model/dimensions.js';
import { insightsOf } from '../../scripts/report/document/insights.js';
import { instanceBlocks } from '../../scripts/report/document/inside.js';
import { publishedBlocks } from '../../scripts/report/document/published.js';
import { summarize } from '../../scripts/samples/summary.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { markdownOf, tablesIn } from './parts.js';
import { sampleRun } from './sample.js';

const WORDS = wordsIn();

/**
 * @param {[Partial<import('../../scripts/types.js').Conditions>, number[]][]} steps each case's conditions and its rounds' requests a second
 */
function runOf(steps) {
  const run = sampleRun();
  const [first] = run.cases;
  assert.ok(first);
  return {
    ...run,
    warnings: [],
    cases: steps.map(([changes, rates]) => {
      const { load, deployment } = splitConditions({ ...conditionsOf(first), ...changes });
      const trials = rates.map((requests, round) => ({
        round,
        failure: null,
        windows: [{ seconds: 1, requests, latencyMs: { p50: 1, p95: 2 } }],
      }));
      const { reference: _, ...plain } = first;
      const id = JSON.stringify(changes);
      return {
        ...plain,
        ...deployment,
        id,
        load,
        trials,
        summary: summarize(trials, { load }) ?? assert.fail(),
      };
    }),
  };
}

/** @param {number[][]} rates of 20, 50, 100 and 200 connections */
const ladder = (rates) =>
  runOf(rates.map((each, place) => [{ connections: [20, 50, 100, 200][place] ?? 0 }, each]));

test('the knee is where no later step adds more than five percent', () => {
  const run = ladder([
    [500, 501, 502],
    [1000, 1002, 1001],
    [1001, 1000, 1003],
    [900, 901, 899],
  ]);
  const [text = '', ...more] = insightsOf(run, WORDS);
  assert.deepEqual(more, []);
  assert.match(text, /stops growing at 50 connections: from 20 to 50 connections it gains \+99\.\d % \(/);
  assert.match(text, /no later step adds more than [+−]?0\.\d % \(/);
});

test('a knee that the intervals leave open is a range of steps, or is left out', () => {
  const between = ladder([
    [500, 501, 502],
    [1000, 1000, 1000],
    [1000, 1060, 1120],
    [1060, 1060, 1060],
  ]);
  assert.match(
    insightsOf(between, WORDS)[0] ?? '',
    /somewhere from 100 connections on; the measurement cannot say/,
  );
  const wild = ladder([
    [500, 1500, 900],
    [1500, 500, 700],
    [900, 400, 1600],
    [300, 1500, 800],
  ]);
  assert.match(
    insightsOf(wild, WORDS)[0] ?? '',
    /somewhere from 20 connections on; the measurement cannot say/,
  );
  const growing = ladder([
    [100, 101, 102],
    [200, 201, 202],
    [300, 301, 302],
    [400, 401, 402],
  ]);
  assert.match(
    insightsOf(growing, WORDS)[0] ?? '',
    /grows up to 200 connections, the most that were measured/,
  );
});

test('one round, or two steps, say nothing of a knee', () => {
  assert.match(insightsOf(ladder([[500], [900], [900], [900]]), WORDS)[0] ?? '', /cannot say where/);
  assert.deepEqual(insightsOf(ladder([[500], [900]]), WORDS), []);
});

test('a new connection for every request costs a factor with its interval', () => {
  const run = runOf([
    [{ keepAlive: true }, [5000, 5010, 4990]],
    [{ keepAlive: false }, [1000, 1001, 999]],
  ]);
  assert.match(
    insightsOf(run, WORDS)[0] ?? '',
    /5,000 req\/s with keep-alive, 1,000 req\/s with a new connection for every request: a factor of 5 \(4\.9\d to 5\.0\d\)\.$/,
  );
});

test('one server under several loads is one table, a row each', () => {
  const run = ladder([
    [500, 501],
    [900, 901],
  ]);
  const [table = '', ...more] = tablesIn(run);
  assert.deepEqual(more, []);
  assert.match(table, /\*\*\/, autocannon \(closed loop\)\*\*/);
  assert.match(table, /20 connections .*\n.*50 connections /);
  assert.match(table, /\| p50 \| p95 \|/);
});

test('published loads are set beside ours, and what holds here is said', () => {
  const run = {
    ...ladder([
      [500, 501, 502],
      [1000, 1002, 1001],
      [1001, 1000, 1003],
      [500, 1000, 700],
    ]),
    published: {
      source: 'somewhere',
      conditions: 'another machine',
      loads: [
        { load: { connections: 20 }, throughput: 990 },
        { load: { connections: 50 }, throughput: 1000 },
        { load: { connections: 100 }, throughput: 999 },
        { load: { connections: 200 }, throughput: 800 },
      ],
    },
  };
  const text = markdownOf(publishedBlocks(run, WORDS));
  assert.match(text, /\| 20 connections +\| +990 \| +501 \|/);
  assert.match(
    text,
    /The published ratio to 50 connections holds here for 100 connections; does not hold for 20 connections; is undecided for 200 connections\./,
  );
});

test('instances have a table', () => {
  const cpu = { serverSeconds: 1.2, clientSeconds: 0.75, foreignShare: 0, stealShare: 0 };
  const run = runOf([
    [{ instances: 1 }, [100, 101, 102]],
    [{ instances: 4 }, [200, 201, 202]],
  ]);
  for (const { trials, instances } of run.cases)
    for (const { windows } of trials)
      Object.assign(windows[0] ?? {}, {
        cpu,
        peakRequestsPerSecond: windows[0]?.requests,
        errors: { non2xx: 3, timeouts: 2 },
        ...(instances === 4 && { instanceSeconds: [0.6, 0.2, 0.2, 0.2] }),
      });
  for (const runCase of run.cases) runCase.summary = summarize(runCase.trials, runCase) ?? assert.fail();
  const rows = markdownOf(instanceBlocks(run, WORDS))
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const [heads = [], , one = [], four = []] = rows;
  const cell = (/** @type {string[]} */ row, /** @type {string} */ name) => row[heads.indexOf(name)];
  assert.deepEqual(
    ['Load', 'Peak TPS', 'Executed', 'Successful', 'Errors', 'CPU cores', 'Busiest instance'].map((name) =>
      cell(four, name),
    ),
    ['4 instances', '202', '609', '594', '15', '1.20', '50 %'],
  );
  assert.equal(cell(one, 'Busiest instance'), '');
  assert.deepEqual(instanceBlocks(ladder([[1], [2], [3], [4]]), WORDS), []);
});

test('a sentence says what binds where the most is answered, with the figures and intervals that say so', () => {
  /** @param {{ server: number, client: number, cores?: number, foreign?: number, serverCores?: number }} used in cores */
  const insights = ({ server, client, cores = 4, foreign = 0, serverCores = 1 }) => {
    const run = ladder([
      [500, 501, 502],
      [1000, 1002, 1001],
      [1001, 1000, 1003],
      [900, 901, 899],
    ]);
    const cases = run.cases.map((runCase) => {
      const trials = runCase.trials.map((trial) => ({
        ...trial,
        windows: trial.windows.map((window) => ({
          ...window,
          bytes: 2e6,
          cpu: {
            serverSeconds: server * (1 + trial.round / 100),
            clientSeconds: client,
            foreignShare: foreign,
            stealShare: 0,
          },
        })),
      }));
      const changed = { ...runCase, trials, clientCores: 1, serverCores };
      return { ...changed, summary: summarize(trials, changed) ?? assert.fail() };
    });
    const all = insightsOf({ ...run, cases, environment: { ...run.environment, cores } }, WORDS);
    return all.find((text) => text.includes('the most is')) ?? '';
  };
  assert.match(
    insights({ server: 0.96, client: 0.5, cores: 2, foreign: 0.25 }),
    /the most is 1,001 req\/s \(9\d\d[\d.]* to 1,00\d\), with 100 connections; server CPU is the limit: 100 % CPU\. There the server uses 97 % \(9\d % to \d+ %\) of the 1 core it can keep busy, the load tool 0\.50 of 1\.00, everything together 1\.97 of the machine’s 2 cores, 2 MB\/s\./,
  );
  assert.match(insights({ server: 0.96, client: 0.5 }), /its processes are the limit: each uses 100 % CPU/);
  assert.match(
    insights({ server: 0.5, client: 0.99 }),
    /the load tool is the limit, so the server can do at least/,
  );
  assert.match(insights({ server: 0.4, client: 0.5, foreign: 0.75 }), /the machine is the limit/);
  assert.match(
    insights({ server: 0.4, client: 0.5 }),
    /not at 100 % CPU: it waits for services that it calls, for bandwidth or for more connections than were tried/,
  );
});

test('the route that holds more memory is named where the intervals do not overlap', () => {
  /** @param {number[]} bytes of three starts of the second route */
  const insights = (bytes) => {
    const run = runOf([
      [{}, [100, 100, 100]],
      [{}, [100, 100, 100]],
    ]);
    const means = [[60e6, 61e6, 62e6], bytes];
    const cases = run.cases.map((runCase, place) => ({
      ...runCase,
      id: `${place}`,
      route: ['/drain', '/bad-case'][place] ?? '',
      trials: runCase.trials.map((trial) => ({
        ...trial,
        windows: trial.windows.map((window) => ({
          ...window,
          rssMeanBytes: means[place]?.[trial.round] ?? 0,
        })),
      })),
    }));
    return insightsOf({ ...run, cases }, WORDS).join('\n');
  };
  assert.match(
    insights([200e6, 210e6, 220e6]),
    /memory under load, mean over time: \/bad-case 210 MB \(1\d\d to 2\d\d\), more than \/drain 61 MB \(5\d to 6\d\)\.$/,
  );
  assert.equal(insights([60e6, 120e6, 240e6]), '');
});

test('a sentence says what is faster, slower and undecided beside the server that ratios are to', () => {
  const servers = {
    pg: [1000, 1010, 990],
    kysely: [800, 805, 795],
    jdbc: [1500, 1490, 1520],
    same: [900, 1000, 1100],
    wild: [100, 1000, 9000],
  };
  const { cases, ...run } = runOf(Object.values(servers).map((rates) => [{}, rates]));
  const named = cases.map((runCase, place) => {
    const server = Object.keys(servers)[place] ?? '';
    return { ...runCase, id: server, server, serverName: server };
  });
  const insights = (/** @type {typeof named} */ some) =>
    insightsOf({ ...run, cases: some, relativeTo: 'pg' }, WORDS);
  assert.match(
    insights(named).join('\n'),
    /^Throughput compared with pg \(\/, .*\): higher for jdbc 1\.5x \(.*\); lower for kysely 0\.8x \(.*\); undecided for same .*\), wild\.$/,
  );
  const once = named.map((runCase) => ({ ...runCase, trials: runCase.trials.slice(0, 1) }));
  assert.deepEqual(insights(once), [], 'one round gives no interval');
});

test('a server that runs as one process only is the yardstick of any number of instances', () => {
  const { cases, ...run } = runOf([
    [{ instances: 1 }, [1000, 1010, 990]],
    [{ instances: 1 }, [800, 805, 795]],
    [{ instances: 2 }, [1500, 1490, 1520]],
  ]);
  const servers = ['spring', 'nest', 'nest'];
  const named = cases.map((runCase, place) => {
    const server = servers[place] ?? '';
    return { ...runCase, id: `${server} ${place}`, server, serverName: server };
  });
  const insights = (/** @type {string} */ relativeTo) =>
    insightsOf({ ...run, cases: named, relativeTo }, WORDS).filter((text) => text.startsWith('Throughput'));
  assert.match(
    insights('spring').join('\n'),
    /^Throughput compared with spring \(\/, autocannon, 100 connections\): higher for nest, 2 instances 1\.5x \(.*\); lower for nest, 1 instance 0\.8x \(.*\)\.$/,
  );
  assert.match(
    insights('nest').join('\n'),
    /^Throughput compared with nest \(\/, autocannon, 100 connections\): higher for spring 1\.\d+x \(.*\)\.$/,
    'which has several, each beside its own',
  );
});
