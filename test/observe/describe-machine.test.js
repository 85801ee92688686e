import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { describeMachine, parseCpu, parseOs } from '../../scripts/observe/describe-machine.js';

/** @param {string} name */
const recorded = (name) => readFileSync(new URL(`../data/observe/${name}`, import.meta.url), 'utf8');

test('the machine is described in the same way twice', () => {
  const known = { runtimes: { node: '20.20.2' }, tools: { autocannon: '9.0.0' } };
  const machine = describeMachine(known);
  assert.deepEqual(machine, describeMachine(known));
  assert.ok(machine.cores >= 1 && machine.memoryBytes > 2 ** 26);
  for (const text of [machine.cpuModel, machine.os, machine.kernel]) assert.match(text, /\w/);
  assert.equal(machine.runner, 'local');
  assert.deepEqual([machine.runtimes, machine.tools], [known.runtimes, known.tools]);
  assert.match(machine.fingerprint, /^[0-9a-f]{8}$/);
});

test('runner and versions of programs do not change the fingerprint', () => {
  const here = describeMachine({ runtimes: {}, tools: {} });
  const there = describeMachine({
    runtimes: { node: '24.1.0' },
    tools: { wrk: '4.1' },
    runner: 'self-hosted',
  });
  assert.equal(there.runner, 'self-hosted');
  assert.equal(there.fingerprint, here.fingerprint);
});

test('processors have a name, and the numbers behind it', () => {
  assert.deepEqual(parseCpu(recorded('amd.cpuinfo')), { model: 'AMD EPYC', kind: '26/2/1' });
  assert.deepEqual(parseCpu(recorded('arm.cpuinfo')), { model: 'ARM 0x41 0xd0c', kind: '' });
  assert.deepEqual(parseCpu(''), { model: undefined, kind: '' });
});

test('a point release is part of the name, but not of the release', () => {
  const ubuntu =
    'PRETTY_NAME="Ubuntu 24.04.3 LTS"\nNAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\nID_LIKE=debian\n';
  assert.deepEqual(parseOs(ubuntu), { name: 'Ubuntu 24.04.3 LTS', release: 'ubuntu 24.04' });
  assert.deepEqual(parseOs('PRETTY_NAME="Arch Linux"\nID=arch\n'), { name: 'Arch Linux', release: 'arch' });
  assert.deepEqual(parseOs(''), { name: undefined, release: undefined });
});
