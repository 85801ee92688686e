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

/** Of bytes a request, which depend on the runtime's version; of counts, in their unit. */
export const BYTES_SPREAD = { besideReference: 0.005, alone: 0.005 };
export const COUNT_SPREAD = { besideReference: 0.1, alone: 0.1 };
/** Of a count a request: less is a cache, or a job beside the requests. */
export const HALF = 0.5;

/** Bytes that an allocator keeps or returns unpredictably. */
export const ALLOCATOR_BYTES = 4e6;

/** Milliseconds between two readings of the clock by an event loop's monitor. */
export const TIMER_MS = 10;
