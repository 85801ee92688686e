/**
 * Runs several instances of a Node server without changing its code: preloaded into the processes of its
 * start command, it runs the manager's primary in place of the server's script. CommonJS fits all programs.
 */
'use strict';

const Module = require('node:module');
const { isMainThread } = require('node:worker_threads');

/** Programs that only start the server's script in another process: npm, yarn, tsx, nest. */
const LAUNCHERS = /[\\/](node_modules|corepack|\.yarn)[\\/]|^\/usr\/share\/nodejs\//;

const { PERF_ACTION_PRIMARY: primary } = process.env;
if (isMainThread && primary !== undefined) {
  // A preloaded module can choose what runs only here; see Node's lib/internal/main/run_main_module.js.
  const { runMain } = /** @type {any} */ (Module);
  /** @type {{ runMain: (...args: unknown[]) => unknown }} */ (Module).runMain = (...args) => {
    // As Node finds it: `node index` runs index.js, and a link what it leads to.
    if (LAUNCHERS.test(require.resolve(process.argv[1] ?? ''))) return runMain(...args);
    return require(primary);
  };
}
