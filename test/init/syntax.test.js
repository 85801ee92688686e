/** The rows of init's table of syntax, by their examples. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLOCKS, MOUNTS, ROUTERS, ROUTES } from '../../scripts/init/routes/syntax.js';

for (const [example, pattern] of [...ROUTES, ...ROUTERS, ...MOUNTS, ...BLOCKS])
  test(`the pattern reads its example: ${example}`, () => {
    const matches = [...example.matchAll(pattern)];
    assert.equal(matches.length, 1);
    const { path = '/path', prefix = '/prefix' } = matches[0]?.groups ?? {};
    assert.deepEqual([path, prefix], ['/path', '/prefix']);
  });
