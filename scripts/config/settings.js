/**
 * Reads every option from the layer with the highest precedence.
 * @import { Attempt } from '../model/attempt.js'
 * @import { Layer } from './layers.js'
 */

import { isAbsolute, relative, resolve } from 'node:path';
import { KINDS } from './kinds.js';
import { OPTIONS } from './options.js';

/**
 * @typedef {import('./options.js').Row} Row
 * @typedef {Row extends infer R ? R extends { key: infer K } ? K : R extends { name: infer N } ? N : never : never} Key
 */
/** @template {Key} K @typedef {Extract<Row, { key: K }> extends never ? Extract<Row, { name: K }> : Extract<Row, { key: K }>} RowOf */
/** @template {Key} K @typedef {ReturnType<typeof KINDS[RowOf<K>['kind']]>} Value what an option is read as */
/**
 * A value that was read, and where it came from. rank: 0 for the layer with the most say.
 * @template T
 * @typedef {{ value: T, layer: Layer, rank: number }} Setting
 */
/**
 * By key of perf.yml, without those that nobody gives, and those that could not be read.
 * @typedef {{ get: <K extends Key>(key: K) => Setting<Value<K>> | undefined, has: (key: Key) => boolean }} Settings
 */

/** @param {Layer[]} layers @param {Attempt} attempt @returns {Settings} */
export function readSettings(layers, attempt) {
  const settings = new Map();
  for (const { name, key = name, kind } of OPTIONS) {
    const rank = layers.findIndex((layer) => layer.get(key) !== undefined);
    const layer = layers[rank];
    const value = layer && attempt(() => KINDS[kind](layer.get(key), layer.where(key)));
    if (layer && value !== undefined) settings.set(key, { value, layer, rank });
  }
  return settings;
}

/**
 * @template {Key} K
 * @param {Settings} settings
 * @param {K} key
 * @returns {RowOf<K> extends { default: string } ? Value<K> : Value<K> | undefined} there always, where it has a default
 */
export function settingOf(settings, key) {
  return /** @type {any} */ (settings.get(key)?.value);
}

/**
 * A path in a file is relative to the file; the caller knows the working directory only.
 * @param {Settings} settings
 * @param {'out' | 'baseline'} key
 * @param {string} cwd
 * @returns {string | undefined}
 */
export function pathOf(settings, key, cwd) {
  const setting = settings.get(key);
  if (!setting || setting.layer.folder === cwd || isAbsolute(setting.value)) return setting?.value;
  return relative(cwd, resolve(setting.layer.folder, setting.value));
}
