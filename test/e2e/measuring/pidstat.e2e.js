/** The CPU figure that says whether a server is at its limit, beside what another program measures. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startServer } from '../../../scripts/deploy/start/start-server.js';
import { startLoading } from '../../../scripts/load/load.js';
import { membersOf } from '../../../scripts/observe/process-tree.js';
import { startWindow } from '../../../scripts/observe/observe.js';
import { readServer } from '../../../scripts/catalog/catalog.js';
import { readProcesses } from '../../../scripts/system/process/proc.js';
import { ROOT } from '../tools.js';
import { thisProcess } from '../../../scripts/system/this-project.js';

test("a server's CPU seconds agree with pidstat", { skip: process.platform !== 'linux' }, async () => {
  const { signal } = new AbortController();
  const instance = await startServer(readServer(join(ROOT, 'servers/node-http'), thisProcess()), { signal });
  const loading = startLoading();
  try {
    const pids = [...membersOf(readProcesses(), [instance.pid]).keys()];
    // It looks on from before the window until after it: outside of it, the server rests.
    const watched = promisify(execFile)('pidstat', ['-u', '-p', pids.join(','), '1', '6'], {
      env: { ...process.env, S_TIME_FORMAT: 'ISO', LC_ALL: 'C' },
    });
    await sleep(1000);
    const window = startWindow(instance.pid);
    /** @type {import('../../../scripts/types.js').Load} */
    const load = {
      tool: 'wrk',
      connections: 32,
      durationSeconds: 3,
      warmupSeconds: 0,
      keepAlive: true,
      pipelining: 1,
      threads: 1,
    };
    const request = { method: 'GET', path: '/', headers: {} };
    await loading.load({ load, request, url: instance.url, seconds: 3, signal });
    const { cpu } = await window.stop();
    const { stdout } = await watched;
    const percents = stdout.split('\n').flatMap((line) => {
      const cells = line.trim().split(/\s+/);
      return /^\d\d:/.test(line) && cells.length >= 10 && cells[2] !== 'PID' ? Number(cells[7]) : [];
    });
    const reported = percents.reduce((sum, each) => sum + each, 0) / 100;
    const ours = cpu?.serverSeconds ?? Number.NaN;
    assert.ok(ours > 0.3, `${ours} s`);
    assert.ok(
      Math.abs(reported - ours) < 0.2 + 0.05 * ours,
      `pidstat ${reported} s, ours ${ours} s\n${stdout}`,
    );
  } finally {
    await instance.stop();
    await loading.stop();
  }
});
