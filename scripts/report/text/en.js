/**
 * The reports in English: every sentence of the comment, the report, the terminal and the summary. The modules of document/
 * decide what is said and with which figures. Names come as plain text; renderers escape whole sentences.
 * @import { Condition } from '../../model/dimensions.js'
 * @import { Quotient } from '../../judge/ratio.js'
 * @import { Limit, LeftOut, Metric, Reason, Verdict, Warning } from '../../types.js'
 */

import { MOST_ROUNDS } from '../../judge/verdicts.js';
import { metric } from '../../samples/figures.js';
import { numbersIn, WIDEST } from './format.js';
import { code, exact, strong } from './inline.js';
import { said } from './said.js';

const numbers = numbersIn('en-US');
const {
  about,
  cores,
  count,
  duration,
  list,
  microseconds,
  percent,
  portion,
  precise,
  rate,
  signed,
  some,
  unsigned,
} = numbers;

/** What throughput may stop growing with. */
const STEPS = {
  connections: { one: 'connection', other: 'connections' },
  instances: { one: 'instance', other: 'instances' },
};
const CORES = { one: 'core', other: 'cores' };
const STARTS = { one: 'start', other: 'starts' };
const COMPARISONS = { one: 'comparison', other: 'comparisons' };
const CASES = { one: 'case', other: 'cases' };
const SERVERS = { one: 'server', other: 'servers' };
const RUNS = { one: 'run', other: 'runs' };
const KINDS = { one: 'kind of machine', other: 'kinds of machine' };
const ROUNDS = { one: 'round', other: 'rounds' };
const MORE_ROUNDS = { one: 'more round', other: 'more rounds' };
const STORED_RUNS = { one: 'stored run', other: 'stored runs' };
const WINDOWS = { one: 'window', other: 'windows' };

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} bound */
const over = (bound) => `over ${bound}`;

/** @param {[number, number]} interval in percent @returns {string} "−9.5 to +5.0 %" */
const interval = ([low, high]) =>
  `${percent(low).replace(' %', '')} to ${high > WIDEST ? over(percent(WIDEST)) : percent(high)}`;

/** @param {Quotient} gain @returns {string} "+3.1 % (−0.4 to +6.8 %)" */
const gainText = ({ value, low, high }) => {
  const [change = 0, ...ends] = [value, low, high].map((each) => 100 * (each - 1));
  return `${percent(change)} (${interval(/** @type {[number, number]} */ (ends))})`;
};

/** @param {number} from @param {number} to */
const range = (from, to) => (from === to ? `${to}` : `${from} to ${to}`);

/** @param {Pick<Metric, 'label'> | undefined} row @param {string} id @returns {string} as a sentence begins */
const label = (row, id) => row?.label ?? id;

/** @type {{ [C in Reason['code']]: (facts: Extract<Reason, { code: C }>) => string }} */
const reasons = {
  'inside-margin': () => 'within the margin',
  changed: ({ byPct, givePct }) =>
    `${percent(byPct)} against the base, give or take ${unsigned(Math.abs(givePct))}`,
  open: ({ moreRounds }) =>
    `neither within the margin nor clearly different; ${
      moreRounds > MOST_ROUNDS
        ? `it would take more than ${count(MOST_ROUNDS)} rounds to decide`
        : `about ${some(moreRounds, MORE_ROUNDS)} would decide it`
    }`,
  'one-boot': () => 'one start per side cannot tell a change from chance; measure more rounds',
  'few-rounds': ({ least }) => `it takes at least ${some(least, ROUNDS)} to be sure of a change`,
  'too-coarse': ({ stepPct }) => `the load tool counts in steps of ${about(stepPct)} %, too coarse to tell`,
  'other-machine': () => 'measured on another kind of machine',
  crowded: () => 'measured while other processes used most of the machine',
  'rate-missed': ({ asked, achieved }) => `the rate was not held: ${rate(achieved)} of ${rate(asked)} req/s`,
  'no-errors': () => 'no errors',
  'new-errors': ({ kinds }) => `new kind of error: ${list(kinds ?? [])}`,
  'rare-errors': () => 'too rare to estimate a rate',
  'error-rate': ({ rounds }) => `share of failed requests, over ${some(rounds, ROUNDS)}`,
  failed: ({ message }) => message,
  'not-measured': () => 'nothing was measured',
};

/** @type {Record<string, (facts: any) => string>} */
const warnings = {
  disturbed: ({ share }) =>
    `other processes used more than ${portion(share)} of the machine in most windows, which makes throughput vary more than CPU per request`,
  'wrecked-rounds': ({ wrecked, rounds }) =>
    `${count(wrecked)} of ${some(rounds, ROUNDS)} were extreme outliers and were left out`,
  'budget-ended': ({ seconds, rounds }) =>
    `the budget of ${duration(seconds)} ended the measurement after ${some(rounds, ROUNDS)}`,
  'not-explained': ({ seconds }) =>
    `the functions that got slower were not measured: that takes ${duration(seconds)} more of the budget`,
  'other-machine': () =>
    `the stored run comes from another kind of machine, where servers compare differently: store a run from this kind of machine, or compare with ${code('--against')}`,
  'not-compared': ({ baseline, left = [], why }) =>
    `not compared: ${
      why ??
      (left.length === 0
        ? `no run is stored in ${baseline}`
        : `of the runs stored in ${baseline}, none fits (${list([...new Set(left)].map((/** @type {LeftOut} */ code) => leftOut[code] ?? code))})`)
    }`,
  skipped: ({ since }) =>
    `no changed file affects a server${since === undefined ? '' : ` since commit ${exact(String(since).slice(0, 10))}`}`,
  'not-touched': ({ servers }) => `not measured, since no changed file affects it: ${list(servers ?? [])}`,
  'described-by-head': ({ servers }) =>
    `the base has no perf.yml entry for ${list(servers ?? [])}; it was started the way the head does`,
  'new-in-head': ({ servers }) =>
    `new in this branch, with nothing to compare it with: ${list(servers ?? [])}`,
  'lfs-missing': ({ side, files = [] }) =>
    `${side}: ${files.length > 1 ? `${files[0]} and ${some(files.length - 1, { one: 'more file', other: 'more files' })} are Git LFS pointers` : `${files[0]} is a Git LFS pointer`} instead of the content; run ${code('git lfs pull')}, or set ${code('lfs: true')} at the checkout`,
  'fixed-port': ({ port }) =>
    `the server ignores PORT and listens on ${port}; base and head cannot share the port and are measured one after the other, so small changes take longer to find. Listen on process.env.PORT`,
  'by-turns': ({ beside, share }) =>
    `base and head were measured one after the other, so small changes take longer to find: ${beside === undefined ? `while it should be idle, the server used ${portion(share)} of a core` : `next to another server, ${beside}`}`,
  'machine-shared': ({ shared, windows, programs }) =>
    `other processes used much of the machine in ${count(shared)} of ${some(windows, WINDOWS)}, most of all: ${list(programs ?? [])}`,
  'rate-missed': ({ asked, achieved }) =>
    `${rate(asked)} requests per second were asked for and ${rate(achieved)} were answered: the latencies are those of an overloaded server and are not compared`,
  'does-not-add-up': ({ connections, atOnce }) =>
    `${atOnce < connections ? `only about ${about(atOnce)} of ${some(connections, STEPS.connections)} were busy: some never opened, or the load tool could not keep up` : `throughput times mean latency makes ${about(atOnce)} requests at once on ${some(connections, STEPS.connections)}: the load tool adds waiting time that no request had (wrk corrects for what it assumes it missed)`}`,
  'thresholds-missed': ({ tool, thresholds = [] }) =>
    `${tool}: ${thresholds.length === 1 ? 'a threshold of the script was' : 'thresholds of the script were'} crossed: ${list(thresholds)}`,
  'workers-lost': ({ lost, workers }) =>
    `${count(lost)} of ${some(workers, { one: 'worker', other: 'workers' })} of the load tool disconnected early; the others finished`,
  'not-warm': ({ boots, of }) =>
    `not yet warm in ${count(boots)} of ${some(of, STARTS)}: throughput was still rising at the end of the warm-up, or JIT compilers were still busy; set a longer warm-up, or more rounds if it never settles`,
  'left-behind': ({ server, programs }) =>
    `the install or build of ${server} left processes running (${list(programs ?? [])}); they were ended`,
  unsupervised: () =>
    'this machine cannot supervise processes (that needs Linux and Perl): daemons that a server starts may outlive it, and a killed run leaves its servers running',
  cancelled: ({ measured, planned }) =>
    `the run was cancelled after ${count(measured)} of ${some(planned, STARTS)}; what was measured is kept`,
  unfinished: ({ measured, planned }) =>
    `the run has not finished: ${count(measured)} of ${some(planned, STARTS)} measured so far; if it was interrupted, ${code('perf-action run --resume')} with its results folder finishes it`,
  'base-unfinished': () => 'the base comes from a run that has not finished',
  'head-unfinished': () => 'the head comes from a run that has not finished',
  resumed: ({ times }) =>
    times === 1
      ? 'the run was interrupted once and resumed'
      : `the run was interrupted ${count(times)} times and resumed`,
  'shards-missing': ({ shards, of, cases }) =>
    `shard ${list(shards ?? [])} of ${count(of)} left no results${cases ? `; missing: ${list(cases)}` : ''}`,
  'mixed-machines': ({ machines = [] }) =>
    `the shards ran on ${count(machines.length)} kinds of machine (${list(machines)}); absolute figures of different shards cannot be compared`,
  'gate-closed': ({ metric: id, verdict, rule }) =>
    `${label(metric(id), id)}: ${verdict}; its own gate (${rule}) fails the check`,
  'gate-open': ({ metric: id, verdict, rule }) =>
    `${label(metric(id), id)}: ${verdict}; its own gate (${rule}) lets it pass`,
};

/** @type {{ [C in Limit['code']]: (facts: Extract<Limit, { code: C }>) => string }} */
const limits = {
  'few-rounds': ({ least }) => `fewer than ${some(least, ROUNDS)}`,
  'few-runs': ({ runs }) => `only ${some(runs, STORED_RUNS)}: how much runs vary is partly a guess`,
  crowded: () => 'other processes used most of the machine',
};

/** @type {Record<LeftOut, string>} */
const leftOut = {
  'gate-failed': 'failed the check without being accepted',
  'before-a-change': 'from before the last change',
  older: 'older than those',
  'other-machine': 'from another kind of machine',
  'no-reference': 'without the reference server',
  'other-cases': 'of other cases',
};

/** @param {Quotient} here @returns {string} "0.87x (0.84 to 0.9)" */
const quotientText = ({ value, low, high }) => `${precise(value)}x (${precise(low)} to ${precise(high)})`;

export const en = {
  ...numbers,
  language: 'en',
  interval,
  over,

  /** Of a metric, as a sentence begins. */
  label,

  /** @param {string} what a metric, or a column @param {number} asked requests a second */
  atRate: (what, asked) => `${what} at ${rate(asked)} req/s`,

  /** Of a table's load. */
  loops: { closed: 'closed loop', open: 'open loop', both: 'closed and open loop' },

  /** @param {string} text a label @returns {string} as it stands inside a sentence; "CPU" stays as it is */
  within: (text) => text.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()),

  /**
   * A dimension of the load, as its row has it.
   * @param {Condition} row
   * @param {(string | number | boolean)[]} values
   */
  condition: ({ words }, values) => {
    const [one, other] = typeof words === 'string' ? [words, words] : words;
    const told = values.map((value) => (typeof value === 'boolean' ? (value ? 'on' : 'off') : value));
    return (values.length === 1 && values[0] === 1 ? one : other).replace('{}', told.join(' / '));
  },

  /** @param {Reason} why @returns {string} plain text */
  reason: (why) => said(reasons, why),

  /** @param {Warning} warning @returns {string} plain text */
  warning: (warning) => said(warnings, warning),

  change: {
    /** Stands for an interval that excludes neither half nor double. */
    untold: 'inconclusive',
    /** @param {string} change against stored runs, whose figures are of other days */
    besideReference: (change) => `${change} relative to the reference server`,
    /** @param {'slower' | 'faster'} way @param {number} pct @param {[number, number]} ciPct both without a sign */
    within: (way, pct, ciPct) =>
      `${way} by ${unsigned(pct)} (${unsigned(ciPct[0])} to ${unsigned(ciPct[1])}), within the margin`,
    /** @param {string} told */
    unsure: (told) => `unsure: ${told}`,
    /** @param {string} _metric its id @param {string} label @param {Verdict} verdict @returns {string} */
    changed: (_metric, label, verdict) => `${label} ${en.change.verdicts[verdict]}`,
    /** @type {Record<Verdict | 'within' | 'differs', string>} */
    verdicts: {
      regressed: 'regressed',
      improved: 'improved',
      same: 'same',
      unsure: 'unsure',
      failed: 'failed',
      within: 'within the margin',
      differs: 'differs',
    },
  },

  bisection: {
    /** @param {number} left tries */
    left: (left) => (left > 0 ? `about ${left} to go` : ''),
    /** @type {Record<Verdict, string>} */
    verdicts: {
      regressed: 'slower',
      improved: 'faster',
      same: 'no change',
      unsure: 'unsure, skipped',
      failed: 'could not be measured, skipped',
    },
    /** @param {{ commit: string, subject: string, id: string }} found */
    found: ({ commit, subject, id }) => `🔴 ${commit} "${subject}" made ${id} slower.`,
    /** @param {{ commit: string, subject: string, id: string }} found */
    notConfirmed: ({ commit, subject, id }) =>
      `🟡 The search for what made ${id} slower led to ${commit} "${subject}", but compared with its parent, that commit is not slower. The slowdown may have come in several small steps, or a verdict of the search was wrong. A longer --budget finds smaller changes.`,
    /** @param {number} number @param {string} id */
    oneOf: (number, id) =>
      `🟡 One of these ${count(number)} commits made ${id} slower; the others could not be measured, or not distinguished within the budget:`,
    /** @type {Record<Verdict, string>} */
    nothing: {
      regressed: '',
      same: '🟢 Nothing to find: the two commits are equally fast.',
      improved: '🟢 Nothing to find: the second commit is faster than the first.',
      unsure:
        '🟡 Nothing to search for yet: the budget was too short to distinguish the two commits. Use a longer --budget.',
      failed: '🔴 Nothing to search for: one of the two commits could not be measured.',
    },
    /** @param {number} tries */
    unfinished: (tries) => `🟡 The search ran out of time after ${some(tries, COMPARISONS)}`,
    /** @param {{ good: string, bad: string }} range */
    between: ({ good, bad }) => `The commits after ${good}, up to ${bad}, remain.`,
    resume: 'These commands finish it in a checkout that has those commits; no comparison is repeated:',
    /** @param {number} number */
    tries: (number) => some(number, COMPARISONS),
    /** @param {string} change @param {string} parent */
    beside: (change, parent) => `Compared with its parent ${parent}: ${change}.`,
    heads: ['Commit', 'Subject', 'Compared with', 'Change', 'Verdict'],
  },

  headline: {
    /** @param {string} why */
    skipped: (why) => `⚪ Skipped: ${why}`,
    /** @param {string} told the headline without it @param {any} lost the warning */
    incomplete: (told, { shards = [], of = 0 }) =>
      `${told.replace('🟢', '🟡')} (incomplete: shard ${list(shards)} of ${count(of)} left no results)`,
    /** @param {string | undefined} title */
    measured: (title) => (title ? `Measured: ${title}` : 'Measured'),
    /** @param {number | undefined} marginPct */
    same: (marginPct) => `🟢 No change${marginPct === undefined ? '' : ` above ${about(marginPct)} %`}`,
    /** @param {string} names */
    uncompared: (names) => `🟢 Nothing to compare: ${names} is on one side only`,
    /** @param {string} changes */
    improved: (changes) => `🟢 ${capital(changes || 'faster than the base')}`,
    /** @param {string} changes */
    regressed: (changes) => `🔴 ${capital(changes || 'slower than the base')}`,
    /** @param {string} names @param {string} worse */
    failed: (names, worse) =>
      `🔴 Something could not be measured${names && `: ${names}`}${worse && `; ${worse}`}`,
    /** @param {string} names */
    unsure: (names) => `🟡 Unsure${names && ` about ${names}`}: the measurement cannot rule out a change`,
    /** @param {string} names */
    falseAlarm: (names) => `🔴 A false alarm: ${names}, measured against itself, differs`,
    /** @param {string} names */
    aboveMargin: (names) => `🟡 The noise floor is above the margin: ${names}`,
    belowMargin: '🟢 The noise floor is below the margin',
    slower: 'slower than the base',
    faster: 'faster than the base',
    worse: 'worse than the base',
    better: 'better than the base',
    /** @param {number} number */
    cases: (number) => some(number, CASES),
  },

  trust: {
    itself: 'The same server was measured against itself in the same rounds: any difference is noise.',
    /** @param {string} base */
    sideBySide: (base) => `Compared with ${base}; both sides were measured in the same rounds.`,
    /** @param {string} base @param {{ runs: number | undefined, reference: boolean }} of */
    stored: (base, { runs, reference }) =>
      `Compared with ${runs === undefined ? base : `${some(runs, STORED_RUNS)}, up to ${base}`}, measured on the same kind of machine; ${reference ? 'effects are relative to the reference server, and ' : ''}the intervals include how much unchanged runs vary.`,
    /** @param {string} base */
    otherMachine: (base) =>
      `The base, ${base}, was measured on another kind of machine and decides nothing here.`,
    noisyReference: 'The reference server, which this change cannot affect, was too noisy to use.',
    /** @param {number} effectPct @param {[number, number]} ciPct */
    reference: (effectPct, ciPct) =>
      `The reference server, which this change cannot affect, differed by ${percent(effectPct)} (${interval(ciPct)}).`,
    /** @param {{ falseAlarms: number, outside: Limit[] } | undefined} promise */
    promise: (promise) => {
      if (!promise) return 'No rate of false alarms is stated.';
      const told = `False alarms: at most ${count(100 * promise.falseAlarms)} report in 100`;
      const outside = promise.outside.map((limit) => said(limits, limit));
      return outside.length > 0 ? `${told}, but that was not tested for: ${outside.join('; ')}.` : `${told}.`;
    },
    /** @param {{ name: string, when: string, place: string }} run */
    run: ({ name, when, place }) => `the run ${name && `"${name}" `}of ${when}${place && ` (${place})`}`,
    unknownTime: 'an unknown time',
    theBase: 'the base',
    /** @param {string} sha */
    commit: (sha) => `commit ${sha}`,
    /** @param {{ used: number, all: number, left: { code: LeftOut, number: number, commits: string[] }[] }} stored */
    leftOut: ({ used, all, left }) => {
      const told = left.map(
        ({ code, number, commits }) =>
          `${number} ${leftOut[code]}${commits.length > 0 ? ` (${list(commits)})` : ''}`,
      );
      return `Of ${some(all, STORED_RUNS)} ${used} ${used === 1 ? 'is' : 'are'} the base; left out: ${told.join(', ')}.`;
    },
  },

  changes: {
    /** @param {'base' | 'head'} side @returns {string} */
    only: (side) => (side === 'head' ? 'new: nothing to compare with' : 'removed: only the base has it'),
    /** @param {number} number */
    moreUnsure: (number) => `and ${count(number)} more that are unsure`,
    /** @param {string} option */
    settle: (option) => `${code(option)} would probably decide what is unsure`,
    unsettled:
      'no reasonable budget would decide what is unsure; fewer cases, a quieter machine or a larger margin would',
    /** @param {string | undefined} head its name @param {string} why */
    failed: (head, why) => `${head ?? 'the head'} could not be measured: ${why}`,
    /** @param {string} base @param {string} why @param {string | undefined} head its name */
    baseFailed: (base, why, head) =>
      `${base} could not be measured: ${why}. ${head ?? 'The head'} could: both can be compared once it is merged`,
  },

  columns: {
    server: 'Server',
    route: 'Route',
    metric: 'Metric',
    base: 'Base',
    head: 'Head',
    oneSide: 'One side',
    otherSide: 'The other',
    change: 'Δ',
    verdict: 'Verdict',
    why: 'Why',
    wouldFind: 'Detectable',
    ratio: 'Ratio',
    errors: 'Errors',
    rate: 'Req/s',
    peak: 'Peak req/s',
    requests: 'Requests',
    read: 'MB read',
    latency: { avg: 'Avg ms', p50: 'p50', p95: 'p95', p97_5: 'p97.5', p99: 'p99', max: 'Max' },
    latencyFew: { p50: 'p50 ms', p99: 'p99 ms' },
    /** @param {string} reference */
    of: (reference) => `of ${reference}`,
    load: 'Load',
    time: 'Time',
    here: 'here',
    conclusion: 'Conclusion',
    runtimeMetrics: {
      p50: 'Loop delay p50 ms',
      p99: 'p99',
      max: 'Max',
      busy: 'Loop busy',
      collections: 'GC per s',
      collecting: 'Time in GC',
      longest: 'Longest GC ms',
      heap: 'Heap MB',
      metaspace: 'Metaspace MB',
      threads: 'Threads',
      classes: 'Classes',
      compiling: 'JIT busy',
      peak: 'Peak memory MB',
      growth: 'Growth MB/s',
    },
    instances: {
      rate: 'TPS',
      peak: 'Peak TPS',
      executed: 'Executed',
      successful: 'Successful',
      cores: 'CPU cores',
      each: 'CPU µs/req',
      memory: 'Memory MB',
      busiest: 'Busiest instance',
    },
    /** @param {string} load */
    to: (load) => `Of ${load},`,
    /** @param {string} column */
    published: (column) => `${column} published`,
    avgMs: 'Avg ms',
    p99Ms: 'p99 ms',
  },

  tables: {
    everyRoute: 'Every route',
    reference: '(reference)',
    notMeasured: 'not measured',
    /** @param {number} failed @param {number} all */
    bootsFailed: (failed, all) => `${count(failed)} of ${some(all, STARTS)} failed`,
    /** @param {string} kind @param {number} number */
    error: (kind, number) => {
      /** @type {Record<string, { one: string, other: string }>} */
      const forms = {
        timeouts: { one: 'timeout', other: 'timeouts' },
        non2xx: { one: 'non-2xx', other: 'non-2xx' },
        resets: { one: 'reset', other: 'resets' },
        stalls: { one: 'stall', other: 'stalls' },
        checks: { one: 'failed check', other: 'failed checks' },
      };
      return some(number, forms[kind] ?? { other: kind });
    },
    /** @param {number} requests @param {string | undefined} megabytes @param {number} boots */
    total: (requests, megabytes, boots) =>
      `${count(requests)} requests${megabytes === undefined ? '' : `, ${megabytes} MB read`} in ${some(boots, STARTS)}`,
    box: { stat: 'Stat', latency: 'Latency ms', avg: 'Avg', stdev: 'Stdev', max: 'Max', min: 'Min' },
    /** @param {string} title */
    chart: (title) => `Requests per second: ${title}`,
    /** @param {number} power a share of runs */
    floor: (power) =>
      `±, half the interval, is the noise floor: smaller changes hide in it. Detectable: the smallest slowdown that this many starts find in ${Math.round(100 * power)} of 100 runs, if the margin is no larger.`,
    /** @param {string} conditions @param {string} origin */
    published: (conditions, origin) => `Published under: ${conditions}${origin}.`,
    bounds: { 'at least': 'at least', 'at most': 'at most' },
    /** @param {string} published @param {string} name @param {string} here */
    ratios: (published, name, here) => `published ${published} ${name}, here ${here}`,
  },

  conditions: {
    repeat: 'To repeat it locally:',
    /** @param {number} number */
    cores: (number) => some(number, CORES),
    /** @param {number} gibibytes */
    memory: (gibibytes) => `${gibibytes} GiB of memory`,
    /** @param {[number, number]} seconds */
    warmups: (seconds) => `servers with JIT compilers warmed up for ${range(...seconds)} s`,
    /** @param {string} version */
    kernel: (version) => `kernel ${version}`,
    /** @param {number} seed */
    seed: (seed) => `order shuffled with seed ${exact(seed)}`,
    /** @param {{ sha: string, mergedInto: string | undefined, dirty: boolean }} commit */
    commit: ({ sha, mergedInto, dirty }) =>
      `commit ${sha}${mergedInto ? ` merged into ${mergedInto}` : ''}${dirty ? ' with uncommitted changes' : ''}`,
    /** @param {{ counts: [number, number], seconds: [number, number] }} of */
    windows: ({ counts, seconds }) =>
      `${range(...counts)} ${counts[1] === 1 ? WINDOWS.one : WINDOWS.other} of ${range(...seconds)} s per start`,
    /** @param {number} least @param {number} most */
    boots: (least, most) =>
      least === most
        ? `${some(most, STARTS)} per case, one per round`
        : `${count(least)} to ${some(most, STARTS)} per case`,
    /** @param {number} pct */
    waiting: (pct) => `idle servers used ${pct} % of a core`,
  },

  notes: {
    clientBound:
      '† The load tool ran out of CPU while the server did not: the figure is the limit of the tool, not of the server, and is not ranked. Ratios with it are bounds (≥, ≤).',
    /** @param {string} tool */
    meanPercentiles: (tool) =>
      `Latency percentiles of ${tool} are means of the windows’ percentiles, since it reports no histogram.`,
    atTheEnd: 'and at the end:',
    reproduce: 'Reproduce:',
    /** @param {string} name @param {string} kind */
    printed: (name, kind) => `Output of ${name}: ${kind}`,
    /** @param {number} failed @param {number} all */
    often: (failed, all) => `${count(failed)} of ${some(all, STARTS)}`,
  },

  /** Whether what was published is so here. */
  conclusions: { holds: 'holds here', fails: 'does not hold here', open: 'undecided here' },

  quotient: quotientText,

  /** @param {string[]} ends one, or two */
  range: (ends) => [...new Set(ends)].join(' to '),

  insights: {
    /**
     * steps: numbers of what `of` names; from, to: places in them between which the knee lies; gained: up to there; further: the
     * most that any later step may add
     * @param {{ name: string, of: keyof typeof STEPS, steps: number[], from: number, to: number, gained: Quotient | undefined, further: Quotient | undefined }} of
     */
    knee: ({ name, of, steps, from, to, gained, further }) => {
      const unit = STEPS[of];
      const [start = 0, low = 0, high = 0, last = 0] = [0, from, to, steps.length - 1].map(
        (place) => steps[place] ?? 0,
      );
      const gain = gained ? `from ${count(start)} to ${some(high, unit)} it gains ${gainText(gained)}` : '';
      if (from === steps.length - 1)
        return `${name}: throughput grows up to ${some(last, unit)}, the most that were measured${gain && `: ${gain}`}.`;
      if (to === steps.length - 1)
        return `${name}: throughput stops growing somewhere from ${some(low, unit)} on; the measurement cannot say where.`;
      const place = from === to ? `at ${some(high, unit)}` : `between ${count(low)} and ${some(high, unit)}`;
      const more = further ? `no later step adds more than ${gainText(further)}` : '';
      return `${name}: throughput stops growing ${place}: ${[gain, more].filter(Boolean).join('; ')}.`;
    },
    /**
     * What binds where throughput is highest. share: of the cores that the server can keep busy; client, all: cores in use
     * @param {{ name: string, connections: number, throughput: number, rates: Quotient | undefined, share: number,
     *   shares: Quotient | undefined, serverCores: number, client: number, clientCores: number, all: number, machine: number,
     *   bytesPerSecond: number | undefined, bound: 'client' | 'server' | 'processes' | 'machine' | 'waiting' }} facts
     */
    limit: ({ name, connections, throughput, rates, share, shares, serverCores, ...used }) => {
      const { client, clientCores, all, machine, bytesPerSecond, bound } = used;
      const ofRates = rates ? ` (${rate(rates.low)} to ${rate(rates.high)})` : '';
      const ofShares = shares ? ` (${portion(shares.low)} to ${portion(shares.high)})` : '';
      const bytes = bytesPerSecond === undefined ? '' : `, ${numbers.megabytes(bytesPerSecond)} MB/s`;
      const why = {
        client: 'the load tool is the limit, so the server can do at least this',
        server: 'server CPU is the limit: 100 % CPU',
        processes:
          'its processes are the limit: each uses 100 % CPU while other cores are idle; try more instances',
        machine: 'the machine is the limit: server, load tool and other programs share all of its CPU',
        waiting:
          'not at 100 % CPU: it waits for services that it calls, for bandwidth or for more connections than were tried',
      }[bound];
      const figures = `the server uses ${portion(share)}${ofShares} of the ${some(serverCores, CORES)} it can keep busy, the load tool ${cores(client)} of ${cores(clientCores)}, everything together ${cores(all)} of the machine’s ${some(machine, CORES)}${bytes}`;
      return `${name}: the most is ${rate(throughput)} req/s${ofRates}, with ${some(connections, STEPS.connections)}; ${why}. There ${figures}.${rates ? '' : ' One round gives no interval.'}`;
    },
    /**
     * Bytes that a server holds while a route is loaded.
     * @typedef {{ route: string, level: Quotient }} Held
     * @param {{ name: string, least: Held, more: Held[] }} of
     */
    memory: ({ name, least, more }) => {
      const heldText = (/** @type {Held} */ { route, level: { value, low, high } }) =>
        `${route} ${numbers.megabytes(value)} MB (${numbers.megabytes(low)} to ${numbers.megabytes(high)})`;
      return `${name}: memory under load, mean over time: ${list(more.toReversed().map(heldText))}, more than ${heldText(least)}.`;
    },
    /**
     * What binds at so many instances. used: cores, by whom; of: those of the machine; connections: that wait for answers;
     * bound: client, machine, or neither
     * @typedef {{ server: number, front: number | undefined, services: number | undefined, client: number, others: number }} Used
     * @param {{ name: string, instances: number, used: Used, of: number, connections: number, bound: 'client' | 'machine' | undefined }} facts
     */
    instances: ({ name, instances, used, of, connections, bound }) => {
      const { server, front, services, client, others } = used;
      const parts = [
        front === undefined ? [] : `its proxy ${cores(front)}`,
        services === undefined ? [] : `its services ${cores(services)}`,
        `the load tool ${cores(client)}`,
      ].flat();
      const shares = `${name}: with ${some(instances, STEPS.instances)}, the server uses ${cores(server)}, ${parts.join(', ')} and other programs ${cores(others)} of the machine’s ${some(of, CORES)}`;
      if (bound === 'client')
        return `${shares}: the load tool is at its limit, so more instances cannot show here.`;
      if (bound === 'machine') return `${shares}: no CPU is left for more instances.`;
      return `${shares}: CPU is idle, so ${some(connections, STEPS.connections)} cannot keep more instances busy.`;
    },
    /**
     * What stands before a server, and what it costs. direct: without it; gain: its throughput against that; server, front: CPU per
     * request in microseconds; limited: whether the load tool was at its limit
     * @typedef {{ label: string, throughput: number, server: number | undefined, front: number | undefined, limited: boolean }} Layer
     * @param {{ name: string, direct: Layer, layers: (Layer & { gain: Quotient | undefined })[] }} of
     */
    layers: ({ name, direct, layers }) => {
      const cpuText = (/** @type {Layer} */ { server, front }) =>
        server === undefined
          ? ''
          : `, ${microseconds(server)} µs of CPU per request${front === undefined ? '' : ` in the server and ${microseconds(front)} µs in the proxy`}`;
      const parts = layers.map((layer) => {
        const change = layer.gain
          ? gainText(layer.gain)
          : percent(100 * (layer.throughput / direct.throughput - 1));
        const bound = layer.limited || direct.limited ? ', the load tool at its limit' : '';
        return `${layer.label} ${rate(layer.throughput)} req/s (${change}${bound})${cpuText(layer)}`;
      });
      return `${name}: direct ${rate(direct.throughput)} req/s${cpuText(direct)}; ${parts.join('; ')}.`;
    },
    /**
     * Throughput against that of `base`, each with its interval; open: those whose interval does not exclude that it is the same.
     * @typedef {{ server: string, quotient?: Quotient }} Against
     * @param {{ name: string, base: string, faster: Against[], slower: Against[], open: Against[] }} of
     */
    yardstick: ({ name, base, ...groups }) => {
      const told = (/** @type {string} */ what, /** @type {Against[]} */ those) =>
        those.length === 0
          ? []
          : `${what} ${list(those.map(({ server, quotient }) => (quotient ? `${server} ${quotientText(quotient)}` : server)))}`;
      const parts = [
        told('higher for', groups.faster),
        told('lower for', groups.slower),
        told('undecided for', groups.open),
      ];
      return `Throughput compared with ${base} (${name}): ${parts.flat().join('; ')}.`;
    },
    /**
     * limited: whether the load tool was at its limit with keep-alive on, and off
     * @param {{ name: string, on: number, off: number, limited: boolean[], factor: Quotient | undefined }} of
     */
    keepAlive: ({ name, on, off, limited: [onLimited, offLimited], factor }) => {
      const figures = `${name}: ${rate(on)} req/s with keep-alive, ${rate(off)} req/s with a new connection for every request`;
      const text = factor
        ? `${precise(factor.value)} (${precise(factor.low)} to ${precise(factor.high)})`
        : precise(on / off);
      if (onLimited && offLimited)
        return `${figures}; the load tool was at its limit both times, so the factor of ${text} is the tool's.`;
      const bound = onLimited ? 'at least ' : offLimited ? 'at most ' : '';
      const why = bound ? ', as the load tool was at its limit in one of them' : '';
      return `${figures}: ${bound}a factor of ${text}${why}.${factor ? '' : ' One round gives no interval.'}`;
    },
  },

  parts: {
    changes: 'What changed',
    trust: 'How far to trust it',
    figures: 'Figures',
    functions: 'Where the time goes',
    hint: 'How to make a baseline',
    failures: 'Not measured',
    notes: 'Notes',
    chart: 'Chart',
    insights: 'What the figures say',
    runtimeMetrics: 'Inside the servers',
    instances: 'Instances',
    published: 'Compared with the published figures',
    allFigures: 'All figures',
    compared: 'Everything compared',
    conditions: 'How it was measured',
    boxes: 'Statistics of each case',
    moreChanges: 'More changes',
  },

  page: {
    overview: 'Overview',
    cases: 'Cases',
    environments: 'Environments',
    reading: 'How to read the charts',
    box: 'All statistics',
    /** @param {string} name */
    metrics: (name) => `Every metric of ${name}`,
    /** @param {number} number */
    leftOut: (number) =>
      `${capital(some(number, CASES))} that did not change ${number === 1 ? 'has' : 'have'} no charts here; see the tables.`,
    facts: {
      name: 'Environment',
      commit: 'Commit',
      branch: 'Branch',
      started: 'Started',
      cpu: 'CPU',
      cores: 'Cores',
      memory: 'Memory',
      os: 'System',
      kernel: 'Kernel',
      runner: 'Runner',
    },
    charts: {
      throughput: 'Throughput, req/s',
      warmup: 'Throughput while warming up, req/s',
      cpu: 'CPU per request, µs',
      memory: 'Memory, MB',
      eventLoop: 'Event-loop delay p99, ms',
      heap: 'Heap, MB',
      collecting: 'Time in garbage collection, %',
      compiling: 'JIT compilers busy, %',
      threads: 'Threads',
      others: 'Other processes, % of the machine',
      latency: 'Latency, ms (log scale)',
      percentile: 'percentile of requests, %',
      seconds: 'seconds since the start of the run',
      boots: 'req/s; each dot is a start',
      /** @param {'more' | 'less'} better */
      percent: (better) => `change in %, ${better === 'more' ? 'better to the right' : 'better to the left'}`,
      /** @param {string} name */
      windows: (name) => `${name}; each dot is a window`,
      /** @param {{ name: string, mbPerSecond: number }[]} sides */
      growth: (sides) =>
        `growth ${sides.map(({ mbPerSecond }) => signed(Math.round(10 * mbPerSecond) / 10)).join(' → ')} MB/s`,
      /** @param {string} name @param {string} told @param {number} rounds */
      rounds: (name, told, rounds) => `${name}: ${told}, from ${some(rounds, ROUNDS)}, beside the margin`,
      /** @param {string} title @param {number} cases */
      changes: (title, cases) =>
        `${title}: change of ${some(cases, CASES)} with intervals, beside the margin`,
      /** @param {string[]} names */
      course: (names) => `Over time: ${list(names)}`,
      /** @param {string} name */
      density: (name) => `${name}: how the windows are spread`,
      percentiles: 'Latency by percentile',
      /** @param {string} title @param {number} bars */
      bars: (title, bars) => `${title}: ${some(bars, CASES)} as bars`,
      ofChanges:
        'Diamond: estimate. Line: 95 % confidence interval, wider where undecided. Grey band: the margin, within which a change counts as the same.',
      /** How the charts of the cases are read. @type {Record<'rounds' | 'runs' | 'course' | 'density' | 'latency', [string, string]>} */
      how: {
        rounds: [
          'Change',
          'Dot: the mean difference of adjacent windows in a round, the first round on top; of very many, only some are drawn. Pale square: an extreme outlier, left out. Diamond and line: estimate and confidence interval. Grey band: the margin, within which a change counts as the same.',
        ],
        runs: [
          'Change',
          'Diamond and line: estimate and confidence interval, which includes how much unchanged runs vary. Grey band: the margin, within which a change counts as the same.',
        ],
        course: [
          'Over time',
          'Dot: a window. Line: a start. Of very many windows, a dot is the mean of several. Grey: other processes used more than a tenth of the machine.',
        ],
        latency: [
          'Latency',
          'Latency by percentile: each step to the right leaves a tenth of the requests (1 in 10, 1 in 100, ...).',
        ],
        density: [
          'Throughput',
          'Dot: a window; the line marks the median. The spread includes fast and slow moments of the machine; the verdict compares adjacent windows.',
        ],
      },
    },
  },

  terminal: {
    /** @param {string[]} columns */
    narrow: (columns) => `Left out to fit the width: ${list(columns)}.`,
    /** @param {string} path */
    report: (path) => `Report: ${path}`,
    /** @param {number} number */
    alike: (number) => `and ${some(number, CASES)} without a change`,
  },

  live: {
    /** @param {string} rate @param {string} half */
    rate: (rate, half) => `${rate} req/s${half && ` ± ${half}`}`,
    first: 'one round so far',
    /** @param {number} number */
    more: (number) => `and ${count(number)} more`,
  },

  comment: {
    /** @param {number} number */
    more: (number) =>
      `${capital(some(number, { one: 'more case', other: 'more cases' }))}: see All figures below.`,
    /** @param {string[]} names of parts @returns {string} Markdown */
    leftOut: (names) => `_Left out for length: ${list(names)}._`,
    nothingFits: '_Nothing more fits into a comment._',
    elsewhere: '_The job summary and report.md in the results have everything._',
    whole: 'The whole report',
    /** @param {string} sha */
    before: (sha) => `The previous result here was for commit ${sha}.`,
  },

  gate: {
    notMeasured: 'not measured',
    /** @param {string[]} names of cases */
    notStored: (names) => `not compared, since the stored run lacks it: ${list(names)}`,
    endedEarly: 'the run ended before everything was measured',
    /** @param {number} number of annotations that found no place */
    more: (number) => `and ${count(number)} more; see the report`,
    /** @param {string} how */
    accepted: (how) =>
      `${strong('Accepted on purpose')}: ${how}. The check passes; the verdict stays as measured.`,
    /** @param {{ label: string, who: string | undefined }} set who: absent where the site does not tell */
    byLabel: ({ label, who }) =>
      who === undefined
        ? `the pull request has the label ${code(label)}`
        : `${who} added the label ${code(label)}`,
    /** @param {{ sha: string, who: string | undefined, why: string }} commit who: pushed it, where the site tells */
    inCommit: ({ sha, who, why }) =>
      `commit ${sha}${who === undefined ? '' : `, pushed by ${who},`} says “${why}”`,
  },

  plan: {
    /** @param {{ title: string, cases: number, told: string, seed: number }} plan */
    title: ({ title, cases, told, seed }) => `${title}: ${some(cases, CASES)}, ${told} (seed ${seed})`,
    /** @param {[number, number]} boots of a round @param {number} seconds */
    untilDecided: ([least, most], seconds) =>
      `rounds of ${least < most ? `${count(least)} to ` : ''}${some(most, STARTS)} until every case is decided, at most ${duration(seconds)}`,
    /** @param {number} boots @param {number} seconds */
    whole: (boots, seconds) => `${some(boots, STARTS)}, about ${duration(seconds)}`,
    /** @param {number} boots @param {number} seconds */
    bounded: (boots, seconds) => `up to ${some(boots, STARTS)}, at most ${duration(seconds)}`,
    /** @param {number} servers */
    before: (servers) => `Not included: installing and building ${some(servers, SERVERS)}`,
    after: 'If something gets slower, the time that is left profiles it to name the functions',
    /** @param {string[]} shared */
    all: (shared) => `All: ${shared.join('; ')}`,
    /** @param {{ warmup: number, measured: number, windows: number }} time */
    time: ({ warmup, measured, windows }) =>
      `${warmup > 0 ? `${duration(warmup)} of warm-up, ` : ''}${duration(measured)} measured${windows > 1 ? ` in ${windows} windows` : ''}`,
    /** @param {string} number */
    round: (number) => `Round ${number}:`,
    soOn: '..., reshuffled every round',
    /** @param {number} number */
    more: (number) => `and ${count(number)} more, reshuffled every round`,
  },

  power: {
    /** @param {number} power a share of runs @param {string} source */
    title: (power, source) =>
      `slowdowns found in ${Math.round(100 * power)} of 100 runs, estimated from ${source}:`,
    /** @param {{ id: string, rounds: number, finds: number | undefined, margin: number, takes: string }} of finds: absent where they are too few */
    line: ({ id, rounds, finds, margin, takes }) =>
      `${id}: ${some(rounds, ROUNDS)} detect ${finds === undefined ? 'nothing' : `a ${about(100 * finds)} % slowdown`}; detecting ${about(100 * margin)} % takes ${takes}`,
    /** @param {number} share @param {string} takes @param {boolean} isBelow smaller than the margin */
    row: (share, takes, isBelow) =>
      `${about(100 * share)} %${isBelow ? ` (with --margin ${about(100 * share)}%)` : ''}: ${takes}`,
    /** @param {number} rounds */
    rounds: (rounds) =>
      rounds < MOST_ROUNDS ? some(rounds, ROUNDS) : `more than ${count(MOST_ROUNDS)} rounds`,
  },

  functions: {
    /** @param {string} id */
    about: (id) =>
      `${id}, profiled in separate starts: functions whose CPU time per request changed, as a share of the base's CPU time per request.`,
    heads: ['Function', 'Where', 'Base', 'Head', 'Change'],
    unnamed: '(anonymous)',
    /** @param {number} number */
    more: (number) => `and ${count(number)} more`,
    gone: 'gone',
    added: 'new',
    flame: {
      /** @param {string} id */
      label: (id) =>
        `${id}: which function calls which; the width is its cost, and the table above lists what changed`,
      /** @param {{ name: string, place: string, basePct: number, headPct: number, ownBasePct: number, ownHeadPct: number }} frame */
      frame: ({ name, place, basePct, headPct, ownBasePct, ownHeadPct }) =>
        `${name}${place && ` (${place})`}: ${portion(headPct / 100)}, was ${portion(basePct / 100)}; in itself ${portion(ownHeadPct / 100)}, was ${portion(ownBasePct / 100)}`,
      /** @param {number} calls */
      chain: (calls) => `⋯ ${count(calls)} pass-through calls`,
      caption:
        'Calls of the head from the top down; the width is the cost. Orange with +: costs more than before. Blue with −: costs less. Grey: no clear change. Hover for figures.',
      /** @param {string[]} names */
      vanished: (names) => `No longer called, or next to no cost: ${list(names)}.`,
    },
  },

  trend: {
    title: 'Trend',
    /** @param {{ runs: number, cases: number, kinds: number, from: string, to: string }} of */
    about: ({ runs, cases, kinds, from, to }) =>
      `${some(runs, RUNS)} from ${from} to ${to}, ${some(cases, CASES)}, ${some(kinds, KINDS)}. Figures are multiples of the reference server in the same run.`,
    none: 'No step was found: every case stayed on one level.',
    heads: ['From', 'Commits (95 % confidence)', 'Case', 'Metric', 'Change', 'Verdict'],
    slower: 'slower',
    faster: 'faster',
    everywhere: 'all servers at once: the machine, the runtime or the reference',
    tooFew: 'A trend needs a case with at least two runs that include the reference server.',
    /** @param {number} spreadPct */
    spread: (spreadPct) => `run-to-run noise ${unsigned(spreadPct)}`,
    caption: 'Dot: run. Line: level of its kind of machine. Vertical line: step.',
    /** @param {number} runs */
    recent: (runs) => `the last ${count(runs)}`,
    runs: 'runs, the latest on the right',
    each: 'Run by run',
    zoom: 'Zoom:',
    machines: 'Kinds of machine, each with its own level',
  },

  badge: {
    label: 'performance',
    skipped: 'skipped',
    incomplete: 'incomplete',
    /** @param {number} perSecond */
    rate: (perSecond) => `${rate(perSecond)} req/s`,
    /** @type {Record<Verdict, string>} */
    verdicts: {
      regressed: 'slower',
      improved: 'faster',
      same: 'no change',
      unsure: 'unsure',
      failed: 'failed',
    },
  },

  points: {
    /** @param {number} boots @param {boolean} clientBound */
    extra: (boots, clientBound) =>
      `${some(boots, STARTS)}${clientBound ? ', the load tool was at its limit' : ''}`,
  },
};
