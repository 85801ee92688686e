/**
 * Runs several instances of a Node server without changing its code: preloaded into the processes of its start command, it
 * lets the manager's primary take the place of the server's own script. CommonJS, so that it fits programs of both kinds.
 */
'use strict';

const { realpathSync } = require('node:fs');
const Module = require('node:module');
const { isMainThread } = require('node:worker_threads');

/** What only starts the server's own script, in a process of its own: npm, yarn, tsx, nest. */
const LAUNCHERS = /[\\/](node_modules|corepack|\.yarn)[\\/]|^\/usr\/share\/nodejs\//;

const { PERF_ACTION_PRIMARY: primary } = process.env;
if (isMainThread && primary !== undefined) {
  // The one place where a preloaded module can say what is run; see Node's lib/internal/main/run_main_module.js.
  const { runMain } = /** @type {any} */ (Module);
  /** @type {any} */ (Module).runMain = (/** @type {unknown[]} */ ...args) => {
    if (LAUNCHERS.test(realpathSync(process.argv[1] ?? ''))) return runMain(...args);
    return require(primary);
  };
}
