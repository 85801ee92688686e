/**
 * What a run was measured with, and the command that repeats it. Run files of other programs may lack any of it.
 * @import { Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block } from './blocks.js'
 */

import { conditionsOf } from '../../model/dimensions.js';
import { mean, sum } from 'd3-array';
import { plain, sentence, shortSha } from '../text/inline.js';
import { code, list, text } from './blocks.js';
import { loadWords } from '../text/load.js';

/** In characters: a command that is cut repeats nothing. */
const COMMAND_WIDTH = 4000;

/**
 * @param {Run} run
 * @param {Words} words
 * @returns {Block[]} a list, and the command; none where nothing was measured
 */
export function conditionBlocks(run, words) {
  if (run.cases.length === 0) return [];
  const command = run.command?.replace(/[\r\n\u2028\u2029]+/g, ' ');
  return [
    list(measuredWith(run, words)),
    ...(command === undefined ? [] : [text(words.conditions.repeat), code([command], COMMAND_WIDTH)]),
  ];
}

/**
 * @param {Run} run
 * @param {Words} words
 * @returns {string[]} machine, versions, load, order and commit, a line each
 */
export function measuredWith({ environment, cases, seed, revision, finishedAt }, words) {
  const { conditions } = words;
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
  const memory = memoryBytes && conditions.memory(Math.round(memoryBytes / 2 ** 30));
  const commit =
    revision?.sha &&
    conditions.commit({
      sha: shortSha(revision.sha),
      mergedInto: revision.mergedInto && shortSha(revision.mergedInto),
      dirty: revision.dirty === true,
    });
  const shuffled = seed !== undefined && conditions.seed(seed);
  const lines = [
    [cpuModel, cores && conditions.cores(cores), memory, os, kernel && conditions.kernel(kernel), runner],
    versions.map(([name, version]) => `${name} ${version}`),
    loadWords(cases.map(conditionsOf), { windows: windowWords(cases, words), words }),
    [
      bootWords(
        cases.map(({ trials }) => trials.length),
        words,
      ),
      warmupWords(cases, words),
      waitingWords(cases, words),
      shuffled,
    ],
  ].map((parts) => sentence(parts.filter(Boolean).join(', ')));
  const made = [commit, finishedAt && plain(finishedAt)].filter(Boolean).join(', ');
  return [...lines, made].filter(Boolean);
}

/**
 * What was asked for, or what was chosen, as the boots tell.
 * @param {Run['cases']} cases
 * @param {Words} words
 * @returns {string | undefined}
 */
function windowWords(cases, { conditions }) {
  const boots = cases.flatMap(({ trials }) => trials.filter(({ failure }) => !failure));
  const counts = boots.map(({ windows }) => windows.length).filter((length) => length > 0);
  if (counts.length === 0) return undefined;
  const lengths = boots.flatMap(({ windows }) => windows.map(({ seconds }) => Math.round(10 * seconds) / 10));
  return conditions.windows({
    counts: [Math.min(...counts), Math.max(...counts)],
    seconds: [Math.min(...lengths), Math.max(...lengths)],
  });
}

/** @param {number[]} boots of each case @param {Words} words */
function bootWords(boots, { conditions }) {
  if (boots.length === 0) return undefined;
  return conditions.boots(Math.min(...boots), Math.max(...boots));
}

/**
 * @param {Run['cases']} cases
 * @param {Words} words
 * @returns {string | undefined} undefined where every warm-up was as long as its load says
 */
function warmupWords(cases, { conditions }) {
  const watched = cases.flatMap(({ trials }) => trials.flatMap(({ warmup }) => warmup ?? []));
  if (watched.length === 0) return undefined;
  const lengths = watched.map(({ windows }) =>
    Math.round(windows.reduce((sum, { seconds }) => sum + seconds, 0)),
  );
  return conditions.warmups([Math.min(...lengths), Math.max(...lengths)]);
}

/**
 * @param {Run['cases']} cases
 * @param {Words} words
 * @returns {string | undefined} undefined where nobody waited, or it was not measured
 */
function waitingWords(cases, { conditions }) {
  const trials = cases.flatMap((of) => of.trials);
  const known = trials
    .flatMap(({ windows }) => windows)
    .filter(({ cpu }) => cpu?.waitingSeconds !== undefined);
  const share =
    known.length > 0
      ? sum(known, ({ cpu }) => cpu?.waitingSeconds ?? 0) / sum(known, ({ seconds }) => seconds)
      : mean(trials, ({ waitingShare }) => waitingShare);
  return share === undefined ? undefined : conditions.waiting(Math.round(1000 * share) / 10);
}
