/**
 * The matrix of loads.
 * @import { Load } from '../types.js'
 * @import { Settings } from './settings.js'
 */

import { checkToolNames } from './checks.js';
import { otherSide } from './layers.js';
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
  const fixed = timesOf(settings);
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
 * Fresh sides of one session can be measured as long as it takes; a stored run was measured for as long as it was.
 * @param {Settings} settings
 * @returns {Pick<Load, 'durationSeconds' | 'warmupSeconds' | 'windows' | 'adaptive'>}
 */
function timesOf(settings) {
  const scale = settingOf(settings, 'scale');
  const windows = settingOf(settings, 'load.windows');
  const isFixed = settings.get('load.duration')?.layer.isDefault !== true;
  const duration = windows === undefined || isFixed ? settingOf(settings, 'load.duration') : windows;
  const isFree = !isFixed && windows === undefined && scale === 1;
  return {
    durationSeconds: scaled(duration, scale),
    warmupSeconds: scaled(settingOf(settings, 'load.warmup'), scale),
    ...(windows !== undefined && { windows }),
    ...(isFree && otherSide(settingOf(settings, 'against')) !== undefined && { adaptive: true }),
  };
}

/**
 * @param {Load} load
 * @param {Partial<Load>} changes
 * @returns {Load}
 */
export function changeLoad(load, changes) {
  const { adaptive, ...changed } = { ...load, ...changes };
  const isFixed = changes.durationSeconds !== undefined || changes.windows !== undefined;
  return { ...changed, ...(adaptive && !isFixed && { adaptive }) };
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
