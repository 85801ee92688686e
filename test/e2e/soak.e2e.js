/** `soak`: servers with a leak of requests, with one of a timer and with none, and what cannot be soaked. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readRunConfig } from '../../scripts/session/run-config.js';
import { soak, SOAK_OPTIONS } from '../../scripts/session/experiments/soak.js';
import { runSession } from '../../scripts/session/session.js';
import { runCommands } from '../commands.js';
import { folder } from './command-line.js';

/** Half a minute cannot exclude less. In bytes an hour; the leaks here make over a gigabyte. */
const LEAST = 120e6;
const SCHEDULE = { cycles: 12, loadSeconds: 1, restSeconds: 1.5 };
const LOAD = { connections: '8', rate: '600', routes: '/' };

/**
 * @param {string} name
 * @param {string} leak run before the server listens
 * @param {string} perRequest
 */
function serverFolder(name, leak, perRequest = '') {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'server.yml'), 'start: node server.mjs\nroutes: [/]\n');
  writeFileSync(
    join(home, 'server.mjs'),
    `import { createServer } from 'node:http';
const kept = [];
const leak = () => kept.push(new Array(512).fill(0.5));
${leak}
createServer((request, response) => { ${perRequest}; response.end('hello'); }).listen(process.env.PORT, process.env.HOST);
`,
  );
  return home;
}

/** @param {string} home */
function soaked(home) {
  const config = readRunConfig({ ...LOAD, servers: home, ...SOAK_OPTIONS }, home);
  const { signal } = new AbortController();
  const io = { cwd: home, env: process.env, stderr: { write: () => true }, signal };
  return runSession(soak(config, SCHEDULE, { ...io, least: LEAST }), io);
}

test(
  'leaks are found with their cause, and a clean server has none',
  { skip: !process.env.PERF_TEST_ALL },
  async () => {
    const [requests, timer, clean] = await Promise.all([
      soaked(serverFolder('leaks-requests', '', 'leak()')),
      soaked(serverFolder('leaks-time', 'setInterval(leak, 10)')),
      soaked(serverFolder('clean', '')),
    ]);
    const verdicts = [requests, timer, clean].map(({ soak: { verdict, growsWith }, code }) => [
      verdict,
      growsWith,
      code,
    ]);
    const all = [requests, timer, clean].map(({ soak: { readings: _, ...facts } }) => facts);
    assert.deepEqual(
      verdicts,
      [
        ['leaks', 'requests', 1],
        // A busy machine runs timers late, and then half a minute names no cause.
        ['leaks', timer.soak.growsWith && 'time', 1],
        ['does-not-leak', undefined, 0],
      ],
      JSON.stringify(all, null, 1),
    );
    // An array of 512 numbers has 4 kB: as many as stand out from what a busy machine collects late.
    const { value = 0 } = requests.soak.bytesPerRequest ?? {};
    assert.ok(value > 3600 && value < 5200, `${value} bytes a request`);
    const file = join(folder, 'leaks-requests', requests.out, 'soak.json');
    const schema = new URL('../../scripts/store/soak.schema.json', import.meta.url);
    const validate = new Ajv2020().compile(JSON.parse(readFileSync(schema, 'utf8')));
    assert.ok(validate(JSON.parse(readFileSync(file, 'utf8'))), JSON.stringify(validate.errors));
    assert.match(readFileSync(join(file, '../report.md'), 'utf8'), /^## 🔴 .*grows with requests\n/);
  },
);

test('what cannot be soaked gets one line', async () => {
  /** @type {[args: string[], line: RegExp][]} */
  const mistakes = [
    [['--servers', 'spring-tomcat', '--routes', '/'], /soak: .*spring-tomcat runs on java; .*--servers/],
    [['--servers', 'node-http', '--for', '90s'], /--for: "90s" is too short .*use at least 2m/],
    [['--servers', 'node-http', '--for', 'long'], /--for: "long" is not a valid duration/],
    [['--servers', 'node-http', '--against', 'main'], /unknown option --against of soak/],
    [['--servers', 'node-http', '--capacity'], /unknown option --capacity of soak/],
  ];
  const commands = mistakes.map(([args]) => ({ args: ['soak', ...args] }));
  for (const [nth, { code, stdout, stderr }] of (await runCommands(commands, { cwd: folder })).entries()) {
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, new RegExp(`^perf-action: ${mistakes[nth]?.[1].source}.*\n$`));
  }
});
