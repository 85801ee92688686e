/**
 * Shortens a comment to one screen before anything is unfolded. The rest of each part is folded, or stands in
 * the folded tables anyway.
 * @import { Words } from '../text/words.js'
 * @import { Block, Document, Part } from '../document/blocks.js'
 */

import { fold, list, text } from '../document/blocks.js';

/** @type {(document: Document, words: Words) => Document} */
export function onOneScreen(document, words) {
  const parts = document.parts.flatMap((part) => shortened(part, words));
  const isOpen = (/** @type {Part} */ { fold: folds }) => folds === 'never' && !document.isUntouched;
  const open = parts.filter(isOpen);
  const folded = parts.filter((part) => !isOpen(part));
  if (!document.isUnchanged) return { ...document, parts: [...open, ...folded] };
  const blocks = folded.map((part) => fold(part.name, part.blocks));
  return {
    ...document,
    parts: [...open, { id: 'details', name: words.parts.details, fold: 'always', blocks }],
  };
}

/** Returns what is seen of it, and what is folded. @type {(part: Part, words: Words) => Part[]} */
function shortened(part, words) {
  const { most, blocks } = part;
  if (part.fold === 'brief') return [{ ...part, fold: 'always' }];
  if (most === undefined) return [part];
  const [first] = blocks;
  if (first?.kind === 'table') return [{ ...part, blocks: firstRows(blocks, most, words) }];
  const items = first?.kind === 'list' ? first.items.filter(({ only }) => only !== 'terminal') : undefined;
  // A fold belongs to the blocks before it.
  const own = blocks.filter(({ kind }, place) => place === 0 || kind !== 'fold');
  if ((items ?? own).length <= most) return [part];
  /** @type {Part} */
  const folded = { ...part, isTitled: true, fold: 'always' };
  if (!items) return [folded];
  return [
    { ...part, blocks: list(items.slice(0, most)) },
    { ...folded, name: words.parts.moreChanges, blocks: list(items.slice(most)) },
  ];
}

/** Pinned rows come on top of the most. @type {(tables: Block[], most: number, words: Words) => Block[]} */
function firstRows(tables, most, words) {
  let left = most;
  let hidden = 0;
  /** @type {(block: Block) => Block[]} */
  const keep = (block) => {
    if (block.kind !== 'table') return [block];
    const { pinned = 0, columns } = block;
    const rows = (columns[0]?.cells.length ?? 0) - pinned;
    const kept = Math.min(rows, left);
    left -= kept;
    hidden += rows - kept;
    if (kept === 0 && rows > 0) return [];
    const isKept = (/** @type {unknown} */ _, /** @type {number} */ row) => row < kept || row >= rows;
    return [
      { ...block, columns: columns.map((column) => ({ ...column, cells: column.cells.filter(isKept) })) },
    ];
  };
  const seen = tables.flatMap(keep);
  return hidden > 0 ? [...seen, text(words.comment.more(hidden))] : seen;
}
