/** What `doctor` found, and what is left to do. @import { Block, Item } from './blocks.js' */

import { list } from './blocks.js';

/**
 * Further lines of a finding are items of their own; found: absent where it is missing.
 * @param {{ what: string, found: string | undefined, mend: string }[]} findings
 * @param {{ file: string, line: number, what: string }[]} toDos
 * @returns {Block[]}
 */
export function doctorBlocks(findings, toDos) {
  const items = findings.flatMap(({ what, found, mend }) => {
    const [first, ...others] = (found ?? mend).split('\n');
    const verdict = found === undefined ? 'failed' : 'improved';
    return /** @type {(Item | string)[]} */ ([{ text: `${what}: ${first}`, verdict }, ...others]);
  });
  const left = toDos.map(({ file, line, what }) => `${file}:${line}: to do: ${what}`);
  return list([...items, ...left.map((text) => /** @type {Item} */ ({ text, verdict: 'unsure' }))]);
}
