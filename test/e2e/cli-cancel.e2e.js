/**
 * A run that is cancelled leaves no process, and keeps what it has measured; one that is killed leaves the
 * last results.
 */

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ALONE, CLI, cli, folder, QUICK, toyFolder } from './command-line.js';

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  test(`${signal} leaves no process and keeps what was measured`, async () => {
    const out = `cancelled-${signal}`;
    const server = toyFolder('forks-child');
    const args = [
      CLI,
      'run',
      `--servers=${server}`,
      ...ALONE,
      ...QUICK,
      '--rate=100',
      '--rounds=50',
      `--out=${out}`,
    ];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    await new Promise((resolve) => {
      let text = '';
      child.stderr.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
        if (/\[1\/50\]/.test(text)) resolve(undefined);
      });
    });
    child.kill(signal);
    const code = await new Promise((resolve) => child.once('exit', resolve));
    assert.equal(code, 3);
    const run = JSON.parse(readFileSync(join(folder, out, 'run.json'), 'utf8'));
    assert.ok(run.cases[0].trials.length >= 1);
    assert.equal(run.warnings[0].code, 'cancelled');
    assert.match(readFileSync(join(folder, out, 'report.md'), 'utf8'), /cancelled after \d+ of 50 starts/);
    const left = await new Promise((resolve) => {
      execFile('pgrep', ['-f', join(folder, 'forks-child')], (_error, stdout) => resolve(stdout.trim()));
    });
    assert.equal(left, '');
  });
}

test('a run that is killed leaves the last results, and the next one what it measured', async () => {
  const out = join(folder, 'killed');
  const args = [
    'run',
    `--servers=${toyFolder('forks-child')}`,
    ...ALONE,
    ...QUICK,
    '--rate=100',
    `--out=${out}`,
  ];
  assert.equal((await cli(...args)).code, 0);
  const left = () => ['run.json', 'report.html'].map((name) => readFileSync(join(out, name), 'utf8'));
  const before = left();
  const child = spawn(process.execPath, [CLI, ...args, '--rounds=4'], { cwd: folder, stdio: 'ignore' });
  const unfinished = join(out, 'unfinished/run.json');
  while (!existsSync(unfinished)) await setTimeout(50);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.deepEqual(left(), before);
  const { unfinished: planned } = JSON.parse(readFileSync(unfinished, 'utf8'));
  assert.deepEqual(planned, { planned: 4 });
  assert.equal((await cli(...args)).code, 0);
  assert.notEqual(left()[1], before[1]);
  assert.ok(!existsSync(join(out, 'unfinished')));
});
