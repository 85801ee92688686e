/**
 * Makes a server slower by a known amount of work a request: preloaded into it, EXTRA_WORK steps each time. Also with 0,
 * so that a server and its slower copy differ by nothing else.
 */

import { subscribe } from 'node:diagnostics_channel';
import { work } from './work.js';

const steps = Number(process.env.EXTRA_WORK ?? 0);
subscribe('http.server.request.start', () => work(steps));
