/**
 * Preloaded into Node programs that `init` tries, it refuses connections to other hosts, and to programs that
 * ran before on this machine, and names them in the log. An installation or a build may download.
 */
'use strict';

const { errorMonitor } = require('node:events');
const { Socket } = require('node:net');

const CLOSED = new Set(process.env.PERF_ACTION_CLOSED?.split(',').map(Number));
const HERE = /^(localhost|127\.[\d.]+|::1|::ffff:127\.[\d.]+|0\.0\.0\.0|::|)$/i;
/** Ports elsewhere; only installations and builds lack this variable. */
const DOWNLOADS = process.env.PERF_ACTION_ROUTES === undefined ? [80, 443] : [];

const { connect } = Socket.prototype;
/** Those that were named in the log. @type {Set<string>} */
const named = new Set();

/** @this {import('node:net').Socket} @param {any[]} args as of net.connect, or one list of them */
Socket.prototype.connect = function guarded(...args) {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const { path, port, host = '' } = Object(first) === first ? first : { port: first, host: second };
  const isHere = typeof host !== 'string' || HERE.test(host);
  const isRefused = isHere ? CLOSED.has(Number(port)) : !DOWNLOADS.includes(Number(port));
  const place = `${host || 'localhost'}:${port}`;
  const name = () => {
    if (!named.has(place)) process.stderr.write(`perf-action refused a connection to ${place}\n`);
    named.add(place);
  };
  if (path || Number.isNaN(Number(port)) || !isRefused) {
    // In a network of its own nothing else listens.
    const emitter = /** @type {import('node:events')} */ (this);
    if (isHere && !path) emitter.once(errorMonitor, ({ code }) => code === 'ECONNREFUSED' && name());
    return Reflect.apply(connect, this, args);
  }
  name();
  const error = Object.assign(new Error(`connect ECONNREFUSED ${place}`), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
    port: Number(port),
  });
  process.nextTick(() => this.destroy(error));
  return this;
};
