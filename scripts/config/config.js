/**
 * Merges defaults, preset, perf.yml and flags into a run's settings, checked before anything starts.
 * @import { Asked, Caller, Config, Server } from '../types.js'
 * @import { Attempt } from '../model/attempt.js'
 * @import { Layer } from './layers.js'
 * @import { Rules } from './rules.js'
 * @import { Settings } from './settings.js'
 */

import { resolve } from 'node:path';
import { catalogServers } from '../catalog/catalog.js';
import { asMeasured, checkRoutes, routesFor, withWrittenRoutes } from './servers/measured-routes.js';
import { findServer, listedServers } from './servers/find-server.js';
import { everyMistake } from '../model/attempt.js';
import { defined } from '../model/defined.js';
import { readGlobs } from '../model/units.js';
import { makeCases } from './cases.js';
import * as checks from './checks.js';
import { CONFIG_SCHEMA, otherSide, readLayers, writtenIn } from './layers.js';
import { checkLimits, readLimits, withLimitRates } from './limits.js';
import { freeTimes, readLoads, withConnections } from './asked-loads.js';
import { readMatrix } from './matrix.js';
import { rulesIn } from './rules.js';
import { pathOf, readSettings, settingOf } from './settings.js';

/**
 * cwd: where perf.yml is looked for; root: the folder of servers/ and presets/.
 * @typedef {{ cwd: string, root: string, caller: Caller }} Context
 */

/** What is wrong with a setting by itself. @type {((settings: Settings, caller: Caller) => void)[]} */
const CHECKS = [
  checks.checkTools,
  checks.checkOut,
  checks.checkShard,
  checks.checkBaseline,
  checks.checkLibrary,
  checks.checkScratch,
];

/**
 * @param {Context & { options: Asked, seed: number }} sources options: by name; seed: if no setting has one
 * @returns {Config}
 * @throws {UserError} with every mistake, one a line
 */
export function readConfig({ options, seed, ...context }) {
  const { cwd, caller } = context;
  const read = everyMistake((attempt) => readSources({ ...context, options }, attempt));
  const { layers, preset, file, settings, reference, rules, ignore } = read;
  // After a mistake in these, what follows would blame the wrong setting.
  const { servers, limits, points, relativeTo } = everyMistake((attempt) =>
    resolvePoints(read, caller, attempt),
  );
  const against = otherSide(settingOf(settings, 'against'));
  const measured = distinct(points.map(({ server }) => server));
  const library = settings.get('library');
  // A base measured in the same rounds is more precise than any stored run.
  const stored = against === undefined ? settings.get('baseline') : undefined;
  const presetRuns = stored?.layer.isPreset && resolve(stored.layer.folder, stored.value);
  const baseline = stored && !presetRuns ? pathOf(settings, 'baseline', cwd) : undefined;
  const cases = makeCases(points, reference);
  const included = writtenIn(layers, 'include')?.layer.where('include');
  checks.checkAbilities({ cases, servers }, settings, included);
  checkLimits(cases, { layers, settings, servers, rules: limits, env: caller.environment });
  const names = measured.map(({ name }) => name);
  const routesOf = (/** @type {Server} */ { id }) => [
    ...points.filter(({ server }) => server.id === id).map(({ route }) => route),
    ...cases.filter(({ server }) => id === reference?.id && server === id).map(({ route }) => route),
  ];
  return defined({
    asked: options,
    // Up to three names, or how many there are.
    title: settingOf(settings, 'title') ?? (names.length > 3 ? `${names.length} servers` : names.join(', ')),
    language: settingOf(settings, 'language'),
    preset,
    file,
    servers: measured.map((server) => asMeasured(server, routesOf(server))),
    reference: reference && asMeasured(reference, routesOf(reference)),
    relativeTo,
    cases,
    rounds: settingOf(settings, 'rounds'),
    budgetSeconds: settingOf(settings, 'budget'),
    free: freeTimes(settings),
    seed: settingOf(settings, 'seed') ?? seed,
    maxRunning: settingOf(settings, 'maxRunning'),
    runtimeMetrics: settingOf(settings, 'runtimeMetrics') ? /** @type {const} */ (true) : undefined,
    explain: settingOf(settings, 'explain') ? /** @type {const} */ (true) : undefined,
    controls: settingOf(settings, 'controls') ? /** @type {const} */ (true) : undefined,
    shard: settingOf(settings, 'shard'),
    library: library?.value.map((folder) => resolve(library.layer.folder, folder)),
    baseline,
    presetRuns,
    against,
    out: pathOf(settings, 'out', cwd) ?? '',
    ...rules,
    ignore,
    /** @type {Config['published']} */
    published: writtenIn(layers, 'published')?.value,
  });
}

/**
 * @param {Context & { options: Asked }} sources
 * @param {Attempt} attempt
 */
function readSources(sources, attempt) {
  const { caller } = sources;
  const { layers, preset, file } = readLayers(sources, attempt);
  const settings = readSettings(layers, { attempt, caller });
  const named = distinct(
    askedServers(settings, layers, sources).flatMap(
      ({ entry, place }) => attempt(() => findServer(entry, place)) ?? [],
    ),
  );
  const reference = attempt(() => readReference(settings, named, sources));
  const routed = attempt(() => withWrittenRoutes(named, layers, caller)) ?? named;
  for (const check of CHECKS) attempt(() => check(settings, caller));
  const ignored = writtenIn(layers, 'ignore');
  return {
    ...{ layers, preset, file, settings, reference },
    servers: routed,
    rules: /** @type {Rules} */ (attempt(() => rulesIn(layers, settings))),
    /** @type {string[]} */
    ignore: ignored
      ? (attempt(() => readGlobs(ignored.value, ignored.layer.where('ignore'))) ?? [])
      : CONFIG_SCHEMA.properties.ignore.default,
  };
}

/**
 * @param {ReturnType<typeof readSources>} read
 * @param {Caller} caller
 * @param {Attempt} attempt
 */
function resolvePoints({ layers, settings, servers, reference }, caller, attempt) {
  const all = distinct([...(reference ? [reference] : []), ...servers]);
  attempt(() => checks.checkTwins(all, settings));
  const limits = readLimits(layers);
  const points =
    attempt(() => {
      const lists = { servers, routesOf: routesFor(settings), loads: readLoads(settings, caller) };
      const listed = readMatrix(lists, { layers, settings, caller });
      checkRoutes(listed, settings);
      return withLimitRates(listed, limits).map((point) => withConnections(point, settings));
    }) ?? [];
  return { servers: all, limits, points, relativeTo: attempt(() => checks.whatRatiosAreTo(all, settings)) };
}

/**
 * A file's own servers take precedence over the catalogue, so that a flag can pick one of them.
 * @param {Settings} settings
 * @param {Layer[]} layers
 * @param {Context} context
 */
function askedServers(settings, layers, context) {
  const setting = settings.get('servers');
  if (!setting) return [];
  const below = layers.slice(setting.rank + 1).flatMap((layer) => listedServers(layer, context));
  const known = below.map(({ id }) => id);
  return listedServers(setting.layer, context).map((asked) => {
    const { entry, place } = below.find(({ id }) => id === asked.entry) ?? asked;
    return { entry, place: { ...place, known } };
  });
}

/** @type {(settings: Settings, servers: Server[], context: Context) => Server | undefined} */
function readReference(settings, servers, { cwd, root, caller }) {
  const setting = settings.get('reference');
  if (!setting) return catalogServers(root, caller).find(({ reference }) => reference);
  const { value, layer } = setting;
  if (value === 'off') return undefined;
  const place = { folders: [layer.folder, cwd], root, caller, where: () => layer.where('reference') };
  return servers.find(({ id }) => id === value) ?? findServer(value, place);
}

/** Returns each once; equal are only those that are equal in everything. @type {<T>(items: T[]) => T[]} */
function distinct(items) {
  return [...new Map([...new Set(items)].map((item) => [JSON.stringify(item), item])).values()];
}
