/**
 * Preloaded into Node servers, makes every HTTP server of the process an HTTPS one without changing its code.
 * CommonJS fits programs of both kinds.
 */
'use strict';

const { readFileSync } = require('node:fs');

const { PERF_ACTION_TLS_KEY: key, PERF_ACTION_TLS_CERTIFICATE: certificate } = process.env;
if (key !== undefined && certificate !== undefined) {
  const http = /** @type {any} */ (require('node:http'));
  const https = require('node:https');
  const identity = { key: readFileSync(key), cert: readFileSync(certificate) };
  /** @type {(...args: any[]) => import('node:https').Server} */
  const createServer = (options, listener) =>
    typeof options === 'function'
      ? https.createServer(identity, options)
      : https.createServer({ ...options, ...identity }, listener);
  const { prototype } = http.Server;
  http.createServer = createServer;
  // With `new`, a function returns its own object.
  http.Server = function Server(/** @type {any[]} */ ...args) {
    return createServer(...args);
  };
  http.Server.prototype = prototype;
  require('node:module').syncBuiltinESMExports();
}
