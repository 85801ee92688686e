import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverCoresOf } from '../../scripts/run/record/assemble.js';

test('a server can use the cores that its runtime supports and the load tool leaves', () => {
  assert.equal(serverCoresOf({ runtime: 'node', clientCores: 1 }, 8), 1);
  assert.equal(serverCoresOf({ runtime: 'go', clientCores: 2 }, 8), 6);
  assert.equal(serverCoresOf({ runtime: 'java', clientCores: 2 }, 2), 1);
  assert.equal(serverCoresOf({ runtime: 'java', processors: 2, clientCores: 1 }, 8), 2);
});
