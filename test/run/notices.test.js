/** What a run notices by itself, from its trials. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noticesOf } from '../../scripts/run/notices.js';
import { sampleRun } from '../report/sample.js';

const { cases } = sampleRun();

/**
 * @param {(string[] | undefined)[]} windows who else was busy in each
 * @param {number} [fixedPort]
 */
const trial = (windows, fixedPort) => ({
  round: 0,
  failure: null,
  windows: windows.map((others) => ({ seconds: 1, requests: 1, ...(others && { others }) })),
  ...(fixedPort !== undefined && { fixedPort }),
});

test('who used the machine is told once, whoever was there most often first', () => {
  const told = noticesOf({ cases }, [
    [[trial([undefined, ['cc1', 'make']])], [trial([['node', 'cc1', 'sh']])]],
    [[trial([['cc1', 'node', 'make']])]],
  ]);
  assert.deepEqual(told, [
    {
      code: 'machine-shared',
      shared: 3,
      windows: 4,
      programs: ['cc1', 'make', 'node'],
    },
  ]);
});

test('a port that a server insists on is told of its case, nothing of an undisturbed run', () => {
  const told = noticesOf({ cases }, [[[trial([undefined])], [trial([undefined], 3000)]]]);
  assert.deepEqual(
    told.map(({ code, case: of, port }) => [code, of, port]),
    [['fixed-port', cases[1]?.id, 3000]],
  );
});
