/**
 * Makes a server slower by a known amount of work a request: preloaded into it, the checksum of EXTRA_BYTES bytes each time.
 * Also with 0, so that a server and its slower copy differ by nothing else.
 */

import { subscribe } from 'node:diagnostics_channel';
import { work } from './work.js';

const block = Buffer.alloc(Number(process.env.EXTRA_BYTES));
subscribe('http.server.request.start', () => work(block));
