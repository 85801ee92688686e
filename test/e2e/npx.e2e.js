/**
 * The first command of a user: npm resolves the dependencies anew, without the lock file and its `overrides`.
 */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runTool } from './tools.js';
import { scratchFolder } from '../scratch.js';

test('the first npx of a packed copy prints the version and no warning of npm', async () => {
  const cwd = scratchFolder();
  const pack = await runTool(['npm', 'pack', '--silent', '--pack-destination', cwd]);
  assert.equal(pack.code, 0, pack.output);
  const file = pack.output.trim();
  const env = { ...process.env, npm_config_cache: join(cwd, 'cache') };
  const { code, output } = await runTool(['npx', '--yes', `./${file}`, '--version'], { cwd, env });
  assert.deepEqual({ code, output }, { code: 0, output: `${file.replace(/^perf-action-|\.tgz$/g, '')}\n` });
});
