/**
 * The matrix of loads.
 * @import { Load } from '../types.js'
 * @import { Settings } from './settings.js'
 */

import { settingOf } from './settings.js';

/**
 * Every combination of what was given as a list.
 * @param {Settings} settings
 * @returns {Load[]}
 */
export function readLoads(settings) {
  /** @param {string} key */
  const get = (key) => settingOf(settings, `load.${key}`);
  const scale = settingOf(settings, 'scale');
  const fixed = {
    durationSeconds: scaled(get('duration'), scale),
    warmupSeconds: scaled(get('warmup'), scale),
    windows: get('windows'),
  };
  /** @type {Partial<Load>[]} */
  let loads = [{}];
  for (const key of ['tool', 'connections', 'keepAlive', 'pipelining', 'rate', 'threads']) {
    const values = get(key);
    if (values)
      loads = loads.flatMap((load) => values.map((/** @type {any} */ value) => ({ ...load, [key]: value })));
  }
  return loads.map(
    ({ tool, connections, ...others }) => /** @type {Load} */ ({ tool, connections, ...fixed, ...others }),
  );
}

/**
 * To whole seconds, which every load tool can do.
 * @param {number} seconds
 * @param {number} scale
 */
function scaled(seconds, scale) {
  return scale === 1 ? seconds : Math.max(Math.min(1, seconds), Math.round(seconds * scale));
}
