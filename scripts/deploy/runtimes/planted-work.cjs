/** Loaded before a server's own code: makes each request cost PLANTED_US microseconds more CPU. A clock ends the work, so no compiler shortens it. */

'use strict';

const { subscribe } = require('node:diagnostics_channel');

const plantedMs = Number(process.env.PLANTED_US) / 1000;

subscribe('http.server.request.start', () => {
  const end = performance.now() + plantedMs;
  while (performance.now() < end);
});
