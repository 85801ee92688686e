/**
 * Runs of the load tools, and whether they are installed.
 * @import { Load, LoadedWindow } from '../types.js'
 * @import { KeptTool } from './persistent-tool.js'
 * @import { LoadTool, PersistentTool, Target } from './tools.js'
 */

import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { UserError } from '../model/errors.js';
import { askVersion } from '../system/process/programs.js';
import { withFreePorts } from './ephemeral-ports.js';
import { keepTool } from './persistent-tool.js';
import { runTool } from './run-tool.js';
import { findTool } from './tools.js';

const CHECK_MS = 30_000;

/**
 * `load` and `weave` throw a MeasureError: load-tool-crashed, load-tool-hung, clock-stepped, cancelled.
 * @typedef {object} Loading
 * @property {(target: Target & { signal: AbortSignal }) => Promise<LoadedWindow>} load
 * @property {(targets: Target[], signal: AbortSignal) => Promise<LoadedWindow[]>} weave loads several alternately, in slices of
 *   fractions of a second, by one tool that can
 * @property {() => number[]} groups process groups of the tools that keep running
 * @property {() => Promise<void>} stop
 */

/** @param {Load[]} loads @returns {boolean} whether one tool can take them alternately */
export function canWeave(loads) {
  const [tool, ...others] = [...new Set(loads.map((load) => load.tool))].map(findTool);
  return others.length === 0 && tool !== undefined && 'driver' in tool && loads.every(tool.canPause);
}

/** @returns {Loading} the caller stops it in the end */
export function startLoading() {
  /** @type {Map<PersistentTool, KeptTool>} */
  const kept = new Map();
  const keep = (/** @type {PersistentTool} */ tool) => {
    const running = kept.get(tool) ?? keepTool(tool);
    kept.set(tool, running);
    return running;
  };
  return {
    load({ signal, ...target }) {
      const tool = findTool(target.load.tool);
      const run = async () => {
        if (!('driver' in tool)) return runTool(tool, { ...target, signal });
        const [window] = await keep(tool).run([target], signal);
        return /** @type {LoadedWindow} */ (window);
      };
      return target.load.keepAlive ? run() : withFreePorts({ url: target.url, signal }, run);
    },
    weave(targets, signal) {
      const tool = findTool(targets[0]?.load.tool ?? '');
      return keep(/** @type {PersistentTool} */ (tool)).run(targets, signal);
    },
    groups: () => [...kept.values()].flatMap(({ pid }) => pid() ?? []),
    async stop() {
      await Promise.all([...kept.values()].map(({ stop }) => stop()));
    },
  };
}

/** @param {LoadTool} tool @returns {Promise<string | undefined>} undefined where it is not installed */
export async function versionOf({ id, version }) {
  return typeof version === 'string' ? (await askVersion(id, version, environment())).version : version();
}

/**
 * @param {string[]} ids
 * @returns {Promise<Record<string, string>>} their versions
 * @throws {UserError} naming every tool that is not installed and how to install it
 */
export async function requireTools(ids) {
  const versions = await Promise.all(
    ids.map(async (id) => /** @type {const} */ ([id, await versionOf(findTool(id))])),
  );
  const lacking = versions.flatMap(([id, version]) => (version === undefined ? id : []));
  if (lacking.length > 0)
    throw new UserError(
      lacking
        .map((id) => `the load tool ${id} is not installed; install it with: ${findTool(id).install}`)
        .join('\n'),
    );
  return Object.fromEntries(versions.map(([id, version = '']) => [id, version]));
}

/**
 * @param {Pick<Load, 'tool' | 'script'>[]} loads whose tools are installed
 * @throws {UserError} with the tools' own messages about scripts that they cannot run
 */
export async function requireScripts(loads) {
  const unique = new Map(loads.map(({ tool, script }) => [JSON.stringify([tool, script]), { tool, script }]));
  const mistakes = await Promise.all(
    [...unique.values()].map(async ({ tool, script }) => {
      const mistake = script && (await mistakeIn(resolve(script), findTool(tool)));
      return mistake ? [`${script}: ${tool} cannot run it: ${mistake}`] : [];
    }),
  );
  if (mistakes.flat().length > 0) throw new UserError(mistakes.flat().join('\n'));
}

/** @param {string} script @param {LoadTool} tool @returns {Promise<string | undefined>} */
function mistakeIn(script, { id, scriptCheck }) {
  return new Promise((done) => {
    if (!scriptCheck) return done(undefined);
    const options = { env: environment(), timeout: CHECK_MS };
    execFile(id, scriptCheck.args(script), options, (error, _stdout, stderr) =>
      done(error ? (scriptCheck.messageIn(stderr) ?? error.message) : undefined),
    );
  });
}

/** Without variables such as K6_*, which would change a tool. */
function environment() {
  return { PATH: process.env.PATH, HOME: process.env.HOME };
}
