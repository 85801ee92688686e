/**
 * Several kinds of machine that measured the same cases: a column each.
 * @import { MachineVerdict } from '../../types.js'
 * @import { Block } from './blocks.js'
 * @import { Context } from './document.js'
 */

import { labelOf, namedChange, verdictText } from '../text/change-words.js';
import { plain } from '../text/inline.js';
import { names, table } from './blocks.js';

/** Returns nothing where one kind measured. @type {(context: Context) => Block[]} */
export function machineBlocks({ run, comparison, words, nameOf }) {
  const { machines = [], against } = comparison ?? {};
  const missing = (run.warnings ?? []).flatMap((warning) =>
    warning.code === 'machines-missing' ? warning.machines : [],
  );
  if (machines.length === 0) return [];
  const ids = [...new Set(machines.flatMap(({ cases }) => cases.map(({ id }) => id)))];
  const cellOf = (/** @type {MachineVerdict} */ { cases }, /** @type {string} */ id) => {
    const { change, verdict } = cases.find((each) => each.id === id) ?? { verdict: 'failed' };
    if (!change) return words.change.verdicts[verdict];
    const figure = namedChange(change, words) || labelOf(change, words);
    return `${verdictText(change, against, words)}: ${figure}`;
  };
  const columns = machines.map((each) =>
    names(ids, plain(each.machine), (id) => cellOf(each, id), {
      verdicts: ids.map((id) => each.cases.find((measured) => measured.id === id)?.verdict),
    }),
  );
  const lost = missing.map((label) => names(ids, plain(label), () => words.tables.notMeasured));
  return [table([names(ids, words.columns.case, (id) => nameOf(id)), ...columns, ...lost])];
}
