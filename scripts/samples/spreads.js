/** What unchanged servers show: how far their figures move from run to run, and which changes cannot matter. */

/**
 * How far unchanged servers move from run to run, as standard deviations of the logarithm. Ten servers moved by at most 3.6 %
 * beside a reference in the same cycles (three years of public daily figures); alone, one unchanged server was measured at
 * 78k and at 91k requests a second within minutes.
 */
export const SPEED_SPREAD = { besideReference: 0.036, alone: 0.12 };
/** A cautious guess: no recording of runs says better. */
export const LATENCY_SPREAD = { besideReference: 0.15, alone: 0.25 };
export const MEMORY_SPREAD = { besideReference: 0.05, alone: 0.05 };

/** Bytes that an allocator keeps or returns at will. */
export const ALLOCATOR_BYTES = 4e6;

/** Milliseconds between two looks of an event loop at its clock. */
export const TIMER_MS = 10;
