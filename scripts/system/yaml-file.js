/**
 * A YAML file checked against its JSON Schema; every mistake is one line with file and line number.
 * @import { ErrorObject, SchemaObject } from 'ajv/dist/2020.js'
 * @import { Check, Path } from '../model/schema.js'
 */

import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { readBounded } from './bounded-file.js';
import { UserError } from '../model/errors.js';
import { checkOf, pathOf, tell } from '../model/schema.js';
import { nearest } from '../model/nearest.js';

/** Nobody writes more by hand, nor deeper; see also the parser's own bound for aliases. */
const LARGEST_BYTES = 2 ** 18;
const DEEPEST = 50;
/** The parser takes kilobytes for each bracket that is open; so many of them are no text either. */
const MOST_OPEN = 1000;
/** More mistakes at once help nobody. */
const MOST_TOLD = 20;

/**
 * @param {string} file
 * @param {Check<any>} check as yamlCheck makes it
 * @param {string} [named] how messages call the file
 * @returns {{ value: any, lineOf: (path: Path) => number }} the plain value, and on which line its parts stand
 * @throws {UserError} with all mistakes, one a line
 */
export function readYaml(file, check, named = file) {
  const lines = new LineCounter();
  const text = readBounded(file, { bytes: LARGEST_BYTES, named }).toString();
  if (mostOpen(text) > MOST_OPEN) throw new UserError(`${named}: ${TOO_DEEP}`);
  const document = parseDocument(text, {
    ...{ lineCounter: lines, prettyErrors: false },
    // The parser compares every key with every other; see requireUnique.
    uniqueKeys: false,
  });
  if (document.errors.length > 0) {
    const told = document.errors
      .slice(0, MOST_TOLD)
      .map(({ message, pos }) => `${named}:${lines.linePos(pos[0]).line}: ${plain(message)}`);
    throw new UserError(told.join('\n'));
  }
  /** @param {Path} path */
  const lineOf = (path) => lines.linePos(offsetOf(document.contents, path)).line;
  visit(document, {
    Node(_, node, path) {
      const at = `${named}:${lines.linePos(node.range?.[0] ?? 0).line}`;
      if (path.length > DEEPEST) throw new UserError(`${at}: ${TOO_DEEP}`);
      if (isMap(node)) requireUnique(node, (at) => `${named}:${lines.linePos(at).line}`);
      if (!isAlias(node)) return;
      const target = node.resolve(document);
      if (!target)
        throw new UserError(`${at}: there is no anchor &${node.source} for *${node.source} above it`);
      if (path.includes(target)) throw new UserError(`${at}: *${node.source} stands inside of itself`);
    },
  });
  const value = toPlain(document, named) ?? {};
  if (check(value)) return { value, lineOf };
  const mistakes = check.errors.filter(({ keyword }) => !['anyOf', 'if'].includes(keyword));
  const told = mistakes
    .slice(0, MOST_TOLD)
    .map((error) => `${named}:${lineOf(pathOf(error))}: ${mistakeOf(error)}`);
  throw new UserError([...new Set(told)].join('\n'));
}

const TOO_DEEP = `is nested more than ${DEEPEST} levels deep`;

/**
 * @param {import('yaml').YAMLMap} map
 * @param {(offset: number) => string} placeAt
 * @throws {UserError} for a key that stands there twice, or is no text
 */
function requireUnique({ items }, placeAt) {
  const seen = new Set();
  for (const { key } of items) {
    const at = placeAt(/** @type {any} */ (key)?.range?.[0] ?? 0);
    // The parser would make text of a list or a mapping, and warn in words of its own.
    if (key !== null && !isScalar(key)) throw new UserError(`${at}: a key must be text; quote it`);
    const name = String(key);
    if (seen.has(name) && name !== '<<')
      throw new UserError(`${at}: the key "${name}" stands here twice; remove one`);
    seen.add(name);
  }
}

/** @param {string} text @returns {number} how many brackets are open at a time, those in texts too */
function mostOpen(text) {
  let [open, most] = [0, 0];
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = '[{'.includes(bracket) ? open + 1 : Math.max(0, open - 1);
    most = Math.max(most, open);
  }
  return most;
}

/** @param {string} message the parser's, which recurses */
function plain(message) {
  return /call stack/.test(message) ? TOO_DEEP : message;
}

/**
 * @param {import('yaml').Document} document
 * @param {string} named
 * @returns {any}
 * @throws {UserError} for aliases that grow beyond measure, and merges of what is no mapping
 */
function toPlain(document, named) {
  try {
    return document.toJS();
  } catch (error) {
    throw new UserError(`${named}: ${/** @type {Error} */ (error).message}; write the values out`);
  }
}

/**
 * @param {SchemaObject} schema
 * @param {SchemaObject[]} [references] schemas it refers to by their $id
 * @returns {Check<any>} finds every mistake at once
 */
export function yamlCheck(schema, references = []) {
  return checkOf(schema, { allErrors: true, schemas: references });
}

/**
 * @param {unknown} node
 * @param {Path} path
 * @returns {number} the offset of the key (in a mapping) or the item (in a list), or of what is nearest to it
 */
function offsetOf(node, [head, ...rest]) {
  const start = /** @type {{ range?: [number, number, number] } | null} */ (node)?.range?.[0] ?? 0;
  if (head === undefined) return start;
  if (isSeq(node)) return offsetOf(node.items[Number(head)], rest);
  const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(head)) : undefined;
  if (!pair) return start;
  return offsetOf(rest.length === 0 ? pair.key : pair.value, rest);
}

/** @param {ErrorObject} error */
function mistakeOf(error) {
  const { keyword, params, parentSchema } = error;
  if (keyword === 'required') return `${tell(error)}; add it`;
  if (keyword !== 'additionalProperties') return tell(error);
  const known = Object.keys(parentSchema?.properties ?? {});
  return `unknown key "${params.additionalProperty}"${nearest(params.additionalProperty, known)}`;
}
