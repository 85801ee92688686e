/** Preloaded into a server: makes its start take EXTRA_START_MS longer, when it is about to listen. */

'use strict';

const { Server } = require('node:net');

const { listen } = Server.prototype;

Server.prototype.listen = function (...args) {
  const end = performance.now() + Number(process.env.EXTRA_START_MS);
  while (performance.now() < end);
  return Reflect.apply(listen, this, args);
};
