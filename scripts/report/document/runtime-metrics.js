/**
 * What runtimes report from inside the servers: event loop, collections, heap, a JVM's threads, classes and compilers, and how
 * memory grew.
 * @import { Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block } from './blocks.js'
 */

import { FIGURES } from '../../samples/figures.js';
import { figureIn } from '../../samples/samples.js';
import { figureOf } from '../text/change.js';
import { ifKnown } from '../text/format.js';
import { nameOf } from '../text/names.js';
import { column, names, table } from './blocks.js';

/**
 * @param {Run} run
 * @param {Words} words
 * @returns {{ blocks: Block[], standsOut: boolean }} no blocks where nothing was observed from inside
 */
export function runtimeMetrics(run, words) {
  const heads = words.columns.runtimeMetrics;
  const rows = run.cases.flatMap(({ id, trials }) => {
    const windows = trials.flatMap((trial) => (trial.failure ? [] : trial.windows));
    return windows.some(({ eventLoopDelayMs, jvm }) => eventLoopDelayMs ?? jvm) ? [{ id, windows }] : [];
  });
  if (rows.length === 0) return { blocks: [], standsOut: false };
  const figures = Object.keys(heads).flatMap((name) =>
    FIGURES.filter(({ runtime }) => runtime?.name === name),
  );
  const columns = figures.map(({ id, unit, runtime }) =>
    column(rows, heads[/** @type {keyof typeof heads} */ (runtime?.name)], ({ windows }) =>
      ifKnown(figureIn(id, windows), (value) => figureOf(unit, value, words)),
    ),
  );
  return {
    blocks: [table([names(rows, words.columns.server, ({ id }) => nameOf(run, id, words)), ...columns])],
    standsOut: rows.some(({ windows }) =>
      figures.some(({ id, notable = Infinity }) => (figureIn(id, windows) ?? 0) > notable),
    ),
  };
}
