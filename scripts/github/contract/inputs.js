/** The action's inputs: options of a run, and a few that only the action or its workflows have. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../../model/errors.js';
import { jsonIn } from '../../model/json.js';
import { nearest } from '../../model/nearest.js';
import { parseBoolean } from '../../model/units.js';
import { optionsOf } from '../../config/options.js';

/**
 * @typedef {object} Input
 * @property {string} name
 * @property {string} [key] in perf.yml
 * @property {string} [default]
 * @property {string} [otherwise] what an empty input means, in words
 * @property {string} help
 * @property {true} [declared] action.yml declares the default, since expressions read it
 */

/** By name, without those left empty. @typedef {Record<string, string>} Inputs */

/** The comment-key of a workflow that has one comment. */
export const DEFAULT_KEY = 'perf';

/** Inputs that only a job has. @type {readonly Input[]} */
export const ACTION_INPUTS = [
  { name: 'working-directory', default: '.', help: 'the folder that paths are relative to' },
  {
    name: 'node-version',
    otherwise: "the runner's own",
    help: 'installs this version of Node for the measured servers',
  },
  {
    name: 'java-version',
    default: '21',
    help: 'the version of Java to install when a measured server needs it',
    declared: true,
  },
  {
    name: 'sockets',
    default: 'false',
    help: 'whether measured code may connect to Docker and to the sockets of other programs, with which it can become root',
  },
  { name: 'comment', default: 'true', help: 'whether to comment on the pull request' },
  {
    name: 'comment-key',
    default: DEFAULT_KEY,
    help: 'separates several jobs: their comments on one pull request, their artifacts and their baselines',
    declared: true,
  },
  {
    name: 'github-token',
    default: '${{ github.token }}',
    help: 'writes the comment; needs pull-requests: write',
    declared: true,
  },
  {
    name: 'baseline-store',
    default: 'off',
    help: 'where to keep the runs of the main branch to compare with: branch, cache or off',
    declared: true,
  },
  {
    name: 'options',
    help: 'options of perf-action run, by name, as one JSON object; an input of the same name takes precedence',
  },
];

const RUN_OPTIONS = optionsOf('job');

/** Inputs that are options of a run. @type {readonly Input[]} */
export const OPTION_INPUTS = RUN_OPTIONS.filter((option) => option.offeredAs?.includes('input'));

/** All inputs of the action. */
export const INPUTS = [...OPTION_INPUTS, ...ACTION_INPUTS];

/** Inputs that only the reusable workflow has. @type {Input[]} */
export const WORKFLOW_INPUTS = [
  { name: 'shards', default: '1', help: 'how many runners share the cases' },
  {
    name: 'machines',
    otherwise: 'one kind, runs-on',
    help: 'labels of several kinds of runner as a JSON list, like ["ubuntu-latest", "ubuntu-24.04-arm"]: each measures every case, and one comment has a column for each; needs against',
  },
  { name: 'runs-on', default: 'ubuntu-latest', help: 'the label of the runners', declared: true },
  { name: 'ref', otherwise: "the event's", help: 'the commit to measure' },
  {
    name: 'action-ref',
    help: 'the commit of perf-action, where GitHub does not say which one was called (Enterprise Server)',
  },
];

/** Inputs that only the commenting workflow has. @type {Input[]} */
export const COMMENT_INPUTS = [
  {
    name: 'sha',
    help: 'after a request by comment: the commit that was measured; nothing is posted once the pull request has moved on',
  },
];

/** Allowed in `options` alone; machine: the label of the runner, from perf.yml. */
const RARE = ['baseline-history', 'machine'];

const NAMED = [...RUN_OPTIONS, ...ACTION_INPUTS, ...WORKFLOW_INPUTS, ...COMMENT_INPUTS];
const NAMES = [...NAMED.map(({ name }) => name), ...RARE];
/** Expressions of action.yml and perf.yml read them, and those know no `options`. */
const IN_EXPRESSIONS = [
  ...[...ACTION_INPUTS, ...WORKFLOW_INPUTS].filter(({ declared }) => declared).map(({ name }) => name),
  ...['node-version', 'shard', 'ref', 'action-ref'],
];

/**
 * @param {NodeJS.ProcessEnv} env PERF_INPUTS: the inputs of the action, or of a workflow, as JSON
 * @returns {Inputs} named inputs override those in `options`
 * @throws {UserError} for an unknown option, or one that has no effect in `options`
 */
export function readInputs({ PERF_INPUTS = '{}' }) {
  const inputs = parsed(PERF_INPUTS, 'the inputs (PERF_INPUTS)');
  const { options, ...named } = given(inputs);
  if (options === undefined) return named;
  const unknown = Object.keys(parsed(options, 'options')).find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw new UserError(`options: there is no option "${unknown}"${nearest(unknown, NAMES)}`);
  const others = readInputs({ PERF_INPUTS: options });
  const idle = IN_EXPRESSIONS.find(
    (name) => name in others && name in inputs && others[name] !== named[name],
  );
  if (idle === undefined) return { ...others, ...named };
  throw new UserError(`options: "${idle}" has no effect there; set the input ${idle} instead`);
}

/** @type {(values: Record<string, unknown>) => Inputs} */
function given(values) {
  const wrong = Object.keys(values).find((name) =>
    [values[name]].flat().some((value) => value instanceof Object),
  );
  if (wrong !== undefined)
    throw new UserError(`"${wrong}": an option must be text, a number, true, false, or a list of them`);
  const texts = Object.entries(values).map(([name, value]) => [name, [value ?? ''].flat().join(',').trim()]);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

/** Messages name it `what`. @type {(text: string, what: string) => any} */
function parsed(text, what) {
  const value = jsonIn(text);
  if (value instanceof Object && !Array.isArray(value)) return value;
  throw new UserError(`${what}: not a JSON object; use one like {"connections": "50,200"}`);
}

/** Those that are options of the command line. @type {(inputs: Inputs) => Inputs} */
export function readOptions(inputs) {
  const names = RUN_OPTIONS.map(({ name }) => name).filter((name) => name in inputs);
  return Object.fromEntries(names.map((name) => [name, inputs[name] ?? '']));
}

/** Whether to comment. Throws a UserError. @type {(inputs: Inputs) => boolean} */
export function isPosted({ comment = 'true' }) {
  return parseBoolean(comment, 'comment');
}

/** Throws for what cannot name artifacts, caches and folders. @type {(inputs: Inputs) => string} */
export function keyOf({ 'comment-key': key = DEFAULT_KEY }) {
  if (/^\w[\w.-]{0,99}$/.test(key)) return key;
  throw new UserError(
    `comment-key: ${JSON.stringify(key)} cannot name an artifact; use letters, digits, and . _ - between them, like perf-api`,
  );
}

/**
 * Warns where jobs of a matrix may share a key: they overwrite each other's artifact, comment and cache.
 * Undefined where they do not, or no artifact is left. PERF_JOBS: how many jobs the matrix has; PERF_MATRIX:
 * the values of this one, as JSON.
 * @type {(inputs: Inputs, env: NodeJS.ProcessEnv) => string | undefined}
 * @throws {UserError} where the key was left at its default
 */
export function warningOfSharedKey(inputs, { PERF_JOBS, PERF_MATRIX }) {
  const key = keyOf(inputs);
  if (!(Number(PERF_JOBS) > 1) || inputs.shard !== undefined) return undefined;
  /** @type {Record<string, unknown>} */
  const values = JSON.parse(PERF_MATRIX || 'null') ?? {};
  const named = Object.keys(values).filter((name) => !(values[name] instanceof Object));
  const variables = named.length > 0 ? named.map((name) => `matrix.${name}`) : ['strategy.job-index'];
  const advice = `set comment-key: ${['perf', ...variables.map((name) => `\${{ ${name} }}`)].join('-')}`;
  const problem = `comment-key: ${PERF_JOBS} jobs of this matrix`;
  if (key === DEFAULT_KEY)
    throw new UserError(
      `${problem} share the key "${key}" and would overwrite each other's artifact and comment; ${advice}`,
    );
  if (named.some((name) => key.includes(String(values[name])))) return undefined;
  return `${problem} may share the key "${key}" and overwrite each other's artifact and comment; if they do, ${advice}`;
}

/** The absolute working directory; throws if missing. @type {(inputs: Inputs, cwd: string) => string} */
export function directoryOf({ 'working-directory': folder = '' }, cwd) {
  const directory = resolve(cwd, folder);
  if (existsSync(directory)) return directory;
  throw new UserError(`working-directory: there is no folder ${directory}`);
}
