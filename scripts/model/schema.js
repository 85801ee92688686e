/**
 * JSON Schemas as checks of files, and their errors in words.
 * @import { ErrorObject, Options, SchemaObject } from 'ajv/dist/2020.js'
 */

import { Ajv2020 } from 'ajv/dist/2020.js';

/** A place in a document: ["load", "connections", 0]. @typedef {(string | number)[]} Path */

/** Longer values are cut, in characters. */
const LONGEST = 60;

/** @type {Record<string, string>} */
const TYPES = {
  object: 'a mapping, like { key: value }',
  array: 'a list, like [one, another]',
  string: 'text',
  boolean: 'true or false',
  number: 'a number',
  integer: 'a whole number',
};

/**
 * Whether a value fits its schema; errors: of the last value.
 * @template T
 * @typedef {{ (value: unknown): value is T, errors: ErrorObject[] }} Check
 */

/**
 * Each schema is compiled when its first value is checked: compiling takes longer than starting Node.js, and
 * no command needs all.
 * @template T
 * @param {SchemaObject} schema
 * @param {Options} options
 * @returns {Check<T>}
 */
export function checkOf(schema, options) {
  // Optimizing the code takes longer than what it saves in one check.
  const code = { optimize: false };
  const fixed = { strict: true, strictRequired: false, allowUnionTypes: true, verbose: true, code };
  // `test/model/schemas.test.js` checks the schemas.
  const ajv = new Ajv2020({ ...fixed, validateSchema: false, ...options });
  const check = /** @type {Check<T>} */ (
    (value) => {
      const isValid = ajv.validate(schema, value);
      check.errors = ajv.errors ?? [];
      return isValid;
    }
  );
  check.errors = [];
  return check;
}

/** The path of what is wrong. @type {(error: ErrorObject) => Path} */
export function pathOf({ instancePath, keyword, params }) {
  const [, ...parts] = instancePath.split('/');
  const path = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keyword === 'additionalProperties' ? [...path, params.additionalProperty] : path;
}

/** The path as in JavaScript, what belongs there and what is. @type {(error: ErrorObject) => string} */
export function mistakeText(error) {
  const { keyword, params, message, data } = /** @type {ErrorObject & { data: any }} */ (error);
  const name = pathOf(error).reduce(
    (whole, part) => (/^\d+$/.test(String(part)) ? `${whole}[${part}]` : `${whole}${whole && '.'}${part}`),
    '',
  );
  const place = name || 'the file';
  if (keyword === 'required') return `${place} lacks "${params.missingProperty}"`;
  const { limit } = params;
  if (keyword === 'maxItems') return `${place} has ${data.length} items, more than ${limit}`;
  if (keyword === 'maxProperties') return `${place} has ${Object.keys(data).length} keys, more than ${limit}`;
  // A file of another kind, like one of secrets, is text to a YAML parser.
  if (name === '') return `the file ${ruleOf(error) ?? message}`;
  const got = JSON.stringify(data);
  const shown = got.length > LONGEST ? `${got.slice(0, LONGEST)}…` : got;
  return `${place} ${ruleOf(error) ?? message}; got ${shown}`;
}

/** Undefined where ajv's message says it well. @type {(error: ErrorObject) => string | undefined} */
function ruleOf({ keyword, params, parentSchema }) {
  /** @type {unknown[]} */
  const examples = parentSchema?.examples ?? [];
  if (examples.length > 0 && ['type', 'pattern'].includes(keyword))
    return `must be written like ${examples.join(' or ')}`;
  if (keyword === 'type')
    return `must be ${[params.type]
      .flat()
      .map((type) => TYPES[type] ?? type)
      .join(' or ')}`;
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`;
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`;
  const isEmpty = ['minItems', 'minProperties', 'minLength'].includes(keyword) && params.limit === 1;
  return isEmpty ? 'must not be empty' : undefined;
}
