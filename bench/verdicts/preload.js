/**
 * Makes a server slower by a known amount of work a request: preloaded into it, the checksum of EXTRA_BYTES bytes each time, beside
 * those that a server and its slower copy both take, since to begin at all costs more than the bytes. Its start takes EXTRA_START_MS longer.
 */

import { subscribe } from 'node:diagnostics_channel';
import { work } from './work.js';

const BOTH = 1024;
const block = Buffer.alloc(BOTH + Number(process.env.EXTRA_BYTES));
subscribe('http.server.request.start', () => work(block));

const end = performance.now() + Number(process.env.EXTRA_START_MS);
while (performance.now() < end);
