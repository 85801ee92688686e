/**
 * The load tools by name, and one bounded run of one of them.
 * @import { Case, Load, Window } from '../types.js'
 */

import { UserError } from '../errors.js';
import { CAPABILITIES } from '../plan/capabilities.js';
import { ab } from './ab.js';
import { autocannon } from './autocannon.js';
import { runTool } from './run-tool.js';
import { wrk } from './wrk.js';

/**
 * What one run of a tool is told. url: the server's address without the path; scratch: a folder of its own.
 * @typedef {{ load: Load, request: Case['request'], url: string, seconds: number }} Target
 * @typedef {{
 *   version: () => Promise<string | undefined>,
 *   command: (target: Target & { scratch: string }) => Promise<string[]>,
 *   parse: (stdout: string) => Window,
 * }} LoadTool version is undefined where the tool is not installed; parse throws on what is not the tool's report
 */

/** @type {Record<string, LoadTool>} */
const TOOLS = { autocannon, wrk, ab };

/**
 * @param {Target & { signal: AbortSignal }} target
 * @returns {Promise<Window>}
 * @throws {import('../errors.js').MeasureError} load-tool-crashed, load-tool-hung, cancelled
 */
export function runLoad(target) {
  return runTool(toolOf(target.load.tool), target);
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
