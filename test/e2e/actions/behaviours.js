/**
 * What stand-ins do beyond taking notes. README.md here says which behaviours of the real actions they copy.
 */

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { download, upload } from './artifacts.js';
import { restore, save } from './caches.js';

const {
  GITHUB_OUTPUT: OUTPUT = '',
  GITHUB_REPOSITORY: REPOSITORY = '',
  GITHUB_SHA: SHA = '',
  GITHUB_WORKSPACE: WORKSPACE = '',
  STAND_IN_REPOSITORIES: REPOSITORIES = '{}',
} = process.env;

/** @typedef {Record<string, string>} Values */

/** @type {Record<string, (given: Values) => Promise<Values | void> | Values | void>} */
const ACTIONS = {
  'actions/checkout': checkout,
  'actions/upload-artifact': upload,
  'actions/download-artifact': download,
  'actions/cache/restore': (given) => (given.path === '~/.npm' ? hit() : restore(given)),
  'actions/cache/save': save,
  'benchmark-action/github-action-benchmark': chart,
};

/**
 * @param {string} name
 * @param {Values} given inputs that are not empty
 * @returns {Promise<void>}
 */
export async function behave(name, given) {
  const outputs = (await ACTIONS[name]?.(given)) ?? {};
  for (const [output, value] of Object.entries(outputs)) appendFileSync(OUTPUT, `${output}=${value}\n`);
}

/** The user's own folder already holds what it would restore. */
function hit() {
  return { 'cache-hit': 'true' };
}

/**
 * Its custom tools take a list of named figures, and nothing else.
 * @param {Values} given
 */
function chart({ 'output-file-path': file = '' }) {
  const points = JSON.parse(readFileSync(file, 'utf8'));
  const isPoint = (/** @type {any} */ { name, unit, value }) =>
    typeof name === 'string' && typeof unit === 'string' && Number.isFinite(value);
  if (!Array.isArray(points) || points.length === 0 || !points.every(isPoint))
    throw new Error(`${file} holds no figures`);
}

/** @param {Values} given */
function checkout({ repository = REPOSITORY, ref = SHA, path = '.', 'fetch-depth': depth = '1' }) {
  const source = JSON.parse(REPOSITORIES)[repository];
  if (!source) throw new Error(`there is no repository ${repository}`);
  const cwd = join(WORKSPACE, path);
  // The published action is a folder here, and no repository.
  mkdirSync(cwd, { recursive: true });
  if (repository !== REPOSITORY) {
    for (const name of readdirSync(cwd)) rmSync(join(cwd, name), { recursive: true });
    execFileSync('cp', ['-r', `${source}/.`, cwd]);
    return;
  }
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { cwd, stdio: 'inherit' });
  git('init', '-q');
  git('remote', 'add', 'origin', `https://github.com/${repository}.git`);
  const all = ['--tags', `file://${source}`, '+refs/heads/*:refs/remotes/origin/*'];
  if (depth === '0') git('fetch', '-q', ...all);
  git('fetch', '-q', '--no-tags', ...(depth === '0' ? [] : [`--depth=${depth}`]), `file://${source}`, ref);
  git('checkout', '-q', '--detach', 'FETCH_HEAD');
}
