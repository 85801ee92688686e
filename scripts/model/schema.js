/**
 * JSON Schemas as checks of files, and what is wrong in words.
 * @import { ErrorObject, Options, SchemaObject } from 'ajv/dist/2020.js'
 */

import { Ajv2020 } from 'ajv/dist/2020.js';

/** A key's or an item's place in a document: ["load", "connections", 0]. @typedef {(string | number)[]} Path */

/** Of a value that is told, in characters. */
const LONGEST = 60;

/**
 * Whether a value is as its schema says; errors: of the last value.
 * @template T
 * @typedef {{ (value: unknown): value is T, errors: ErrorObject[] }} Check
 */

/**
 * Compiling a schema takes longer than starting Node.js, and no command needs them all: each is compiled when its first value
 * is checked.
 * @template T
 * @param {SchemaObject} schema
 * @param {Options} options
 * @returns {Check<T>} its errors can be told
 */
export function checkOf(schema, options) {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    verbose: true,
    // They are our own, and `test/model/schemas.test.js` checks them.
    validateSchema: false,
    ...options,
  });
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

/**
 * @param {string} keyword
 * @param {any} data
 * @returns {string | undefined} how much there is, where that is too much to be shown
 */
function sizeOf(keyword, data) {
  if (keyword === 'maxItems') return `${data.length} items`;
  return keyword === 'maxProperties' ? `${Object.keys(data).length} keys` : undefined;
}

/**
 * @param {ErrorObject} error
 * @returns {Path} of what is wrong
 */
export function pathOf({ instancePath, keyword, params }) {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keyword === 'additionalProperties' ? [...path, params.additionalProperty] : path;
}

/**
 * @param {ErrorObject} error
 * @returns {string} the path as JavaScript writes it, what belongs there, and what is there
 */
export function tell(error) {
  const { keyword, params, message, data, parentSchema } = error;
  const name = pathOf(error).reduce(
    (whole, part) => (/^\d+$/.test(String(part)) ? `${whole}[${part}]` : `${whole}${whole && '.'}${part}`),
    '',
  );
  const place = name || 'the file';
  if (keyword === 'required') return `${place} lacks "${params.missingProperty}"`;
  /** @type {unknown[]} */
  const examples = parentSchema?.examples ?? [];
  const isShown = examples.length > 0 && ['type', 'pattern'].includes(keyword);
  /** @type {Record<string, () => string>} */
  const wanted = {
    type: () => `must be ${[params.type].flat().join(' or ')}`,
    enum: () => `must be one of ${params.allowedValues.join(', ')}`,
    const: () => `must be ${JSON.stringify(params.allowedValue)}`,
  };
  const other =
    ['minItems', 'minProperties', 'minLength'].includes(keyword) && params.limit === 1
      ? 'must not be empty'
      : message;
  const size = sizeOf(keyword, data);
  if (size !== undefined) return `${place} has ${size}, more than ${params.limit}`;
  const rule = isShown ? `must be written like ${examples.join(' or ')}` : (wanted[keyword]?.() ?? other);
  const got = JSON.stringify(data);
  return `${place} ${rule}; got ${got.length > LONGEST ? `${got.slice(0, LONGEST)}…` : got}`;
}
