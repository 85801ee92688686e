/**
 * What a server takes until it is ready.
 * @import { Figure } from '../types.js'
 */

import { ALLOCATOR_BYTES, LATENCY_SPREAD, MEMORY_SPREAD, SPEED_SPREAD } from './spreads.js';

/** @param {NonNullable<Figure['readStart']>} readStart @returns {Pick<Figure, 'read' | 'readStart' | 'better'>} */
const ofStart = (readStart) => ({ better: 'less', read: () => undefined, readStart });

/** @type {Figure[]} */
export const STARTUP_FIGURES = [
  {
    id: 'startupCpu',
    label: 'CPU until ready',
    unit: 'ms',
    ...ofStart(({ cpuMs }) => cpuMs),
    judged: { role: 'startup', gate: false, weight: 0.8, scales: true, spread: SPEED_SPREAD },
  },
  {
    // Servers that start together share the cores, and the wait for the first answer has steps: CPU time shows more.
    id: 'startupTime',
    label: 'Time until ready',
    unit: 'ms',
    ...ofStart(({ ms }) => ms),
    judged: { role: 'startup', gate: false, weight: 0.1, scales: true, spread: LATENCY_SPREAD },
  },
  {
    id: 'startupMemory',
    label: 'Memory when ready',
    unit: 'bytes',
    ...ofStart(({ rssBytes }) => rssBytes),
    judged: {
      role: 'startup',
      gate: false,
      weight: 0.1,
      floor: ALLOCATOR_BYTES,
      scales: false,
      spread: MEMORY_SPREAD,
    },
  },
];
