/**
 * Makes a server slower by a known amount of work a request: preloaded into it, EXTRA_WORK steps each time. Also with 0,
 * so that a server and its slower copy differ by nothing else.
 */

import { subscribe } from 'node:diagnostics_channel';
import { work } from './work.js';

const WARM_UPS = 1000;
const STEPS = 1000;

const steps = Number(process.env.EXTRA_WORK ?? 0);
// Compiled while requests come in, it cost 33 % of a request instead of 5 in some boots.
for (let i = 0; i < WARM_UPS; i++) work(STEPS);
subscribe('http.server.request.start', () => work(steps));
