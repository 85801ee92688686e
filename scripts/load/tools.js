/**
 * The load tools: one file and one row each. Planning reads here what a tool can do; only load runs it.
 * @import { Answer, Case, Load, LoadedWindow } from '../types.js'
 * @import { RouteAbility } from '../model/route-keys.js'
 * @import { Slices } from './slices.js'
 */

import { ab } from './tools/ab.js';
import { autocannon } from './tools/autocannon.js';
import { k6 } from './tools/k6.js';
import { locust } from './tools/locust.js';
import { wrk } from './tools/wrk.js';

/**
 * One run of a tool.
 * @typedef {object} Target
 * @property {Omit<Load, 'requests'>} load
 * @property {Outgoing} request
 * @property {string} url the server's address, no path; over https, only the engine knows its certificate
 * @property {number} seconds how long the tool loads; with `requests`, the most it may take
 * @property {number} [requests] how many to send
 * @property {number} [answerMs] how long an answer takes under this load, where that is known
 * @property {Answer['closes']} [closes] how the server's answers end their connections
 * @property {Uint8Array} [bytes] of requests that vary, as requestBytes writes them
 * @property {string} [requestsFile] holds the bytes, for a tool that keeps running
 *
 * A request as it is sent; variants: all of those that vary, in their order, the first of which it is itself.
 * @typedef {Omit<Case['request'], 'body' | 'data'> &
 *   { body?: string | Uint8Array, variants?: Variant[] }} Outgoing
 * @typedef {Pick<Case['request'], 'path' | 'headers'> & { body?: string | Uint8Array }} Variant
 *
 * What not every tool can; see config/refusals. All send any method, headers and body, over HTTPS too, and
 * open a connection for every request if need be.
 * @typedef {'requests' | 'rate' | 'pipelining' | 'threads' | 'processes' | 'workers' | 'script'
 *   | RouteAbility} Ability
 *
 * @typedef {object} ToolFacts
 * @property {string} id also the name of its program
 * @property {string} label
 * @property {string} install the command that installs it
 * @property {string} [package] the Debian package that has it; absent where npm brings it
 * @property {Ability[]} can
 * @property {boolean} wholeSeconds it takes no fractions of a second
 * @property {number} [stepMs] to which it rounds latencies
 * @property {true} [countsItsStart] in the time that it loads, so on a busy machine it loads for less
 * @property {(load: Load) => number} coresOf how many cores it can keep busy at most
 * @property {(target: Target) => number} [graceSeconds] how long it may take beyond its load, if long
 * @property {string | (() => Promise<string | undefined>)} version the argument that makes it print its
 *   version; or its version, undefined where it is not installed
 * @property {(load: Load) => boolean} [canInterleave] whether a load can alternate with others, in slices
 * @property {ScriptCheck} [scriptCheck] how it reports whether it can run a script
 *
 * @typedef {object} ScriptCheck
 * @property {(script: string) => string[]} args
 * @property {(stderr: string) => string | undefined} messageIn its message where it refuses the script
 *
 * A tool that is started for every window.
 * @typedef {ToolFacts & StartedFacts} StartedTool
 * @typedef {object} StartedFacts
 * @property {(target: Target & { scratch: string, slices?: Slices }) => Promise<string[]>} command scratch: a
 *   temporary folder of this run; slices: when it sends, where it alternates with others
 * @property {(report: string, run?: Partial<Target> & { stderr?: string }) => LoadedWindow} parse throws on
 *   anything but the tool's report; the runner adds the percentiles of `latencies` where there are none
 * @property {string} [reportFile] the report's name in the scratch folder, where it is not printed
 * @property {number[]} [reportCodes] exit codes other than 0 that come with a report
 *
 * A tool that keeps running between windows.
 * @typedef {ToolFacts & PersistentFacts} PersistentTool
 * @typedef {object} PersistentFacts
 * @property {URL} driver receives `options` of each server it loads, and answers with a result for each
 * @property {(target: Target) => object} options
 * @property {(result: any, target: Target) => LoadedWindow} read
 *
 * @typedef {StartedTool | PersistentTool} LoadTool
 */

/** In the order in which messages and tables list them. @type {LoadTool[]} */
export const TOOLS = [autocannon, wrk, ab, k6, locust];

/** Those that load them, each once. @type {(cases: Pick<Case, 'load'>[]) => LoadTool[]} */
export function toolsOf(cases) {
  return [...new Set(cases.map(({ load }) => load.tool))].map(findTool);
}

/** Planning has refused every other id. @type {(id: string) => LoadTool} */
export function findTool(id) {
  return /** @type {LoadTool} */ (TOOLS.find((tool) => tool.id === id));
}
