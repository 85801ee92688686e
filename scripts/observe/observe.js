/**
 * Starts the observers that work here, gives all the same readings, and joins their figures of a window.
 * @import { Window } from '../types.js'
 * @import { Inside, Observed } from './observers.js'
 * @import { Ours } from './cpu-accounting.js'
 */

import { readProcesses } from '../system/process/proc.js';
import { membersOf } from './process-tree.js';
import { OBSERVERS } from './observers.js';
import { look, spanOf } from './cpu-accounting.js';

/** Among 120 processes a sample costs a few thousandths of a core, and either end of a window about 5 ms. */
const SAMPLE_MS = 200;

/**
 * The caller stops the observers inside after the server. asked: also for those that cost a little.
 * @type {(runtime: string, asked?: { runtimeMetrics?: true, allocated?: boolean }) => Promise<Inside[]>}
 */
export async function enter(runtime, asked = {}) {
  const entering = observersOf(runtime).filter(({ setting }) => !setting || asked[setting]);
  return Promise.all(entering.flatMap((observer) => observer.enter?.() ?? []));
}

/** @param {string} runtime */
function observersOf(runtime) {
  if (process.platform !== 'linux') return [];
  return OBSERVERS.filter(({ runtimes = [runtime] }) => runtimes.includes(runtime));
}

/**
 * The window lasts until `stop`. A load tool that has ended by then must be the only child of this process
 * that ended in the window.
 * @param {number} pgid the server's process group
 * @param {Ours & { runtime?: string, inside?: Inside[] }} [options] inside: observers in the server
 * @returns {{ stop: () => Promise<Partial<Window> & Pick<Observed, 'waitingServers'>> }}
 */
export function startWindow(pgid, { runtime = '', inside = [], ...ours } = {}) {
  const observing = [...observersOf(runtime), ...inside].flatMap((observer) => observer.start?.() ?? []);
  if (observing.length === 0) return { stop: async () => ({}) };
  const start = look(pgid, ours);
  let { server } = start;
  const sample = () => {
    for (const observer of observing) observer.sample?.(server);
  };
  // A process that did not belong to the server is not read again.
  const outsiders = new Set([...start.all.keys()].filter((pid) => !server.has(pid)));
  sample();
  const timer = setInterval(() => {
    const processes = readProcesses((pid) => !outsiders.has(pid));
    server = membersOf(processes, [pgid], server);
    for (const pid of processes.keys()) if (!server.has(pid)) outsiders.add(pid);
    sample();
  }, SAMPLE_MS).unref();
  const stop = async () => {
    clearInterval(timer);
    const last = look(pgid, ours, start);
    server = last.server;
    sample();
    const span = spanOf(start, last);
    const parts = await Promise.all(observing.map(({ stop }) => stop(span)));
    const cpu = Object.assign({}, ...parts.map((part) => part.cpu));
    return Object.assign({}, ...parts, Object.keys(cpu).length > 0 && { cpu });
  };
  return { stop };
}
