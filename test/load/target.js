/** A closed load of one second, for the tests of load tools. */

/** @type {import('../../scripts/types.js').Load} */
export const LOAD = {
  tool: 'autocannon',
  connections: 4,
  durationSeconds: 1,
  warmupSeconds: 0,
  windows: 1,
  keepAlive: true,
  pipelining: 1,
  threads: 1,
};

/**
 * @param {string} url
 * @param {object} [changes] of the load
 * @param {object} [request]
 */
export const target = (url, changes, request) => ({
  load: { ...LOAD, ...changes },
  request: { method: 'GET', path: '/', headers: {}, ...request },
  url,
  seconds: 1,
});
