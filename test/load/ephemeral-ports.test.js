/** A load tool that runs out of ports says so, in a separate network with few of them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./few-ports.js', import.meta.url));
/** 100 ports, each at rest for a minute: only root of a namespace may set that. */
const SETTINGS = ['ip_local_port_range', 'tcp_tw_reuse'].map((name) => `/proc/sys/net/ipv4/${name}`);
const SCRIPT = `echo 32768 32867 > ${SETTINGS[0]} && echo 0 > ${SETTINGS[1]} && exec "$0" "$@"`;

/** @param {string[]} args */
function inside(...args) {
  return spawnSync('unshare', ['-rn', 'sh', '-c', SCRIPT, process.execPath, ...args], { encoding: 'utf8' });
}

const skip = inside('-e', '').status === 0 ? false : 'this machine allows no separate networks';

test('a load tool that runs out of ports has not measured the server', { skip }, () => {
  const { stdout, stderr } = inside(PROGRAM, 'wrk');
  assert.equal(stderr, '');
  const { kind, message } = JSON.parse(stdout);
  assert.equal(kind, 'load-tool-crashed');
  assert.match(
    message,
    /^the load tool used up the 100 ports .* \(32768 to 32867\): this server leaves it to its clients/,
  );
});
