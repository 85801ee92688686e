/**
 * When everything happens, for thirty configurations: a golden to read. A timetable moves only on purpose.
 * @import { Case, Plan, Trial } from '../../scripts/types.js'
 */

import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { groups } from 'd3-array';
import { readConfig } from '../../scripts/config/config.js';
import { planOf } from '../../scripts/plan/shard.js';
import { serversById } from '../../scripts/plan/side-servers.js';
import { reservedSeconds } from '../../scripts/run/starts.js';
import { windowsOf } from '../../scripts/plan/timetable.js';
import { assertGolden } from '../report/golden.js';
import { CALLER, DATA, inFolder } from './sources.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** What the reserve for pairs of starts is computed from. */
const STARTUP_MS = 400;

/** @type {(count: number) => string} an own server with so many routes */
const service = (count) =>
  `servers: [{ id: shop, start: node s.js, routes: [${Array.from({ length: count }, (_, place) => `/r${place}`)}] }]\n`;
const SPRING = 'servers: [{ id: spring, runtime: java, start: java -jar s.jar, routes: [/] }]\n';

/** @type {[title: string, options: Record<string, string>, perfYml: string][]} */
const CONFIGURATIONS = [
  ...['quick', 'frameworks', 'keepalive', 'ladder', 'limit', 'cluster', 'jvm-redis'].map(
    (preset) => /** @type {[string, Record<string, string>, string]} */ ([preset, { preset }, '']),
  ),
  ['one route, nothing compared', {}, service(1)],
  ['twenty routes, nothing compared', {}, service(20)],
  ['one route against a commit', { against: 'main' }, service(1)],
  ['five routes against a commit', { against: 'main' }, service(5)],
  ['twenty routes against a commit', { against: 'main' }, service(20)],
  ['a minute against a commit', { against: 'main', budget: '60s' }, service(1)],
  ['half an hour against a commit', { against: 'main', budget: '30m' }, service(1)],
  ['three rounds against a commit', { against: 'main', rounds: '3' }, service(1)],
  ['rounds and a budget', { against: 'main', rounds: '3', budget: '20s' }, service(2)],
  ['a gate of the startup', { against: 'main' }, `${service(1)}gates: { startupCpu: regressed }\n`],
  ['a duration against a commit', { against: 'main', duration: '5s' }, service(1)],
  ['a warm-up against a commit', { against: 'main', warmup: '3s' }, service(1)],
  ['windows against a commit', { against: 'main' }, `${service(1)}load: { windows: 5 }\n`],
  ['requests against a commit', { against: 'main' }, `${service(1)}load: { tool: ab, requests: 2000 }\n`],
  ['three loads against a commit', { against: 'main', connections: '10,50,100' }, service(1)],
  ['a rate against a commit', { against: 'main', rate: '500' }, service(1)],
  ['a JVM against a commit', { against: 'main' }, SPRING],
  ['a JVM, nothing compared', {}, SPRING],
  ['a limit, nothing compared', {}, `${service(1)}limits: { cpuPerRequest: 5ms }\n`],
  ['against a stored run', { baseline: PROJECT }, service(1)],
  ['without a reference', { reference: 'off' }, service(1)],
  ['half the scale', { scale: '0.5' }, service(1)],
  ['the second of two machines', { against: 'main', shard: '2/2', seed: '7' }, service(5)],
];

test('the timetables of thirty configurations', () => {
  const blocks = CONFIGURATIONS.map(
    ([title, options, perfYml]) => `## ${title}\n\n${timetableOf(options, perfYml)}`,
  );
  assertGolden('../plan/timetables.md', `# Timetables\n\n${blocks.join('\n\n')}\n`);
});

/** @type {(options: Record<string, string>, perfYml: string) => string} */
function timetableOf(options, perfYml) {
  const root = options.preset ? PROJECT : join(DATA, 'root');
  return inFolder(perfYml, (cwd) => {
    const config = readConfig({ options, cwd, root, seed: 7, caller: CALLER });
    const labels = config.against === undefined ? ['head'] : ['base', 'head'];
    const plan = planOf(
      config,
      labels.map((label) => ({ label, servers: serversById(config) })),
    );
    const alike = groups(plan.cases, (planned) => timesOf(planned, plan));
    const lines = alike.map(
      ([times, [first, ...more]]) =>
        `- ${first?.id}${more.length > 0 ? ` and ${more.length} more` : ''}: ${times}`,
    );
    return [...headOf(plan, config.gates), '', ...lines].join('\n');
  });
}

/** @type {(plan: Plan, gates: Parameters<typeof reservedSeconds>[2]) => string[]} */
function headOf(plan, gates) {
  const { rounds, order, untilDecided, estimateSeconds, budgetSeconds } = plan;
  const starts = order.slice(0, rounds).flat(2);
  const references = starts.filter((step) => step.case.reference);
  /** @type {Trial} */
  const trial = { round: 0, startupMs: STARTUP_MS, failure: null, startups: [], windows: [] };
  const reserved = reservedSeconds(plan, new Map(plan.order.flat(2).map((step) => [step, [trial]])), gates);
  return [
    `rounds ${rounds} of ${order.length}${untilDecided ? ', until decided' : ''}`,
    `starts ${starts.length}, of the reference ${references.length}`,
    `estimate ${round(estimateSeconds)} s of ${Number.isFinite(budgetSeconds) ? budgetSeconds : 'no budget'}, for pairs of starts ${round(reserved)} s`,
  ];
}

/** @type {(planned: Case, plan: Plan) => string} */
function timesOf(planned, plan) {
  const { load, untilLevel, warmupRequests } = planned;
  const { count, seconds, mostSeconds } = windowsOf(planned, plan.timetable);
  const warmup = `${round(load.warmupSeconds)} s${untilLevel ? ' until level' : ''}`;
  const requests = warmupRequests === undefined ? '' : ` and ${warmupRequests} requests`;
  return `warm-up ${warmup}${requests}; windows ${count} x ${round(seconds)} s, up to ${round(mostSeconds)} s`;
}

/** @param {number} seconds */
const round = (seconds) => Math.round(seconds * 100) / 100;
