/**
 * Runs of the load tools, and whether they are installed.
 * @import { LoadedWindow } from '../types.js'
 * @import { KeptTool, Target } from './tools.js'
 */

import { UserError } from '../errors.js';
import { keepTool } from './kept.js';
import { runTool } from './run-tool.js';
import { findTool } from './tools.js';

/**
 * load throws a MeasureError: load-tool-crashed, load-tool-hung, cancelled; groups: process groups of the tools that are kept
 * running.
 * @typedef {{
 *   load: (target: Target & { signal: AbortSignal }) => Promise<LoadedWindow>,
 *   groups: () => number[],
 *   stop: () => Promise<void>,
 * }} Loading
 */

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
      return 'driver' in tool ? keep(tool).run(target) : runTool(tool, target);
    },
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
