/** Where the time of a Node server goes, asked of a real one. */

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { boot } from '../../scripts/boot/boot.js';
import { startWindow } from '../../scripts/observe/observe.js';
import { enterProfiled } from '../../scripts/observe/observers/profile.js';

const SERVER = `import { createServer } from 'node:http';
import { burn } from './lib/burn.js';
const answer = (url) => (url === '/ready' ? 'yes' : String(burn()));
createServer((request, response) => response.end(answer(request.url))).listen(Number(process.env.PORT), process.env.HOST);
`;
const BURN = `// So that it does not begin at the top.
export function burn() {
  let sum = 0;
  for (let i = 0; i < 1e7; i++) sum += Math.sqrt(sum + i);
  return sum;
}
`;

test('the busiest function is told by its name, file and line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perf-profile-'));
  mkdirSync(join(folder, 'lib'));
  writeFileSync(join(folder, 'server.mjs'), SERVER);
  writeFileSync(join(folder, 'lib/burn.js'), BURN);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  /** @type {import('../../scripts/types.js').Server} */
  const server = {
    ...{ id: 'app', name: 'app', runtime: 'node', folder, env: {}, needs: [] },
    // V8 of Node 26 counts a loop that it replaces while it runs to the caller of its function.
    start: ['node', '--no-use-osr', 'server.mjs'],
    ready: { path: '/ready', timeoutSeconds: 30 },
    routes: [{ id: '/', method: 'GET', path: '/', headers: {}, expect: { status: 200 } }],
  };
  const inside = await enterProfiled('node');
  const instance = await boot(server, { signal: new AbortController().signal, inside });
  try {
    for (let turn = 0; turn < 2; turn++) {
      const window = startWindow(instance.pid, { runtime: 'node', inside });
      for (let request = 0; request < 4; request++) await (await fetch(instance.url)).text();
      const { profiles = [] } = await window.stop();
      assert.equal(profiles.length, 1);
      const [busiest] = (profiles[0] ?? []).toSorted((a, b) => b.us - a.us);
      assert.deepEqual(
        [busiest?.name, busiest?.file, busiest?.line],
        ['burn', join('lib', 'burn.js'), 2],
        JSON.stringify(busiest),
      );
      assert.ok(profiles[0]?.every(({ parent }, place) => parent < place));
      assert.deepEqual(
        profiles[0]?.filter(({ file }) => file.startsWith('..')),
        [],
        'the modules that the engine loads into it are no part of a server',
      );
    }
  } finally {
    await instance.stop();
    for (const each of inside) await each.stop();
    rmSync(folder, { recursive: true });
  }
});

test('no other runtime is profiled', async () => {
  assert.deepEqual(await enterProfiled('java'), []);
});
