/**
 * The observers of a window: one file and one row each.
 * @import { Cpu, Window } from '../types.js'
 * @import { Processes } from '../system/process/proc.js'
 * @import { Span } from './cpu-accounting.js'
 */

import { balance } from './observers/balance.js';
import { cpu } from './observers/cpu.js';
import { runtimeMetrics } from './observers/runtime-metrics.js';
import { jvm } from './observers/jvm.js';
import { jvmCounts } from './observers/jvm-counts.js';
import { machine } from './observers/machine.js';
import { memory } from './observers/memory.js';
import { nodeCounts } from './observers/node-counts.js';

/**
 * An observer's part of a window; several may fill `cpu`. waitingServers: the share of a core that each used.
 * @typedef {Omit<Partial<Window>, 'cpu'> & { cpu?: Partial<Cpu>, waitingServers?: number[] }} Observed
 *
 * @typedef {object} Observing
 * @property {(server: Processes) => void} [sample] gets processes at both ends and five times a second
 * @property {(span: Span) => Observed | Promise<Observed>} stop
 *
 * @typedef {object} Inside What is put into one start of a server.
 * @property {NodeJS.ProcessEnv} env its NODE_OPTIONS and JAVA_TOOL_OPTIONS are added to the server's
 * @property {string} scratch a folder that is removed if the engine dies
 * @property {() => Observing} start begins a window
 * @property {() => Promise<void>} stop
 * @property {true} [counts] it is read at both ends of a window, which may have pauses
 * @property {() => Promise<unknown>} [rest] what it counts from here to the next window is without load
 *
 * @typedef {object} Observer
 * @property {string[]} [runtimes] absent: all
 * @property {() => Observing} [start] begins a window; absent: it observes only from inside
 * @property {() => Promise<Inside>} [enter] absent: it observes only from outside
 * @property {'runtimeMetrics' | 'allocated'} [setting] that it enters with, because it costs a little
 */

/** @type {Observer[]} */
export const OBSERVERS = [cpu, memory, balance, machine, runtimeMetrics, nodeCounts, jvmCounts, jvm];
