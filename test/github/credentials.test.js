/** A token that a checkout keeps, by either way of actions/checkout, with a real git. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keepsToken } from '../../scripts/github/credentials.js';
import { scratchFolder } from '../scratch.js';

const scratch = scratchFolder();

const HEADER = ['http.https://github.com/.extraheader', 'AUTHORIZATION: basic eDp0b2tlbg=='];

/**
 * @param {string} name
 * @returns {(...args: string[]) => unknown} git in a new repository
 */
function repository(name) {
  execFileSync('git', ['init', '--quiet', join(scratch, name)]);
  return (...args) => execFileSync('git', args, { cwd: join(scratch, name) });
}

test('a token in the git configuration is found', async () => {
  repository('plain')('config', '--local', ...HEADER);
  assert.equal(await keepsToken(join(scratch, 'plain')), true);
});

test('a token in an included file is found, also in a worktree', async () => {
  const git = repository('included');
  const file = join(scratch, 'git-credentials.config');
  writeFileSync(file, '');
  git('config', '--file', file, ...HEADER);
  for (const folder of ['.git', '.git/worktrees/*'])
    git('config', '--local', `includeIf.gitdir:${join(scratch, 'included', folder)}.path`, file);
  assert.equal(await keepsToken(join(scratch, 'included')), true);
  git('-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '--quiet', '--allow-empty', '-m', 'one');
  git('worktree', 'add', '--quiet', '--detach', '../tree');
  assert.equal(await keepsToken(join(scratch, 'tree')), true);
});

test('a checkout without a token, and a folder without git, keep none', async () => {
  repository('bare');
  assert.equal(await keepsToken(join(scratch, 'bare')), false);
  assert.equal(await keepsToken(scratch), false);
});
