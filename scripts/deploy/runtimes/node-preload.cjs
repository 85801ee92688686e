/** Loaded before a server's own code, so that its starts are alike and two of it can run at once. */
'use strict';

const { Server } = require('node:net');

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

const named = Number(process.env.PORT);
const { listen } = Server.prototype;

/**
 * Where a port that the server chose itself is taken, it listens on the one that the variable PORT names.
 * @this {import('node:net').Server} @param {any[]} args as of server.listen
 */
Server.prototype.listen = function listenOrMove(...args) {
  const port = Number(args[0]?.port ?? args[0]);
  const { emit } = this;
  if (port > 0 && named > 0 && port !== named)
    this.emit = function moving(/** @type {any} */ name, /** @type {any[]} */ ...[error]) {
      // Deleting it would give this object another shape.
      if (name === 'error' || name === 'listening') this.emit = emit;
      // A primary listens for its workers, which move.
      const { workers = {} } = /** @type {any} */ (require('node:cluster'));
      const isMoving = error?.code === 'EADDRINUSE' && Object.keys(workers).length === 0;
      if (!isMoving) return Reflect.apply(emit, this, arguments);
      Reflect.apply(listen, this, [{ port: named, host: error.address }]);
      return true;
    };
  return Reflect.apply(listen, this, args);
};
