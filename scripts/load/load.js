/**
 * Runs of the load tools, and whether they are installed.
 * @import { Load, LoadedWindow } from '../types.js'
 * @import { KeptTool, Target } from './tools.js'
 */

import { resolve } from 'node:path';
import { UserError } from '../model/errors.js';
import { keepTool } from './persistent-tool.js';
import { withFreePorts } from './ephemeral-ports.js';
import { runTool } from './run-tool.js';
import { findTool } from './tools.js';

/**
 * load, weave throw a MeasureError: load-tool-crashed, load-tool-hung, cancelled; weave: several in turn, in slices of
 * fractions of a second, by one tool that can; groups: process groups of the tools that are kept running.
 * @typedef {{
 *   load: (target: Target & { signal: AbortSignal }) => Promise<LoadedWindow>,
 *   weave: (targets: Target[], signal: AbortSignal) => Promise<LoadedWindow[]>,
 *   groups: () => number[],
 *   stop: () => Promise<void>,
 * }} Loading
 */

/**
 * @param {Load[]} loads
 * @returns {boolean} whether they can be told to one tool that takes them in turn
 */
export function canWeave(loads) {
  const [tool, ...others] = [...new Set(loads.map((load) => load.tool))].map(findTool);
  return others.length === 0 && tool !== undefined && 'driver' in tool && loads.every(tool.canPause);
}

/** @returns {Loading} whoever asks for it stops it in the end */
export function startLoading() {
  /** @type {Map<KeptTool, ReturnType<typeof keepTool>>} */
  const kept = new Map();
  const keep = (/** @type {KeptTool} */ tool) => {
    const known = kept.get(tool) ?? keepTool(tool);
    kept.set(tool, known);
    return known;
  };
  return {
    load(target) {
      const tool = findTool(target.load.tool);
      const run = async () => {
        if (!('driver' in tool)) return runTool(tool, target);
        const { signal, ...told } = target;
        const [window] = await keep(tool).run([told], { signal });
        return /** @type {LoadedWindow} */ (window);
      };
      return target.load.keepAlive ? run() : withFreePorts(target, run);
    },
    weave: (targets, signal) =>
      keep(/** @type {KeptTool} */ (findTool(targets[0]?.load.tool ?? ''))).run(targets, { signal }),
    groups: () => [...kept.values()].flatMap(({ pid }) => pid() ?? []),
    async stop() {
      await Promise.all([...kept.values()].map(({ stop }) => stop()));
    },
  };
}

/**
 * @param {string[]} ids
 * @returns {Promise<Record<string, string>>} their versions
 * @throws {UserError} naming every tool that is not installed and how to install it
 */
export async function requireTools(ids) {
  const tools = await Promise.all(
    ids.map(findTool).map(async ({ id, install, version }) => ({ id, install, version: await version() })),
  );
  const lacking = tools.filter(({ version }) => version === undefined);
  if (lacking.length > 0)
    throw new UserError(
      lacking
        .map(({ id, install }) => `the load tool ${id} is not installed; install it with: ${install}`)
        .join('\n'),
    );
  return Object.fromEntries(tools.map(({ id, version = '' }) => [id, version]));
}

/**
 * @param {Pick<Load, 'tool' | 'script'>[]} loads whose tools are installed
 * @throws {UserError} with what a tool itself says of a script that it cannot run
 */
export async function requireScripts(loads) {
  const asked = new Map(loads.map(({ tool, script }) => [JSON.stringify([tool, script]), { tool, script }]));
  const told = await Promise.all(
    [...asked.values()].map(async ({ tool, script }) => {
      if (script === undefined) return [];
      const mistake = await findTool(tool).mistakeIn?.(resolve(script));
      return mistake === undefined ? [] : [`${script}: ${tool} cannot run it: ${mistake}`];
    }),
  );
  if (told.flat().length > 0) throw new UserError(told.flat().join('\n'));
}
