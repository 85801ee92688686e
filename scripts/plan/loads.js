/**
 * The matrix of loads.
 * @import { Load } from '../types.js'
 * @import { Settings } from './settings.js'
 */

import { checkToolNames } from './checks.js';
import { settingOf } from './settings.js';
import { parseDuration, parsePause } from './units.js';

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
 * @param {Record<string, any>} entry of include
 * @param {{ settings: Settings, where: (...inside: string[]) => string }} context
 * @returns {Partial<Load>} what it gives of a load
 * @throws {UserError}
 */
export function readLoadChanges({ server, node, route, duration, warmup, ...same }, { settings, where }) {
  const scale = settingOf(settings, 'scale');
  if (same.tool !== undefined) checkToolNames([same.tool], where('tool'));
  return {
    ...(duration !== undefined && {
      durationSeconds: scaled(parseDuration(duration, where('duration')), scale),
    }),
    ...(warmup !== undefined && { warmupSeconds: scaled(parsePause(warmup, where('warmup')), scale) }),
    ...same,
  };
}

/**
 * To whole seconds, which every load tool can do.
 * @param {number} seconds
 * @param {number} scale
 */
function scaled(seconds, scale) {
  return scale === 1 ? seconds : Math.max(Math.min(1, seconds), Math.round(seconds * scale));
}
