/** What a command leaves running, by real processes: daemons that gave themselves a session and an environment of their own. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from '../scripts/proc.js';
import { startProcessGroup } from '../scripts/process-group.js';

const scratch = mkdtempSync(join(tmpdir(), 'supervisor-'));
after(() => rmSync(scratch, { recursive: true }));

/** A shell's line that starts one, notes its pid in a file, and goes on. @param {string} file @param {string} [does] */
const daemon = (file, does = 'sleep 300') =>
  `setsid env -i PATH="$PATH" sh -c 'echo $$ > ${file}.new; mv ${file}.new ${file}; ${does}' & while [ ! -e ${file} ]; do sleep 0.01; done`;

/** @param {string} file */
async function pidIn(file) {
  while (!existsSync(file)) await sleep(10);
  return Number(readFileSync(file, 'utf8'));
}

/** @param {number[]} pids */
async function allGone(...pids) {
  while (pids.some(isRunning)) await sleep(10);
}

const BOUNDED = { timeout: 30_000 };

test('a daemon with a session and an environment of its own ends with the group', BOUNDED, async () => {
  const file = join(scratch, 'daemon');
  const group = await startProcessGroup(['sh', '-c', `${daemon(file)}; exec sleep 300`]);
  const pid = await pidIn(file);
  assert.ok(isRunning(pid));
  await group.stop();
  assert.equal(isRunning(pid), false);
  assert.equal(isRunning(group.pid), false);
});

test('what a command leaves behind is named and ended, its exit code kept', BOUNDED, async () => {
  const file = join(scratch, 'left');
  const isSleep = `until grep -q sleep "/proc/$(cat ${file})/comm"; do sleep 0.01; done`;
  const group = await startProcessGroup([
    'sh',
    '-c',
    `${daemon(file, 'exec sleep 300')}; ${isSleep}; exit 7`,
  ]);
  assert.deepEqual(await group.exited, { code: 7, signal: null });
  assert.deepEqual(group.left(), ['sleep']);
  assert.equal(isRunning(await pidIn(file)), false);
});

test(
  'a daemon that ignores signals and moves on to a new process all the time is ended',
  BOUNDED,
  async () => {
    const file = join(scratch, 'hopper');
    const hop = `$SIG{TERM} = "IGNORE"; while (1) { exit if fork; }`;
    const group = await startProcessGroup([
      'sh',
      '-c',
      `${daemon(file, `exec perl -e "${hop.replaceAll('$', '\\$').replaceAll('"', '\\"')}"`)}; exit 0`,
    ]);
    assert.deepEqual(await group.exited, { code: 0, signal: null });
  },
);

test('a command that is not there is told as the system tells it', async () => {
  await assert.rejects(startProcessGroup(['no-such-program']), { code: 'ENOENT', path: 'no-such-program' });
});

const MODULE = new URL('../scripts/process-group.js', import.meta.url).href;

for (const signal of /** @type {const} */ (['SIGKILL', 'SIGABRT'])) {
  test(
    `an engine that ends by ${signal} leaves no server, no daemon and no scratch folder`,
    BOUNDED,
    async () => {
      const files = { daemon: join(scratch, `d-${signal}`), server: join(scratch, `s-${signal}`) };
      const folder = join(scratch, `folder-${signal}`);
      mkdirSync(folder);
      const server = `${daemon(files.daemon)}; echo $$ > ${files.server}; exec sleep 300`;
      const engine = spawn(
        process.execPath,
        [
          '--input-type=module',
          '-e',
          `import { startProcessGroup } from ${JSON.stringify(MODULE)};
        await startProcessGroup(['sh', '-c', ${JSON.stringify(server)}], { scratch: ${JSON.stringify(folder)} });
        setInterval(() => {}, 1000);`,
        ],
        { stdio: 'ignore' },
      );
      const pids = [await pidIn(files.daemon), await pidIn(files.server)];
      assert.ok(pids.every(isRunning));
      engine.kill(signal);
      await once(engine, 'exit');
      await allGone(...pids);
      while (existsSync(folder)) await sleep(10);
    },
  );
}

test(
  'a contained command sees no environment outside, signals nobody there, gains no rights, and keeps its files',
  BOUNDED,
  async (t) => {
    const outsider = spawn('sleep', ['300'], { env: { TOKEN_OF_A_LATER_STEP: 'ghs_secret' } });
    t.after(() => outsider.kill('SIGKILL'));
    await once(outsider, 'spawn');
    const script = [
      `cat /proc/${outsider.pid}/environ && echo READ`,
      `kill -KILL ${outsider.pid} && echo KILLED`,
      'grep NoNewPrivs /proc/self/status',
      `mkdir ${scratch}/from ${scratch}/to && touch ${scratch}/from/x && mv ${scratch}/from/x ${scratch}/to/ && echo MOVED`,
    ].join('; ');
    const group = await startProcessGroup(['sh', '-c', script], { contained: true });
    let output = '';
    for (const stream of [group.child.stdout, group.child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    await group.exited;
    if (group.loose !== undefined) return t.skip(`this kernel lacks ${group.loose}`);
    assert.match(output, /Permission denied/);
    assert.match(output, /NoNewPrivs:\s1/);
    assert.match(output, /MOVED/);
    assert.doesNotMatch(output, /READ|KILLED|ghs_secret/);
    assert.ok(isRunning(Number(outsider.pid)));
  },
);
