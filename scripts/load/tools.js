/**
 * The load tools: one file and one row each. Whoever plans reads here what a tool can do; only load runs it.
 * @import { Case, Load, LoadedWindow } from '../types.js'
 */

import { ab } from './tools/ab.js';
import { autocannon } from './tools/autocannon.js';
import { k6 } from './tools/k6.js';
import { locust } from './tools/locust.js';
import { wrk } from './tools/wrk.js';

/**
 * What one run of a tool is told. url: the server's address without the path, over https with a certificate that only the
 * engine knows; seconds: how long it loads, or may load at most
 * where it is told a number of requests; scratch: a folder of its own.
 * @typedef {{ load: Omit<Load, 'requests'>, request: Outgoing, url: string, seconds: number, requests?: number }} Target
 * A request as it is sent.
 * @typedef {Omit<Case['request'], 'body'> & { body?: string | Uint8Array }} Outgoing
 *
 * What a load can ask for beyond connections and a duration; see plan/refusals.
 * @typedef {'requests' | 'rate' | 'pipelining' | 'threads' | 'processes' | 'workers' | 'script' | 'keepAliveOff' | 'https' | 'anyPath' |
 *   'method' | 'headers' | 'body'} Ability
 *
 * What a tool is. id: also the name of its program; install: the command that installs it; package: the Debian package that
 * has it, absent where npm brings it; wholeSeconds: it takes no fractions of a second; stepMs: it counts latencies in steps of so
 * many milliseconds; coresOf: how many cores it can keep
 * busy at most; graceSeconds: how long it may take beyond its load, where that is long; version: undefined where it is not
 * installed; mistakeIn: what it says itself of a script that it cannot run.
 * @typedef {{
 *   id: string,
 *   label: string,
 *   install: string,
 *   package?: string,
 *   can: { [ability in Ability]?: true },
 *   wholeSeconds: boolean,
 *   stepMs?: number,
 *   coresOf: (load: Load) => number,
 *   graceSeconds?: (load: Target['load']) => number,
 *   mistakeIn?: (script: string) => Promise<string | undefined>,
 *   version: () => Promise<string | undefined>,
 * }} ToolFacts
 *
 * A tool that is started for every window. parse throws on anything but the tool's report; reports: exit codes other than 0 with
 * which it has made one; reportFile: its name in the scratch folder, where it is not printed.
 * @typedef {ToolFacts & {
 *   command: (target: Target & { scratch: string }) => Promise<string[]>,
 *   parse: (report: string, run?: { stderr?: string, seconds?: number }) => LoadedWindow,
 *   reportFile?: string,
 *   reports?: number[],
 * }} StartedTool
 *
 * One that is kept running between windows. driver: the program that receives `options` of each server it is to load in turn, and
 * answers with what `read` reads of each; canPause: whether a load can be held back while it is another one's turn; describe: a run
 * in words.
 * @typedef {ToolFacts & {
 *   driver: URL,
 *   canPause: (load: Load) => boolean,
 *   options: (target: Target) => object,
 *   describe: (target: Target) => string,
 *   read: (result: any) => LoadedWindow,
 * }} KeptTool
 */

/** In the order in which messages and tables list them. @type {(StartedTool | KeptTool)[]} */
export const TOOLS = [autocannon, wrk, ab, k6, locust];

/**
 * @param {string} id
 * @returns {StartedTool | KeptTool} planning has refused every other id
 */
export function findTool(id) {
  return /** @type {StartedTool | KeptTool} */ (TOOLS.find((tool) => tool.id === id));
}
