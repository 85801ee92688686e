/** What a report says differs between runs of different days or machines. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from '../../scripts/judge/compare.js';
import { caseOf, runOf, seededNormal, startsOf } from './runs.js';

const random = seededNormal(8);
const BASE = {
  ...runOf([caseOf('app', startsOf({ level: 1e4, noise: 0.01, starts: 5, random }))], { session: 'before' })
    .environment,
  runtimes: { node: '24.1.0' },
  tools: { autocannon: '8.0.0' },
  kernel: '6.8.0-1',
};

/**
 * @param {Partial<import('../../scripts/types.js').Environment>} changes
 * @param {string} [session]
 */
function differsWith(changes, session = 'after') {
  const [before, after] = ['before', session].map((each) =>
    runOf([caseOf('app', startsOf({ level: 1e4, noise: 0.01, starts: 5, random }))], { session: each }),
  );
  assert.ok(before && after);
  return compare({ ...before, environment: BASE }, { ...after, environment: { ...BASE, ...changes } });
}

test('versions and parts of the machine that changed are listed, and nothing that one run does not name', () => {
  const { differs } = differsWith({
    runtimes: { node: '24.2.0', java: '21' },
    kernel: '6.8.0-2',
    cpuModel: 'unknown',
    memoryBytes: 17.1e9,
  });
  assert.deepEqual(differs, [
    { fact: 'node', base: '24.1.0', head: '24.2.0' },
    { fact: 'kernel', base: '6.8.0-1', head: '6.8.0-2' },
  ]);
});

test('sides of one session share everything', () => {
  assert.equal(differsWith({}, 'before').differs, undefined);
});
