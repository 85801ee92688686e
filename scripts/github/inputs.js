/** The action's inputs: those of the one table of options, and a few that only the action has. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../errors.js';
import { OPTIONS } from '../plan/options.js';

/** What the command line alone has. */
const NO_INPUT = ['json'];

/** @type {{ name: string, default?: string, help: string }[]} */
export const ACTION_INPUTS = [
  { name: 'working-directory', default: '.', help: 'the folder paths are relative to' },
  {
    name: 'node-version',
    help: 'installs this Node for the measured servers; where empty the runner’s own is used',
  },
  { name: 'java-version', default: '21', help: 'the Java that is installed when a chosen server runs on it' },
  { name: 'comment', default: 'true', help: 'whether the pull request gets a comment' },
  { name: 'comment-key', default: 'perf', help: 'tells several comments of one pull request apart' },
  {
    name: 'github-token',
    default: '${{ github.token }}',
    help: 'writes the comment; needs pull-requests: write',
  },
  {
    name: 'baseline-store',
    default: 'off',
    help: 'where the runs of the main branch are kept to compare with: file, branch, cache or off',
  },
  {
    name: 'baseline-history',
    default: '20',
    help: 'how many runs of the same cases are kept of each kind of machine',
  },
  {
    name: 'trend',
    default: 'false',
    help: 'on the main branch, gives the figures that github-action-benchmark draws on gh-pages in a step of its own',
  },
];

/** The options that are inputs too, under the same names. */
export const OPTION_INPUTS = OPTIONS.filter(({ name }) => !NO_INPUT.includes(name));

/** The names of all of them. */
export const INPUTS = [...OPTION_INPUTS, ...ACTION_INPUTS].map(({ name }) => name);

/**
 * @param {string} name an input's name
 * @returns {string} the variable it reaches the steps in
 */
export function variableOf(name) {
  return `PERF_INPUT_${name.toUpperCase().replaceAll('-', '_')}`;
}

/**
 * @param {NodeJS.ProcessEnv} env PERF_INPUTS: a workflow's inputs as JSON; those of this table are taken
 * @returns {NodeJS.ProcessEnv} with each in the variable a step of the action would find it in
 */
export function spreadInputs(env) {
  const given = JSON.parse(env.PERF_INPUTS ?? '{}');
  const names = INPUTS.filter((name) => name in given);
  return {
    ...env,
    ...Object.fromEntries(names.map((name) => [variableOf(name), String(given[name] ?? '')])),
  };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Record<string, string>} the inputs that were given, by name; what was left empty is left to its default
 */
export function readOptions(env) {
  const given = OPTION_INPUTS.map(({ name }) => [name, env[variableOf(name)]?.trim() ?? '']);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/**
 * It becomes part of the names of artifacts, caches and folders.
 * @param {NodeJS.ProcessEnv} env
 * @returns {string} the comment-key
 * @throws {UserError} where no such name can be made of it
 */
export function keyOf(env) {
  const key = env[variableOf('comment-key')]?.trim() || 'perf';
  if (/^\w[\w.-]{0,99}$/.test(key)) return key;
  throw new UserError(
    `comment-key: ${JSON.stringify(key)} cannot name an artifact; write letters, digits, and . _ - within them, like perf-api`,
  );
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} cwd
 * @returns {string} absolute: what paths are relative to
 * @throws {UserError} where there is no such folder
 */
export function directoryOf(env, cwd) {
  const directory = resolve(cwd, env[variableOf('working-directory')] ?? '');
  if (existsSync(directory)) return directory;
  throw new UserError(`working-directory: there is no folder ${directory}`);
}
