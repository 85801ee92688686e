/**
 * Figures that runtimes report from inside a server. Windows that lack them are left out: counters of a JVM
 * appear late. The column of the table of runtime metrics has the figure's id, unless its row names another.
 * @import { Figure, Window } from '../types.js'
 */

import { LATENCY_SPREAD, TIMER_MS } from './spreads.js';

export const perSecond = (/** @type {Window} */ { seconds }) => seconds;
export const perWindow = () => 1;

/** @type {Omit<Figure, 'partial'>[]} */
const ROWS = [
  {
    id: 'eventLoopP50',
    label: 'Event-loop delay p50',
    unit: 'ms',
    read: ({ eventLoopDelayMs }) => eventLoopDelayMs?.p50,
    per: perWindow,
    runtime: 'p50',
  },
  {
    id: 'eventLoopP99',
    label: 'Event-loop delay p99',
    unit: 'ms',
    better: 'less',
    read: ({ eventLoopDelayMs }) => eventLoopDelayMs?.p99,
    per: perWindow,
    judged: {
      role: 'resource',
      gate: false,
      weight: 0.01,
      floor: TIMER_MS,
      scales: true,
      spread: LATENCY_SPREAD,
    },
    lane: {},
    runtime: 'p99',
    notable: 100,
  },
  {
    id: 'eventLoopMax',
    label: 'Longest event-loop delay',
    unit: 'ms',
    read: ({ eventLoopDelayMs }) => eventLoopDelayMs?.max,
    runtime: 'max',
  },
  {
    id: 'eventLoopBusy',
    label: 'Event loop busy',
    unit: 'share',
    read: ({ eventLoopUtilisation }) => eventLoopUtilisation,
    per: perWindow,
    runtime: 'busy',
  },
  {
    id: 'collections',
    label: 'Garbage collections a second',
    unit: '/s',
    read: ({ gc }) => gc?.count,
    per: perSecond,
  },
  {
    id: 'collecting',
    label: 'Time in garbage collection',
    unit: 'share',
    read: ({ gc }) => gc && gc.pauseMs / 1000,
    per: perSecond,
    lane: { fromZero: true },
    notable: 0.1,
  },
  {
    id: 'longestCollection',
    label: 'Longest garbage collection',
    unit: 'ms',
    read: ({ gc }) => gc?.longestMs,
    runtime: 'longest',
  },
  { id: 'heap', label: 'Heap', unit: 'bytes', read: ({ heapBytes }) => heapBytes, lane: {} },
  { id: 'metaspace', label: 'Metaspace', unit: 'bytes', read: ({ jvm }) => jvm?.metaspaceBytes },
  { id: 'threads', label: 'Threads', unit: '', read: ({ jvm }) => jvm?.threads, lane: {} },
  { id: 'classes', label: 'Classes', unit: '', read: ({ jvm }) => jvm?.classes },
  {
    id: 'compiling',
    label: 'JIT compilers busy',
    unit: 'share',
    read: ({ jvm }) => jvm && jvm.compileMs / 1000,
    per: perSecond,
    lane: { fromZero: true },
  },
];

/** @type {Figure[]} */
export const RUNTIME_FIGURES = ROWS.map((row) => ({ partial: true, runtime: row.id, ...row }));
