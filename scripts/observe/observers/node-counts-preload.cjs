/** Preloaded into Node servers, it counts bytes that V8 allocates and HTTP requests that the server sends. */
'use strict';

const { answerOn } = require('../preload-answers.cjs');

/** A window's file names no more. */
const MOST_HOSTS = 20;
const REQUEST = 'http.server.request.start';
/** Of compilers, which may add 0.2 MB to any window. */
const COMPILED = /^(code|trusted)_/;

answerOn('PERF_ACTION_COUNTS', () => {
  const { subscribe, unsubscribe } = require('node:diagnostics_channel');
  const { GCProfiler, getHeapSpaceStatistics, setFlagsFromString } = require('node:v8');
  // What V8 inlines need not allocate, and is chance: starts differ by 0.65 %, without it by 0.05.
  if (process.env.PERF_ACTION_COUNTS_ALONE) setFlagsFromString('--no-turbo-inlining');
  const bytesIn = (/** @type {[name: string, bytes: number][]} */ spaces) =>
    spaces.reduce((sum, [name, bytes]) => (COMPILED.test(name) ? sum : sum + bytes), 0);
  const heapBytes = () =>
    bytesIn(getHeapSpaceStatistics().map((space) => [space.space_name, space.space_used_size]));
  /** @param {{ heapSpaceStatistics: { spaceName: string, spaceUsedSize: number }[] }} collection */
  const heapBytesIn = ({ heapSpaceStatistics: spaces }) =>
    bytesIn(spaces.map((space) => [space.spaceName, space.spaceUsedSize]));
  /** How many requests were sent since the last reading, by host. @type {Map<string, number>} */
  let sent = new Map();
  /** Each start has another one. */
  const ownPort = `:${process.env.PORT}`;
  const note = (/** @type {string} */ host) => {
    const name = host.endsWith(ownPort) ? host.slice(0, -ownPort.length) : host;
    sent.set(name, (sent.get(name) ?? 0) + 1);
  };
  const take = () => {
    const by = [...sent].sort(([, a], [, b]) => b - a).slice(0, MOST_HOSTS);
    const count = [...sent.values()].reduce((sum, each) => sum + each, 0);
    sent = new Map();
    return { count, by: Object.fromEntries(by) };
  };
  subscribe?.('http.client.request.start', (/** @type {any} */ { request }) =>
    note(String(request.getHeader('host'))),
  );
  subscribe?.('undici:request:create', (/** @type {any} */ { request }) =>
    note(new URL(request.origin).host),
  );
  /** @type {InstanceType<typeof GCProfiler> | undefined} */
  let collections;
  let heapAtBegin = 0;
  const watchHeap = () => {
    collections?.stop();
    // Node before 18.15 has none.
    collections = GCProfiler && new GCProfiler();
    collections?.start();
    heapAtBegin = heapBytes();
  };
  // How many bytes the connections of a window take does not depend on how many requests it has.
  const onFirst = () => {
    unsubscribe?.(REQUEST, onFirst);
    watchHeap();
  };
  /** Requests between two windows; undefined in the first, before which the server was warmed up. */
  let idle = /** @type {number | undefined} */ (undefined);
  let hasEnded = false;
  return {
    begin() {
      const { count } = take();
      idle = hasEnded ? count : undefined;
      watchHeap();
      subscribe?.(REQUEST, onFirst);
    },
    end(send) {
      const heapAtEnd = heapBytes();
      const outgoing = { ...take(), idle };
      hasEnded = true;
      unsubscribe?.(REQUEST, onFirst);
      const cycles = collections?.stop()?.statistics;
      collections = undefined;
      let [allocated, left] = [0, heapAtBegin];
      for (const { beforeGC, afterGC } of cycles ?? []) {
        allocated += heapBytesIn(beforeGC) - left;
        left = heapBytesIn(afterGC);
      }
      send({ outgoing, ...(cycles && { allocatedBytes: allocated + heapAtEnd - left }) });
    },
  };
});
