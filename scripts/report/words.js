/**
 * The sentences of a report: the verdict, what changed, what went wrong, how it was measured.
 * @import { Comparison, Run, RunCase, Verdict } from '../types.js'
 */

import { METRICS } from '../judge/metrics.js';
import { escaped, fenced, interval, percent } from './format.js';
import { changeText } from './tables.js';

/** @type {Record<Verdict, string>} */
const HEADLINES = {
  regressed: '🔴 Slower than the base',
  failed: '🔴 Something could not be measured',
  unsure: '🟡 Unsure: the measurement cannot exclude a change',
  same: '🟢 No change',
  improved: '🟢 Faster than the base',
};

/**
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @returns {string}
 */
export function headline(run, comparison) {
  if (comparison) return HEADLINES[comparison.verdict];
  return run.title ? `Measured: ${escaped(run.title)}` : 'Measured';
}

/**
 * Only what changed, a line each.
 * @param {Run} run
 * @param {Comparison} comparison
 * @returns {string[]}
 */
export function changes(run, { cases }) {
  return cases.flatMap(({ id, metrics, only }) => {
    const name = escaped(nameOf(run, id));
    if (only) return [`- **${name}**: only in the ${only}, nothing to compare with`];
    return metrics
      .filter(({ verdict }) => verdict === 'regressed' || verdict === 'improved' || verdict === 'failed')
      .map((change) => {
        const label = METRICS.find((metric) => metric.id === change.metric)?.label ?? change.metric;
        const told = changeText(change) || escaped(change.why);
        return `- **${name}**: ${label} ${change.verdict}: ${told}`;
      });
  });
}

/**
 * How far the comparison can be believed, a sentence each.
 * @param {Comparison} comparison
 * @returns {string[]}
 */
export function trust({ method, reference, promise, warnings }) {
  return [
    ...(method === 'through-reference'
      ? [
          'The base was measured on another machine: effects are relative to the reference server, which both runs measured.',
        ]
      : []),
    ...(reference
      ? [
          `The reference, which no change touched, moved by ${percent(reference.effectPct)} (${interval(reference.ciPct)}).`,
        ]
      : []),
    ...warnings.map(({ message }) => escaped(message)),
    `The promise: ${escaped(promise)}.`,
  ];
}

/**
 * @param {Run} run
 * @returns {string[]} footnotes, each once
 */
export function footnotes(run) {
  const bound = run.cases.some(({ summary }) => summary?.clientBound);
  return [
    ...(bound
      ? [
          '† The load tool had used up its CPU while the server had not: the figure says nothing of the server, and is not ranked.',
        ]
      : []),
    ...new Set((run.warnings ?? []).map((warning) => escaped(warning.message))),
  ];
}

/**
 * @param {Run} run
 * @returns {string[]} what could not be measured, with the last lines that were printed
 */
export function failures(run) {
  return run.cases.flatMap((of) => {
    const failed = of.trials.filter(({ failure }) => failure);
    const [first] = failed.flatMap(({ failure }) => failure ?? []);
    if (!first) return [];
    const often =
      failed.length > 1 || of.trials.length > failed.length
        ? ` (${failed.length} of ${of.trials.length} boots)`
        : '';
    const line = `**${escaped(of.serverName)}**: ${escaped(first.kind)}${often}: ${escaped(first.message)}`;
    return [first.logTail?.length ? `${line}\n\n${fenced(first.logTail)}` : line];
  });
}

/**
 * Run files of other programs may tell less than ours.
 * @param {Run} run
 * @returns {string[]} what it was measured with, a line each
 */
export function measuredWith({ environment, cases, seed, revision, finishedAt }) {
  const {
    cpuModel,
    cores,
    memoryBytes,
    os,
    kernel,
    runner,
    runtimes = {},
    tools = {},
  } = /** @type {Partial<Run['environment']>} */ (environment);
  const versions = [...Object.entries(runtimes), ...Object.entries(tools)].map(
    ([name, version]) => `${name} ${version}`,
  );
  const commit =
    revision?.sha &&
    `commit ${revision.sha.slice(0, 10)}${revision.dirty ? ' with uncommitted changes' : ''}`;
  const boots = Math.max(0, ...cases.map(({ trials }) => trials.length));
  return [
    [
      cpuModel,
      cores && `${cores} cores`,
      memoryBytes && `${Math.round(memoryBytes / 2 ** 30)} GiB`,
      os,
      kernel && `kernel ${kernel}`,
      runner,
    ],
    versions,
    [
      `${boots} ${boots === 1 ? 'boot' : 'boots'} a server`,
      ...loadWords(cases[0]?.load),
      seed !== undefined && `order shuffled with seed ${seed}`,
    ],
    [commit, finishedAt],
  ]
    .map((parts) => escaped(parts.filter(Boolean).join(', ')))
    .filter(Boolean);
}

/** @param {Partial<RunCase['load']> | undefined} load */
function loadWords({ warmupSeconds, durationSeconds, windows = 1, threads, pipelining, keepAlive } = {}) {
  return [
    warmupSeconds !== undefined && `${warmupSeconds} s of warm-up`,
    durationSeconds && `${durationSeconds} s measured${windows > 1 ? ` in ${windows} windows` : ''}`,
    threads && `${threads} client thread${threads > 1 ? 's' : ''}`,
    pipelining && `pipelining ${pipelining}`,
    keepAlive !== undefined && `keep-alive ${keepAlive ? 'on' : 'off'}`,
  ];
}

/**
 * @param {Run} run
 * @param {string} id
 */
function nameOf({ cases }, id) {
  /** @type {RunCase | undefined} */
  const of = cases.find((each) => each.id === id);
  const alike = cases.filter(({ serverName }) => serverName === of?.serverName);
  return of && alike.length === 1 ? of.serverName : id;
}
