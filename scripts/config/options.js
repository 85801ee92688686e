/**
 * The one table of options. The command line's flags, the action's inputs, the keys of perf.yml and the manual's tables are
 * made from it.
 */

import { DIMENSIONS, TIMES } from '../model/dimensions.js';

/**
 * name: the flag and the input; key: its place in perf.yml, absent where a file cannot say it; default: as one would
 * write it; otherwise: what applies where nothing is given and no value can say it. A list may be given several times; a
 * boolean takes no value. input: whether a workflow can set it by name; the others are set in perf.yml or through `options`.
 * @typedef {{ name: string, key?: string, kind: import('./kinds.js').Kind, default?: string, otherwise?: string, help: string, input?: true }} Option
 */

const TABLE = /** @type {const} @satisfies {readonly Option[]} */ ([
  {
    name: 'config',
    kind: 'text',
    otherwise: 'perf.yml, if there is one',
    help: 'the configuration file',
    input: true,
  },
  {
    name: 'profile',
    key: 'profile',
    kind: 'text',
    help: 'a built-in preset (see perf-action list), such as quick',
    input: true,
  },
  {
    name: 'servers',
    key: 'servers',
    kind: 'entries',
    help: 'the servers to measure: names from perf.yml or perf-action list, or folders that contain a server.yml',
    input: true,
  },
  {
    name: 'routes',
    key: 'routes',
    kind: 'entries',
    otherwise: "all of each server's own",
    help: 'the routes to measure',
  },
  {
    name: 'node',
    key: 'node',
    kind: 'versions',
    otherwise: 'the Node on the PATH',
    help: 'runs every Node server under each of these versions, side by side: 22,24',
  },
  ...DIMENSIONS,
  ...TIMES,
  {
    name: 'scale',
    kind: 'factor',
    default: '1',
    help: 'multiplies duration, warm-up and requests and rounds to whole seconds; 0.1 cuts them to a tenth',
  },
  {
    name: 'method',
    key: 'request.method',
    kind: 'method',
    help: 'replaces the HTTP method of the measured routes',
  },
  {
    name: 'header',
    key: 'request.headers',
    kind: 'list',
    help: 'replaces the headers of the measured routes: "name: value", once per header',
  },
  {
    name: 'body',
    key: 'request.body',
    kind: 'text',
    help: 'replaces the body of the measured routes',
  },
  {
    name: 'rounds',
    key: 'rounds',
    kind: 'count',
    default: '3',
    help: 'how many times each case is booted and measured; with a budget and a base, as many as a verdict needs',
  },
  {
    name: 'budget',
    key: 'budget',
    kind: 'duration',
    otherwise: '5m with against and no rounds, else none',
    help: 'time limit for measuring and explaining, like 5m; installing and building come before it',
    input: true,
  },
  {
    name: 'alive',
    key: 'alive',
    kind: 'count',
    otherwise: 'as many as fit in memory',
    help: 'how many servers may run at the same time, including the reference',
  },
  {
    name: 'felt',
    key: 'felt',
    kind: 'switch',
    default: 'false',
    help: 'true also observes Node servers from inside: event loop, garbage collection, heap',
  },
  {
    name: 'why',
    key: 'why',
    kind: 'switch',
    default: 'true',
    help: 'false skips the short profiled run that names the slower functions of a Node or Java server that regressed against another commit',
  },
  {
    name: 'seed',
    key: 'seed',
    kind: 'seed',
    otherwise: 'random',
    help: 'repeats the order of an earlier run',
    input: true,
  },
  {
    name: 'shard',
    kind: 'shard',
    help: 'measures only one part of the cases, like 2/3; every part includes the reference and needs the same seed (see merge)',
    input: true,
  },
  {
    name: 'reference',
    key: 'reference',
    kind: 'text',
    otherwise: 'the built-in one',
    help: 'the control: a server measured in every run to show how fast the machine is; or off',
  },
  {
    name: 'relative-to',
    key: 'relativeTo',
    kind: 'text',
    help: 'the server that the report compares the others with ("4.9x Express")',
  },
  {
    name: 'baseline',
    key: 'baseline',
    kind: 'text',
    help: 'the stored run to compare with, or a folder of stored runs',
    input: true,
  },
  {
    name: 'against',
    key: 'against',
    kind: 'text',
    otherwise: 'off',
    help: 'the commit to measure in the same run and compare with, like main; base: what the pull request is merged into; same: the noise floor; or off',
    input: true,
  },
  {
    name: 'margin',
    key: 'margin',
    kind: 'percent',
    default: '5%',
    help: 'smaller changes count as no change',
    input: true,
  },
  {
    name: 'fail-on',
    key: 'failOn',
    kind: 'failOn',
    default: 'regressed',
    help: 'what makes the exit code 1: regressed, unsure (or regressed), or never',
    input: true,
  },
  {
    name: 'out',
    key: 'out',
    kind: 'text',
    default: 'perf-results',
    help: 'the folder for the results',
  },
  {
    name: 'title',
    key: 'title',
    kind: 'text',
    default: 'Load test',
    help: 'the heading of the report',
  },
  {
    name: 'language',
    key: 'language',
    kind: 'text',
    otherwise: 'en',
    help: 'the language of the report, the comment and the summary: en or ko',
  },
  {
    name: 'resume',
    kind: 'text',
    help: 'the results folder of an interrupted run to finish; takes no other options',
  },
  { name: 'json', kind: 'boolean', help: 'print JSON instead of text' },
]);

/** @type {readonly Option[]} */
export const OPTIONS = TABLE;

/** The rows with what each says, for the types of settings. @typedef {typeof TABLE[number]} Row */

/**
 * @param {Pick<Option, 'help' | 'default' | 'otherwise'>} option
 * @returns {string} its help with its default
 */
export function helpText({ help, default: standard, otherwise = standard }) {
  return otherwise === undefined ? help : `${help} (default: ${otherwise})`;
}
