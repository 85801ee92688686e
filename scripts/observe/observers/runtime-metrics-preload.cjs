/** Preloaded into Node servers, it sends their runtime metrics. */
'use strict';

const { answerOn } = require('../preload-answers.cjs');

/** A finer clock would cost more wake-ups than it is worth. */
const RESOLUTION_MS = 10;

answerOn('PERF_ACTION_RUNTIME_METRICS', () => {
  const { monitorEventLoopDelay, performance } = require('node:perf_hooks');
  const { GCProfiler } = require('node:v8');
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  // Node before 18.15 has only PerformanceObserver, whose call per collection cost 4 % of a busy process.
  /** @type {InstanceType<typeof GCProfiler> | undefined} */
  let collections;
  let loopAtBegin = performance.eventLoopUtilization();
  return {
    begin() {
      collections = GCProfiler && new GCProfiler();
      collections?.start();
      delay.enable();
      delay.reset();
      loopAtBegin = performance.eventLoopUtilization();
    },
    end(send) {
      const { utilization } = performance.eventLoopUtilization(loopAtBegin);
      const pauses = collections?.stop()?.statistics.map(({ cost }) => cost / 1000);
      collections = undefined;
      // The histogram records the time between two ticks of its clock.
      const late = (/** @type {number} */ nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
      const reading = {
        utilisation: utilization,
        heapBytes: process.memoryUsage().heapUsed,
        ...(pauses && {
          gc: {
            count: pauses.length,
            pauseMs: pauses.reduce((sum, pause) => sum + pause, 0),
            longestMs: Math.max(0, ...pauses),
          },
        }),
        // Without any tick, the loop was blocked all along, or the window was shorter than one.
        ...(delay.max > 0 && {
          delayMs: { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) },
        }),
      };
      delay.disable();
      send(reading);
    },
  };
});
