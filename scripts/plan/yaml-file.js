/**
 * A YAML file checked against its JSON Schema; every mistake is one line with file and line number.
 * @import { ErrorObject, SchemaObject } from 'ajv/dist/2020.js'
 */

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isMap, isPair, isSeq, LineCounter, parseDocument } from 'yaml';
import { UserError } from '../errors.js';
import { nearest } from './nearest.js';

/**
 * @param {string} file as it is named in messages and opened
 * @param {SchemaObject} schema
 * @returns {{ value: any, lineOf: (path: (string | number)[]) => number }} the plain value, and where its parts stand
 * @throws {UserError} with all mistakes, one a line
 */
export function readYaml(file, schema) {
  const lines = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new UserError(
      document.errors.map(({ message, pos }) => `${file}:${lines.linePos(pos[0]).line}: ${message}`).join('\n'),
    );
  }
  /** @param {(string | number)[]} path */
  const lineOf = (path) => {
    const offset = offsetOf(document.contents, path);
    return offset === undefined ? 1 : lines.linePos(offset).line;
  };
  const value = document.toJS() ?? {};
  const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, verbose: true }).compile(schema);
  if (validate(value)) return { value, lineOf };
  const mistakes = (validate.errors ?? []).filter(({ keyword }) => !['anyOf', 'oneOf', 'if'].includes(keyword));
  const told = (mistakes.length > 0 ? mistakes : (validate.errors ?? [])).map((error) => {
    const path = pathOf(error);
    return `${file}:${lineOf(path)}: ${tell(error, path)}`;
  });
  throw new UserError([...new Set(told)].join('\n'));
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(`${file}: cannot be read (${code}); check the path`);
  }
}

/** @param {ErrorObject} error */
function pathOf({ instancePath, keyword, params }) {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keyword === 'additionalProperties' ? [...path, params.additionalProperty] : path;
}

/**
 * @param {unknown} node
 * @param {(string | number)[]} path
 * @returns {number | undefined} where the key (of a mapping) or the item (of a list) begins
 */
function offsetOf(node, [head, ...rest]) {
  if (head === undefined) return /** @type {any} */ (node)?.range?.[0];
  if (isMap(node)) {
    const pair = node.items.find((item) => isPair(item) && String(item.key) === String(head));
    if (!pair) return node.range?.[0];
    return rest.length === 0 ? /** @type {any} */ (pair.key).range?.[0] : offsetOf(pair.value, rest);
  }
  if (isSeq(node)) return offsetOf(node.items[Number(head)], rest);
  return /** @type {any} */ (node)?.range?.[0];
}

/**
 * @param {ErrorObject} error
 * @param {(string | number)[]} path
 */
function tell({ keyword, params, message, data, parentSchema }, path) {
  const name = path.join('.') || 'the file';
  const got = JSON.stringify(data);
  if (keyword === 'additionalProperties') {
    return `unknown key "${params.additionalProperty}"${nearest(params.additionalProperty, Object.keys(parentSchema?.properties ?? {}))}`;
  }
  if (keyword === 'required') return `${name} lacks "${params.missingProperty}"; add it`;
  if (keyword === 'enum') return `${name} must be one of ${params.allowedValues.join(', ')}; got ${got}`;
  if (keyword === 'type') return `${name} must be ${[params.type].flat().join(' or ')}; got ${got}`;
  return `${name} ${message}; got ${got}`;
}
