/**
 * Reads YAML files and checks them against a JSON Schema; a mistake is a line with file and line number.
 * @import { ErrorObject, SchemaObject } from 'ajv/dist/2020.js'
 * @import { Check, Path } from '../model/schema.js'
 */

import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { readBounded } from './bounded-file.js';
import { UserError } from '../model/errors.js';
import { checkOf, pathOf, mistakeText } from '../model/schema.js';
import { nearest } from '../model/nearest.js';

/** More than people write by hand; the parser bounds aliases itself. */
const LARGEST_BYTES = 2 ** 18;
const DEEPEST = 50;
const TOO_DEEP = `is nested more than ${DEEPEST} levels deep`;
/** The parser needs kilobytes for each open bracket. */
const MOST_OPEN = 1000;
const MOST_MISTAKES = 20;
/** In place of messages that quote secrets; others do after a colon. @type {Record<string, string>} */
const UNQUOTED = {
  BAD_DIRECTIVE: 'Invalid directive',
  BAD_DQ_ESCAPE: 'Invalid escape sequence',
  TAB_AS_INDENT: 'Tabs are not allowed as indentation; use spaces',
  BAD_SCALAR_START: 'A plain value starts with a reserved character; quote it',
  TAG_RESOLVE_FAILED: 'Unresolved tag',
};

/**
 * The plain value, and the line of each part. yamlCheck makes the check; messages call the file `named`.
 * @type {(file: string, check: Check<any>, named?: string) => { value: any, lineOf: (path: Path) => number }}
 * @throws {UserError} with all mistakes, one a line
 */
export function readYaml(file, check, named = file) {
  const lines = new LineCounter();
  const text = readBounded(file, { bytes: LARGEST_BYTES, named }).toString();
  if (mostOpen(text) > MOST_OPEN) throw new UserError(`${named}: ${TOO_DEEP}`);
  // The parser would compare every key with every other; see requireUnique.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const placeOf = (/** @type {number} */ offset) => `${named}:${lines.linePos(offset).line}`;
  // Behind a tab the parser misses what it takes for nothing.
  const tab = document.errors.find(({ code }) => code === 'TAB_AS_INDENT');
  const broken = (tab ? [tab] : document.errors).map((error) => `${placeOf(error.pos[0])}: ${plain(error)}`);
  if (broken.length > 0) throw new UserError(broken.slice(0, MOST_MISTAKES).join('\n'));
  visit(document, {
    Node(_, node, path) {
      const place = placeOf(node.range?.[0] ?? 0);
      if (path.length > DEEPEST) throw new UserError(`${place}: ${TOO_DEEP}`);
      if (isMap(node)) requireUnique(node, placeOf);
      if (!isAlias(node)) return;
      const target = node.resolve(document);
      if (!target)
        throw new UserError(`${place}: an alias (*) without its anchor (&) above it; quote it if it is text`);
      if (path.includes(target)) throw new UserError(`${place}: *${node.source} refers to itself`);
    },
  });
  const value = toPlain(document, named) ?? {};
  const lineOf = (/** @type {Path} */ path) => lines.linePos(offsetOf(document.contents, path)).line;
  if (check(value)) return { value, lineOf };
  const mistakes = check.errors
    .filter(({ keyword }) => !['anyOf', 'if'].includes(keyword))
    .slice(0, MOST_MISTAKES)
    .map((error) => `${named}:${lineOf(pathOf(error))}: ${mistakeOf(error)}`);
  throw new UserError([...new Set(mistakes)].join('\n'));
}

/** @param {{ code: string, message: string }} error */
function plain({ code, message }) {
  // The parser recurses.
  if (message.includes('call stack')) return TOO_DEEP;
  return UNQUOTED[code] ?? message.replace(/(?<=\w): .*/s, '');
}

/**
 * @param {import('yaml').YAMLMap} map
 * @param {(offset: number) => string} placeOf
 * @throws {UserError} for a key that is repeated, or no text
 */
function requireUnique({ items }, placeOf) {
  const seen = new Set();
  for (const { key } of items) {
    const place = placeOf(/** @type {any} */ (key)?.range?.[0] ?? 0);
    // The parser would turn a list or a mapping into text.
    if (key !== null && !isScalar(key)) throw new UserError(`${place}: a key must be text; quote it`);
    const name = String(key);
    if (seen.has(name) && name !== '<<')
      throw new UserError(`${place}: the key "${name}" stands here twice; remove one`);
    seen.add(name);
  }
}

/** The most brackets that are open at once, quoted ones included. @type {(text: string) => number} */
function mostOpen(text) {
  let [open, most] = [0, 0];
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = '[{'.includes(bracket) ? open + 1 : Math.max(0, open - 1);
    most = Math.max(most, open);
  }
  return most;
}

/** Throws for huge aliases, bad merges. @type {(document: import('yaml').Document, named: string) => any} */
function toPlain(document, named) {
  try {
    return document.toJS();
  } catch (error) {
    throw new UserError(`${named}: ${/** @type {Error} */ (error).message}; write the values out`);
  }
}

/** Finds all mistakes. @type {(schema: SchemaObject, references?: SchemaObject[]) => Check<any>} */
export function yamlCheck(schema, references = []) {
  return checkOf(schema, { allErrors: true, schemas: references });
}

/**
 * The offset of the key (in a mapping) or the item (in a list), or of the nearest node above it.
 * @type {(node: unknown, path: Path) => number}
 */
function offsetOf(node, [head, ...rest]) {
  const start = /** @type {import('yaml').Node | null} */ (node)?.range?.[0] ?? 0;
  if (head === undefined) return start;
  if (isSeq(node)) return offsetOf(node.items[Number(head)], rest);
  const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(head)) : undefined;
  if (!pair) return start;
  return offsetOf(rest.length === 0 ? pair.key : pair.value, rest);
}

/** @param {ErrorObject} error */
function mistakeOf(error) {
  const { keyword, params, parentSchema } = error;
  if (keyword === 'required') return `${mistakeText(error)}; add it`;
  if (keyword !== 'additionalProperties') return mistakeText(error);
  const known = Object.keys(parentSchema?.properties ?? {});
  return `unknown key "${params.additionalProperty}"${nearest(params.additionalProperty, known)}`;
}
