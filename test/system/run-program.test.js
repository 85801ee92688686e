/** The first step of every program. */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** @param {string} path */
const ours = (path) => fileURLToPath(new URL(`../../scripts/${path}`, import.meta.url));

test('too few open files give one line and exit code 3, wherever they run out', () => {
  const job = { GITHUB_EVENT_PATH: '/dev/null', PERF_INPUTS: '{}' };
  for (const limit of [24, 64, 128])
    for (const program of [ours('cli.js'), ours('github/action.js')]) {
      const args = ['-c', `ulimit -n ${limit}; exec "$0" "$@"`, process.execPath, program, 'plan'];
      const env = { ...process.env, ...job };
      const { status, stdout, stderr } = spawnSync('sh', args, { env, encoding: 'utf8' });
      assert.match(`${stdout}${stderr}`, /^.*may not open enough files at once; .*ulimit -n 1024\n$/);
      assert.equal(status, 3, `${limit} files: ${program}`);
    }
});

/** A program that waits for messages, as the load driver does. */
const WAITING = `import { runProgram } from ${JSON.stringify(ours('system/run-program.js'))};
await runProgram(async () => process.on('message', () => process.send('ready')));`;

test('SIGUSR1 opens no debugger in our programs, the driver of the load among them', async () => {
  for (const args of [['--input-type=module', '-e', WAITING], [ours('load/tools/autocannon-driver.js')]]) {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const printed = text(/** @type {import('node:stream').Readable} */ (child.stderr));
    // A program that answers has set everything up.
    for (const signal of [undefined, /** @type {const} */ ('SIGUSR1')]) {
      if (signal) child.kill(signal);
      child.send([]);
      await once(child, 'message');
    }
    child.disconnect();
    assert.equal(await printed, '');
  }
});

test('the command line and the steps of the action load nothing before that', () => {
  for (const path of ['cli.js', 'github/action.js']) {
    const imports = [...readFileSync(ours(path), 'utf8').matchAll(/^import .*$/gm)].map(([line]) => line);
    assert.equal(imports.length, 1, imports.join('\n'));
    assert.match(imports[0] ?? '', /program\.js'/);
  }
});
