/** The names of the files in a folder of results. */

/** The run files of the head and of the base, if there is one. */
export const SIDES = /** @type {const} */ (['run.json', 'base/run.json']);

export const COMPARISON = 'comparison.json';

/** A comparison with the stored runs of the preset. */
export const PRESET_RUNS = 'preset-runs.json';

/** The folder of a run's files until it ends: the results of the last one stay until then. */
export const UNFINISHED = 'unfinished';

/** What a search for a commit has found so far. */
export const BISECTION = 'bisection.json';

/** The report to look at. */
export const PAGE = 'report.html';

/** What is made of the run files. */
export const PAGES = [COMPARISON, PRESET_RUNS, 'report.md', PAGE];
