/**
 * The other end of preload-channel.js: connects a module in a Node server (CommonJS fits programs of both
 * kinds) to the engine. It listens on no port, keeps no process running, and is silent without the socket.
 */
'use strict';

const { isMainThread } = require('node:worker_threads');

const BEGIN = 'b'.charCodeAt(0);

/**
 * @param {string} variable of the environment, with the socket's path
 * @param {() => { begin?: () => void, end: (send: (answer: unknown) => void) => void }} start is called once,
 *   unless the variable is missing; begin and end are called with each window, and each end sends one answer
 */
exports.answerOn = (variable, start) => {
  const path = process.env[variable];
  if (!isMainThread || path === undefined) return;
  const { connect } = require('node:net');
  const { begin, end } = start();
  const socket = connect(path, () => socket.unref());
  const send = (/** @type {unknown} */ answer) => socket.write(`${JSON.stringify(answer)}\n`);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    for (const byte of chunk) byte === BEGIN ? begin?.() : end(send);
  });
};

/** The inspector of this thread, which answers at once. */
exports.inspector = () => {
  const { Session } = require('node:inspector');
  const session = new Session();
  session.connect();
  const post = (/** @type {string} */ method, /** @type {object} */ params = {}) => {
    /** @type {any} */
    let answer;
    session.post(method, params, (_, result) => (answer = result));
    return answer;
  };
  return { session, post };
};
