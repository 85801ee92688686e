/**
 * Preloaded into a server: makes its start cost EXTRA_START_MS more CPU time, when it is about to listen.
 * Work of a given size, not of a given time, costs the same share where the machine gets slower.
 */

'use strict';

const { Server } = require('node:net');

/** Square roots in some milliseconds of some machine: the share that they cost is measured, and corrected. */
const TURNS_PER_MS = 4e5;
const { listen } = Server.prototype;
/** Outside of the function, so that no compiler leaves the work out. */
let total = 0;

Server.prototype.listen = function (...args) {
  const turns = TURNS_PER_MS * Number(process.env.EXTRA_START_MS);
  for (let turn = 0; turn < turns; turn++) total += Math.sqrt(turn);
  return Reflect.apply(listen, this, args);
};
