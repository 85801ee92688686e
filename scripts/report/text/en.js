/**
 * Every sentence of the reports in English. Names come as plain text; renderers escape whole sentences.
 * @import { Condition } from '../../model/dimensions.js'
 * @import { HighestThroughput, KeepAlive, Knee } from '../../judge/findings.js'
 * @import { Case, Limit, LeftOut, LimitReason, Metric, Plan, Reason, Soak, Verdict,
 *   Warning } from '../../types.js'
 */

import { hasFewRounds, MOST_ROUNDS } from '../../judge/verdicts.js';
import { LEAST_ROUNDS, LONGER_WARM_UP, SHARED_LOAD } from '../../model/times.js';
import { metric } from '../../samples/figures.js';
import { firstOf, MOST_PACKAGES, numbersIn, USUAL } from './format.js';
import { code, exact, sentenceFor, strong } from './inline.js';

const numbers = numbersIn('en-US', {
  to: ' to ',
  over: (bound) => `over ${bound}`,
  at: (interval, level) => `${interval} at ${level}`,
  units: [' s', ' min', ' h'],
  switches: ['off', 'on'],
});
const { about, amount, cores, count, duration, ends, gain, interval, list } = numbers;
const { megabytes, noise, percent, portion, precise, range, rate, signed, size, unsigned } = numbers;

/** Returns "1 round", "2 rounds". @type {(number: number, noun: string, nouns?: string) => string} */
export const some = (number, noun, nouns = `${noun}s`) => `${count(number)} ${number === 1 ? noun : nouns}`;

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @type {(row: Pick<Metric, 'label'> | undefined, id: string) => string} */
const label = (row, id) => row?.label ?? id;

/** @typedef {{ cores: number, model: string }} Machine */
/** @param {Machine} machine */
const machineText = ({ cores: number, model }) =>
  `this machine, ${some(number, 'core')} of ${model || 'an unknown processor'}`;

/** Dimensions with which throughput may stop growing. */
const STEPS = { connections: 'connection', instances: 'instance' };

/** @type {Record<string, string>} */
const ERRORS = {
  timeouts: 'timeout',
  non2xx: 'wrong answer',
  resets: 'reset',
  stalls: 'stall',
  checks: 'failed check',
};

/** @type {Record<Verdict | 'within' | 'differs' | 'control', string>} */
const VERDICTS = {
  regressed: 'regressed',
  improved: 'improved',
  same: 'same',
  unsure: 'unsure',
  failed: 'failed',
  within: 'within the margin',
  differs: 'differs',
  control: 'control',
};

const SPEEDS = { ...VERDICTS, regressed: 'slower', improved: 'faster', same: 'no change' };

const NOT_SLOWER =
  'it is not slower. The slowdown may have come in several small steps, or a verdict of the search was wrong. A longer --budget finds smaller changes.';

/** What a package is compared with in a search. */
const WITHOUT = 'the same packages without it';

/** What the last comparison of a search says that does not confirm it. @type {Record<Verdict, string>} */
const UNCONFIRMED = {
  regressed: '',
  improved: NOT_SLOWER,
  same: NOT_SLOWER,
  unsure: 'it is unsure whether it is slower. A longer --budget may decide.',
  failed: 'it could not be measured.',
};

/** What a leak grows with. */
const GROWS = {
  requests: ' with requests',
  time: ' with time, also without requests',
  both: ' with requests, and also without',
  unsure: '; unsure whether with requests or with time',
};

/** @param {Extract<Reason, { code: 'open' }>} why */
const openText = (why) => `too ${hasFewRounds(why) ? 'few rounds' : 'much noise'}`;

/** What starts did that failed. @type {Record<string, string>} */
const FAILED = {
  'exited-at-start': 'ended at their start',
  'never-ready': 'never became ready',
  'no-token': 'gave no token',
  'wrong-answer': 'answered wrongly',
  'died-under-load': 'died under load',
  'too-slow': 'answered nothing in time',
};

/**
 * Returns "3 of 25 starts of the head never became ready, 0 of 25 of the base".
 * @param {Extract<Reason, { code: 'failed-starts' }>} facts
 */
const failedStarts = ({ kinds, base, head }) => {
  const [kind = '', ...others] = kinds;
  const how = others.length > 0 ? `failed (${list(kinds)})` : (FAILED[kind] ?? kind);
  return `${count(head.failed)} of ${some(head.of, 'start')} of the head ${how}, ${count(base.failed)} of ${count(base.of)} of the base`;
};

/** Returns "timeouts, in 2 of 1,000 requests". @param {Extract<Reason, { code: 'new-errors' }>} facts */
const newErrors = ({ kinds, errors, requests }) =>
  list(kinds) +
  (errors === undefined || requests === undefined
    ? ''
    : `, in ${count(errors)} of ${some(requests, 'request')}`);

/** Others have their own message. @typedef {Exclude<Reason, { message: string }>} Worded */
/** @type {{ [C in Worded['code']]: (facts: Extract<Reason, { code: C }>) => string }} */
const reasons = {
  'inside-margin': () => 'within the margin',
  'exact-count': () => 'the same in every window of every start',
  'inexact-count': ({ idle }) => `not exact${idle ? `: ${count(idle)} counted without load` : ''}`,
  changed: ({ byPct, halfIntervalPct }) =>
    `${percent(byPct)} against the base, give or take ${unsigned(Math.abs(halfIntervalPct))}`,
  tenfold: ({ byPct }) =>
    `${percent(byPct)} against the base, and ten times or more in every pair of windows, which no noise reaches`,
  open: (why) =>
    `${openText(why)}; ${
      why.moreRounds > MOST_ROUNDS
        ? `it would take more than ${count(MOST_ROUNDS)} rounds to decide`
        : `about ${some(why.moreRounds, 'more round')} would decide it`
    }`,
  'one-start': () => 'one start per side cannot tell a change from chance; measure more rounds',
  'one-run': () => 'one stored run does not show how far the share of errors varies; store more',
  'few-rounds': ({ least }) => `it takes at least ${some(least, 'round')} to be sure of a change`,
  'too-coarse': ({ stepPct }) => `the load tool counts in steps of ${about(stepPct)} %, too coarse to tell`,
  'other-machine': () => 'measured on another kind of machine',
  'other-data': () => 'measured with other data',
  'other-answer': () => 'the answers differ, so it may be work that was left out',
  crowded: () => 'measured while other processes used most of the machine',
  'client-bound': () => 'the load tool ran out of CPU, so the figure may be its own',
  'rate-missed': ({ asked, achieved }) => `the rate was not held: ${rate(achieved)} of ${rate(asked)} req/s`,
  'no-errors': () => 'no errors',
  'new-errors': (why) => `new kind of error: ${newErrors(why)}`,
  'failed-starts': failedStarts,
  'too-slow-for-load': ({ baseShare, headShare }) =>
    `both sides are too slow for this load: ${portion(baseShare)} of the base’s requests and ${portion(headShare)} of the head’s waited too long for an answer`,
  'slow-start': ({ baseMs, headMs }) =>
    `ready after ${duration(headMs / 1000)}, the base after ${duration(baseMs / 1000)}`,
  'rare-errors': () => 'too rare to estimate a rate',
  'error-rate': ({ rounds }) => `share of failed requests, over ${some(rounds, 'round')}`,
  'not-measured': () => 'nothing was measured',
};

/** @param {{ name: string, from?: string, to?: string }[]} packages */
function movedText(packages) {
  const texts = packages.map(({ name, from, to }) =>
    from === undefined ? `new ${name} ${to}` : `${name} ${from} → ${to ?? 'removed'}`,
  );
  return list(firstOf(texts, MOST_PACKAGES, (left) => `${count(left)} more`));
}

/** @param {any} lost a warning that something has no results */
function lostText({ code, shards = [], of: all = 0, machines, cases = [] }) {
  if (code === 'never-started') return `${some(cases.length, 'case')} never started`;
  const names = `${shards.length === 1 ? 'shard' : 'shards'} ${list(shards.map(String))} of ${count(all)}`;
  return `${machines ? list(machines) : names} left no results`;
}

/** @type {{ [C in Warning['code']]: (facts: Extract<Warning, { code: C }>) => string }} */
const warnings = {
  'baseline-unreadable': () => 'a stored run was skipped, since it cannot be read',
  disturbed: ({ share }) =>
    `other processes used more than ${portion(share)} of the machine in most windows, which makes throughput vary more than CPU per request`,
  outliers: ({ outliers, rounds }) =>
    `extreme outliers were left out, of ${some(rounds, 'round')}: ${list(outliers.map(({ metric: id, round, effectPct }) => `${label(metric(id), id)} in round ${count(round + 1)} (${percent(effectPct)})`))}`,
  'failed-starts': (facts) => `${failedStarts(facts)}: too few to tell from chance`,
  'new-errors': (facts) =>
    `only the head has this kind of error: ${newErrors(facts)}; too few to tell from chance`,
  'budget-ended': ({ seconds, rounds, needed }) =>
    needed === undefined
      ? `the budget of ${duration(seconds)} ended the measurement after ${some(rounds, 'round')}`
      : `the budget of ${duration(seconds)} ended before anything was measured; by what its starts took, use at least ${code(`--budget ${Math.ceil(needed / 60)}m`)}`,
  'not-explained': ({ seconds }) =>
    `the functions that got slower were not measured: that needs ${duration(seconds)} more than is left of the budget`,
  'other-machine': () =>
    `the stored run comes from another kind of machine, where servers compare differently: store a run from this kind of machine, or compare with ${code('--against')}`,
  'not-compared': ({ baseline, left = [], why }) =>
    `not compared: ${
      why ??
      (left.length === 0
        ? `no run is stored in ${baseline}`
        : `of the runs stored in ${baseline}, none fits (${list([...new Set(left)].map((code) => leftOut[code]))})`)
    }`,
  skipped: ({ since, itself }) =>
    itself === undefined
      ? `no changed file affects a server${since === undefined ? '' : ` since commit ${exact(since.slice(0, 10))}`}`
      : `${code(itself)} is what is checked out here, so nothing differs: check out a branch with a change, or change a file`,
  'not-touched': ({ servers }) =>
    `not measured, since no changed file affects ${servers.length === 1 ? 'it' : 'them'}: ${list(servers)}`,
  'same-versions': ({ servers, names }) =>
    `not measured: ${list(servers)} ${servers.length === 1 ? 'has' : 'have'} the same version of ${list(names)} on both sides`,
  'not-installed': ({ servers, names }) =>
    `not measured, since ${list(names)} ${names.length === 1 ? 'is' : 'are'} not installed: ${list(servers)}`,
  'commit-not-package': ({ ref }) =>
    `${code(ref)} names a commit here, so that commit is the base; an equals sign before the version, as in ${code('fastify@=5.2.0')}, names the package`,
  'packages-moved': ({ lock, packages, indirect = 0 }) => {
    const others =
      indirect > 0
        ? `, and ${count(indirect)} that ${packages.length === 1 ? 'it brings' : 'they bring'}`
        : '';
    return `${lock === undefined ? 'versions' : code(lock)}: ${movedText(packages)}${others}`;
  },
  'described-by-head': ({ servers }) =>
    `the base has no perf.yml entry for ${list(servers)}, so it was started as the head describes it`,
  'new-in-head': ({ servers }) => `new in this branch, with nothing to compare it with: ${list(servers)}`,
  'looser-than-base': ({ settings = [], routes = [], file, files = 0 }) =>
    `perf.yml asks for less than in the base: ${list([
      ...settings.map(({ setting, base, head }) => `${code(setting)} ${head ?? 'none'} instead of ${base}`),
      ...(routes.length > 0 ? [`without ${list(routes)}`] : []),
      ...(file === undefined
        ? []
        : [
            `changes of ${code(file)}${files > 1 ? ` and ${some(files - 1, 'other file')}` : ''} are no longer measured`,
          ]),
    ])}${settings.length > 0 ? '; what the base asks for decided' : ''}`,
  'lfs-missing': ({ side, files }) =>
    `${side}: ${files.length > 1 ? `${files[0]} and ${some(files.length - 1, 'more file')} are Git LFS pointers` : `${files[0]} is a Git LFS pointer`} instead of the content; run ${code('git lfs pull')}, or set ${code('lfs: true')} at the checkout`,
  'connection-closed': ({ tool, closes }) =>
    `the server closes the connection after each answer, so every request opens one, and the figures include that${closes === 'undelimited' && tool === 'wrk' ? '; wrk opens a second one, which it does not use: another load tool measures less of it' : ''}`,
  'measured-alone': ({ beside, share = 0 }) =>
    `measured alone, so small changes take longer to find: ${beside === undefined ? `while it should be idle, the server used ${portion(share)} of a core` : `next to another server, ${beside}`}`,
  'machine-shared': ({ shared, windows, programs }) =>
    `other processes used much of the machine in ${count(shared)} of ${some(windows, 'window')}${programs.length > 0 ? `, most of all: ${list(programs)}` : ''}`,
  'rate-missed': ({ asked, achieved }) =>
    `${rate(asked)} requests per second were asked for and ${rate(achieved)} were answered: the latencies are those of an overloaded server and are not compared`,
  'does-not-add-up': ({ connections, pipelining, atOnce }) =>
    `${atOnce < connections * pipelining ? `only about ${about(atOnce / pipelining)} of ${some(connections, 'connection')} carried requests: some never opened, or the load tool could not keep up` : `throughput times mean latency makes ${about(atOnce)} requests at once on ${some(connections, 'connection')}: the load tool adds waiting time that no request had (wrk corrects for what it assumes it missed)`}`,
  'long-queue': ({ connections, waitSeconds, enough, timeouts }) =>
    `${some(connections, 'connection')} wait ${duration(waitSeconds)} for an answer${timeouts > 0 ? `, which causes ${some(timeouts, 'timeout')}` : ''}; with ${code(`connections: ${enough}`)} the throughput is the same`,
  'still-busy': ({ seconds, starts, of: all }) =>
    `in ${count(starts)} of ${some(all, 'start')} the server was still at work ${duration(seconds)} after a load, when the next window began: its figures contain that work`,
  'few-answers': ({ answers, wanted, seconds }) =>
    `a window held only about ${about(answers)} ${about(answers) === '1' ? 'answer' : 'answers'}: ${count(wanted)} take ${duration(seconds)}, so use a longer ${code('--duration')} or, in a comparison, a larger ${code('--budget')}`,
  'no-latencies': ({ tool }) =>
    `${tool} reports waits that pipelined requests did not have, so mean and percentiles are left out; ${code('tool: autocannon')} times each request`,
  unanswered: ({ answers, unanswered }) =>
    `a window ended with ${some(answers, 'answer')} and ${some(unanswered, 'request')} under way, on which the server may have worked, too: CPU per request is left out`,
  'mostly-waits': ({ answerSeconds, cpuSeconds }) =>
    `the server mostly waits: an answer takes ${precise(1000 * answerSeconds)} ms, of which ${precise(1000 * cpuSeconds)} ms are CPU. Throughput and latency show that wait (a timer, another machine, a delayed acknowledgement), CPU per request shows the work`,
  'rising-cost': ({ pct, starts }) =>
    `CPU per request grows by about ${about(pct)} % from window to window in each of ${some(starts, 'start')}: an answer costs more the longer the server is loaded, as with a list that grows`,
  'thresholds-missed': ({ tool, thresholds }) =>
    `${tool}: ${thresholds.length === 1 ? 'a threshold of the script was' : 'thresholds of the script were'} crossed: ${list(thresholds)}`,
  'workers-lost': ({ lost, workers }) =>
    `${count(lost)} of ${some(workers, 'worker')} of the load tool disconnected early; the others finished`,
  'not-warm': ({ starts, of: all }) =>
    `not yet warm in ${count(starts)} of ${some(all, 'start')}: throughput was still rising at the end of the warm-up, or JIT compilers were still busy; set a longer warm-up, or more rounds if it never settles`,
  uncounted: ({ services }) =>
    `the statements of ${list(services)} were not counted: only those of PostgreSQL, MariaDB and Redis are, where the run starts them`,
  'left-behind': ({ server, programs }) =>
    `the install or build of ${server} left processes running (${list(programs)}); they were ended`,
  unsupervised: () =>
    'this machine cannot supervise processes (that needs Linux and Perl): daemons that a server starts may outlive it, and a killed run leaves its servers running',
  cancelled: ({ measured, planned }) =>
    `the run was cancelled after ${count(measured)} of ${some(planned, 'start')}; what was measured is kept`,
  unfinished: ({ measured, planned }) =>
    `the run has not finished: ${count(measured)} of ${some(planned, 'start')} measured so far`,
  'base-unfinished': () => 'the base comes from a run that has not finished',
  'head-unfinished': () => 'the head comes from a run that has not finished',
  'never-started': ({ cases }) => `planned, but never started: ${list(cases)}`,
  'shards-missing': ({ shards, of: all, cases }) =>
    `${shards.length === 1 ? 'shard' : 'shards'} ${list(shards.map(String))} of ${count(all)} left no results${cases ? `; missing: ${list(cases)}` : ''}`,
  'machines-missing': ({ machines }) => `${list(machines)} left no results`,
  'mixed-machines': ({ machines }) =>
    `the shards ran on ${count(machines.length)} kinds of machine (${list(machines)}); absolute figures of different shards cannot be compared`,
  'gate-closed': ({ metric: id, verdict, rule }) =>
    `${label(metric(id), id)}: ${verdict}; its own gate (${rule}) fails the check`,
  'gate-open': ({ metric: id, verdict, rule }) =>
    `${label(metric(id), id)}: ${verdict}; its own gate (${rule}) lets it pass`,
};

/** @type {{ [C in Limit['code']]: (facts: Extract<Limit, { code: C }>) => string }} */
const limits = {
  'few-rounds': ({ least }) => `fewer than ${some(least, 'round')} measured both sides of a case`,
  'few-runs': ({ runs }) =>
    `only ${some(runs, 'stored run')} ${runs === 1 ? 'shows' : 'show'} how much unchanged runs vary`,
  crowded: () => 'other processes used most of the machine',
};

/** @type {{ [C in LimitReason['code']]: (facts: Extract<LimitReason, { code: C }>) => string }} */
const limitReasons = {
  ...reasons,
  'one-start': () => 'one start has no interval; measure more rounds',
  open: () => 'the limit lies inside the interval; more rounds narrow it',
  disturbed: () => 'other programs used the machine in most windows; measure again without them',
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

export const en = {
  ...numbers,
  language: 'en',
  label,

  /** Other languages go by the figure's id. @type {(figure: string, column: string) => string} */
  heading: (_figure, column) => column,
  /** Names what it is, at so many requests a second. @type {(what: string, asked: number) => string} */
  atRate: (what, asked) => `${what} at ${rate(asked)} req/s`,

  more: (/** @type {number} */ number) => `and ${count(number)} more`,
  loops: { closed: 'closed loop', open: 'open loop', both: 'closed and open loop' },

  /** The ends of an interval. */
  between: (/** @type {string[]} */ [low, high]) => `${low} to ${high}`,

  /** A label inside a sentence; "CPU" stays as it is. */
  within: (/** @type {string} */ text) => text.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()),

  /** @type {(row: Condition, values: (string | number | boolean)[]) => string} */
  condition: ({ words }, values) => {
    const [singular, plural] = typeof words === 'string' ? [words, words] : words;
    const form = values.length === 1 && values[0] === 1 ? singular : plural;
    return form.replace('{}', values.map(numbers.setting).join(' / '));
  },

  reason: (/** @type {Reason} */ why) => sentenceFor(reasons, why),

  warning: (/** @type {Warning} */ warning) =>
    `${warning.isBase ? 'base: ' : ''}${sentenceFor(warnings, warning)}`,

  /** @type {Record<string, string>} */
  facts: {
    processor: 'Processor',
    cores: 'Cores',
    memory: 'Memory',
    system: 'Operating system',
    kernel: 'Kernel',
    runner: 'Runner',
  },

  change: {
    /** Replaces an interval that is too wide to say anything. */
    inconclusive: 'inconclusive',
    besideReference: (/** @type {string} */ change) => `${change} relative to the reference server`,
    /** @type {(way: 'slower' | 'faster', pct: number, ciPct: [number, number]) => string} */
    within: (way, pct, ciPct) =>
      `${way} by ${unsigned(pct)} (${unsigned(ciPct[0])} to ${unsigned(ciPct[1])}), within the margin`,
    unsure: (/** @type {string} */ text) => `unsure: ${text}`,
    open: openText,
    /** @type {(id: string, name: string, verdict: Verdict) => string} */
    changed: (_metric, name, verdict) => `${name} ${VERDICTS[verdict]}`,
    verdicts: VERDICTS,
  },

  answer: {
    changed: (/** @type {string[]} */ parts) => `the answer changed: ${list(parts)}`,
    bytes: (/** @type {number} */ from, /** @type {number} */ to) => `${count(from)} to ${count(to)} bytes`,
    /**
     * Without a value, the answer has none.
     * @type {(part: 'status' | 'type' | 'encoding', from?: string | number, to?: string | number) => string}
     */
    part: (part, from = 'none', to = 'none') =>
      `${{ status: 'status', type: 'content type', encoding: 'content encoding' }[part]} ${from} to ${to}`,
  },

  limits: {
    /** Beyond, within, or neither. */
    verdicts: { fails: 'fails', unsure: 'unsure', passes: 'passes' },
    /** @type {(size: string, isLeast: boolean) => string} */
    bound: (size, isLeast) => `limit ${isLeast ? 'at least' : 'at most'} ${size}`,
    why: (/** @type {LimitReason} */ why) => sentenceFor(limitReasons, why),
    machine: (/** @type {Machine} */ machine) => `Limits are judged on ${machineText(machine)}.`,
  },

  counts: {
    /** @type {(changed: number, all: number) => string} */
    title: (changed, all) => `The counts of ${count(changed)} of ${some(all, 'case')} changed`,
    alone: 'What requests cost, whatever the machine does',
    /** @type {Record<'unsettled' | 'uncounted' | 'inexact', (routes: string) => string>} */
    leftOut: {
      unsettled: (routes) => `Allocated bytes did not settle, and are left out: ${routes}.`,
      uncounted: (routes) => `Allocated bytes are of Node 18.15 or newer alone, not of ${routes}.`,
      inexact: (routes) => `Counts are not exact, since some come without load: ${routes}.`,
    },
    /** @type {(of: number, kind: string) => string} */
    ofThem: (of, kind) => `${amount(of)} of them ${kind}`,
  },

  capacity: {
    /** @param {{ id: string, limit: string, rate: string }} facts */
    head: ({ id, limit, rate: found }) => `Capacity of ${id}, with a p99 of at most ${limit} ms: ${found}`,
    base: (/** @type {string} */ found) => `Capacity of the base: ${found}`,
    below: (/** @type {string} */ first) => `below ${first} req/s, where the search begins`,
    byAtLeast: (/** @type {number} */ pct) => `by at least ${unsigned(pct)}`,
    /**
     * A change is absent where too few rounds show it.
     * @param {{ verdict: Verdict, word: string, change: string | undefined }} facts
     */
    change: ({ verdict, word, change }) =>
      `${verdict === 'regressed' ? '🔴' : verdict === 'unsure' ? '🟡' : '🟢'} ${capital(word)}${change === undefined ? ': too few rounds' : `, ${change}`}`,
    here: (/** @type {Machine & { rounds: number }} */ { rounds, ...machine }) =>
      `From ${some(rounds, 'round')} on ${machineText(machine)}.`,
    disturbed: 'Other programs used the machine in most windows: without them, the capacity may be higher.',
  },

  proof: {
    /** @param {{ id: string, by: string, us: string }} planted */
    planted: ({ id, by, us }) => `Planted into one side of ${id}: ${by} more CPU per request (${us} µs).`,
    /** @param {{ isFound: boolean, verdict: string, seen: string, time: string, margin: string }} outcome */
    outcome: ({ isFound, verdict, seen, time, margin }) =>
      isFound
        ? `🟢 Found after ${time}: CPU per request ${seen}, with a margin of ${margin}.`
        : `🔴 Not found after ${time}: ${verdict}, CPU per request ${seen}, with a margin of ${margin}.`,
    here: (/** @type {string} */ slowdowns) =>
      `In 95 of 100 such runs on this machine, a slowdown is found after: ${slowdowns}.`,
  },

  soak: {
    headline: {
      leaks: (/** @type {string} */ id, /** @type {Soak['growsWith']} */ cause) =>
        `🔴 ${id} leaks: its memory grows${GROWS[cause ?? 'unsure']}`,
      'does-not-leak': (/** @type {string} */ id) => `🟢 ${id} does not leak`,
      unsure: (/** @type {string} */ id) => `🟡 Unsure whether ${id} leaks`,
    },
    why: {
      'few-readings': 'Its memory was read too few times to decide.',
      fading:
        'Its memory grew more slowly towards the end, so it may still be warming up; a longer --for decides.',
      'too-wide': 'The interval is too wide to decide; a longer --for decides.',
    },
    /** @param {{ value: string, ends: string, least: string }} facts */
    perHour: ({ value, ends: interval, least }) =>
      `Memory after forced garbage collections: ${value} MB an hour${interval}; up to ${least} MB an hour count as no leak.`,
    /** @param {{ value: string, ends: string }} rate */
    perRequest: ({ value, ends: interval }) => `Each request leaves ${value} bytes${interval}.`,
    /** @param {{ value: string, ends: string }} rate */
    idle: ({ value, ends: interval }) => `Each hour without requests adds ${value} MB${interval}.`,
    /** @param {{ readings: number, requests: number, seconds: number, from: number }} facts */
    measured: ({ readings, requests, seconds, from }) =>
      `${some(readings, 'collection')} in ${duration(seconds)}, alternately after load and after rest, with ${some(requests, 'request')}; the warm-up is the first ${count(from)}.`,
    failed: (/** @type {string} */ message) => `The soak ended early: ${message}.`,
    heads: { at: 'time', requests: 'requests', heap: 'heap MB', outside: 'outside MB', rss: 'resident MB' },
    report: (/** @type {string} */ folder) => `All readings and the report are in ${code(folder)}.`,
  },

  bisection: {
    verdicts: { ...SPEEDS, unsure: 'unsure, skipped', failed: 'could not be measured, skipped' },
    commit: (/** @type {string} */ sha, /** @type {string} */ subject) => `${sha} "${subject}"`,
    /** A change is a commit, or "fastify 5.2.0 → 5.3.1". @type {(change: string, id: string) => string} */
    found: (change, id) => `🔴 ${change} made ${id} slower.`,
    /**
     * A commit has a parent.
     * @param {{ change: string, id: string, parent: string | undefined }} named
     * @param {Verdict} verdict
     */
    notConfirmed: ({ change, id, parent }, verdict) =>
      `🟡 The search for what made ${id} slower led to ${change}, but compared with ${parent ? 'its parent' : WITHOUT}, ${UNCONFIRMED[verdict]}`,
    oneOf: (/** @type {number} */ number, /** @type {string} */ id, /** @type {boolean} */ isPackages) =>
      `🟡 One of these ${count(number)} ${isPackages ? 'changes' : 'commits'} made ${id} slower; the others could not be measured, or not distinguished within the budget:`,
    /** @type {Record<Verdict, string>} */
    nothing: {
      regressed: '',
      same: '🟢 Nothing to find: the two commits are equally fast.',
      improved: '🟢 Nothing to find: the second commit is faster than the first.',
      unsure:
        '🟡 Nothing to search for yet: the two commits were not distinguished. Use a longer --budget, or more --rounds.',
      failed: '🔴 Nothing to search for: one of the two commits could not be measured.',
    },
    /** @type {(change: string, parent: string | undefined) => string} */
    beside: (change, parent) => `Compared with ${parent ? `its parent ${parent}` : WITHOUT}: ${change}.`,
    upTo: 'Packages up to',
    heads: { commit: 'Commit', subject: 'Subject', base: 'Compared with', change: 'Change' },
  },

  headline: {
    skipped: (/** @type {string} */ why) => `Skipped: ${why}`,
    /** Adds the warning about what was lost. @type {(text: string, lost: any) => string} */
    incomplete: (text, lost) => `${text} (incomplete: ${lostText(lost)})`,
    onMachine: (/** @type {string} */ text, /** @type {string} */ machine) => `${text} (on ${machine})`,
    /** Names are empty where they are plain. @type {(what: string, names: string, text: string) => string} */
    first: (what, names, text) => `${capital(what)}${names && ` (${names})`}. ${text}`,
    but: (/** @type {string} */ text, /** @type {string} */ other) => text + (other && `, but ${other}`),
    openGates: (/** @type {string} */ text, /** @type {string} */ labels) =>
      `${text}; undecided, with a gate: ${labels}`,
    /**
     * What a change of these figures means.
     * @type {Record<string, ((name: string | undefined, pct: number) => string) | undefined>}
     */
    sentences: {
      throughput: (name, pct) =>
        `${name ?? 'it'} answers ${size(pct)} ${pct < 0 ? 'fewer' : 'more'} requests`,
      cpuPerRequest: (name, pct) =>
        `${name ?? 'it'} needs ${size(pct)} ${pct < 0 ? 'less' : 'more'} CPU per request`,
    },
    about: (/** @type {string | undefined} */ name, /** @type {string} */ what) =>
      [name, what].filter(Boolean).join(': '),
    /** Names the first of so many cases. @type {(way: string, number: number, first: string) => string} */
    most: (way, number, first) => `${some(number, 'case')} ${way}, most of all: ${first}`,
    answersChanged: 'answers changed',
    asksForLess: 'perf.yml asks for less than in the base',
    nothing: 'Nothing was measured',
    /** Titles of runs that were compared with nothing. */
    answers: {
      knee: (/** @type {Knee} */ { field, low, high, last }) => {
        const unit = STEPS[field];
        if (low === last) return `Throughput grows up to ${some(last, unit)}, the most measured`;
        const where =
          low === high ? `at ${some(high, unit)}` : `between ${count(low)} and ${some(high, unit)}`;
        return `Throughput stops growing ${where}`;
      },
      /** @param {number[]} factors ascending */
      keepAlive: (factors) =>
        `Kept connections answer ${range([factors[0] ?? 0, factors.at(-1) ?? 0].map(precise))} times what new ones do`,
      memory: (/** @type {string} */ more, /** @type {number} */ factor, /** @type {string} */ less) =>
        `${more} holds ${precise(factor)} times the memory of ${less}`,
      ratio: (/** @type {string} */ more, /** @type {number} */ factor, /** @type {string} */ less) =>
        `${more} answers ${precise(factor)} times what ${less} does`,
    },
    measured: (/** @type {string | undefined} */ title) => (title ? `Measured: ${title}` : 'Measured'),
    same: (/** @type {number | undefined} */ marginPct) =>
      `No change${marginPct === undefined ? '' : ` above ${about(marginPct)} %`}`,
    uncompared: (/** @type {string} */ names) => `Nothing to compare: only one side has ${names}`,
    improved: (/** @type {string} */ changes) => changes || 'Faster than the base',
    regressed: (/** @type {string} */ changes) => changes || 'Slower than the base',
    failed: (/** @type {string} */ names, /** @type {string} */ worse) =>
      `Something could not be measured${names && `: ${names}`}${worse && `; ${worse}`}`,
    /** Other answers let no gain count. @type {(names: string, isOther: boolean) => string} */
    unsure: (names, isOther) =>
      isOther && !names
        ? 'With other answers, nothing counts as faster'
        : `Unsure${names && ` about ${names}`}: the measurement cannot rule out a change`,
    falseAlarm: (/** @type {string} */ names) =>
      `A false alarm about ${names}: a server measured against itself differs`,
    aboveMargin: (/** @type {string} */ names) => `The noise floor is above the margin: ${names}`,
    belowMargin: 'The noise floor is below the margin',
    /** The rest is the headline of a comparison, if any. @type {(names: string, rest: string) => string} */
    beyondLimit: (names, rest) => `Beyond a limit: ${names}${rest && `. ${rest}`}`,
    unsureLimit: (/** @type {string} */ names, /** @type {string} */ rest) =>
      rest ? `${rest}; unsure about a limit: ${names}` : `Unsure about a limit: ${names}`,
    withinLimits: 'Within all limits',
    untouched: 'No route executes changed code',
    slower: 'slower than the base',
    faster: 'faster than the base',
    worse: 'worse than the base',
    better: 'better than the base',
    cases: (/** @type {number} */ number) => some(number, 'case'),
  },

  trust: {
    itself: 'The same server was measured against itself in the same rounds: any difference is noise.',
    sideBySide: (/** @type {string} */ base) =>
      `Compared with ${base}; both sides were measured in the same rounds.`,
    /** @param {{ head: string, base: string, servers: string[] }} sides */
    ofPackages: ({ head, base, servers }) =>
      `Compared ${head} against ${base}, in ${list(servers)}; both sides were measured in the same rounds.`,
    /** They may be of a commit, or of elsewhere. @type {(packages: string[], place?: string) => string} */
    packagesOf: (packages, place) =>
      place === undefined ? `the installed ${list(packages)}` : `${list(packages)} of ${place}`,
    /** @type {(base: string, used: { runs: number | undefined, reference: boolean }) => string} */
    stored: (base, { runs, reference }) =>
      `Compared with ${runs === undefined ? base : `${some(runs, 'stored run')}, up to ${base}`}, measured on the same kind of machine; ${reference ? 'effects are relative to the reference server, and ' : ''}the intervals include how much unchanged runs vary.`,
    differs: (/** @type {string} */ changes) => `These differ between the two runs: ${changes}.`,
    otherMachine: (/** @type {string} */ base) =>
      `The base, ${base}, was measured on another kind of machine and decides nothing here.`,
    /**
     * CPU and throughput are in percent.
     * @param {{ cpu: number | undefined, throughput: number, cores: number | undefined }} typical
     */
    noise: ({ cpu, throughput, cores: used }) =>
      `Noise here: two starts of the same code differ by ${cpu === undefined ? '' : `${noise(cpu)} in CPU per request and `}${noise(throughput)} in throughput${used === undefined ? '' : `; the server used ${cores(used)} ${used > 1 ? 'cores' : 'of a core'}`}.`,
    noisyReference: 'The reference server, which this change cannot affect, was too noisy to use.',
    reference: (/** @type {number} */ effectPct, /** @type {[number, number]} */ ciPct) =>
      `The reference server, which this change cannot affect, differed by ${percent(effectPct)} (${interval(ciPct)}).`,
    promise: (/** @type {{ falseAlarms: number, outside: Limit[] } | undefined} */ promise) => {
      if (!promise) return 'No rate of false alarms is stated.';
      const outside = promise.outside.map((limit) => sentenceFor(limits, limit));
      const limit =
        outside.length > 0
          ? ` This is not tested for runs like this one, in which ${outside.join(' and ')}.`
          : '';
      return `False alarms: at most ${count(100 * promise.falseAlarms)} report in 100.${limit}`;
    },
    intervals: `Intervals are of ${USUAL} % where they name no other confidence.`,
    run: (/** @type {{ name: string, when: string, place: string }} */ { name, when, place }) =>
      `the run ${name && `"${name}" `}of ${when}${place && ` (${place})`}`,
    unknownTime: 'an unknown time',
    theBase: 'the base',
    withVersions: (/** @type {string} */ name, /** @type {string} */ versions) =>
      `${name} (the same sources with ${versions})`,
    commit: (/** @type {string} */ sha) => `commit ${sha}`,
    /**
     * @param {{ used: number, all: number, left: { code: LeftOut, number: number, commits: string }[] }}
     *   facts
     */
    leftOut: ({ used, all, left }) => {
      const reasons = left.map(({ code, number, commits }) => `${number} ${leftOut[code]}${commits}`);
      return `Of ${some(all, 'stored run')}, ${used} ${used === 1 ? 'is' : 'are'} the base; left out: ${list(reasons)}.`;
    },
  },

  changes: {
    /** @type {(side: 'base' | 'head') => string} */
    only: (side) => (side === 'head' ? 'new: nothing to compare with' : 'removed: only the base has it'),
    together: (/** @type {number} */ cases) => `All ${count(cases)} cases together`,
    moreUnsure: (/** @type {number} */ number) => `and ${count(number)} more unsure`,
    /** The cheapest way comes first. @type {(ways: string[]) => string} */
    settle: (ways) =>
      `to settle what is unsure${ways.length > 1 ? ', in this order' : ''}: ${ways.join('; ')}`,
    fewer: (/** @type {string | undefined} */ option) => `fewer routes${option ? `, ${code(option)}` : ''}`,
    quieter: 'a quieter machine',
    /** @type {(option: string, decided: number, all: number) => string} */
    longer: (option, decided, all) =>
      `${code(option)}, which would probably decide ${decided === all ? 'it' : `${count(decided)} of the ${some(all, 'unsure case')}`}`,
    wider: 'a larger margin',
    /** @type {(head: string | undefined, why: string) => string} */
    failed: (head, why) => `${head ?? 'the head'} could not be measured: ${why}`,
    /** Names what fails, and what works. @type {(broken: string, why: string, works?: string) => string} */
    versionFailed: (broken, why, works) =>
      `${broken}: ${why}${works === undefined ? '' : `; ${works} works`}`,
    /** @type {(base: string, why: string, head: string | undefined) => string} */
    baseFailed: (base, why, head) =>
      `${base} could not be measured: ${why}. ${head ?? 'The head'} could: if it mends this, both can be compared once it is merged`,
  },

  /** Of cases that execute the same code on both sides. */
  control: {
    promoted: 'executes the same code, but its sides differed, so it was measured in full',
    measured: 'executes the same code on both sides; measured as a control',
    /** Names are few. @type {(names: string, number: number, results: string) => string} */
    quiet: (names, number, results) =>
      number === 1
        ? `${strong(names)}: executes the same code on both sides; measured as a control, ${results}`
        : `${strong(`${count(number)} controls`)} (${names}) execute the same code on both sides: ${results}`,
    /** Of several. @param {string} range */
    atMost: (range) => `${range} at most`,
    none: (/** @type {string} */ why) => `no interval yet: ${why}`,
    some: (/** @type {string} */ result, /** @type {number} */ number) =>
      `${result} (${count(number)} of them)`,
  },

  columns: {
    case: 'Case',
    server: 'Server',
    route: 'Route',
    metric: 'Metric',
    base: 'Base',
    head: 'Head',
    oneSide: 'One side',
    otherSide: 'The other',
    change: 'Δ',
    verdict: 'Verdict',
    noise: 'Noise',
    why: 'Why',
    wouldFind: 'Detectable',
    ratio: 'Ratio',
    errors: 'Errors',
    rate: 'Req/s',
    peak: 'Peak req/s',
    requests: 'Requests',
    read: 'MB read',
    latency: { avg: 'Avg ms', p50: 'p50', p95: 'p95', p97_5: 'p97.5', p99: 'p99', max: 'Max' },
    shareOf: (/** @type {string} */ reference) => `of ${reference}`,
    load: 'Load',
    here: 'here',
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
    published: (/** @type {string} */ column) => `${column} published`,
  },

  tables: {
    everyRoute: 'Every route',
    reference: '(reference)',
    notMeasured: 'not measured',
    /** @type {(failed: number, all: number) => string} */
    startsFailed: (failed, all) => `${count(failed)} of ${some(all, 'start')} failed`,
    /** @type {(kind: string, number: number) => string} */
    error: (kind, number) => (ERRORS[kind] ? some(number, ERRORS[kind]) : `${count(number)} ${kind}`),
    /** @type {(requests: number, megabytes: string | undefined, starts: number) => string} */
    total: (requests, megabytes, starts) =>
      `${some(requests, 'request')}${megabytes === undefined ? '' : `, ${megabytes} MB read`} in ${some(starts, 'start')}`,
    box: { stat: 'Stat', latency: 'Latency ms', avg: 'Avg', stdev: 'Stdev', max: 'Max', min: 'Min' },
    floor: (/** @type {number} */ power) =>
      `±, half the interval, is the noise floor: smaller changes hide in it. Detectable: the smallest slowdown that this many starts find in ${Math.round(100 * power)} of 100 runs, if the margin is no larger.`,
    /** @type {(conditions: string, origin: string) => string} */
    published: (conditions, origin) => `Published under: ${conditions}${origin}.`,
    /** The base is what published ratios are to. @type {(base: string, conclusions: string) => string} */
    ratios: (base, conclusions) => `The published ratio to ${base} ${conclusions}.`,
  },

  /**
   * By key of a request; sent: how many at most in a window.
   * @type {Record<string, (value: any, sent?: number) => string>}
   */
  requests: {
    data: ({ different }, sent = different) =>
      `${sent < different ? `the first ${count(sent)} of ` : ''}${some(different, 'different request')}`,
  },

  conditions: {
    repeat: 'To repeat it locally:',
    cores: (/** @type {number} */ number) => some(number, 'core'),
    memory: (/** @type {number} */ gibibytes) => `${gibibytes} GiB of memory`,
    warmups: (/** @type {[number, number]} */ seconds) =>
      `servers with JIT compilers warmed up for ${range(seconds)} s`,
    kernel: (/** @type {string} */ version) => `kernel ${version}`,
    seed: (/** @type {number} */ seed) => `order shuffled with seed ${exact(seed)}`,
    /** @param {{ sha: string, mergedInto: string | undefined, dirty: boolean }} facts */
    commit: ({ sha, mergedInto, dirty }) =>
      `commit ${sha}${mergedInto ? ` merged into ${mergedInto}` : ''}${dirty ? ' with uncommitted changes' : ''}`,
    windows: (/** @type {{ counts: [number, number], seconds: [number, number] }} */ { counts, seconds }) =>
      `${range(counts)} ${counts[1] === 1 ? 'window' : 'windows'} of ${range(seconds)} s per start`,
    starts: (/** @type {number} */ least, /** @type {number} */ most) =>
      least === most
        ? `${some(most, 'start')} per case, one per round`
        : `${count(least)} to ${some(most, 'start')} per case`,
    sharedCore: 'base and head shared a core',
    waiting: (/** @type {number} */ pct) => `idle servers used ${pct} % of a core`,
  },

  notes: {
    clientBound:
      '† The load tool ran out of CPU while the server did not: the figure is the limit of the tool, not of the server, and is not ranked. Ratios with it are bounds (≥, ≤).',
    interval: '±: half the 95 % confidence interval of the mean over starts.',
    partialRatios:
      'Ratios are of the rounds that measured both servers; the rates beside them are of all rounds.',
    meanPercentiles: (/** @type {string} */ tool) =>
      `Latency percentiles of ${tool} are means of the windows’ percentiles, since it reports no histogram.`,
    atTheEnd: 'and at the end:',
    reproduce: 'Reproduce:',
    printed: (/** @type {string} */ name, /** @type {string} */ kind) => `Output of ${name}: ${kind}`,
    /** @type {(failed: number, all: number) => string} */
    often: (failed, all) => `${count(failed)} of ${some(all, 'start')}`,
  },

  /** Whether published ratios hold in this run. */
  conclusions: { holds: 'holds here for', fails: 'does not hold for', open: 'is undecided for' },

  insights: {
    /** @param {Knee & { name: string }} facts */
    knee: ({ name, field, first, low, high, last, gained, further }) => {
      const unit = STEPS[field];
      const growth = gained ? `from ${count(first)} to ${some(high, unit)} it gains ${gain(gained)}` : '';
      if (low === last)
        return `${name}: throughput grows up to ${some(last, unit)}, the most that were measured${growth && `: ${growth}`}.`;
      if (high === last)
        return `${name}: throughput stops growing somewhere from ${some(low, unit)} on; the measurement cannot say where.`;
      const knee = low === high ? `at ${some(high, unit)}` : `between ${count(low)} and ${some(high, unit)}`;
      const more = further ? `no later step adds more than ${gain(further)}` : '';
      return `${name}: throughput stops growing ${knee}: ${[growth, more].filter(Boolean).join('; ')}.`;
    },
    /** @param {HighestThroughput & { name: string }} facts */
    limit: ({ name, connections, throughput, share, serverCores, ...used }) => {
      const { client, clientCores, all, machine, bytesPerSecond, bound } = used;
      const bytes = bytesPerSecond === undefined ? '' : `, ${megabytes(bytesPerSecond)} MB/s`;
      const why = {
        client: 'the load tool is the limit, so the server can do at least this',
        server: 'server CPU is the limit: 100 % CPU',
        processes:
          'its processes are the limit: each uses 100 % CPU while other cores are idle; try more instances',
        machine: 'the machine is the limit: server, load tool and other programs share all of its CPU',
        waiting:
          'not at 100 % CPU: it waits for services that it calls, for bandwidth or for more connections than were tried',
      }[bound];
      const most = `the most is ${rate(throughput.value)} req/s${ends(throughput, rate)}, with ${some(connections, 'connection')}`;
      const cpu = `the server uses ${portion(share.value)}${ends(share, portion)} of the ${some(serverCores, 'core')} it can keep busy, the load tool ${cores(client)} of ${cores(clientCores)}, everything together ${cores(all)} of the machine’s ${some(machine, 'core')}${bytes}`;
      return `${name}: ${most}; ${why}. There ${cpu}.${throughput.n > 1 ? '' : ' One round gives no interval.'}`;
    },
    /** @param {KeepAlive & { name: string }} facts */
    keepAlive: ({ name, on, off, limited: [onLimited, offLimited], factor }) => {
      const figures = `${name}: ${rate(on)} req/s with keep-alive, ${rate(off)} req/s with a new connection for every request`;
      const text = `${precise(factor?.value ?? on / off)}${ends(factor, precise)}`;
      if (onLimited && offLimited)
        return `${figures}; the load tool was at its limit both times, so the factor of ${text} is the tool's.`;
      const bound = onLimited ? 'at least ' : offLimited ? 'at most ' : '';
      const why = bound ? ', as the load tool was at its limit in one of them' : '';
      return `${figures}: ${bound}a factor of ${text}${why}.${factor ? '' : ' One round gives no interval.'}`;
    },
  },

  parts: {
    differences: 'What differs',
    machines: 'By machine',
    changes: 'What changed',
    limits: 'Limits',
    trust: 'How far to trust it',
    figures: 'Figures',
    functions: 'Where the time goes',
    touched: 'Which routes execute changed code',
    hint: 'How to make a baseline',
    failures: 'Not measured',
    notes: 'Notes',
    insights: 'What the figures say',
    runtimeMetrics: 'Inside the servers',
    instances: 'Instances',
    published: 'Compared with the published figures',
    allFigures: 'All figures',
    compared: 'Everything compared',
    conditions: 'How it was measured',
    boxes: 'Statistics of each case',
    presetRuns: 'Compared with the stored runs of this preset',
    moreChanges: 'More changes',
    details: 'Details',
  },

  page: {
    contents: 'Contents',
    unsure: 'What does “unsure” mean?',
    hover: 'Hover over a chart for figures.',
    file: 'All that was measured (JSON)',
    overview: 'Overview',
    cases: 'Cases',
    reading: 'How to read the charts',
    box: 'All statistics',
    metrics: (/** @type {string} */ name) => `Every metric of ${name}`,
    leftOut: (/** @type {number} */ number) =>
      `${some(number, 'more case')} ${number === 1 ? 'has' : 'have'} no charts here; see the tables.`,
    charts: {
      warmup: 'Throughput while warming up, req/s',
      others: 'Other processes, % of the machine',
      latency: 'Latency, ms (log scale)',
      percentile: 'percentile of requests, %',
      seconds: 'seconds since the start of the run',
      starts: 'each dot is a start',
      /** @param {string} highest of the published line */
      published: (highest) => `published, drawn to the same height (highest: ${highest} req/s)`,
      steps: (/** @type {string} */ title, /** @type {string} */ axis) => `${title}, with ${axis}`,
      span: (/** @type {number[]} */ seconds) => `${range(seconds.map(count))} s`,
      percent: (/** @type {'more' | 'less'} */ better) =>
        `change in %, ${better === 'more' ? 'better to the right' : 'better to the left'}`,
      growth: (/** @type {number[]} */ mbPerSecond) => `growth ${mbPerSecond.map(signed).join(' → ')} MB/s`,
      rounds: (/** @type {string} */ name, /** @type {string} */ change, /** @type {number} */ rounds) =>
        `${name}: ${change}, from ${some(rounds, 'round')}, beside the margin`,
      changes: (/** @type {string} */ title, /** @type {number} */ cases) =>
        `${title}: change of ${some(cases, 'case')} with intervals, beside the margin`,
      course: (/** @type {string[]} */ names) => `Over time: ${list(names)}`,
      percentiles: 'Latency by percentile',
      /** @type {(title: string, bars: number) => string} */
      bars: (title, bars) => `${title}: ${some(bars, 'case')} as bars`,
      ofChanges:
        'Diamond: estimate. Line: 95 % confidence interval, wider where undecided. Grey band: the margin, within which a change counts as the same.',
      /** How the charts of the cases are read. */
      how: {
        rounds: `${strong('Change')}. Dot: the mean difference of adjacent windows in a round, the first round on top; of very many, only some are drawn. Pale square: an extreme outlier, left out. Diamond and line: estimate and confidence interval. Grey band: the margin, within which a change counts as the same.`,
        runs: `${strong('Change')}. Diamond and line: estimate and confidence interval, which includes how much unchanged runs vary. Grey band: the margin, within which a change counts as the same.`,
        course: `${strong('Over time')}. Dot: a window. Line: a start. Of very many windows, a dot is the mean of several. Grey: other processes used more than a tenth of the machine.`,
        latency: `${strong('Latency by percentile')}. Each step to the right leaves a tenth of the requests (1 in 10, 1 in 100, ...).`,
      },
    },
  },

  terminal: {
    narrow: (/** @type {string[]} */ columns) => `Left out to fit the width: ${list(columns)}.`,
    report: (/** @type {string} */ path) => `Report: ${path}`,
    alike: (/** @type {number} */ number) => `and ${some(number, 'case')} without a change`,
  },

  comment: {
    more: (/** @type {number} */ number) => `${some(number, 'more case')}: see All figures below.`,
    leftOut: (/** @type {string[]} */ names) => `_Left out for length: ${list(names)}._`,
    nothingFits: '_Nothing more fits into a comment._',
    elsewhere: '_The job summary and report.md in the results have everything._',
    whole: 'The whole report',
    before: (/** @type {string} */ sha) => `The previous result here was for commit ${sha}.`,
  },

  gate: {
    accepted: (/** @type {string} */ how) =>
      `${strong('Accepted on purpose')}: ${how}. The check passes; the verdict stays as measured.`,
    byLabel: (/** @type {{ label: string, who: string | undefined }} */ { label, who }) =>
      who === undefined
        ? `the pull request has the label ${code(label)}`
        : `${who} added the label ${code(label)}`,
    inCommit: (/** @type {{ sha: string, who: string | undefined, why: string }} */ { sha, who, why }) =>
      `commit ${sha}${who === undefined ? '' : `, pushed by ${who},`} says “${why}”`,
  },

  plan: {
    /** @param {{ title: string, cases: number, extent: string, seed: number }} facts */
    title: ({ title, cases, extent, seed }) => `${title}: ${some(cases, 'case')}, ${extent} (seed ${seed})`,
    /** @type {(starts: number, seconds: number, isBound: boolean) => string} */
    extent: (starts, seconds, isBound) =>
      `${some(starts, 'start')}, ${isBound ? 'at most' : 'about'} ${duration(seconds)}`,
    lacking: (/** @type {{ server: string, why: string }} */ { server, why }) =>
      `Left out, server "${server}": ${why}`,
    made: (/** @type {number} */ servers) =>
      `Not included: installing and building ${some(servers, 'server')}`,
    rounds: (/** @type {number} */ rounds, /** @type {number} */ seconds, /** @type {string} */ why) =>
      `Rounds: ${count(rounds)} of about ${duration(seconds)}, ${why}`,
    roundsBy: {
      set: 'as set',
      default: 'the default',
      limits: 'the default with limits',
      fitted: 'the default; shorter windows fit them into the budget',
      verdict: `as many as the budget holds, fewer if every case is decided before; a verdict takes ${LEAST_ROUNDS}`,
    },
    references: (/** @type {number} */ references, /** @type {number} */ starts) =>
      `Reference: ${count(references)} of ${some(starts, 'start')}`,
    reserved: (/** @type {number} */ seconds) =>
      `Pairs of starts, which a gate asks for: ${seconds < Infinity ? `up to ${duration(seconds)} of the budget` : 'after the rounds'}`,
    shared: `Routes share the starts of their server, since the budget has no time for ${SHARED_LOAD.rounds} rounds of starts of their own`,
    controls:
      'That is if every route executes changed code; those that do not, which --touched names, share a fifth of the time',
    explains: (/** @type {number} */ seconds) =>
      `If something gets slower, ${seconds > 0 ? `at least ${duration(seconds)} of the budget profile it` : 'the time that is left profiles it'} to name the functions${seconds > 0 ? '; otherwise the rounds get them' : ''}`,
    time: 'Time',
    /** @type {(planned: Case, windows: Plan['timetable']['windows'][string]) => string} */
    times: ({ load, untilLevel }, { count: all, seconds }) =>
      `${load.warmupSeconds > 0 ? `${untilLevel ? 'warm-up until level' : `${duration(load.warmupSeconds)} of warm-up`}, ` : ''}${some(all, 'window')} of ${duration(seconds)}`,
    longer: (/** @type {number} */ seconds, /** @type {number | undefined} */ requests) =>
      `Longer where needed: windows of a slow server up to ${duration(seconds)}${requests ? `, warm-ups up to ${LONGER_WARM_UP} times for ${count(requests)} requests` : ''}`,
    all: (/** @type {string} */ shared) => `All: ${shared}`,
    round: (/** @type {string} */ order) => `First round: ${order}; every round is reshuffled`,
  },

  touched: {
    /** @type {(executing: number, routes: number, areAllKnown: boolean) => string} */
    title: (executing, routes, areAllKnown) =>
      executing === 0
        ? `No route of ${count(routes)} ${areAllKnown ? 'executes' : 'is known to execute'} changed code`
        : `${count(executing)} of ${some(routes, 'route')} ${executing === 1 ? 'executes' : 'execute'} changed code`,
    andCounted: (/** @type {string} */ title, /** @type {number} */ routes) =>
      `${title}; ${count(routes)} ${routes === 1 ? 'counts' : 'count'} as touched`,
    heads: { executes: 'Executes changed code', functions: 'Functions, or why' },
    answers: { yes: 'yes', no: 'no', counts: 'counts as touched' },
    calls: (/** @type {string} */ functions) => `executes others: ${functions}`,
    counted: (/** @type {string} */ server, /** @type {number} */ routes, /** @type {string} */ cause) =>
      `${server}: ${routes === 1 ? 'its route counts' : `all ${count(routes)} routes count`} as touched: ${cause}`,
    unknown: (/** @type {string[]} */ routes) =>
      `Not asked on both sides, so they count as touched: ${routes.join(', ')}`,
    untouched: (/** @type {string[]} */ routes) => `Untouched: ${routes.join(', ')}`,
    inFile: (/** @type {string} */ names, /** @type {string} */ file) => `${names} in ${file}`,
    line: (/** @type {number} */ number) => `line ${number}`,
    why: {
      start: 'what runs before the first request changed',
      first: 'what runs with the first requests alone changed',
      between: 'what runs while nothing is asked changed',
      unasked: 'what ran on no asked route changed',
      module: 'code outside of functions changed',
      generated: 'code from eval, new Function or vm changed',
      assembly: 'WebAssembly changed',
      file: 'coverage does not see what reads a changed file',
      setup: 'changed code may belong to setup',
      server: 'its start, setup, environment or services changed, or a side lacks it',
      node: 'the sides run on different versions of Node',
      worker: 'coverage does not see its worker threads',
      program: 'coverage does not see the programs that it starts',
      silent: 'not every process said what it executed',
      failed: 'it was not started and asked on both sides',
      runtime: 'coverage is known of Node alone',
      unknown: 'not asked on both sides',
    },
  },

  power: {
    /**
     * finds and margin are shares.
     * @param {{ rounds: number, finds: number | undefined, margin: number, takes: string }} facts
     */
    detected: ({ rounds, finds, margin, takes }) =>
      `${some(rounds, 'round')} ${rounds === 1 ? 'detects' : 'detect'} ${finds === undefined ? 'nothing' : `a slowdown of ${about(100 * finds)} %`}; detecting ${about(100 * margin)} % takes ${takes}`,
    assumed: (/** @type {string} */ detected) =>
      `If each case is as noisy as an unchanged Express, ${detected}. After a first run, plan knows the noise here.`,
    estimated: (/** @type {number} */ power, /** @type {string} */ source) =>
      `Slowdowns found in ${Math.round(100 * power)} of 100 runs, estimated from ${source}:`,
    row: (/** @type {string} */ id, /** @type {string} */ detected, /** @type {string} */ slowdowns) =>
      `${id}: ${detected} (by size: ${slowdowns})`,
    /** It may be less than the margin. @type {(share: number, takes: string, isBelow: boolean) => string} */
    slowdown: (share, takes, isBelow) =>
      `${about(100 * share)} %${isBelow ? ` (with --margin ${about(100 * share)}%)` : ''}: ${takes}`,
    prove: '`perf-action prove` plants a slowdown into a server and shows whether a run finds it.',
    rounds: (/** @type {number} */ rounds) =>
      rounds < MOST_ROUNDS ? some(rounds, 'round') : `more than ${count(MOST_ROUNDS)} rounds`,
  },

  functions: {
    about: (/** @type {string} */ id) =>
      `${id}, profiled in separate starts: functions whose CPU time per request changed, as a share of the base's CPU time per request.`,
    blamed: (/** @type {string} */ name, /** @type {string} */ place, /** @type {string} */ change) =>
      `${strong(name)} (${place}) with what it calls: ${strong(change)} of a request.`,
    executed: (/** @type {string} */ places) => `changed, executed by this route: ${places}`,
    elsewhere: (/** @type {string} */ places) => `changed, executed by other routes alone: ${places}`,
    share: (/** @type {number} */ pct, /** @type {number} */ wholePct) =>
      `These rows explain ${about(pct)} of the ${about(wholePct)} points by which a request costs more CPU time.`,
    heads: { name: 'Function', place: 'Where', change: 'Change' },
    unnamed: '(anonymous)',
    gone: 'gone',
    added: 'new',
    flame: {
      label: (/** @type {string} */ id) =>
        `${id}: which function calls which; the width is its cost, and the table above lists what changed`,
      /**
       * @param {{ name: string, place: string, basePct: number, headPct: number, ownBasePct: number,
       *   ownHeadPct: number }} facts
       */
      frame: ({ name, place, basePct, headPct, ownBasePct, ownHeadPct }) =>
        `${name}${place && ` (${place})`}: ${portion(headPct / 100)}, was ${portion(basePct / 100)}; in itself ${portion(ownHeadPct / 100)}, was ${portion(ownBasePct / 100)}`,
      chain: (/** @type {number} */ calls) => `⋯ ${count(calls)} pass-through calls`,
      caption:
        'Calls of the head from the top down; the width is the cost. Orange with +: costs more than before. Blue with −: costs less. Grey: no clear change.',
      vanished: (/** @type {string[]} */ names) => `No longer called, or next to no cost: ${list(names)}.`,
    },
  },

  trend: {
    title: 'Trend',
    /** @param {{ runs: number, cases: number, kinds: number, from: string, to: string }} facts */
    about: ({ runs, cases, kinds, from, to }) =>
      `${some(runs, 'run')} from ${from} to ${to}, ${some(cases, 'case')}, ${some(kinds, 'kind of machine', 'kinds of machine')}. Figures are multiples of the reference server in the same run.`,
    none: (/** @type {boolean} */ isOfOthers) =>
      `No step was found: every ${isOfOthers ? 'other ' : ''}case stayed on one level.`,
    few: (/** @type {number} */ cases) =>
      `${some(cases, 'case')} ${cases === 1 ? 'has' : 'have'} too few runs to say: a step needs two runs before it and two after.`,
    heads: { day: 'From', commits: 'Commits (95 % confidence)', id: 'Case', change: 'Change' },
    everywhere: 'all servers at once: the machine, the runtime or the reference',
    tooFew: 'A trend needs a case with at least two runs that include the reference server.',
    spread: (/** @type {number | undefined} */ spreadPct) =>
      spreadPct === undefined ? 'too few runs' : `run-to-run noise ${unsigned(spreadPct)}`,
    caption: 'Dot: run. Line: level of its kind of machine. Vertical line: step.',
    recent: (/** @type {number} */ runs) => `the last ${count(runs)}`,
    machines: 'Kinds of machine, each with its own level',
    runs: (/** @type {number} */ runs) => some(runs, 'run'),
  },
};
