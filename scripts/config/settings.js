/**
 * Reads every option from the layer with the highest precedence.
 * @import { Caller } from '../types.js'
 * @import { Attempt } from '../model/attempt.js'
 * @import { Layer } from './layers.js'
 * @import { Row } from './options.js'
 */

import { isAbsolute, relative, resolve } from 'node:path';
import { KINDS } from './kinds.js';
import { OPTIONS } from './options.js';

/**
 * @typedef {Row extends infer R ? R extends { key: infer K } ? K : R extends { name: infer N } ? N : never
 *   : never} Key
 */
/**
 * @template {Key} K
 * @typedef {Extract<Row, { key: K }> extends never ? Extract<Row, { name: K }> : Extract<Row, { key: K }>}
 *   RowOf
 */
/**
 * @template {Key} K
 * @typedef {ReturnType<typeof KINDS[RowOf<K>['kind']]>} Value
 */
/**
 * rank: of its layer; 0 has the highest precedence.
 * @template T
 * @typedef {{ value: T, layer: Layer, rank: number }} Setting
 */
/**
 * By key of perf.yml, without those that nobody gives, and those that could not be read.
 * @typedef {{ get: <K extends Key>(key: K) => Setting<Value<K>> | undefined,
 *   has: (key: Key) => boolean }} Settings
 */

/** @type {(layers: Layer[], context: { attempt: Attempt, caller: Caller }) => Settings} */
export function readSettings(layers, { attempt, caller }) {
  const settings = new Map();
  for (const { name, key = name, kind } of OPTIONS) {
    const rank = layers.findIndex((layer) => layer.get(key) !== undefined);
    const layer = layers[rank];
    const value = layer && attempt(() => KINDS[kind](layer.get(key), layer.where(key), caller));
    if (layer && value !== undefined) settings.set(key, { value, layer, rank });
  }
  return settings;
}

/**
 * Where a setting has a default, it is never undefined.
 * @template {Key} K
 * @param {Settings} settings
 * @param {K} key
 * @returns {RowOf<K> extends { default: string } ? Value<K> : Value<K> | undefined}
 */
export function settingOf(settings, key) {
  return /** @type {any} */ (settings.get(key)?.value);
}

/**
 * A path in a file is relative to the file; the caller knows the working directory only.
 * @type {(settings: Settings, key: 'out' | 'baseline', cwd: string) => string | undefined}
 */
export function pathOf(settings, key, cwd) {
  const setting = settings.get(key);
  if (!setting || setting.layer.folder === cwd || isAbsolute(setting.value)) return setting?.value;
  return relative(cwd, resolve(setting.layer.folder, setting.value));
}
