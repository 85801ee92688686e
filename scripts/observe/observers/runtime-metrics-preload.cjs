/**
 * Runtime metrics that a Node server sends itself: preloaded into it, CommonJS so that it fits programs of both kinds. It asks for no
 * port and keeps no process alive; where the socket is gone, it stays silent.
 */
'use strict';

const { isMainThread } = require('node:worker_threads');

/** A finer clock costs more wake-ups than it tells. */
const RESOLUTION_MS = 10;
const BEGIN = 'b'.charCodeAt(0);

const { PERF_ACTION_RUNTIME_METRICS: address } = process.env;
if (isMainThread && address !== undefined) feel(address);

/** @param {string} path of the socket that asks */
function feel(path) {
  const { connect } = require('node:net');
  const { monitorEventLoopDelay, performance } = require('node:perf_hooks');
  const { GCProfiler } = require('node:v8');
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  // A PerformanceObserver makes JavaScript of every collection at once, which cost 4 % of a busy process; older than Node 18.15
  // there is no other.
  /** @type {InstanceType<typeof GCProfiler> | undefined} */
  let collections;
  let turn = 0;
  let since = performance.eventLoopUtilization();

  const begin = () => {
    turn += 1;
    collections = GCProfiler && new GCProfiler();
    collections?.start();
    delay.enable();
    delay.reset();
    since = performance.eventLoopUtilization();
  };
  const tell = () => {
    const { utilization } = performance.eventLoopUtilization(since);
    const pauses = collections?.stop()?.statistics.map(({ cost }) => cost / 1000);
    collections = undefined;
    // It records the time between two looks.
    const late = (/** @type {number} */ nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    const reading = {
      ...{ turn, utilisation: utilization, heapBytes: process.memoryUsage().heapUsed },
      ...(pauses && {
        gc: {
          count: pauses.length,
          pauseMs: pauses.reduce((sum, each) => sum + each, 0),
          longestMs: Math.max(0, ...pauses),
        },
      }),
      // No look at all in a window: it was blocked all along, or the window was shorter than one.
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
    for (const byte of chunk) byte === BEGIN ? begin() : tell();
  });
}
