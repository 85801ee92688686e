/**
 * The checks between settings, each with one line that says what, where and how to mend it.
 * @import { Server } from '../types.js'
 * @import { Settings } from './settings.js'
 */

import { existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../errors.js';
import { CAPABILITIES } from './capabilities.js';
import { nearestAndAll } from './nearest.js';

/** @param {Settings} settings */
export function checkTools(settings) {
  const setting = settings.get('load.tool');
  const known = Object.keys(CAPABILITIES);
  const unknown = (setting?.value ?? []).filter((/** @type {string} */ tool) => !known.includes(tool));
  if (unknown.length === 0) return;
  const place = setting?.layer.where('load.tool');
  throw new UserError(
    unknown
      .map(
        (/** @type {string} */ tool) => `${place}: unknown load tool "${tool}"${nearestAndAll(tool, known)}`,
      )
      .join('\n'),
  );
}

/** @param {Settings} settings */
export function checkOut(settings) {
  const setting = settings.get('out');
  if (!setting) return;
  const { value, layer } = setting;
  const place = `${layer.where('out')}: results cannot be written to ${value}`;
  let nearestParent = resolve(layer.folder, value);
  while (!existsSync(nearestParent)) nearestParent = dirname(nearestParent);
  if (!statSync(nearestParent).isDirectory()) {
    throw new UserError(`${place}, since ${nearestParent} is a file; name a folder`);
  }
  try {
    // Permission bits do not tell of read-only mounts, nor of what root may not do either.
    rmdirSync(mkdtempSync(join(nearestParent, '.perf-action-')));
  } catch {
    throw new UserError(`${place}, since ${nearestParent} is not writable; name another folder`);
  }
}

/**
 * The seed is what tells the shards of one run from those of another.
 * @param {Settings} settings
 */
export function checkShard(settings) {
  if (!settings.has('shard') || settings.has('seed')) return;
  throw new UserError('--shard: the shards of one run share a seed; give each the same --seed');
}

/** @param {Server[]} servers the reference among them; no two the same */
export function checkTwins(servers) {
  const ids = servers.map(({ id }) => id);
  const twins = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  if (twins.size === 0) return;
  const lines = [...twins].map((id) => {
    const folders = servers.filter((server) => server.id === id).map(({ folder }) => folder);
    return `servers: ${folders.length} are called "${id}" (in ${[...new Set(folders)].join(' and ')}); rename all but one`;
  });
  throw new UserError(lines.join('\n'));
}

/**
 * @param {Server} server
 * @param {Server[]} servers
 * @param {Settings} settings
 */
export function checkRoutes(server, servers, settings) {
  const place = settings.get('routes')?.layer.where('routes') ?? 'routes';
  const known = server.routes.map(({ id }) => id);
  const lacking = routeIds(servers, settings).filter((id) => !known.includes(id));
  if (lacking.length === 0) return;
  throw new UserError(
    lacking
      .map((id) => `${place}: server "${server.id}" has no route "${id}"${nearestAndAll(id, known)}`)
      .join('\n'),
  );
}

/**
 * @param {Server[]} servers
 * @param {Settings} settings
 * @returns {string[]} those asked for, else the first that all servers have
 */
export function routeIds([first, ...others], settings) {
  const asked = settings.get('routes')?.value;
  if (asked) return [...new Set(asked.map((/** @type {string} */ route) => route.replace(/^GET\s+/, '')))];
  const ids = first?.routes.map(({ id }) => id) ?? [];
  const shared = ids.find((id) => others.every(({ routes }) => routes.some((route) => route.id === id)));
  return [shared ?? ids[0] ?? '/'];
}

/**
 * @param {Server[]} servers
 * @param {Settings} settings
 * @returns {string | undefined}
 */
export function whatRatiosAreTo(servers, settings) {
  const setting = settings.get('relativeTo');
  const ids = servers.map(({ id }) => id);
  if (!setting || ids.includes(setting.value)) return setting?.value;
  // Whoever replaces a profile's servers need not replace what it set them against.
  const isInherited = (settings.get('servers')?.rank ?? 0) < setting.rank;
  if (isInherited) return undefined;
  throw new UserError(
    `${setting.layer.where('relativeTo')}: server "${setting.value}" is not measured${nearestAndAll(setting.value, ids)}`,
  );
}
