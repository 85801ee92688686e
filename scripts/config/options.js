/** The one table of options: flags, action inputs, keys of perf.yml and the manual are made from it. */

import { DIMENSIONS, TIMES } from '../model/dimensions.js';

/** Has `run` options; job: the action. @typedef {'plan' | 'bisect' | 'prove' | 'soak' | 'job'} OptionTaker */

/**
 * @typedef {object} Option
 * @property {string} name the flag and the input
 * @property {'what' | 'load' | 'time' | 'compare' | 'output'} [group] where --help prints it; absent: load
 * @property {true} [everyday] --help prints it first
 * @property {string} [key] its place in perf.yml; absent where a file cannot set it
 * @property {import('./kinds.js').Kind} kind a list may repeat; a boolean and a switch take no value
 * @property {string} [default] as one would write it
 * @property {string} [otherwise] what applies where nothing is given and no value can say it
 * @property {string} help
 * @property {readonly ('input' | 'comment')[]} [offeredAs] whether a workflow can set it by name, as it can
 *   set all others in perf.yml or through `options`; and whether a `/perf` comment can: how much is measured,
 *   but no files, no gate, and nothing of a request
 * @property {readonly OptionTaker[]} [refusedBy]
 */

/**
 * An option that perf.yml sets by its name.
 * @template {string} N
 * @param {N} name
 */
const inFile = (name) => /** @type {const} */ ({ name, key: name });

const TABLE = /** @type {const} @satisfies {readonly Option[]} */ ([
  {
    name: 'config',
    group: 'what',
    kind: 'text',
    otherwise: 'perf.yml, if there is one',
    help: 'the configuration file',
    offeredAs: ['input'],
  },
  {
    ...inFile('preset'),
    group: 'what',
    kind: 'text',
    help: 'a built-in preset (see perf-action list), such as quick',
    offeredAs: ['input', 'comment'],
  },
  {
    ...inFile('servers'),
    group: 'what',
    everyday: true,
    kind: 'entries',
    help: 'the servers to measure: names from perf.yml or perf-action list, or folders that contain a server.yml',
    offeredAs: ['input', 'comment'],
  },
  {
    ...inFile('routes'),
    group: 'what',
    everyday: true,
    kind: 'entries',
    otherwise: "all of each server's own",
    help: 'the routes to measure',
    offeredAs: ['comment'],
  },
  {
    ...inFile('library'),
    group: 'what',
    kind: 'names',
    help: "folders of packages, like . or packages/core: each is packed from each side's commit and replaces what the servers have installed under its name",
  },
  ...DIMENSIONS,
  ...TIMES,
  {
    name: 'scale',
    group: 'time',
    kind: 'factor',
    default: '1',
    help: 'scales duration, warmup and requests; 0.1 is a tenth. Times become whole seconds',
    offeredAs: ['comment'],
    refusedBy: ['soak'],
  },
  {
    ...inFile('rounds'),
    group: 'time',
    kind: 'count',
    default: '3',
    otherwise: 'in a comparison within a budget as many as a verdict needs, with limits 6, else 3',
    help: 'how many times each case is started and measured',
    offeredAs: ['comment'],
    refusedBy: ['soak'],
  },
  {
    ...inFile('budget'),
    group: 'time',
    everyday: true,
    kind: 'duration',
    otherwise: '5m where neither rounds nor, without against, duration or baseline are set; else none',
    help: 'time limit for measuring and explaining, like 5m, into which rounds and windows that nobody set are fitted; installing and building come before it',
    offeredAs: ['input', 'comment'],
    refusedBy: ['soak'],
  },
  {
    name: 'max-running',
    group: 'what',
    key: 'maxRunning',
    kind: 'count',
    otherwise: 'as many as fit in memory',
    help: 'how many servers may run at the same time, including the reference',
    refusedBy: ['soak'],
  },
  {
    name: 'runtime-metrics',
    group: 'what',
    key: 'runtimeMetrics',
    kind: 'switch',
    default: 'false',
    help: 'also records event-loop delay, garbage collection and heap inside Node servers',
    refusedBy: ['soak'],
  },
  {
    ...inFile('explain'),
    group: 'compare',
    kind: 'switch',
    default: 'true',
    help: 'profiles a Node or Java server that regressed against another commit, to name its slower functions',
    refusedBy: ['prove', 'soak'],
  },
  {
    ...inFile('controls'),
    group: 'compare',
    kind: 'switch',
    default: 'true',
    help: 'measures the routes of a Node server that execute no changed code together and shortly, as controls',
    refusedBy: ['prove', 'soak'],
  },
  {
    ...inFile('seed'),
    group: 'time',
    kind: 'seed',
    otherwise: 'random',
    help: 'repeats the order of an earlier run',
    offeredAs: ['comment'],
    refusedBy: ['soak'],
  },
  {
    name: 'shard',
    group: 'what',
    kind: 'shard',
    help: 'measures only one part of the cases, like 2/3; every part includes the reference and needs the same seed (see merge)',
    offeredAs: ['input'],
    refusedBy: ['bisect', 'prove', 'soak'],
  },
  {
    ...inFile('reference'),
    group: 'what',
    kind: 'text',
    otherwise: 'the built-in one',
    help: 'the control: a server measured in every run to show how fast the machine is; or off',
    refusedBy: ['soak'],
  },
  {
    name: 'relative-to',
    group: 'what',
    key: 'relativeTo',
    kind: 'text',
    help: 'the server that the report compares the others with ("4.9x Express")',
    refusedBy: ['soak'],
  },
  {
    ...inFile('baseline'),
    group: 'compare',
    kind: 'text',
    help: 'the stored run to compare with, or a folder of stored runs',
    offeredAs: ['input'],
    refusedBy: ['bisect', 'prove', 'soak'],
  },
  {
    ...inFile('against'),
    group: 'compare',
    everyday: true,
    kind: 'text',
    otherwise: 'off',
    help: 'the commit to measure in the same run and compare with, like main; base: what the pull request is merged into; self: the commit itself, which shows how noisy this machine is; fastify@5.2.0: the same sources with another version of a package; node@22: on another Node; express@file:../fork: another package in its place; or off',
    offeredAs: ['input'],
    refusedBy: ['bisect', 'prove', 'soak'],
  },
  {
    ...inFile('margin'),
    group: 'compare',
    kind: 'percent',
    default: '5%',
    help: 'smaller changes count as no change',
    offeredAs: ['input'],
    refusedBy: ['soak'],
  },
  {
    name: 'fail-on',
    group: 'compare',
    key: 'failOn',
    kind: 'failOn',
    default: 'regressed',
    help: 'when the exit code is 1: regressed; unsure, which includes regressed; or never',
    offeredAs: ['input'],
    refusedBy: ['bisect', 'prove'],
  },
  {
    ...inFile('out'),
    group: 'output',
    kind: 'text',
    default: 'perf-results',
    help: 'the folder for the results',
  },
  {
    ...inFile('title'),
    group: 'output',
    kind: 'text',
    otherwise: 'the names of the servers',
    help: 'the heading of the report',
  },
  {
    ...inFile('language'),
    group: 'output',
    kind: 'text',
    otherwise: 'en',
    help: 'the language of the report, the comment and the summary: en or ko',
  },
  {
    name: 'capacity',
    group: 'what',
    kind: 'boolean',
    help: 'searches for the highest rate at which p99 stays within its limit, instead of measuring the cases (see limits)',
    refusedBy: ['plan', 'bisect', 'prove', 'soak', 'job'],
  },
  {
    name: 'counts',
    group: 'what',
    kind: 'switch',
    help: 'counts what a request allocates and asks of services, in a minute, instead of measuring time (see counts)',
    offeredAs: ['comment'],
    refusedBy: ['plan', 'bisect', 'prove', 'soak'],
  },
  { name: 'json', group: 'output', kind: 'boolean', help: 'print JSON instead of text', refusedBy: ['job'] },
]);

/** @type {readonly Option[]} */
export const OPTIONS = TABLE;

/** Returns those that it takes. @type {(taker: OptionTaker) => Option[]} */
export function optionsOf(taker) {
  return OPTIONS.filter(({ refusedBy }) => !refusedBy?.includes(taker));
}

/** The rows with what each says, for the types of settings. @typedef {typeof TABLE[number]} Row */

/** Adds its default. @type {(option: Pick<Option, 'help' | 'default' | 'otherwise'>) => string} */
export function helpText({ help, default: standard, otherwise = standard }) {
  return otherwise === undefined ? help : `${help} (default: ${otherwise})`;
}
