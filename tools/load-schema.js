/**
 * The part of the schema of perf.yml that comes from the table of dimensions: the load, and combinations in
 * exclude and include.
 */

import { PROXIES } from '../scripts/deploy/topology/proxies.js';
import { MANAGERS } from '../scripts/deploy/topology/managers.js';
import { DIMENSIONS, entryKey, TIMES } from '../scripts/model/dimensions.js';
import { LARGEST_COUNT } from '../scripts/model/units.js';

/** What each kind is in a file: one value, and a value or a list of them. */
const DURATION = { $ref: '../catalog/server.schema.json#/$defs/duration' };
const COUNT = { type: 'integer', minimum: 1, maximum: LARGEST_COUNT };
/** A number, or how many times the cores. */
const TIMES_CORES = { type: ['integer', 'string'], minimum: 1 };
const FORMS = {
  text: { one: { type: 'string' }, several: { type: 'string' } },
  files: { one: { type: 'string' }, several: listOf({ type: 'string' }) },
  names: { one: { type: 'string' }, several: listOf({ type: 'string' }) },
  counts: { one: COUNT, several: { ...listOf(COUNT), examples: [50, '[50, 100]'] } },
  switches: {
    one: { type: 'boolean' },
    several: { ...listOf({ type: 'boolean' }), examples: [false, '[true, false]'] },
  },
  instances: { one: TIMES_CORES, several: { ...listOf(TIMES_CORES), examples: [2, '[1, 2]', '[1x, 2x]'] } },
  managers: names(MANAGERS),
  proxies: names(PROXIES),
  count: { one: COUNT, several: COUNT },
  duration: { one: DURATION, several: DURATION },
  pause: { one: DURATION, several: DURATION },
};

/**
 * @template {{ properties: Record<string, any> }} T
 * @param {T} schema of perf.yml
 * @returns {T} with the keys of load, exclude and include as the table has them
 */
export function withDimensions(schema) {
  const { load, exclude, include } = schema.properties;
  const { server, node, route } = exclude.items.properties;
  const ofLoad = [...DIMENSIONS, ...TIMES].filter(({ key }) => key.startsWith('load.'));
  const others = DIMENSIONS.filter(({ key }) => !key.startsWith('load.'));
  const points = { server, node, route, ...propertiesOf(DIMENSIONS, entry('any')) };
  const entries = (/** @type {any} */ list, /** @type {object} */ properties) => ({
    ...list,
    items: { ...list.items, properties },
  });
  return {
    ...schema,
    properties: {
      ...schema.properties,
      load: { ...load, properties: propertiesOf(ofLoad, setting) },
      ...propertiesOf(others, setting),
      exclude: entries(exclude, points),
      include: entries(include, { ...points, ...propertiesOf(TIMES, entry()) }),
    },
  };
}

/** @typedef {import('../scripts/model/dimensions.js').Condition & { examples?: readonly unknown[] }} Row */

/**
 * @param {readonly Row[]} rows
 * @param {(row: Row) => object} schemaOf
 */
function propertiesOf(rows, schemaOf) {
  return Object.fromEntries(rows.map((row) => [entryKey(row.key), schemaOf(row)]));
}

/** @param {Row} row */
function setting({ kind, help, examples, otherwise, default: standard }) {
  return {
    ...FORMS[kind].several,
    ...(examples && { examples }),
    ...(standard !== undefined && {
      default: ['counts', 'switches', 'instances'].includes(kind) ? JSON.parse(standard) : standard,
    }),
    description: sentence(help, otherwise ?? standard),
  };
}

/**
 * @param {string} [otherwise] what applies where an entry does not say it; else what load says
 * @returns {(row: Row) => object}
 */
function entry(otherwise) {
  return ({ kind, key, help }) => ({
    ...FORMS[kind].one,
    description: sentence(help.split(';')[0] ?? help, otherwise ?? key),
  });
}

/**
 * @param {string} help
 * @param {string} [standard]
 */
function sentence(help, standard) {
  return `${help.charAt(0).toUpperCase()}${help.slice(1)}. Default: ${standard}.`;
}

/** @param {Record<string, unknown>} registry */
function names(registry) {
  return { one: { type: 'string', enum: Object.keys(registry) }, several: listOf({ type: 'string' }) };
}

/** @param {{ type: string | string[] }} item */
function listOf(item) {
  return { ...item, type: [item.type, 'array'].flat(), minItems: 1, items: item };
}
