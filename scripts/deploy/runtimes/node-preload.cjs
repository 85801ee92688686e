/**
 * Loaded before a server's own code. V8 compiles `process.nextTick` once, from the calls that it has seen by
 * then. Compiled in the middle of the first load, its calls cost a request 0.4 µs in some starts and 11 µs in
 * others (`node bench/preload.js`). So it is compiled here, before anything else, in all starts alike.
 */
'use strict';

/** With 400 ticks in all some starts still fell into the slow state, with 2,000 one of 24. */
const TICKS = 10_000;
/** All ticks at once would leave the server 5 MB larger. */
const BATCH = 100;

function nothing() {}

/** @param {number} left */
function tick(left) {
  // nextTick has a path for each number of arguments.
  for (let call = 0; call < BATCH; call += 4) {
    process.nextTick(nothing);
    process.nextTick(nothing, 1);
    process.nextTick(nothing, 1, 2);
    process.nextTick(nothing, 1, 2, 3);
  }
  if (left > BATCH) process.nextTick(tick, left - BATCH);
}

tick(TICKS);
