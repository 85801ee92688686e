/** What unchanged servers show: how far figures move from run to run, and which changes cannot matter. */

/**
 * How far unchanged servers move from run to run (standard deviation of logarithms): the most of ten servers
 * beside a reference, in three years of public daily figures; alone, as one server did within minutes.
 */
export const SPEED_SPREAD = { besideReference: 0.036, alone: 0.12 };
/** A cautious guess, as no recording of runs has latencies. */
export const LATENCY_SPREAD = { besideReference: 0.15, alone: 0.25 };
/** A cautious guess, too. */
export const MEMORY_SPREAD = { besideReference: 0.05, alone: 0.05 };

/** Bytes that an allocator keeps or returns unpredictably. */
export const ALLOCATOR_BYTES = 4e6;

/** Milliseconds between two readings of the clock by an event loop's monitor. */
export const TIMER_MS = 10;
