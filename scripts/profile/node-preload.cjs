/**
 * Where a Node server's time goes, told by itself: preloaded into it, CommonJS so that it fits programs of both kinds. It keeps
 * no process alive; where the socket is gone, it stays silent.
 */
'use strict';

const { spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
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
  const { join, relative, sep } = require('node:path');
  const { fileURLToPath } = require('node:url');
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
  const folder = process.cwd();
  const engine = join(__dirname, '..', '..', sep);
  const pathOf = (/** @type {string} */ url) => (url.startsWith('file:') ? fileURLToPath(url) : url);
  /** @param {string} url */
  const fileOf = (url) => {
    const file = pathOf(url);
    if (!file.startsWith('/')) return url;
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
    // What the engine put into the server is no part of it, with all it calls. A parent stands before its children.
    const ours = new Set();
    for (const { id, callFrame } of nodes)
      if (pathOf(callFrame.url).startsWith(engine) || ours.has(parents.get(id))) ours.add(id);
    const theirs = nodes.filter(({ id }) => !ours.has(id));
    const places = new Map(theirs.map(({ id }, place) => [id, place]));
    return theirs.map(({ id, callFrame: { functionName, url, lineNumber } }) => ({
      parent: places.get(parents.get(id) ?? -1) ?? -1,
      name: functionName,
      file: fileOf(url),
      line: lineNumber + 1,
      us: functionName === IDLE ? 0 : (own.get(id) ?? 0),
    }));
  };
  const socket = connect(path, () => socket.unref());
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    for (const byte of chunk) {
      if (byte === BEGIN) {
        stayOnProcessor();
        session.post('Profiler.start');
      } else
        session.post('Profiler.stop', (error, result) => {
          socket.write(`${JSON.stringify(error ? [] : told(result.profile))}\n`);
        });
    }
  });
}

/**
 * The thread that looks starts on the processors of this one. From another processor its signal may wait until this thread enters
 * the kernel for a reason of its own, on virtual machines above all: writev then seemed to take 51 to 89 % of one unchanged
 * server's time, and 43 to 50 % where both share a processor. Without /proc or taskset (util-linux) they do not.
 */
function stayOnProcessor() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The 39th field, and the name before the third may have spaces (proc_pid_stat(5)).
    const processor = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[36];
    spawnSync('taskset', ['--cpu-list', '--pid', `${processor}`, `${process.pid}`], { stdio: 'ignore' });
  } catch {
    // A server may be forbidden to read files or to start programs.
  }
}
