/** The parsers, on recorded output of kernels, and this process. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { scratchFolder } from '../scratch.js';
import {
  parseProcess,
  readMachine,
  readResidentBytes,
  requireProc,
} from '../../scripts/system/process/proc.js';

/** @param {string} name */
const recorded = (name) => readFileSync(new URL(`../data/observe/${name}`, import.meta.url), 'utf8');

test('a process name may contain spaces and parentheses', () => {
  assert.deepEqual(parseProcess(recorded('odd-name.stat')), {
    pid: 4711,
    name: 'node (v20) :) x',
    state: 'S',
    ppid: 4700,
    pgrp: 4690,
    session: 4690,
    startTime: 660790,
    ownTicks: 345 + 67,
    systemTicks: 67,
    childTicks: 89 + 10,
  });
});

test('the machine’s time counts guest time once', () => {
  assert.deepEqual(readMachine(recorded('machine.stat')), {
    cores: 2,
    processTicks: 7593 + 12 + 6842,
    interruptTicks: 5 + 711,
    stealTicks: 18,
  });
});

test('resident memory is in bytes, and a process without any has none', () => {
  assert.equal(readResidentBytes(1, 'Name:\tnode\nVmRSS:\t   45056 kB\nThreads:\t11\n'), 45056 * 1024);
  assert.equal(readResidentBytes(1, 'Name:\tkworker\nState:\tI (idle)\nThreads:\t1\n'), undefined);
  assert.ok(Number(readResidentBytes(process.pid)) > 2 ** 20);
  assert.equal(readResidentBytes(2 ** 30), undefined);
});

test('a hidden /proc is refused in one line', { skip: process.platform !== 'linux' }, () => {
  requireProc();
  const folder = scratchFolder();
  assert.throws(() => requireProc(folder), {
    name: 'UserError',
    message: /is not mounted here, .*; mount it /,
  });
});
