/** The server's processes, and the CPU time used between two looks, on made-up process tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { busiest, membersOf, ticksBetween } from '../../scripts/observe/process-tree.js';

/** @typedef {import('../../scripts/system/process/proc.js').Process} Process */

/** @param {Partial<Process>[]} rows */
const table = (...rows) =>
  new Map(
    rows.map((row) => {
      const process = {
        pid: 1,
        name: 'x',
        state: 'S',
        ppid: 1,
        pgrp: 1,
        session: 1,
        startTime: 5,
        ownTicks: 0,
        systemTicks: 0,
        childTicks: 0,
        ...row,
      };
      return [process.pid, process];
    }),
  );

/** @param {Map<number, Process>} processes */
const pids = (processes) => [...processes.keys()].sort((a, b) => a - b);

test('members are the group and its descendants, also outside of the group', () => {
  const all = table(
    { pid: 10, pgrp: 10 },
    { pid: 11, ppid: 10, pgrp: 10 },
    { pid: 12, ppid: 11, pgrp: 12 },
    { pid: 13, ppid: 12, pgrp: 12 },
    { pid: 20, pgrp: 20 },
    { pid: 21, ppid: 20, pgrp: 20 },
  );
  assert.deepEqual(pids(membersOf(all, [10])), [10, 11, 12, 13]);
});

test('a member whose parent has died remains one, another process with its pid does not become one', () => {
  const earlier = membersOf(table({ pid: 10, pgrp: 10 }, { pid: 12, ppid: 10, pgrp: 12 }), [10]);
  const orphan = { pid: 12, ppid: 1, pgrp: 12 };
  assert.deepEqual(pids(membersOf(table(orphan), [10], earlier)), [12]);
  assert.deepEqual(pids(membersOf(table({ ...orphan, startTime: 99 }), [10], earlier)), []);
});

test('a listing with a loop of parents ends', () => {
  assert.deepEqual(pids(membersOf(table({ pid: 2, ppid: 3 }, { pid: 3, ppid: 2 }), [10])), []);
});

test('processes count with what they used since, and new ones with everything', () => {
  const before = table({ pid: 10, ownTicks: 100, childTicks: 7 });
  const after = table(
    { pid: 10, ownTicks: 150, childTicks: 9 },
    { pid: 11, ppid: 10, startTime: 6, ownTicks: 30, childTicks: 1 },
  );
  assert.equal(ticksBetween(before, after, after), 50 + 2 + 31);
});

test('a reaped child counts once, without what it had used before', () => {
  const before = table({ pid: 10, ownTicks: 100 }, { pid: 11, ppid: 10, ownTicks: 400, childTicks: 20 });
  const after = table({ pid: 10, ownTicks: 100, childTicks: 450 });
  assert.equal(ticksBetween(before, after, after), 450 - 420);
});

test('a grandchild that ended with its parent is settled with the ancestor that still runs', () => {
  const before = table(
    { pid: 10 },
    { pid: 11, ppid: 10, ownTicks: 50 },
    { pid: 12, ppid: 11, ownTicks: 300 },
  );
  const after = table({ pid: 10, childTicks: 365 });
  assert.equal(ticksBetween(before, after, after), 15);
});

test('a child that nobody in the group reaped makes no number negative', () => {
  const before = table({ pid: 10, ownTicks: 100 }, { pid: 11, ppid: 10, ownTicks: 400 });
  const after = table({ pid: 10, ownTicks: 120 });
  assert.equal(ticksBetween(before, after, after), 20);
});

test('a pid that was reused is another process', () => {
  const before = table({ pid: 11, ownTicks: 400 });
  const after = table({ pid: 11, startTime: 77, ownTicks: 3 });
  assert.equal(ticksBetween(before, after, after), 3);
});

test('the busiest are listed by name, those of one name together, without the idle ones', () => {
  const before = table({ pid: 10, name: 'node' }, { pid: 11, name: 'cc1' }, { pid: 12, name: 'idle' });
  const after = table(
    { pid: 10, name: 'node', ownTicks: 50 },
    { pid: 11, name: 'cc1', ownTicks: 30 },
    { pid: 12, name: 'idle' },
    { pid: 13, name: 'cc1', ownTicks: 40, startTime: 6 },
  );
  assert.deepEqual(busiest(before, after, after), ['cc1', 'node']);
});

test('threads are more precise than ticks, and ticks include threads that have ended', () => {
  const ns = (/** @type {number} */ ticks) => ticks * 1e7;
  const threads = (/** @type {[number, number][]} */ ...all) =>
    new Map(all.map(([id, ticks]) => [id, ns(ticks)]));
  const before = table({ pid: 10, ownTicks: 100, threads: threads([10, 90.25], [11, 9.5]) });
  /**
   * @param {number} ownTicks
   * @param {Map<number, number>} now
   */
  const used = (ownTicks, now) => {
    const after = table({ pid: 10, ownTicks, threads: now });
    return ticksBetween(before, after, after);
  };
  assert.equal(used(151, threads([10, 130.25], [11, 19.5], [12, 0.75])), 50.75);
  assert.equal(used(150, threads([10, 130.25])), 50, 'a thread that ended leaves its part in the ticks');
  assert.equal(
    used(160, threads([10, 130.25], [11, 9.5])),
    60,
    'so does one that began and ended in between',
  );
  assert.equal(used(101, threads([10, 90.5], [11, 9.5])), 0.25);
});
