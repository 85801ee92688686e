/**
 * Merges defaults, preset, perf.yml and flags into the settings of a run, and checks them before anything starts.
 * @import { Config, Server } from '../types.js'
 * @import { Attempt } from '../model/attempt.js'
 * @import { Flags, Layer } from './layers.js'
 * @import { Settings } from './settings.js'
 */

import { UserError } from '../model/errors.js';
import { collectMistakes } from '../model/attempt.js';
import { makeCases, withWarmUps } from './cases.js';
import {
  checkAbilities,
  checkBaseline,
  checkOut,
  checkScratch,
  checkShard,
  checkTools,
  checkTwins,
  whatRatiosAreTo,
} from './checks.js';
import { CONFIG_SCHEMA, inFiles, otherSide, readLayers } from './layers.js';
import { freeTimes, readLoads } from './loads.js';
import { readMatrix } from './matrix.js';
import { asMeasured, checkRoutes, routesFor, withWrittenRoutes } from '../catalog/routes.js';
import { checkRequest } from '../catalog/requests.js';
import { rulesIn } from './rules.js';
import { findReference, findServer, listedServers } from '../catalog/servers.js';
import { pathOf, readSettings, settingOf } from './settings.js';
import { readGlobs } from '../model/units.js';
import { underVersions } from '../catalog/versions.js';

/**
 * @param {{ options: Flags, cwd: string, root: string, seed: number }} sources options: flags by name;
 *   root: the folder of servers/ and presets/; seed: used where none is asked for
 * @returns {Config} margin: a share of 1
 * @throws {UserError} with every mistake, one a line
 */
export function readConfig({ options, cwd, root, seed }) {
  const { attempt, problems } = collectMistakes();
  const { layers, preset } = readLayers({ options, cwd, root }, attempt);
  const settings = readSettings(layers, attempt);
  const named = readServers(settings, { layers, cwd, root, attempt });
  const reference = attempt(() => readReference(settings, { servers: named, cwd, root }));
  const routed = attempt(() => withWrittenRoutes(named, layers)) ?? named;
  const listed = underVersions(routed, 'node', settingOf(settings, 'nodeVersions'));
  attempt(() => checkSentParts(settings));
  attempt(() => checkTools(settings));
  attempt(() => checkOut(settings));
  attempt(() => checkShard(settings));
  const against = otherSide(settingOf(settings, 'against'));
  // A base measured in the same rounds is more precise than any stored run.
  const isStored = against === undefined;
  if (isStored) attempt(() => checkBaseline(settings));
  attempt(checkScratch);
  const published = inFiles(layers, 'published')?.value;
  const rules = attempt(() => rulesIn(layers, settings));
  const ignore = attempt(() => readIgnored(layers)) ?? [];
  const all = distinct([...(reference ? [reference] : []), ...listed]);
  // After an earlier mistake these checks would blame the wrong setting.
  const complete = problems.length === 0;
  if (complete) attempt(() => checkTwins(all, settings));
  const points = complete ? attempt(() => readPoints(listed, { layers, settings })) : undefined;
  const relativeTo = complete ? attempt(() => whatRatiosAreTo(all, settings)) : undefined;
  if (!points || !rules || problems.length > 0) throw new UserError([...new Set(problems)].join('\n'));

  const measured = distinct(points.map(({ server }) => server));
  const method = settingOf(settings, 'request.method');
  const headers = settingOf(settings, 'request.headers');
  const body = settingOf(settings, 'request.body');
  const secretHeaders = inFiles(layers, 'request.secretHeaders')?.value;
  const language = settingOf(settings, 'language');
  const budget = settingOf(settings, 'budget');
  const rounds = settings.get('rounds');
  const maxRunning = settingOf(settings, 'maxRunning');
  const shard = settingOf(settings, 'shard');
  const baseline = isStored ? pathOf(settings, 'baseline', cwd) : undefined;
  // A comparison runs until it is decided, if a budget limits it and nobody set the rounds.
  const untilDecided =
    budget !== undefined && (against ?? baseline) !== undefined && rounds?.rank === layers.length - 1;
  const request = {
    ...(method !== undefined && { method }),
    ...(headers !== undefined && { headers }),
    ...(secretHeaders !== undefined && { secretHeaders }),
    ...(body !== undefined && { body }),
  };
  const cases = withWarmUps(makeCases(points, { request, ...(reference && { reference }) }), {
    servers: all,
    free: freeTimes(settings),
  });
  checkAbilities({ cases, servers: all }, settings, inFiles(layers, 'include')?.layer.where('include'));
  const routesOf = (/** @type {Server} */ { id }) =>
    [
      ...points.map(({ server, route }) => ({ server: server.id, route })),
      ...cases.filter(({ server }) => server === reference?.id),
    ].flatMap(({ server, route }) => (server === id ? route : []));
  return {
    title: settingOf(settings, 'title'),
    ...(language !== undefined && { language }),
    ...(preset !== undefined && { preset }),
    servers: measured.map((server) => asMeasured(server, routesOf(server))),
    ...(reference && { reference: asMeasured(reference, routesOf(reference)) }),
    ...(relativeTo !== undefined && { relativeTo }),
    request,
    cases,
    ...(rounds && !untilDecided && { rounds: rounds.value }),
    ...(budget !== undefined && { budgetSeconds: budget }),
    seed: settingOf(settings, 'seed') ?? seed,
    ...(maxRunning !== undefined && { maxRunning }),
    ...(settingOf(settings, 'runtimeMetrics') && { runtimeMetrics: true }),
    ...(settingOf(settings, 'explain') && { explain: true }),
    ...(shard !== undefined && { shard }),
    ...(baseline !== undefined && { baseline }),
    ...(against !== undefined && { against }),
    out: pathOf(settings, 'out', cwd) ?? '',
    ...rules,
    ignore,
    ...(published !== undefined && { published }),
  };
}

/** @param {Settings} settings */
function checkSentParts(settings) {
  const headers = settings.get('request.headers');
  const body = settings.get('request.body');
  const where = (/** @type {string} */ key) =>
    (key === 'body' ? body : headers)?.layer.where(`request.${key}`) ?? key;
  checkRequest({ headers: headers?.value ?? {}, body: body?.value }, { where, caller: process.env });
}

/**
 * @param {Settings} settings
 * @param {{ layers: Layer[], cwd: string, root: string, attempt: Attempt }} context
 * @returns {Server[]} each once
 */
function readServers(settings, { layers, cwd, root, attempt }) {
  const setting = settings.get('servers');
  if (!setting) return [];
  // A file's own servers take precedence over the catalogue, so that a flag can pick one of them.
  const below = layers.slice(setting.rank + 1).flatMap((layer) => listedServers(layer, { cwd, root }));
  const known = below.map(({ id }) => id);
  const found = listedServers(setting.layer, { cwd, root }).flatMap((asked) => {
    const { entry, place } = below.find(({ id }) => id === asked.entry) ?? asked;
    return attempt(() => findServer(entry, { ...place, known })) ?? [];
  });
  return distinct(found);
}

/**
 * @param {Settings} settings
 * @param {{ servers: Server[], cwd: string, root: string }} context
 * @returns {Server | undefined}
 */
function readReference(settings, { servers, cwd, root }) {
  const setting = settings.get('reference');
  if (!setting) return findReference(root);
  const { value, layer } = setting;
  if (value === 'off') return undefined;
  const folders = [layer.folder, cwd];
  return (
    servers.find(({ id }) => id === value) ??
    findServer(value, { folders, root, where: () => layer.where('reference') })
  );
}

/**
 * @param {Server[]} servers
 * @param {{ layers: Layer[], settings: Settings }} sources
 * @returns {import('./matrix.js').Point[]}
 */
function readPoints(servers, sources) {
  const { settings } = sources;
  const lists = { servers, routesOf: routesFor(settings), loads: readLoads(settings) };
  const points = readMatrix(lists, sources);
  checkRoutes(points, settings);
  return points;
}

/** @param {Layer[]} layers @returns {string[]} */
function readIgnored(layers) {
  const { value, layer } = inFiles(layers, 'ignore') ?? {};
  return layer ? readGlobs(value, layer.where('ignore')) : CONFIG_SCHEMA.properties.ignore.default;
}

/**
 * @template T
 * @param {T[]} items
 * @returns {T[]} each once; of servers of one name, only those that are the very same
 */
function distinct(items) {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
