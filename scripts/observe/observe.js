/**
 * Starts the observers that work here, shows all of them the same readings, and joins what they tell of a window.
 * @import { Window } from '../types.js'
 * @import { Inside, Observed } from './observers.js'
 * @import { Ours } from './cpu-accounting.js'
 */

import { readProcesses } from '../system/process/proc.js';
import { membersOf } from './process-tree.js';
import { OBSERVERS } from './observers.js';
import { look, spanOf } from './cpu-accounting.js';

/** It costs a few thousandths of a core, and either end of a window about 5 ms, among 120 processes. */
const SAMPLE_MS = 200;

/**
 * What looks at a server from inside; whoever asks for it stops it after the server.
 * @param {string} runtime the server's
 * @returns {Promise<Inside[]>}
 */
export async function enter(runtime) {
  return Promise.all(observersOf(runtime).flatMap((observer) => observer.enter?.() ?? []));
}

/** @param {string} runtime */
function observersOf(runtime) {
  return OBSERVERS.filter(
    ({ platforms, runtimes }) =>
      platforms.includes(process.platform) && (!runtimes || runtimes.includes(runtime)),
  );
}

/**
 * The window lasts until `stop`, which may be called again and then tells the same. A load tool that is no longer there at
 * its end must be the only child of this process that ended in it.
 * @param {number} pgid the server's process group
 * @param {Ours & { runtime?: string, inside?: Inside[] }} [ours] runtime: the server's; inside: what was put into it
 * @returns {{ stop: () => Promise<Partial<Window> & Pick<Observed, 'waiting'>> }}
 */
export function startWindow(pgid, { runtime = '', inside = [], ...ours } = {}) {
  const observing = [...observersOf(runtime), ...inside].map((observer) => observer.start());
  if (observing.length === 0) return { stop: async () => ({}) };
  const start = look(pgid, ours);
  let server = start.server;
  const show = () => {
    for (const { sample } of observing) sample?.(server);
  };
  // Who was found not to belong is not asked again: of a full machine only a few processes are read.
  const outsiders = new Set([...start.all.keys()].filter((pid) => !server.has(pid)));
  show();
  const timer = setInterval(() => {
    const processes = readProcesses((pid) => !outsiders.has(pid));
    server = membersOf(processes, pgid, server);
    for (const pid of processes.keys()) if (!server.has(pid)) outsiders.add(pid);
    show();
  }, SAMPLE_MS).unref();
  /** @type {Promise<Partial<Window>> | undefined} */
  let observed;
  const end = async () => {
    clearInterval(timer);
    const last = look(pgid, ours, start);
    server = last.server;
    show();
    const span = spanOf(start, last);
    const parts = await Promise.all(observing.map(({ stop }) => stop(span)));
    return /** @type {Partial<Window>} */ (joined(parts));
  };
  return { stop: () => (observed ??= end()) };
}

/** @param {Observed[]} parts @returns {Observed} */
function joined(parts) {
  const cpu = Object.assign({}, ...parts.map((part) => part.cpu));
  return Object.assign({}, ...parts, Object.keys(cpu).length > 0 && { cpu });
}
