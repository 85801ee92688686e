/**
 * Loaded before a server's own code: makes each request cost PLANTED_US microseconds more CPU, on average. A
 * clock ends the work, so no compiler shortens it. Asking the clock takes a tenth of a microsecond, which
 * would hide less work than that; so requests save it up.
 */

'use strict';

const { subscribe } = require('node:diagnostics_channel');

const LEAST_MS = 0.002;
const plantedMs = Number(process.env.PLANTED_US) / 1000;
let owedMs = 0;

subscribe('http.server.request.start', () => {
  owedMs += plantedMs;
  if (owedMs < LEAST_MS) return;
  const end = performance.now() + owedMs;
  owedMs = 0;
  while (performance.now() < end);
});
