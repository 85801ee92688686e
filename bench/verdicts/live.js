/**
 * Whole commands on this machine: `perf-action run --against HEAD~1` in scratch repositories, against a commit that costs a
 * known share more CPU per request, over and over.
 */

import { max, median } from 'd3-array';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { othersShare } from '../../scripts/model/interference.js';
import { startBusy } from './busy.js';
import { makeSlowed, perfAction } from './slowed.js';

/**
 * more: the share of CPU per request that the head's server costs more; beside: others, which cost the same; tool: loads them, where
 * it is not autocannon; what: of a start instead of a request, which the verdict is then about; margin: as the command is given it; seconds: to be decided in, all of them; budget: in seconds, where it is
 * not the usual one.
 * @type {{ server: string, beside?: string[], tool?: string, what?: 'start', more: number, margin: string, seconds: number, budget?: number, busy?: boolean }[]}
 */
const ROWS = [
  { server: 'fastify', more: 0, margin: '5%', seconds: 60 },
  { server: 'fastify', more: 0.05, margin: '5%', seconds: 60 },
  { server: 'fastify', tool: 'wrk', more: 0, margin: '5%', seconds: 60 },
  { server: 'fastify', tool: 'wrk', more: 0.05, margin: '5%', seconds: 60 },
  { server: 'express', more: 0, margin: '5%', seconds: 90 },
  { server: 'express', more: 0.05, margin: '5%', seconds: 90 },
  { server: 'express', tool: 'wrk', more: 0, margin: '5%', seconds: 90 },
  { server: 'express', tool: 'wrk', more: 0.05, margin: '5%', seconds: 90 },
  { server: 'nest-fastify', more: 0, margin: '5%', seconds: 90 },
  { server: 'nest-fastify', more: 0.05, margin: '5%', seconds: 90 },
  { server: 'fastify', more: 0.02, margin: '1%', seconds: 120 },
  { server: 'express', more: 0.02, margin: '1%', seconds: 240 },
  { server: 'fastify', more: 0.01, margin: '0.5%', seconds: 480, budget: 480 },
  {
    server: 'fastify',
    beside: ['express', 'nest-express', 'nest-fastify'],
    more: 0,
    margin: '5%',
    seconds: 240,
    budget: 240,
  },
  { server: 'fastify', what: 'start', more: 0, margin: '5%', seconds: 60 },
  { server: 'fastify', what: 'start', more: 0.05, margin: '5%', seconds: 60 },
  { server: 'express', what: 'start', more: 0.05, margin: '5%', seconds: 60 },
  { server: 'fastify', more: 0, margin: '5%', seconds: 180, busy: true },
  { server: 'fastify', more: 0.05, margin: '5%', seconds: 180, busy: true },
  { server: 'express', more: 0.05, margin: '5%', seconds: 180, busy: true },
];

/**
 * @param {{ repeats: number, only?: string | undefined }} options only: rows whose names begin so, like "fastify", "express wrk",
 *   "fastify autocannon +2%", "busy"
 */
export async function liveTable({ repeats, only }) {
  const rows = ROWS.filter((row) => !only || nameOf(row).startsWith(only));
  console.log(
    '| server | load tool | figure | change | machine | regressed | same | unsure | improved | in time | median s | most s | measured, median |',
  );
  console.log('| --- | --- | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const row of rows) {
    const folder = mkdtempSync(join(tmpdir(), 'perf-live-'));
    const busy = row.busy ? startBusy() : undefined;
    try {
      await makeSlowed(folder, [row.server, ...(row.beside ?? [])], [0, row.more], row.what);
      /** @type {Outcome[]} */
      const outcomes = [];
      for (let i = 0; i < repeats; i++) {
        const outcome = await judgeOnce(folder, row);
        outcomes.push(outcome);
        console.error(`${nameOf(row)}: ${JSON.stringify(outcome)}`);
      }
      console.log(rowText(row, outcomes));
    } finally {
      busy?.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/**
 * seconds: until the last window; others: verdicts of the servers beside it.
 * @typedef {{ startedAt: string, fingerprint: string, verdict: string, metrics: Record<string, string>, others: string[], seconds: number, cpuPct: number, ciPct: [number, number], othersShare: number }} Outcome
 */

/** @param {typeof ROWS[number]} row */
function nameOf(row) {
  const { more, margin, busy, what } = row;
  return `${busy ? 'busy ' : ''}${what ? `${what} of ` : ''}${serverOf(row)} ${toolOf(row)} ${more === 0 ? `unchanged ${margin}` : `+${100 * more}%`}`;
}

/** @param {typeof ROWS[number]} row */
function toolOf({ tool = 'autocannon' }) {
  return tool;
}

/** @param {typeof ROWS[number]} row */
function serverOf({ server, beside = [] }) {
  return beside.length === 0 ? server : `${server} beside ${beside.length} others`;
}

/** @param {string} folder @param {typeof ROWS[number]} row @returns {Promise<Outcome>} */
async function judgeOnce(folder, row) {
  const { margin, seconds, budget = Math.max(300, seconds) } = row;
  await perfAction(folder, [
    'run',
    '--tool',
    toolOf(row),
    '--fail-on',
    'never',
    '--against',
    'HEAD~1',
    '--no-explain',
    '--margin',
    margin,
    '--budget',
    `${budget}s`,
  ]);
  const read = (/** @type {string} */ file) =>
    JSON.parse(readFileSync(join(folder, 'perf-results', file), 'utf8'));
  const [comparison, head, base] = [read('comparison.json'), read('run.json'), read('base/run.json')];
  /** Windows that were loaded alternately began together. @type {Map<number, number>} */
  const ends = new Map();
  const trials = [head, base].flatMap(({ cases }) =>
    cases.flatMap((/** @type {any} */ { trials }) => trials),
  );
  for (const { at, seconds } of trials.flatMap(({ windows }) => windows))
    ends.set(at, (ends.get(at) ?? at) + seconds);
  const [slowed, ...others] = comparison.cases;
  const judged = row.what === 'start' ? 'startupCpu' : 'cpuPerRequest';
  const cpu = slowed.metrics.find((/** @type {any} */ { metric }) => metric === judged);
  const { startedAt, environment } = head;
  const windows = trials.flatMap(({ windows }) => windows).filter(({ cpu }) => cpu);
  return {
    startedAt,
    fingerprint: environment.fingerprint,
    verdict: row.what === 'start' ? (cpu?.verdict ?? 'unsure') : slowed.verdict,
    metrics: Object.fromEntries(
      slowed.metrics.map((/** @type {any} */ { metric, verdict }) => [metric, verdict]),
    ),
    others: others.map((/** @type {any} */ { verdict }) => verdict),
    seconds: Math.max(...ends.values()),
    cpuPct: cpu?.effectPct ?? Number.NaN,
    ciPct: cpu?.ciPct,
    othersShare: median(windows, othersShare) ?? Number.NaN,
  };
}

/** @param {typeof ROWS[number]} row @param {Outcome[]} outcomes */
function rowText(row, outcomes) {
  const { more, margin, seconds, busy } = row;
  const count = (/** @type {string} */ verdict) =>
    outcomes.filter((outcome) => outcome.verdict === verdict).length;
  const wanted = more === 0 ? 'same' : 'regressed';
  const isRight = (/** @type {Outcome} */ outcome) =>
    outcome.verdict === wanted && outcome.others.every((verdict) => verdict === 'same');
  const inTime = outcomes.filter((outcome) => isRight(outcome) && outcome.seconds <= seconds).length;
  const cells = [
    serverOf(row),
    toolOf(row),
    row.what ? 'CPU of a start' : 'CPU per request',
    more === 0 ? `none (margin ${margin})` : `+${100 * more} % (margin ${margin})`,
    busy ? 'a third used' : 'quiet',
    ...['regressed', 'same', 'unsure', 'improved'].map(count),
    `${inTime} of ${outcomes.length} in ${seconds} s`,
    median(outcomes, (outcome) => outcome.seconds)?.toFixed(0),
    max(outcomes, (outcome) => outcome.seconds)?.toFixed(0),
    `${median(outcomes, ({ cpuPct }) => cpuPct)?.toFixed(1)} %`,
  ];
  return `| ${cells.join(' | ')} |`;
}
