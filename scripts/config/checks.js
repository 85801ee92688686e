/**
 * The checks between settings; each error has one line that says what, where and how to mend it.
 * @import { Case, Server } from '../types.js'
 * @import { Settings } from './settings.js'
 */

import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { group } from 'd3-array';
import { UserError } from '../model/errors.js';
import { TOOLS } from '../load/tools.js';
import { nearest } from '../model/nearest.js';
import { refusals, refusalsOf } from './refusals.js';
import { otherSide } from './layers.js';
import { readIfThere } from '../system/bounded-file.js';
import { isFolder, placeInside } from '../system/folder.js';
import { readManifest } from '../system/workspaces.js';

/** The files that a run replaces in its results folder. */
const RESULTS = ['run.json', 'report.md', 'comparison.json', 'report.html'];

/** @param {Settings} settings */
export function checkTools(settings) {
  const setting = settings.get('load.tool');
  if (setting) checkToolNames(setting.value, setting.layer.where('load.tool'));
}

/** @type {(tools: string[], place: string) => void} */
export function checkToolNames(tools, place) {
  const known = TOOLS.map(({ id }) => id);
  const lines = tools
    .filter((tool) => !known.includes(tool))
    .map((tool) => `${place}: unknown load tool "${tool}"${nearest(tool, known)}`);
  if (lines.length > 0) throw new UserError(lines.join('\n'));
}

/** @param {Settings} settings */
export function checkOut(settings) {
  const setting = settings.get('out');
  if (!setting) return;
  const { value, layer } = setting;
  const problem = `${layer.where('out')}: results cannot be written to ${value}`;
  const out = resolve(layer.folder, value);
  if (layer.file !== undefined && placeInside(layer.folder, out) === undefined)
    throw new UserError(
      `${problem}: it lies outside of the folder of this file; use a folder inside, or --out on the command line`,
    );
  // Measured sources do not include a results folder.
  if (!relative(out, layer.folder).startsWith('..'))
    throw new UserError(`${problem}: it contains ${layer.folder}; use a folder of its own`);
  let nearestParent = out;
  while (!existsSync(nearestParent)) nearestParent = dirname(nearestParent);
  if (!isFolder(nearestParent)) throw new UserError(`${problem}: ${nearestParent} is a file; use a folder`);
  const inTheWay = RESULTS.find((name) => isFolder(join(out, name)));
  if (inTheWay !== undefined)
    throw new UserError(`${problem}: ${inTheWay} is a folder there; remove it, or use another folder`);
  try {
    // Permission bits do not show read-only mounts, nor what even root may not do.
    rmdirSync(mkdtempSync(join(nearestParent, '.perf-action-')));
  } catch {
    throw new UserError(`${problem}: ${nearestParent} is not writable; use another folder`);
  }
}

/** @param {Settings} settings */
export function checkLibrary(settings) {
  const setting = settings.get('library');
  if (!setting) return;
  const { value, layer } = setting;
  const problems = value.flatMap((place) => {
    const folder = resolve(layer.folder, place);
    if (!existsSync(join(folder, 'package.json'))) return `there is no package.json in ${place}`;
    return readManifest(folder, readIfThere).name === undefined
      ? `the package.json in ${place} has no name`
      : [];
  });
  const lines = problems.map((why) => `${layer.where('library')}: ${why}; name the folder of a package`);
  if (lines.length > 0) throw new UserError(lines.join('\n'));
}

/** A check that is compared with nothing cannot fail. @param {Settings} settings */
export function checkBaseline(settings) {
  const setting = otherSide(settings.get('against')?.value) === undefined && settings.get('baseline');
  if (!setting || existsSync(resolve(setting.layer.folder, setting.value))) return;
  const { value, layer } = setting;
  throw new UserError(
    `${layer.where('baseline')}: there is no ${value}; copy the run.json of an earlier run there, or leave the baseline out to measure a first one`,
  );
}

/** Checkouts, services and load tools have their files there. */
export function checkScratch() {
  try {
    rmdirSync(mkdtempSync(join(tmpdir(), 'perf-action-')));
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UserError(
      `TMPDIR: temporary files cannot be written to ${tmpdir()} (${code}); set TMPDIR to a folder that is writable`,
    );
  }
}

/** The seed is what tells the shards of one run from those of another. @param {Settings} settings */
export function checkShard(settings) {
  if (!settings.has('shard') || settings.has('seed')) return;
  throw new UserError('--shard: all shards of a run need the same seed; add --seed to each');
}

/**
 * @param {{ cases: Case[], servers: Server[] }} measured servers: the reference among them
 * @param {Settings} settings
 * @param {string} [included] the place of the entries of include, which may ask for what no setting says
 * @throws {UserError} for what a load tool or a server cannot do, one a line
 */
export function checkAbilities({ cases, servers }, settings, included) {
  const refused = cases.flatMap((asked) => [
    ...refusals(asked),
    ...servers.filter(({ id }) => id === asked.server).flatMap((server) => refusalsOf(server, asked)),
  ]);
  const lines = refused.map(({ key, why }) => {
    const setting = settings.get(key);
    const place = setting && !setting.layer.isDefault ? setting.layer.where(key) : included;
    return `${place ?? key}: ${why}`;
  });
  if (lines.length > 0) throw new UserError([...new Set(lines)].join('\n'));
}

/** No two are the same, the reference among them. @type {(servers: Server[], settings: Settings) => void} */
export function checkTwins(servers, settings) {
  const lines = [...group(servers, ({ id }) => id)]
    .filter(([, twins]) => twins.length > 1)
    .map(([id, twins]) => {
      const folders = [...new Set(twins.map(({ folder }) => folder))].join(' and ');
      return `${settings.get('servers')?.layer.where('servers')}: ${twins.length} are called "${id}" (in ${folders}); rename all but one`;
    });
  if (lines.length > 0) throw new UserError(lines.join('\n'));
}

/** @type {(servers: Server[], settings: Settings) => string | undefined} */
export function whatRatiosAreTo(servers, settings) {
  const setting = settings.get('relativeTo');
  if (!setting) return undefined;
  const server = servers.find(({ id }) => id === setting.value);
  if (server) return server.id;
  // A preset's relativeTo does not bind the servers that replace the preset's.
  const isInherited = (settings.get('servers')?.rank ?? 0) < setting.rank;
  if (isInherited) return undefined;
  throw new UserError(
    `${setting.layer.where('relativeTo')}: server "${setting.value}" is not measured${nearest(
      setting.value,
      servers.map(({ id }) => id),
    )}`,
  );
}
