/**
 * Lists machine, versions and load of a run, and how to repeat it. Run files of other programs may lack any.
 * @import { Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block } from './blocks.js'
 */

import { extent, groups, max, mean, sum } from 'd3-array';
import { conditionsOf } from '../../model/dimensions.js';
import { startsOf, windowsOf } from '../../samples/case-figures.js';
import { plain, sentence, shortSha } from '../text/inline.js';
import { loadWords } from '../text/load-words.js';
import { code, COMMAND_WIDTH, list, text } from './blocks.js';

/** A list, and the command; none where nothing was measured. @type {(run: Run, words: Words) => Block[]} */
export function conditionBlocks(run, words) {
  if (run.cases.length === 0) return [];
  const command = run.command?.replace(/[\r\n\u2028\u2029]+/g, ' ');
  return [
    ...list(measuredWith(run, words)),
    ...(command === undefined ? [] : [text(words.conditions.repeat), code([command], COMMAND_WIDTH)]),
  ];
}

/** Machine, versions, load, order and commit: a line each. @type {(run: Run, words: Words) => string[]} */
export function measuredWith({ environment, cases, seed, revision, finishedAt }, words) {
  const { conditions } = words;
  /** @type {Partial<Run['environment']>} */
  const { cpuModel, cores, memoryBytes, os, kernel, runner, runtimes = {}, tools = {} } = environment;
  const trials = cases.flatMap((runCase) => runCase.trials);
  const memory = memoryBytes && conditions.memory(Math.round(memoryBytes / 2 ** 30));
  const commit =
    revision?.sha &&
    conditions.commit({
      sha: shortSha(revision.sha, revision.site),
      mergedInto: revision.mergedInto && shortSha(revision.mergedInto, revision.site),
      dirty: revision.dirty === true,
    });
  const starts = rangeOf(cases.map((runCase) => runCase.trials.length));
  const warmups = rangeOf(
    trials.flatMap(({ warmup }) => (warmup ? Math.round(sum(warmup.windows, ({ seconds }) => seconds)) : [])),
  );
  const waiting = waitingShare(trials);
  const measured = startsOf({ trials }).map(({ windows }) => windows);
  const counts = rangeOf(measured.map(({ length }) => length));
  const seconds = rangeOf(measured.flat().map((window) => Math.round(10 * window.seconds) / 10));
  const windows = counts && seconds && conditions.windows({ counts, seconds });
  const lines = [
    [cpuModel, cores && conditions.cores(cores), memory, os, kernel && conditions.kernel(kernel), runner],
    Object.entries({ ...runtimes, ...tools }).map(([name, version]) => `${name} ${version}`),
    loadWords(cases.map(conditionsOf), { windows, words }),
    [
      starts && conditions.starts(...starts),
      warmups && conditions.warmups(warmups),
      trials.some(({ sharesCore }) => sharesCore) && conditions.sharedCore,
      waiting !== undefined && conditions.waiting(Math.round(1000 * waiting) / 10),
      seed !== undefined && conditions.seed(seed),
    ],
    requestWords(cases, words),
  ].map((parts) => sentence(parts.filter(Boolean).join(', ')));
  const made = [commit, finishedAt && plain(finishedAt)].filter(Boolean).join(', ');
  return [...lines, made].filter(Boolean);
}

/** What is special in the requests of each route. @type {(cases: Run['cases'], words: Words) => string[]} */
function requestWords(cases, words) {
  return groups(cases, ({ route }) => route).flatMap(([route, alike]) => {
    const sent = max(alike.flatMap(windowsOf), ({ requests }) => requests);
    const said = Object.entries(alike[0]?.request ?? {}).flatMap(
      ([key, value]) => words.requests[key]?.(value, sent) ?? [],
    );
    return said.length > 0 ? `${route}: ${words.list(said)}` : [];
  });
}

/** @type {(values: number[]) => [number, number] | undefined} */
function rangeOf(values) {
  const [low, high] = extent(values);
  return low === undefined || high === undefined ? undefined : [low, high];
}

/**
 * Cores that idle servers used; undefined where nobody waited, or it was not measured.
 * @type {(trials: Run['cases'][number]['trials']) => number | undefined}
 */
function waitingShare(trials) {
  const known = trials
    .flatMap(({ windows }) => windows)
    .filter(({ cpu }) => cpu?.waitingSeconds !== undefined);
  if (known.length === 0) return mean(trials, (trial) => trial.waitingShare);
  return sum(known, ({ cpu }) => cpu?.waitingSeconds) / sum(known, ({ seconds }) => seconds);
}
