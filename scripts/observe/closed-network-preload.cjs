/**
 * Preloaded into Node programs that `init` tries, it refuses connections to other hosts, and to programs that
 * ran before on this machine. An installation or a build may download; package managers may do all.
 */
'use strict';

const { Socket } = require('node:net');

const CLOSED = new Set(process.env.PERF_ACTION_CLOSED?.split(',').map(Number));
const HERE = /^(localhost|127\.[\d.]+|::1|::ffff:127\.[\d.]+|0\.0\.0\.0|::|)$/i;
const MANAGERS = /[/\\](npm|npx|pnpm|pnpx|yarn|yarnpkg|corepack)(-cli)?(\.[cm]?js)?$/;
const DOWNLOADS = [80, 443];
const isServer = process.env.PERF_ACTION_ROUTES !== undefined;

const { connect } = Socket.prototype;
/** Those that were named in the log. @type {Set<string>} */
const named = new Set();

if (!MANAGERS.test(process.argv[1] ?? '')) Socket.prototype.connect = guarded;

/** @this {import('node:net').Socket} @param {any[]} args as of net.connect, or one list of them */
function guarded(...args) {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const {
    path,
    port,
    host = '',
  } = first !== null && typeof first === 'object' ? first : { port: first, host: second };
  const isHere = typeof host !== 'string' || HERE.test(host);
  const isRefused = isHere ? CLOSED.has(Number(port)) : isServer || !DOWNLOADS.includes(Number(port));
  if (path || Number.isNaN(Number(port)) || !isRefused) return Reflect.apply(connect, this, args);
  const place = `${host || 'localhost'}:${port}`;
  if (!named.has(place)) process.stderr.write(`perf-action refused a connection to ${place}\n`);
  named.add(place);
  const error = Object.assign(new Error(`connect ECONNREFUSED ${place}`), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
    port: Number(port),
  });
  process.nextTick(() => this.destroy(error));
  return this;
}
