/** The door forwards plain HTTP to other hosts; an address of a network of its own stands for one of them. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { canBeAlone } from '../../scripts/session/experiments/try-server.js';

const DOOR = JSON.stringify(
  new URL('../../scripts/session/experiments/download-door.js', import.meta.url).href,
);
const ELSEWHERE = '198.51.100.1:8080';
const INSIDE = `import { openDoor } from ${DOOR};
await openDoor();
console.log(process.env.http_proxy);
process.stdin.resume();`;
/** Sends what its arguments say, and prints the answers. */
const OUTSIDE = `import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveDoor } from ${DOOR};

const child = spawn(process.execPath, ['--input-type=module', '--eval', process.argv[1]], { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] });
serveDoor(child, {});
const [place] = await once(child.stdout, 'data');
createServer((asked, answer) => {
  const { host, 'proxy-connection': proxied } = asked.headers;
  asked.pipe(answer.writeHead(201, { 'x-asked': [asked.method, asked.url, host, proxied].join(' ').trim() }));
}).listen(8080);
for (const path of process.argv.slice(2)) {
  const sent = request(String(place).trim(), { method: 'POST', path, headers: { 'proxy-connection': 'keep-alive' } });
  const [answer] = await once(sent.end('body'), 'response');
  console.log(answer.statusCode, answer.headers['x-asked'], await text(answer));
}
process.exit();`;

const IN_NETWORK = [
  ...['unshare', '--net', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])],
  ...['sh', '-c', 'ip link set lo up && ip route add local 198.51.100.0/24 dev lo && exec "$@"', 'sh'],
];

test(
  'a request of plain HTTP reaches another host, and no port of this machine',
  { skip: !canBeAlone() && 'this system gives no network of its own' },
  () => {
    const paths = [`http://${ELSEWHERE}/a?b`, 'http://localhost:8080/', 'http://[::1]:8080/', '/a'];
    const [command = '', ...rest] = [
      ...IN_NETWORK,
      ...[process.execPath, '--input-type=module', '--eval', OUTSIDE, INSIDE, ...paths],
    ];
    const { stdout, stderr } = spawnSync(command, rest, { encoding: 'utf8', timeout: 20_000 });
    const refused = '403 undefined ';
    assert.deepEqual(
      stdout.trimEnd().split('\n'),
      [`201 POST /a?b ${ELSEWHERE} body`, refused, refused, refused.trim()],
      stderr,
    );
  },
);
