/** Loaded before a server's own code, so that its starts are alike and two of it can run at once. */
'use strict';

/** With 400 ticks in all some starts still fell into the slow state, with 2,000 one of 24. */
const TICKS = 10_000;
/** All ticks at once would leave the server 5 MB larger. */
const BATCH = 100;

function nothing() {}

/**
 * V8 compiles `process.nextTick` once, from the calls that it has seen by then. Compiled in the middle of the
 * first load, its calls cost a request 0.4 µs in some starts and 11 µs in others (`node bench/preload.js`).
 * So it is compiled here, before anything else, in all starts alike.
 * @param {number} left
 */
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

const [named, own] = [process.env.PORT, process.env.PERF_ACTION_OWN_PORT].map(Number);
if (own) {
  const { prototype } = require('node:net').Server;
  const { listen } = prototype;
  /** On the port that PORT names instead of its own. @param {any[]} args as of server.listen */
  prototype.listen = function moved(...args) {
    const [first, ...rest] = args;
    const isOwn = Number(first?.port ?? first) === own;
    const place = Object(first) === first ? { ...first, port: named } : named;
    return Reflect.apply(listen, this, isOwn ? [place, ...rest] : args);
  };
}
