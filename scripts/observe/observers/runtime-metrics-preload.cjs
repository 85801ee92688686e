/**
 * Preloaded into Node servers (as CommonJS, which fits programs of both kinds), it sends their runtime metrics. It listens on no port,
 * keeps no process running, and stays silent where the socket is gone.
 */
'use strict';

const { isMainThread } = require('node:worker_threads');

/** A finer clock would cost more wake-ups than it is worth. */
const RESOLUTION_MS = 10;
const BEGIN = 'b'.charCodeAt(0);

const { PERF_ACTION_RUNTIME_METRICS: address } = process.env;
if (isMainThread && address !== undefined) answerOn(address);

/** @param {string} path of the socket */
function answerOn(path) {
  const { connect } = require('node:net');
  const { monitorEventLoopDelay, performance } = require('node:perf_hooks');
  const { GCProfiler } = require('node:v8');
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  // A PerformanceObserver calls JavaScript for each collection, which cost 4 % of a busy process; before Node 18.15 there is no other way.
  /** @type {InstanceType<typeof GCProfiler> | undefined} */
  let collections;
  let loopAtBegin = performance.eventLoopUtilization();

  const begin = () => {
    collections = GCProfiler && new GCProfiler();
    collections?.start();
    delay.enable();
    delay.reset();
    loopAtBegin = performance.eventLoopUtilization();
  };
  const answer = () => {
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
    socket.write(`${JSON.stringify(reading)}\n`);
  };
  const socket = connect(path, () => socket.unref());
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    for (const byte of chunk) byte === BEGIN ? begin() : answer();
  });
}
