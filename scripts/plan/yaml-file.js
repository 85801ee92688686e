/**
 * A YAML file checked against its JSON Schema; every mistake is one line with file and line number.
 * @import { ErrorObject, SchemaObject, ValidateFunction } from 'ajv/dist/2020.js'
 * @import { Path } from '../schema.js'
 */

import { readFileSync } from 'node:fs';
import { isMap, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { UserError } from '../errors.js';
import { compileSchema, pathOf, tell } from '../schema.js';
import { nearest } from './nearest.js';

/**
 * @param {string} file
 * @param {ValidateFunction} check as compileYaml makes it
 * @param {string} [named] how messages call the file
 * @returns {{ value: any, lineOf: (path: Path) => number }} the plain value, and on which line its parts stand
 * @throws {UserError} with all mistakes, one a line
 */
export function readYaml(file, check, named = file) {
  const lines = new LineCounter();
  const document = parseDocument(readText(file, named), { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new UserError(
      document.errors
        .map(({ message, pos }) => `${named}:${lines.linePos(pos[0]).line}: ${message}`)
        .join('\n'),
    );
  }
  /** @param {Path} path */
  const lineOf = (path) => lines.linePos(offsetOf(document.contents, path)).line;
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document)) return;
      const { line } = lines.linePos(alias.range?.[0] ?? 0);
      throw new UserError(
        `${named}:${line}: there is no anchor &${alias.source} for *${alias.source} above it`,
      );
    },
  });
  const value = document.toJS() ?? {};
  if (check(value)) return { value, lineOf };
  const mistakes = (check.errors ?? []).filter(({ keyword }) => !['anyOf', 'if'].includes(keyword));
  const told = mistakes.map((error) => `${named}:${lineOf(pathOf(error))}: ${mistakeOf(error)}`);
  throw new UserError([...new Set(told)].join('\n'));
}

/**
 * @param {SchemaObject} schema
 * @param {SchemaObject[]} [references] schemas it refers to by their $id
 * @returns {ValidateFunction<any>} finds every mistake at once
 */
export function compileYaml(schema, references = []) {
  return compileSchema(schema, { allErrors: true, schemas: references });
}

/**
 * @param {string} file
 * @param {string} named
 */
function readText(file, named) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    const why = code === 'ENOENT' ? 'there is no such file' : `cannot be read (${code})`;
    throw new UserError(`${named}: ${why}; check the path`);
  }
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
