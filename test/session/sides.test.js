import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRunConfig } from '../../scripts/session/config.js';
import { sidesOf } from '../../scripts/session/sides.js';
import { scratchFolder } from '../scratch.js';

test('a changed configuration affects every server, whatever its name', async () => {
  const scratch = scratchFolder();
  const cwd = join(scratch, 'repository');
  mkdirSync(join(cwd, 'ci'), { recursive: true });
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd });
  const commit = (/** @type {string} */ seed) => {
    const server = '{ id: api, folder: .., start: node x, routes: [{ path: / }], paths: [src/**] }';
    writeFileSync(join(cwd, 'ci/api.yml'), `seed: ${seed}\nservers: [${server}]\n`);
    git('add', '--all');
    git('commit', '--quiet', '--message', seed);
  };
  git('init', '--quiet');
  commit('1');
  commit('2');
  const env = { XDG_CACHE_HOME: join(scratch, 'cache') };
  const { config } = await sidesOf(readRunConfig({ config: 'ci/api.yml', against: 'HEAD~1' }, cwd), {
    cwd,
    env,
  });
  assert.deepEqual(
    config.servers.map(({ id }) => id),
    ['api'],
  );
});
