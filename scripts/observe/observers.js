/**
 * The observers that work while a window runs: one file and one row each.
 * @import { Cpu, Window } from '../types.js'
 * @import { Processes } from '../system/process/proc.js'
 * @import { Span } from './cpu-accounting.js'
 */

import { balance } from './observers/balance.js';
import { cpu } from './observers/cpu.js';
import { runtimeMetrics } from './observers/runtime-metrics.js';
import { jvm } from './observers/jvm.js';
import { machine } from './observers/machine.js';
import { memory } from './observers/memory.js';

/**
 * What an observer tells of a window; several may fill parts of `cpu`. waiting: what each of the servers that waited used, as a
 * share of a core.
 * @typedef {Omit<Partial<Window>, 'cpu'> & { cpu?: Partial<Cpu>, waiting?: number[] }} Observed
 *
 * sample: is shown the server's processes at both ends and five times a second in between.
 * @typedef {{ sample?: (server: Processes) => void, stop: (span: Span) => Observed | Promise<Observed> }} Observing
 *
 * What an observer has put into one boot. env: what the server is started with, NODE_OPTIONS beside its own; scratch: a folder
 * that is removed if the engine dies; start: at a window.
 * @typedef {{ env: NodeJS.ProcessEnv, scratch: string, start: () => Observing, stop: () => Promise<void> }} Inside
 *
 * reads: where the figures come from, for people; runtimes: absent where it works with any; enter: before a boot, where it looks
 * from inside.
 * @typedef {{ label: string, reads: string, platforms: string[], runtimes?: string[], start: () => Observing, enter?: () => Promise<Inside> }} Observer
 */

/** @type {Observer[]} */
export const OBSERVERS = [cpu, memory, balance, machine, runtimeMetrics, jvm];
