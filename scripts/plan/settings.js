/**
 * The settings of a run, read: of every option the value from the layer that has the say.
 * @import { Attempt } from './attempt.js'
 * @import { Layer } from './layers.js'
 */

import { isAbsolute, relative, resolve } from 'node:path';
import { KINDS } from './kinds.js';
import { OPTIONS } from './options.js';

/**
 * A value that was read, and where it came from.
 * @typedef {{ value: any, layer: Layer, rank: number }} Setting rank: 0 for the layer with the most say
 * @typedef {Map<string, Setting>} Settings by key of perf.yml
 */

/**
 * @param {Layer[]} layers
 * @param {Attempt} attempt
 * @returns {Settings} without those that nobody gives, and those that could not be read
 */
export function readSettings(layers, attempt) {
  /** @type {Settings} */
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
 * @param {Settings} settings
 * @param {string} key
 * @returns {any}
 */
export function settingOf(settings, key) {
  return settings.get(key)?.value;
}

/**
 * A path in a file is relative to the file; the caller knows the working directory only.
 * @param {Settings} settings
 * @param {string} key
 * @param {string} cwd
 * @returns {string | undefined}
 */
export function pathOf(settings, key, cwd) {
  const setting = settings.get(key);
  if (!setting || setting.layer.folder === cwd || isAbsolute(setting.value)) return setting?.value;
  return relative(cwd, resolve(setting.layer.folder, setting.value));
}
