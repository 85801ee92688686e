/**
 * Preloaded into Node servers, it sends which functions were executed since it last did, with the source of
 * each script once.
 */
'use strict';

const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join, sep } = require('node:path');
const { pathToFileURL } = require('node:url');
const { answerOn, inspector } = require('../observe/preload-answers.cjs');

/** Begin addresses of what is not the server's: Node's modules, and the engine's in the server. */
const ENGINE = join(__dirname, '..', sep);
const OTHERS = ['node:', ENGINE, pathToFileURL(ENGINE).href];
const CODE = /\.[cm]?[jt]sx?$/;

answerOn('PERF_ACTION_COVERAGE', () => {
  const { session, post } = inspector();
  const seen = watchOthers(session);
  post('Profiler.enable');
  post('Debugger.enable');
  post('Debugger.setSkipAllPauses', { skip: true });
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  /** What was not yet sent. @type {{ id: string, url: string, text: string }[]} */
  let scripts = [];
  /** @type {Set<string>} */
  const known = new Set();
  const take = () => {
    /** @type {[string, [string, number, number][]][]} */
    const ran = [];
    for (const { scriptId: id, url, functions } of post('Profiler.takePreciseCoverage').result) {
      if (OTHERS.some((other) => url.startsWith(other))) continue;
      if (!known.has(id))
        scripts.push({ id, url, text: post('Debugger.getScriptSource', { scriptId: id }).scriptSource });
      known.add(id);
      const executed = functions.flatMap(
        (/** @type {any} */ { functionName, ranges: [{ startOffset, endOffset, count }] }) =>
          count > 0 ? [[functionName, startOffset, endOffset]] : [],
      );
      if (executed.length > 0) ran.push([id, executed]);
    }
    return ran;
  };
  /** What ran before the first request. @type {ReturnType<typeof take> | undefined} */
  let start;
  require('node:diagnostics_channel').subscribe('http.server.request.start', () => (start ??= take()));
  let isFirst = true;
  return {
    end(send) {
      const last = take();
      // A process that serves nobody by HTTP has done all that before the first request.
      const [before, ran] = start ? [start, last] : isFirst ? [last, []] : [[], last];
      send({ pid: process.pid, version: process.version, ...seen(), scripts, start: before, ran });
      [isFirst, scripts, start] = [false, [], start && []];
    },
  };
});

/** What coverage does not see. @param {import('node:inspector').Session} session */
function watchOthers(session) {
  /** @type {Set<string>} */
  const unseen = new Set();
  /** @type {Record<string, string>} by path, the hash of the content */
  const others = {};
  const add = (/** @type {string} */ file) => {
    try {
      others[file] ??= createHash('sha1').update(readFileSync(file)).digest('hex');
    } catch {
      others[file] = '';
    }
  };
  session.on(
    'Debugger.scriptParsed',
    (/** @type {{ params: any }} */ { params: { scriptLanguage, url } }) => {
      // The address contains a hash of the code.
      if (scriptLanguage === 'WebAssembly') others[url] = url;
    },
  );
  process.on('worker', () => unseen.add('worker'));
  /** @type {(object: any, name: string, onCall: (...args: any[]) => void) => void} */
  const watch = (object, name, onCall) => {
    const original = object[name];
    object[name] = function (/** @type {any[]} */ ...args) {
      onCall(...args);
      return original.apply(this, args);
    };
  };
  watch(process, 'dlopen', (_, file) => add(file));
  const programs = require('node:child_process');
  const addProgram = () => unseen.add('program');
  watch(programs.ChildProcess.prototype, 'spawn', addProgram);
  for (const name of ['spawnSync', 'execSync', 'execFileSync']) watch(programs, name, addProgram);
  require('node:module').syncBuiltinESMExports();
  return () => {
    for (const file of Object.keys(require.cache)) if (!CODE.test(file)) add(file);
    return { unseen: [...unseen], others };
  };
}
