/**
 * The loads of a run, and what an entry of include changes of one.
 * @import { Load } from '../types.js'
 * @import { PointEntry } from './matrix.js'
 * @import { Settings } from './settings.js'
 */

import { DIMENSIONS, entryKey } from '../dimensions.js';
import { UserError } from '../errors.js';
import { checkToolNames } from './checks.js';
import { otherSide } from './layers.js';
import { settingOf } from './settings.js';
import { parseDuration, parsePause } from './units.js';

/** How long a number of requests may take where nobody says it. */
const MOST_SECONDS = 60;
const MOST_LOADS = 5000;

/**
 * @param {Settings} settings
 * @returns {Load[]} every combination of what was given as a list
 */
export function readLoads(settings) {
  /** @type {Partial<Load>[]} */
  let loads = [timesOf(settings)];
  for (const { key, field } of DIMENSIONS) {
    /** @type {readonly (string | number | boolean)[] | undefined} */
    const values = settingOf(settings, key);
    if (values && loads.length * values.length > MOST_LOADS)
      throw new UserError(`load: the lists make more than ${MOST_LOADS} loads; use shorter ones`);
    if (values) loads = loads.flatMap((load) => values.map((value) => ({ ...load, [field]: value })));
  }
  // A dimension without a default may be absent, as its type says.
  return /** @type {Load[]} */ (loads);
}

/**
 * Fresh sides of one session can be measured as long as it takes; a stored run was measured for as long as it was.
 * @param {Settings} settings
 * @returns {Pick<Load, 'durationSeconds' | 'warmupSeconds' | 'requests' | 'windows' | 'adaptive'>}
 */
function timesOf(settings) {
  const scale = settingOf(settings, 'scale');
  const windows = settingOf(settings, 'load.windows');
  const isFixed = settings.get('load.duration')?.layer.isDefault !== true;
  const requests = settingOf(settings, 'load.requests');
  const isFree = !isFixed && windows === undefined && requests === undefined && scale === 1;
  const duration =
    (isFixed ? undefined : requests === undefined ? windows : MOST_SECONDS) ??
    settingOf(settings, 'load.duration');
  return {
    durationSeconds: scaled(duration, scale),
    warmupSeconds: scaled(settingOf(settings, 'load.warmup'), scale),
    ...(requests !== undefined && { requests: scaled(requests, scale) }),
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
  const isFixed = [changes.durationSeconds, changes.requests, changes.windows].some(
    (change) => change !== undefined,
  );
  return { ...changed, ...(adaptive && !isFixed && { adaptive }) };
}

/**
 * @param {PointEntry} entry of include
 * @param {{ settings: Settings, where: (...inside: string[]) => string }} context
 * @returns {Partial<Load>} what it gives of a load
 * @throws {UserError}
 */
export function readLoadChanges({ duration, warmup, requests, windows, ...point }, { settings, where }) {
  const scale = settingOf(settings, 'scale');
  if (typeof point.tool === 'string') checkToolNames([point.tool], where('tool'));
  return {
    ...(duration !== undefined && {
      durationSeconds: scaled(parseDuration(duration, where('duration')), scale),
    }),
    ...(warmup !== undefined && { warmupSeconds: scaled(parsePause(warmup, where('warmup')), scale) }),
    ...(requests !== undefined && {
      requests: scaled(requests, scale),
      ...(duration === undefined && { durationSeconds: scaled(MOST_SECONDS, scale) }),
    }),
    ...(windows !== undefined && { windows }),
    ...Object.fromEntries(
      DIMENSIONS.flatMap(({ key, field }) => {
        const value = point[entryKey(key)];
        return value === undefined ? [] : [[field, value]];
      }),
    ),
  };
}

/**
 * To whole seconds, which every load tool can do, or to whole requests.
 * @param {number} amount
 * @param {number} scale
 */
function scaled(amount, scale) {
  return scale === 1 ? amount : Math.max(Math.min(1, amount), Math.round(amount * scale));
}
