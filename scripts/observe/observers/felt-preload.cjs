/**
 * What a Node server feels, told by itself: preloaded into it, CommonJS so that it fits programs of both kinds. It asks for no
 * port and keeps no process alive; where the socket is gone, it stays silent.
 */
'use strict';

const { isMainThread } = require('node:worker_threads');

/** A finer clock costs more wake-ups than it tells. */
const RESOLUTION_MS = 10;
const BEGIN = 'b'.charCodeAt(0);

const { PERF_ACTION_FELT: address } = process.env;
if (isMainThread && address !== undefined) feel(address);

/** @param {string} path of the socket that asks */
function feel(path) {
  const { connect } = require('node:net');
  const { monitorEventLoopDelay, performance, PerformanceObserver } = require('node:perf_hooks');
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const collected = { count: 0, pauseMs: 0, longestMs: 0 };
  const note = (/** @type {import('node:perf_hooks').PerformanceEntry[]} */ entries) => {
    for (const { duration } of entries) {
      collected.count += 1;
      collected.pauseMs += duration;
      collected.longestMs = Math.max(collected.longestMs, duration);
    }
  };
  const collections = new PerformanceObserver((list) => note(list.getEntries()));
  let turn = 0;
  let since = performance.eventLoopUtilization();

  const begin = () => {
    turn += 1;
    collections.observe({ entryTypes: ['gc'] });
    collections.takeRecords();
    Object.assign(collected, { count: 0, pauseMs: 0, longestMs: 0 });
    delay.enable();
    delay.reset();
    since = performance.eventLoopUtilization();
  };
  const tell = () => {
    const { utilization } = performance.eventLoopUtilization(since);
    note(collections.takeRecords());
    // What is recorded is the time between two looks.
    const late = (/** @type {number} */ nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    const told = {
      ...{ turn, utilisation: utilization, gc: collected, heapBytes: process.memoryUsage().heapUsed },
      // No look at all in a window: it was blocked all along, or the window was shorter than one.
      ...(delay.max > 0 && {
        delayMs: { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) },
      }),
    };
    delay.disable();
    collections.disconnect();
    socket.write(`${JSON.stringify(told)}\n`);
  };
  const socket = connect(path, () => socket.unref());
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    for (const byte of chunk) byte === BEGIN ? begin() : tell();
  });
}
