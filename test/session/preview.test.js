/** What `plan` prints where this machine lacks something. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRunConfig } from '../../scripts/session/run-config.js';
import { previewSession } from '../../scripts/session/preview.js';
import { scratch } from '../store/scratch.js';

const PERF_YML = `
servers:
  - { id: api, start: node api.js, routes: [{ path: / }] }
  - { id: shop, start: node shop.js, needs: [mongo], routes: [{ path: / }] }
  - { id: gin, start: go run ., runtime: go, routes: [{ path: / }] }
`;
const LACKING = [
  {
    server: 'shop',
    why: /^Debian has no package for MongoDB: set MONGODB_URL to the address of a running one/,
  },
  { server: 'gin', why: /^go is not installed: sudo apt-get install golang-go$/ },
];

test('a plan has the servers that this machine can measure, and a line for each other', async () => {
  const cwd = scratch();
  writeFileSync(join(cwd, 'perf.yml'), PERF_YML);
  const preview = (/** @type {Record<string, string>} */ options) =>
    previewSession(readRunConfig(options, cwd), cwd, { PATH: '/nowhere' });
  const { plan, lacking, text } = await preview({});
  assert.deepEqual([...new Set(plan.cases.map(({ server }) => server))], ['node-http', 'api']);
  assert.deepEqual(Object.keys(plan.sides[0]?.servers ?? {}), ['node-http', 'api']);
  for (const [place, { server, why }] of LACKING.entries()) {
    assert.equal(lacking[place]?.server, server);
    assert.match(lacking[place]?.why ?? '', why);
  }
  assert.match(text(), /^· Left out, server "gin": go is not installed: sudo apt-get install golang-go$/m);
  await assert.rejects(preview({ servers: 'shop,gin' }), {
    name: 'UserError',
    message: /^server "shop": Debian has no package for MongoDB: .*\nserver "gin": go is not installed: /,
  });
});
