/**
 * Runs of the load tools, and whether they are installed.
 * @import { Case, Load, LoadedWindow } from '../types.js'
 * @import { LoadTool, PersistentTool, Target } from './tools.js'
 */

import { resolve } from 'node:path';
import { UserError } from '../model/errors.js';
import { ask, askVersion, versionsOf } from '../system/process/find-program.js';
import { withFreePorts } from './ephemeral-ports.js';
import { keepTool } from './persistent-tool.js';
import { writeOnce } from './request.js';
import { runAlternately, runTool } from './runner.js';
import { slicesOf } from './slices.js';
import { findTool } from './tools.js';

const CHECK_MS = 30_000;
/** What an answer is assumed to take where that is not known. */
const FIRST_ANSWER_MS = 2;

/**
 * The caller stops it in the end. `load` and `interleave` throw a MeasureError: load-tool-crashed,
 * load-tool-hung, clock-stepped, cancelled.
 */
export function startLoading() {
  /** @type {Map<PersistentTool, ReturnType<typeof keepTool>>} */
  const kept = new Map();
  const keep = (/** @type {PersistentTool} */ tool) => {
    const running = kept.get(tool) ?? keepTool(tool);
    kept.set(tool, running);
    return running;
  };
  const withBytes = writeOnce();
  return {
    /** @type {(asked: Target & { signal: AbortSignal }) => Promise<LoadedWindow>} */
    load({ signal, ...asked }) {
      const target = withBytes(asked);
      const tool = findTool(target.load.tool);
      const run = async () => {
        if (!('driver' in tool)) return runTool(tool, { ...target, signal });
        const [window] = await keep(tool).run([target], signal);
        return /** @type {LoadedWindow} */ (window);
      };
      return target.load.keepAlive && !target.closes
        ? run()
        : withFreePorts({ url: target.url, signal }, run);
    },
    /**
     * Loads several that `canInterleave` alternately, in slices of fractions of a second.
     * @type {(asked: Target[], signal: AbortSignal) => Promise<LoadedWindow[]>}
     */
    async interleave(asked, signal) {
      const targets = asked.map(withBytes);
      const tool = findTool(targets[0]?.load.tool ?? '');
      if ('driver' in tool) return keep(tool).run(targets, signal);
      const slowest = Math.max(...targets.map(({ answerMs = FIRST_ANSWER_MS }) => answerMs));
      return runAlternately(tool, targets, { slices: slicesOf(targets, slowest), signal });
    },
    /** Process groups of the tools that keep running. */
    groups: () => [...kept.values()].flatMap(({ pid }) => pid() ?? []),
    async stop() {
      await Promise.all([...kept.values()].map(({ stop }) => stop()));
    },
  };
}

/** Whether one tool can take them alternately: its row says which. @type {(loads: Load[]) => boolean} */
export function canInterleave(loads) {
  const [tool, ...others] = [...new Set(loads.map((load) => load.tool))].map(findTool);
  return others.length === 0 && tool?.canInterleave !== undefined && loads.every(tool.canInterleave);
}

/** Undefined where it is not installed. @type {(tool: LoadTool) => Promise<string | undefined>} */
export async function versionOf({ id, version }) {
  return typeof version === 'string' ? (await askVersion(id, version, environment())).version : version();
}

/** The versions of installed ones, by id. @type {(tools: LoadTool[]) => Promise<Record<string, string>>} */
export function toolVersions(tools) {
  const ids = tools.map(({ id }) => id);
  return versionsOf(ids, (id) => versionOf(findTool(id)));
}

/**
 * @param {Pick<Case, 'load'>[]} cases whose tools are installed
 * @throws {UserError} with the tools' own messages about scripts that they cannot run
 */
export async function requireScripts(cases) {
  const mistakes = new Map();
  for (const { tool, script } of cases.map(({ load }) => load)) {
    const key = `${tool} ${script}`;
    if (script === undefined || mistakes.has(key)) continue;
    const mistake = await mistakeIn(resolve(script), findTool(tool));
    mistakes.set(key, mistake && `${script}: ${tool} cannot run it: ${mistake}`);
  }
  const lines = [...mistakes.values()].filter(Boolean);
  if (lines.length > 0) throw new UserError(lines.join('\n'));
}

/** @type {(script: string, tool: LoadTool) => Promise<string | undefined>} */
async function mistakeIn(script, { id, scriptCheck }) {
  if (!scriptCheck) return undefined;
  const options = { env: environment(), timeout: CHECK_MS };
  const { error, stderr } = await ask(id, scriptCheck.args(script), options);
  return error ? (scriptCheck.messageIn(stderr) ?? error.message) : undefined;
}

/** Without variables such as K6_*, which would change a tool. */
function environment() {
  return { PATH: process.env.PATH, HOME: process.env.HOME };
}
