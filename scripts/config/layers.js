/**
 * Where settings come from, in order of precedence: flags, perf.yml, the preset, the defaults.
 * @import { Asked } from '../types.js'
 * @import { Attempt } from '../model/attempt.js'
 */

import { createRequire } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { UserError } from '../model/errors.js';
import { LIMITED, SIDE_BY_SIDE, UNBOUNDED } from '../model/times.js';
import { ANSWER, ERRORS, METRICS } from '../samples/figures.js';
import { readCatalog, SERVER_SCHEMA } from '../catalog/catalog.js';
import { nearest } from '../model/nearest.js';
import { TOOLS } from '../load/tools.js';
import { OPTIONS } from './options.js';
import { nearestInRepository } from '../system/folder.js';
import { yamlCheck, readYaml } from '../system/yaml-file.js';

/** The published schema, with the figures and load tools that the registries know. */
export const CONFIG_SCHEMA = withRegistries(createRequire(import.meta.url)('./config.schema.json'));

export const checkConfig = yamlCheck(CONFIG_SCHEMA, [SERVER_SCHEMA]);

/** Read without being named: in the working directory, or above it in the same repository. */
export const STANDARD_CONFIG = 'perf.yml';

/** What bounds a run without `against`, or has to be measured as long as another one. */
const BOUNDS = [
  'budget',
  'rounds',
  'load.duration',
  'load.requests',
  'load.windows',
  'scale',
  'baseline',
  'shard',
  'capacity',
  'counts',
];

/**
 * One source of settings.
 * @typedef {object} Layer
 * @property {(key: string) => unknown} get the value of a dotted key of perf.yml; undefined: it has none
 * @property {(key: string, ...path: (string | number)[]) => string} where names it, or what is at `path`
 * @property {string} folder what its paths are relative to
 * @property {string} [file] that it was read from, absolute
 * @property {true} [isDefault] nobody set it
 * @property {true} [isPreset] the preset set it
 */

/**
 * Gives margins and gates the judged figures as keys, and names the tools.
 * @type {<T extends { properties: Record<string, any> }>(schema: T) => T}
 */
function withRegistries(schema) {
  const { margins, gates, load } = schema.properties;
  const tools = TOOLS.map(({ id }) => id);
  const known = tools.join('|');
  const pattern = { pattern: `^\\s*(${known})(\\s*,\\s*(${known}))*\\s*$`, examples: tools };
  const { tool: names, ...others } = load.properties;
  const tool = { ...names, ...pattern, items: { ...names.items, ...pattern } };
  const keyed = (/** @type {any} */ setting, /** @type {{ id: string }[]} */ figures) => ({
    ...setting,
    properties: Object.fromEntries(figures.map(({ id }) => [id, setting.additionalProperties])),
    additionalProperties: false,
  });
  // Errors are compared by kind and count, so they have no margin.
  const measured = METRICS.filter((metric) => metric !== ERRORS);
  return {
    ...schema,
    properties: {
      ...schema.properties,
      margins: keyed(margins, measured),
      gates: keyed(gates, [...METRICS, { id: ANSWER }]),
      load: { ...load, properties: { ...others, tool } },
    },
  };
}

/**
 * Returns the layer with the highest precedence first; file: perf.yml.
 * @param {{ options: Asked, cwd: string, root: string }} sources
 * @param {Attempt} attempt
 * @returns {{ layers: Layer[], preset: string | undefined, file: string | undefined }}
 */
export function readLayers({ options, cwd, root }, attempt) {
  const flags = flagLayer(options, cwd);
  const file = attempt(() => configLayer(options.config, cwd));
  const own = file ? [flags, file] : [flags];
  const asked = own.find((layer) => layer.get('preset') !== undefined);
  const preset = asked && String(asked.get('preset'));
  const presetLayer = asked && preset && attempt(() => readPreset(asked, { cwd, root }));
  const given = [...own, ...(presetLayer ? [presetLayer] : [])];
  return { layers: [...given, changedDefaults(given, cwd), defaultLayer(cwd)], preset, file: file?.file };
}

/** Inputs of an action are "" where nobody set them. @type {(options: Asked, folder: string) => Layer} */
function flagLayer(options, folder) {
  const values = new Map(
    OPTIONS.flatMap(({ name, key = name }) => (options[name] === '' ? [] : [[key, options[name]]])),
  );
  const names = new Map(OPTIONS.map(({ name, key = name }) => [key, name]));
  return { get: (key) => values.get(key), where: (key) => `--${names.get(key)}`, folder };
}

/** Reads the file that a flag asks for. @type {(asked: unknown, cwd: string) => Layer | undefined} */
function configLayer(asked, cwd) {
  if (typeof asked === 'string' && asked !== '') return fileLayer(resolve(cwd, asked), asked);
  const standard = findConfig(cwd);
  return standard === undefined ? undefined : fileLayer(standard, relative(cwd, standard));
}

/** The nearest perf.yml. @type {(cwd: string) => string | undefined} */
export function findConfig(cwd) {
  return nearestInRepository(STANDARD_CONFIG, resolve(cwd));
}

/**
 * The source sets `preset`; root: the folder of servers/ and presets/.
 * @type {(source: Layer, context: { cwd: string, root: string }) => Layer}
 */
function readPreset(source, { cwd, root }) {
  const id = String(source.get('preset'));
  const { presets } = readCatalog(root);
  const file = presets.get(id);
  if (file === undefined)
    throw new UserError(
      `${source.where('preset')}: unknown preset "${id}"${nearest(id, [...presets.keys()])}`,
    );
  const preset = fileLayer(file, relative(cwd, file));
  if (preset.get('preset') === undefined) return { ...preset, isPreset: true };
  throw new UserError(
    `${preset.where('preset')}: a preset cannot use another preset; copy its settings instead`,
  );
}

/** Messages say how the file is named. @type {(file: string, named: string) => Layer} */
function fileLayer(file, named) {
  const { value, lineOf } = readYaml(file, checkConfig, named);
  return {
    get: (key) => key.split('.').reduce((found, part) => found?.[part], value),
    where: (key, ...path) => `${named}:${lineOf([...key.split('.'), ...path])}: ${key}`,
    folder: dirname(file),
    file,
  };
}

/**
 * The defaults that differ with `against` or limits, and where nothing bounds a run.
 * @type {(given: Layer[], folder: string) => Layer}
 */
function changedDefaults(given, folder) {
  const isCompared = otherSide(writtenIn(given, 'against')?.value) !== undefined;
  const isBounded = (isCompared ? ['rounds'] : BOUNDS).some((key) => writtenIn(given, key));
  const isLimited = writtenIn(given, 'limits') !== undefined;
  /** @type {Record<string, string>} */
  const values = { ...(isCompared && SIDE_BY_SIDE), ...(!isBounded && UNBOUNDED), ...(isLimited && LIMITED) };
  const where = (/** @type {string} */ key) => `the default of ${key}${isCompared ? ' with against' : ''}`;
  return { get: (key) => values[key], where, folder, isDefault: true };
}

/** @type {(folder: string) => Layer} */
function defaultLayer(folder) {
  const values = new Map(OPTIONS.map(({ name, key = name, default: standard }) => [key, standard]));
  return { get: (key) => values.get(key), where: (key) => `the default of ${key}`, folder, isDefault: true };
}

/** @param {string | undefined} against `off` in a flag undoes what a file sets */
export function otherSide(against) {
  return against === 'off' ? undefined : against;
}

/**
 * The value of the key in the highest layer that sets it.
 * @type {(layers: Layer[], key: string) => { value: any, layer: Layer } | undefined}
 */
export function writtenIn(layers, key) {
  const layer = layers.find((each) => each.get(key) !== undefined);
  return layer && { value: /** @type {any} */ (layer.get(key)), layer };
}
