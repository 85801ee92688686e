/** Preloaded into Node servers, it sends their CPU profiles. */
'use strict';

const { spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { answerOn, inspector } = require('../observe/preload-answers.cjs');

/** Microseconds between two samples of the stack. */
const INTERVAL = 250;
/** If more time passes between two samples, other programs had the processor. */
const LONGEST = 4 * INTERVAL;
/** Of a profile, one after the other: how much they differ says how sure their mean is. */
const PARTS = 12;
/** The function of a profile in which the process does nothing. */
const IDLE = '(idle)';

answerOn('PERF_ACTION_PROFILE', () => {
  // A loop that V8 replaced on the stack before the profile has no name in it, and would count as its caller.
  setFlagsFromString('--no-use-osr');
  const { session } = inspector();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
  const partsOf = profileReader();
  return {
    begin() {
      stayOnProcessor();
      session.post('Profiler.start');
    },
    end: (send) =>
      session.post('Profiler.stop', (error, result) => send(error ? [] : partsOf(result.profile))),
  };
});

/** Made at the start, since the server may change its folder. */
function profileReader() {
  const { join, relative, sep } = require('node:path');
  const { fileURLToPath } = require('node:url');
  const folder = process.cwd();
  const engine = join(__dirname, '..', '..', sep);
  const pathOf = (/** @type {string} */ url) => (url.startsWith('file:') ? fileURLToPath(url) : url);
  const fileOf = (/** @type {string} */ url) => {
    const file = pathOf(url);
    if (!file.startsWith('/')) return url;
    const packages = file.lastIndexOf('/node_modules/');
    return packages < 0 ? relative(folder, file) : file.slice(packages + 1);
  };
  /** @type {(profile: import('node:inspector').Profiler.Profile) => import('../types.js').Profile[]} */
  return ({ nodes, samples = [], timeDeltas = [] }) => {
    /** @type {Map<number, number>[]} */
    const own = Array.from({ length: PARTS }, () => new Map());
    samples.forEach((id, place) => {
      const us = Math.min(LONGEST, Math.max(0, timeDeltas[place] ?? 0));
      const part = own[Math.floor((place * PARTS) / samples.length)];
      part?.set(id, (part.get(id) ?? 0) + us);
    });
    const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
    // The engine's modules in the server and all they call are left out. A parent comes before its children.
    const ours = new Set();
    for (const { id, callFrame } of nodes)
      if (pathOf(callFrame.url).startsWith(engine) || ours.has(parents.get(id))) ours.add(id);
    const theirs = nodes.filter(({ id }) => !ours.has(id));
    const places = new Map(theirs.map(({ id }, place) => [id, place]));
    const frames = theirs.map(({ id, callFrame: { functionName, url, lineNumber } }) => ({
      parent: places.get(parents.get(id) ?? -1) ?? -1,
      name: functionName,
      file: fileOf(url),
      line: lineNumber + 1,
    }));
    return own.map((us) =>
      frames.map((frame, place) => ({
        ...frame,
        us: frame.name === IDLE ? 0 : (us.get(theirs[place]?.id ?? -1) ?? 0),
      })),
    );
  };
}

/**
 * The sampling thread starts on this one's processors. From another its signal may wait until this thread
 * enters the kernel, above all on virtual machines: writev then seemed to take 51 to 89 % of one unchanged
 * server's time, and 43 to 50 % on a shared one. Without /proc or taskset (util-linux) they share none.
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
