/** A package under test: a commit that makes it slower, and one that does not. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSlowCommit, LIBRARIES, repository } from './library.js';

const MONOREPO = LIBRARIES['monorepo of two packages'] ?? assert.fail();

test('the slow commit of a monorepo of two packages is found, and the function is named in the package’s file', () =>
  findSlowCommit(MONOREPO));

test('a commit that changes a comment is not slower', async () => {
  const { run, result, commit } = await repository(MONOREPO);
  await commit({ [MONOREPO.slow]: `${MONOREPO.text(1)}// The same.\n` }, 'a comment');
  const { code, stdout, stderr } = await run('--against', 'HEAD~1', '--rounds', '2');
  assert.equal(code, 0, stdout + stderr);
  assert.ok(['same', 'unsure', 'improved'].includes(result('comparison.json').verdict));
});
