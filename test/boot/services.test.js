import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { requireServices, startServices } from '../../scripts/boot/services.js';
import { servicesToStart } from '../../scripts/plan/services.js';

test('a service that does not come up is a failure with its last words', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'perf-services-'));
  context.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'redis-server'), '#!/bin/sh\necho out of memory; exit 1\n', { mode: 0o755 });
  const { signal } = new AbortController();
  const services = await startServices(['redis'], { sides: 1, env: { PATH: folder }, signal });
  await services.stop();
  const { kind, logTail } = services.started[0]?.failure ?? {};
  assert.deepEqual([kind, logTail], ['service-failed', ['out of memory']]);
});

test('a service that is not installed is one line with the command that installs it', () => {
  assert.throws(
    () => requireServices(['redis'], { PATH: '/nowhere' }),
    /^UserError: needs: Redis is not installed: apt-get install redis-server; or set REDIS_URL/,
  );
});

test('a running one that the environment names is used instead', () => {
  const servers = [{ needs: ['redis', 'postgres'] }, { needs: ['redis'] }, { needs: [] }];
  assert.deepEqual(servicesToStart(servers, {}), ['postgres', 'redis']);
  assert.deepEqual(servicesToStart(servers, { REDIS_URL: 'redis://10.0.0.1' }), ['postgres']);
});
