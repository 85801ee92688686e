/**
 * The loads of a run, and how an entry of include changes them.
 * @import { Caller, Conditions, Config } from '../types.js'
 * @import { Point, PointEntry } from './matrix.js'
 * @import { Layer } from './layers.js'
 * @import { Settings } from './settings.js'
 */

import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { DIMENSIONS, entryKey } from '../model/dimensions.js';
import { defined } from '../model/defined.js';
import { UserError } from '../model/errors.js';
import { CLOSED_CONNECTIONS, REQUESTS_SECONDS } from '../model/times.js';
import { parseDuration, parsePause } from '../model/units.js';
import { checkToolNames } from './checks.js';
import { otherSide } from './layers.js';
import { settingOf } from './settings.js';

const MOST_LOADS = 5000;

/** Without connections that nobody set. @type {(settings: Settings, caller: Caller) => Conditions[]} */
export function readLoads(settings, { folder }) {
  /** @type {Partial<Conditions>[]} */
  let loads = [timesOf(settings)];
  for (const { key, field, kind } of DIMENSIONS) {
    /** @type {readonly (string | number | boolean)[] | undefined} */
    const given = settingOf(settings, key);
    const layer = settings.get(key)?.layer;
    if (field === 'connections' && layer?.isDefault) continue;
    const values =
      kind === 'files' && layer
        ? given?.map((file) => scriptOf(String(file), { layer, where: layer.where(key), folder }))
        : given;
    if (values && loads.length * values.length > MOST_LOADS)
      throw new UserError(`load: the lists make more than ${MOST_LOADS} loads; use shorter ones`);
    if (values) loads = loads.flatMap((load) => values.map((value) => ({ ...load, [field]: value })));
  }
  // A dimension without a default may be absent, as its type says.
  return /** @type {Conditions[]} */ (loads);
}

/**
 * Fewer between two sides; but at a rate, as many requests wait as there are connections.
 * @type {(point: Point, settings: Settings) => Point}
 */
export function withConnections({ load, ...point }, settings) {
  const isClosed = otherSide(settingOf(settings, 'against')) !== undefined && load.rate === undefined;
  const [usual = 0] = settingOf(settings, 'load.connections');
  const connections = load.connections ?? (isClosed ? CLOSED_CONNECTIONS : usual);
  return { ...point, load: { ...load, connections } };
}

/**
 * Returns it relative to the folder; layer: that names it, at where.
 * @type {(file: string, context: { layer: Layer, where: string, folder: string }) => string}
 * @throws {UserError}
 */
export function scriptOf(file, { layer, where, folder }) {
  const path = resolve(layer.folder, file);
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return relative(folder, path);
  throw new UserError(`${where}: there is no file ${file} in ${layer.folder}`);
}

/** @type {(settings: Settings) => NonNullable<Config['free']>} */
export function freeTimes(settings) {
  const isDefault = (/** @type {'rounds' | 'load.warmup' | 'load.duration'} */ key) =>
    settings.get(key)?.layer.isDefault === true;
  const isFixed =
    settings.has('load.requests') || settings.has('load.windows') || settingOf(settings, 'scale') !== 1;
  const { warmupSeconds, durationSeconds } = timesOf(settings);
  return {
    ...(isDefault('rounds') && { rounds: true }),
    ...(isDefault('load.warmup') && { warmupSeconds }),
    ...(isDefault('load.duration') && !isFixed && { durationSeconds }),
  };
}

/** @param {Settings} settings */
function timesOf(settings) {
  const scale = settingOf(settings, 'scale');
  const windows = settingOf(settings, 'load.windows');
  const isFixed = settings.get('load.duration')?.layer.isDefault !== true;
  const requests = settingOf(settings, 'load.requests');
  const duration =
    (isFixed ? undefined : requests === undefined ? windows : REQUESTS_SECONDS) ??
    settingOf(settings, 'load.duration');
  return defined({
    durationSeconds: scaled(duration, scale),
    warmupSeconds: scaled(settingOf(settings, 'load.warmup'), scale),
    requests: requests && scaled(requests, scale),
    windows,
    host: settingOf(settings, 'load.host'),
  });
}

/**
 * @param {PointEntry} entry of include
 * @param {{ settings: Settings, where: (...path: string[]) => string }} context
 * @returns {Partial<Conditions>} what it changes
 * @throws {UserError}
 */
export function readLoadChanges(entry, { settings, where }) {
  const { duration, warmup, requests, windows, host, ...point } = entry;
  const scale = settingOf(settings, 'scale');
  if (typeof point.tool === 'string') checkToolNames([point.tool], where('tool'));
  const seconds =
    duration === undefined ? requests && REQUESTS_SECONDS : parseDuration(duration, where('duration'));
  return defined({
    durationSeconds: seconds && scaled(seconds, scale),
    warmupSeconds: warmup === undefined ? undefined : scaled(parsePause(warmup, where('warmup')), scale),
    requests: requests && scaled(requests, scale),
    windows,
    host: host === undefined ? undefined : String(host),
    ...Object.fromEntries(DIMENSIONS.map(({ key, field }) => [field, point[entryKey(key)]])),
  });
}

/** To whole seconds, as every tool can do, or requests. @type {(amount: number, scale: number) => number} */
function scaled(amount, scale) {
  return scale === 1 ? amount : Math.max(Math.min(1, amount), Math.round(amount * scale));
}
