/**
 * What a run was measured with, and what repeats it at home. Run files of other programs may tell less than ours.
 * @import { Run } from '../types.js'
 */

import { escaped, fenced } from './escape.js';
import { some } from './format.js';
import { loadWords } from './load.js';

/** In characters: a command that is cut repeats nothing. */
const COMMAND_WIDTH = 4000;

/**
 * @param {Run} run
 * @returns {string} a list, and the command; empty where nothing was measured
 */
export function howMeasured(run) {
  if (run.cases.length === 0) return '';
  const lines = measuredWith(run).map((line) => `- ${line}`);
  const command = run.command?.replace(/[\r\n\u2028\u2029]+/g, ' ');
  const repeated =
    command === undefined ? [] : ['', 'The same at home:', '', fenced([command], COMMAND_WIDTH)];
  return [...lines, ...repeated].join('\n');
}

/**
 * @param {Run} run
 * @returns {string[]} machine, versions, load, order and commit, a line each
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
  const versions = [...Object.entries(runtimes), ...Object.entries(tools)];
  const memory = memoryBytes && `${Math.round(memoryBytes / 2 ** 30)} GiB of memory`;
  const dirty = revision?.dirty ? ' with uncommitted changes' : '';
  const merged = revision?.mergedInto ? ` merged into ${revision.mergedInto.slice(0, 10)}` : '';
  const shuffled = seed !== undefined && `order shuffled with seed ${seed}`;
  return [
    [cpuModel, cores && some(cores, 'core'), memory, os, kernel && `kernel ${kernel}`, runner],
    versions.map(([name, version]) => `${name} ${version}`),
    loadWords(
      cases.map(({ load }) => load ?? {}),
      windowWords(cases),
    ),
    [bootWords(cases.map(({ trials }) => trials.length)), waitingWords(cases), shuffled],
    [revision?.sha && `commit ${revision.sha.slice(0, 10)}${merged}${dirty}`, finishedAt],
  ]
    .map((parts) => escaped(parts.filter(Boolean).join(', ')))
    .filter(Boolean);
}

/**
 * What was asked for, or what was chosen, as the boots tell.
 * @param {Run['cases']} cases
 * @returns {string | undefined}
 */
function windowWords(cases) {
  const boots = cases.flatMap(({ trials }) => trials.filter(({ failure }) => !failure));
  const counts = boots.map(({ windows }) => windows.length).filter((length) => length > 0);
  if (counts.length === 0) return undefined;
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const lengths = boots.flatMap(({ windows }) => windows.map(({ seconds }) => Math.round(10 * seconds) / 10));
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  const range = (/** @type {number} */ from, /** @type {number} */ to) =>
    from === to ? `${to}` : `${from} to ${to}`;
  const chosen = cases.some(({ load }) => load?.adaptive) ? ', as many as decide soonest' : '';
  return `${range(least, most)} ${most === 1 ? 'window' : 'windows'} of ${range(shortest, longest)} s a boot${chosen}`;
}

/** @param {number[]} boots of each case */
function bootWords(boots) {
  const [least, most] = [Math.min(...boots), Math.max(...boots)];
  if (boots.length === 0) return undefined;
  return least === most ? `${some(most, 'boot')} a case, one a round` : `${least} to ${most} boots a case`;
}

/**
 * @param {Run['cases']} cases
 * @returns {string | undefined} undefined where nobody waited, or it was not measured
 */
function waitingWords(cases) {
  const windows = cases.flatMap(({ trials }) => trials.flatMap((trial) => trial.windows));
  const known = windows.filter(({ cpu }) => cpu?.waitingSeconds !== undefined);
  if (known.length === 0) return undefined;
  const used = known.reduce((sum, { cpu }) => sum + (cpu?.waitingSeconds ?? 0), 0);
  const seconds = known.reduce((sum, window) => sum + window.seconds, 0);
  const percent = Math.round((1000 * used) / seconds) / 10;
  return `those that waited meanwhile used ${percent} % of a core`;
}
