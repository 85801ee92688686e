/**
 * Preloaded into Node servers, it sends which functions were executed since it last did, with the source of
 * each script once.
 */
'use strict';

const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join, sep } = require('node:path');
const { fileURLToPath } = require('node:url');
const { answerOn } = require('../observe/preload-answers.cjs');

/** The engine's own modules in the server. */
const ENGINE = join(__dirname, '..', sep);
const CODE = /\.[cm]?[jt]sx?$/;

answerOn('PERF_ACTION_COVERAGE', () => {
  const { Session } = require('node:inspector');
  const session = new Session();
  session.connect();
  const post = (/** @type {string} */ method, /** @type {object} */ params = {}) => {
    /** @type {any} */
    let answer;
    // The session of the same thread answers at once.
    session.post(method, params, (error, result) => {
      if (error) throw new Error(error.message);
      answer = result;
    });
    return answer;
  };
  const seen = watchOthers(session);
  post('Profiler.enable');
  post('Debugger.enable');
  post('Debugger.setSkipAllPauses', { skip: true });
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  /** @type {Set<string>} of scripts whose source was sent */
  const sent = new Set();
  const take = () => {
    /** @type {{ id: string, url: string, text: string }[]} */
    const scripts = [];
    /** @type {[string, [string, number, number][]][]} */
    const ran = [];
    for (const { scriptId: id, url, functions } of post('Profiler.takePreciseCoverage').result) {
      if (url.startsWith('node:') || pathOf(url).startsWith(ENGINE)) continue;
      if (!sent.has(id))
        scripts.push({ id, url, text: post('Debugger.getScriptSource', { scriptId: id }).scriptSource });
      sent.add(id);
      const executed = functions.flatMap(
        (/** @type {any} */ { functionName, ranges: [{ startOffset, endOffset, count }] }) =>
          count > 0 ? [[functionName, startOffset, endOffset]] : [],
      );
      if (executed.length > 0) ran.push([id, executed]);
    }
    return { scripts, ran };
  };
  /** What ran before the first request. @type {ReturnType<typeof take> | undefined} */
  let start;
  require('node:diagnostics_channel').subscribe('http.server.request.start', () => (start ??= take()));
  let isFirst = true;
  return {
    end(send) {
      const { scripts, ran } = take();
      // A process that serves nobody by HTTP has done all that before the first request.
      const before = isFirst ? (start ?? { scripts: [], ran }) : undefined;
      send({
        ...{ pid: process.pid, version: process.version, ...seen() },
        ...{ scripts: [...(before?.scripts ?? []), ...scripts], start: before?.ran ?? [] },
        ran: before && !start ? [] : ran,
      });
      isFirst = false;
    },
  };
});

/** @param {string} url */
function pathOf(url) {
  return url.startsWith('file:') ? fileURLToPath(url) : url;
}

/**
 * What coverage does not see: workers, other programs, and files that are not JavaScript.
 * @param {import('node:inspector').Session} session
 */
function watchOthers(session) {
  const others = { workers: 0, programs: 0 };
  /** @type {Set<string>} */
  const loaded = new Set();
  /** @type {Set<string>} their addresses contain hashes of their code */
  const assemblies = new Set();
  session.on('Debugger.scriptParsed', (/** @type {{ params: any }} */ { params }) => {
    if (params.scriptLanguage === 'WebAssembly') assemblies.add(params.url);
  });
  process.on('worker', () => others.workers++);
  const { dlopen } = process;
  process.dlopen = function (module, file, ...rest) {
    loaded.add(file);
    return dlopen.call(this, module, file, ...rest);
  };
  countCalls(require('node:child_process'), () => others.programs++);
  /** @type {Record<string, string>} by path, the hash of the content */
  const hashes = {};
  const hashOf = (/** @type {string} */ file) => {
    try {
      return createHash('sha1').update(readFileSync(file)).digest('hex');
    } catch {
      return '';
    }
  };
  return () => {
    for (const file of Object.keys(require.cache)) if (!CODE.test(file)) loaded.add(file);
    for (const file of loaded) hashes[file] ??= hashOf(file);
    return { ...others, assemblies: [...assemblies], files: hashes };
  };
}

/**
 * @param {any} programs node:child_process
 * @param {() => void} onCall
 */
function countCalls(programs, onCall) {
  const watch = (/** @type {any} */ object, /** @type {string} */ name) => {
    const original = object[name];
    object[name] = function (/** @type {any[]} */ ...args) {
      onCall();
      return original.apply(this, args);
    };
  };
  watch(programs.ChildProcess.prototype, 'spawn');
  for (const name of ['spawnSync', 'execSync', 'execFileSync']) watch(programs, name);
  require('node:module').syncBuiltinESMExports();
}
