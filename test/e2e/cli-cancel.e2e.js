/** A run that is cancelled leaves no process, and keeps what it has measured. */

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALONE, CLI, folder, QUICK, toyFolder } from './command-line.js';

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
