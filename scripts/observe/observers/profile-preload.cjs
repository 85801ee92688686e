/**
 * Where a Node server's time goes, told by itself: preloaded into it, CommonJS so that it fits programs of both kinds. It keeps
 * no process alive; where the socket is gone, it stays silent.
 */
'use strict';

const { isMainThread } = require('node:worker_threads');

/** Microseconds between two looks at the stack. */
const INTERVAL = 250;
const BEGIN = 'b'.charCodeAt(0);
/** As long may pass between two looks while it works; where it is longer, others had the processor. */
const LONGEST = 4 * INTERVAL;
/** What is no work of the process. */
const IDLE = '(idle)';

const { PERF_ACTION_PROFILE: address } = process.env;
if (isMainThread && address !== undefined) profile(address);

/** @param {string} path of the socket that asks */
function profile(path) {
  const { Session } = require('node:inspector');
  const { connect } = require('node:net');
  const { relative } = require('node:path');
  const { fileURLToPath } = require('node:url');
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
  const folder = process.cwd();
  /** @param {string} url */
  const fileOf = (url) => {
    if (!url.startsWith('file:') && !url.startsWith('/')) return url;
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    const packages = file.lastIndexOf('/node_modules/');
    return packages < 0 ? relative(folder, file) : file.slice(packages + 1);
  };
  /** @param {import('node:inspector').Profiler.Profile} found */
  const told = ({ nodes, samples = [], timeDeltas = [] }) => {
    /** @type {Map<number, number>} */
    const own = new Map();
    samples.forEach((id, place) => {
      const us = Math.min(LONGEST, Math.max(0, timeDeltas[place] ?? 0));
      own.set(id, (own.get(id) ?? 0) + us);
    });
    const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
    const places = new Map(nodes.map(({ id }, place) => [id, place]));
    // A parent stands before its children.
    const ours = new Set();
    for (const { id, callFrame } of nodes)
      if (callFrame.url === __filename || ours.has(parents.get(id))) ours.add(id);
    return nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => ({
      parent: places.get(parents.get(id) ?? -1) ?? -1,
      name: functionName,
      file: fileOf(url),
      line: lineNumber + 1,
      us: functionName === IDLE || ours.has(id) ? 0 : (own.get(id) ?? 0),
    }));
  };
  const socket = connect(path, () => socket.unref());
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    for (const byte of chunk) {
      if (byte === BEGIN) session.post('Profiler.start');
      else
        session.post('Profiler.stop', (error, result) => {
          socket.write(`${JSON.stringify(error ? [] : told(result.profile))}\n`);
        });
    }
  });
}
