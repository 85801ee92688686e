/** GitHub's own OpenAPI description, asked whether a request or an answer is one of GitHub's. */

import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

/** What of it is used here; tools/github-description.js writes it. */
const FILE = new URL('../../data/api/github.json', import.meta.url);

/**
 * @typedef {{ method: string, path: string, query: URLSearchParams, body: unknown }} Request body: undefined
 *   where there is none
 * @typedef {{ status: number, body: unknown, headers?: Record<string, string> }} Answer
 * @typedef {{ keys: string[], operation: any }} Found keys: its place in the description
 */

/**
 * @typedef {{
 *   faultOfRequest: (request: Request) => string | undefined,
 *   faultOfAnswer: (request: Request, answer: Answer) => string | undefined,
 *   example: (name: string) => any,
 * }} Description faults: what is wrong, in words; example: one of GitHub's own
 */

/** @type {Description | undefined} read once */
let known;

/** @returns {Description} */
export function readDescription() {
  return (known ??= read());
}

/** @returns {Description} */
function read() {
  const description = JSON.parse(readFileSync(FILE, 'utf8'));
  /** Schemas of the description that were asked for, ready to compile, by their place. */
  const schemas = new Map();
  // Query parameters are texts; GitHub reads them as what the description says.
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const lenient = new Ajv({ strict: false, validateFormats: false, coerceTypes: true });
  const templates = Object.keys(description.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`),
  }));

  /** @type {(request: Request) => Found | undefined} */
  function find({ method, path }) {
    const [best] = templates
      .filter(({ pattern }) => pattern.test(path))
      .sort((a, b) => holesOf(a.template) - holesOf(b.template));
    const operation = best && description.paths[best.template][method.toLowerCase()];
    return operation && { keys: ['paths', best.template, method.toLowerCase()], operation };
  }

  /**
   * @param {string[]} keys
   * @param {unknown} value
   */
  function faultOf(keys, value) {
    const pointer = `#/${keys.map(pointerOf).join('/')}`;
    const schema = schemas.get(pointer) ?? withReferenced(description, pointer);
    schemas.set(pointer, schema);
    return ajv.validate(schema, value) ? undefined : ajv.errorsText();
  }

  /**
   * @param {any} operation
   * @param {URLSearchParams} query
   */
  function faultOfQuery(operation, query) {
    const parameters = operation.parameters
      .map((/** @type {any} */ each) =>
        each.$ref ? description.components.parameters[each.$ref.split('/').at(-1)] : each,
      )
      .filter((/** @type {any} */ each) => each.in === 'query');
    const schema = {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(parameters.map((/** @type {any} */ each) => [each.name, each.schema])),
    };
    return lenient.validate(schema, Object.fromEntries(query)) ? undefined : lenient.errorsText();
  }

  return {
    faultOfRequest(request) {
      const found = find(request);
      if (!found) return `test/data/api/github.json has no ${request.method} ${request.path}`;
      const { keys, operation } = found;
      const fault = faultOfQuery({ parameters: [], ...operation }, request.query);
      if (fault) return fault;
      if (!operation.requestBody) return request.body === undefined ? undefined : 'no body is expected';
      const { schema } = operation.requestBody.content['application/json'];
      const known = Object.keys(schema.properties ?? {});
      const unknown = Object.keys(Object(request.body)).find((key) => !known.includes(key));
      if (unknown !== undefined) return `unknown field ${unknown}`;
      return faultOf([...keys, 'requestBody', 'content', 'application/json', 'schema'], request.body);
    },
    faultOfAnswer(request, { status, body }) {
      const { keys = [], operation } = find(request) ?? {};
      const listed = operation?.responses[status];
      // The description leaves out that a token without permission may be answered so anywhere.
      if (!listed && status === 403) return undefined;
      if (!listed) return `GitHub never answers ${status} to ${request.method} ${request.path}`;
      if (!listed.$ref && !listed.content) return body === undefined ? undefined : 'no body is answered';
      const place = listed.$ref ? listed.$ref.slice(2).split('/') : [...keys, 'responses', String(status)];
      return faultOf([...place, 'content', 'application/json', 'schema'], body);
    },
    example: (name) => structuredClone(description.components.examples[name].value),
  };
}

/**
 * A literal path wins over a template: "/user" over "/{anything}".
 * @param {string} template
 */
function holesOf(template) {
  return template.split('{').length;
}

/** @param {string} key */
function pointerOf(key) {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** @param {string} part of a pointer */
function keyOf(part) {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * @param {any} description
 * @param {string} pointer of a schema in it
 * @returns {object} that schema with all that it refers to: a small part, since to compile the whole takes
 *   long
 */
function withReferenced(description, pointer) {
  /** @type {Record<string, unknown>} */
  const definitions = {};
  /** @type {Map<string, string>} */
  const names = new Map();
  const include = (/** @type {string} */ reference) => {
    const name = names.get(reference) ?? `schema${names.size}`;
    if (!names.has(reference)) {
      names.set(reference, name);
      const keys = reference.slice(2).split('/').map(keyOf);
      definitions[name] = converted(
        keys.reduce((value, key) => value[key], description),
        include,
      );
    }
    return `#/definitions/${name}`;
  };
  return { $ref: include(pointer), definitions };
}

/**
 * @param {any} value
 * @param {(reference: string) => string} include returns where the schema of a reference is now
 * @returns {any} OpenAPI's `nullable` beside a reference in words of JSON Schema; ajv knows it beside a type
 *   only
 */
function converted(value, include) {
  if (Array.isArray(value)) return value.map((item) => converted(item, include));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    key === '$ref' && typeof item === 'string' ? include(item) : converted(item, include),
  ]);
  const { nullable, ...schema } = Object.fromEntries(entries);
  if (nullable === undefined) return schema;
  return nullable === true && schema.type === undefined
    ? { anyOf: [schema, { type: 'null' }] }
    : { ...schema, nullable };
}
