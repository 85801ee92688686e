/**
 * The load tools by name, and one bounded run of one of them.
 * @import { Case, Load, Window } from '../types.js'
 */

import { UserError } from '../errors.js';
import { CAPABILITIES } from '../plan/capabilities.js';
import { ab } from './ab.js';
import { autocannon } from './autocannon.js';
import { keepTool } from './kept.js';
import { runTool } from './run-tool.js';
import { wrk } from './wrk.js';

/**
 * What one run of a tool is told. url: the server's address without the path; scratch: a folder of its own.
 * @typedef {{ load: Load, request: Case['request'], url: string, seconds: number }} Target
 * A tool that is started for every window. version is undefined where the tool is not installed; parse throws on what is not
 * the tool's report.
 * @typedef {{
 *   version: () => Promise<string | undefined>,
 *   command: (target: Target & { scratch: string }) => Promise<string[]>,
 *   parse: (stdout: string) => Window,
 * }} LoadTool
 * One that is kept running between windows. driver: the program that is told `options` and answers with what `read` reads;
 * describe: a run in words.
 * @typedef {{
 *   version: () => Promise<string | undefined>,
 *   driver: URL,
 *   options: (target: Target) => object,
 *   describe: (target: Target) => string,
 *   read: (result: any) => Window,
 * }} KeptTool
 */

/** @type {Record<string, LoadTool | KeptTool>} */
const TOOLS = { autocannon, wrk, ab };

/**
 * load throws a MeasureError: load-tool-crashed, load-tool-hung, cancelled; groups: process groups of the tools that are kept
 * running.
 * @typedef {{
 *   load: (target: Target & { signal: AbortSignal }) => Promise<Window>,
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
      const tool = toolOf(target.load.tool);
      return 'driver' in tool ? keep(tool).run(target) : runTool(tool, target);
    },
    groups: () => [...kept.values()].flatMap(({ pid }) => pid() ?? []),
    async stop() {
      await Promise.all([...kept.values()].map(({ stop }) => stop()));
    },
  };
}

/**
 * @param {string} id
 * @returns {Promise<string | undefined>} undefined where it is not installed
 */
export function toolVersion(id) {
  return toolOf(id).version();
}

/**
 * @param {string[]} ids
 * @returns {Promise<void>}
 * @throws {UserError} naming every tool that is lacking and how to install it
 */
export async function requireTools(ids) {
  const versions = await Promise.all(ids.map(toolVersion));
  const lacking = ids.filter((_, index) => versions[index] === undefined);
  if (lacking.length === 0) return;
  throw new UserError(
    lacking
      .map((id) => `the load tool ${id} is not installed; get it with: ${CAPABILITIES[id]?.install}`)
      .join('\n'),
  );
}

/** @param {string} id */
function toolOf(id) {
  const tool = TOOLS[id];
  if (!tool) throw new UserError(`there is no load tool "${id}"; there are ${Object.keys(TOOLS).join(', ')}`);
  return tool;
}
