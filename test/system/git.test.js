/** The page of a repository, from the address of its remote. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { git, siteOf } from '../../scripts/system/git.js';
import { scratchFolder } from '../scratch.js';

const folder = scratchFolder();

test('the page of a repository has no user, password or .git, and a path on this machine has no page', async () => {
  await git(folder, ['init', '--quiet']);
  assert.equal(await siteOf(folder), undefined);
  await git(folder, ['remote', 'add', 'origin', '/srv/shop.git']);
  const addresses = {
    '/srv/shop.git': undefined,
    'https://github.com/example/shop': 'https://github.com/example/shop',
    'https://ada:secret@github.com/example/shop.git': 'https://github.com/example/shop',
    'git@github.com:example/shop.git': 'https://github.com/example/shop',
    'ssh://git@git.example.org/group/team/shop.git/': 'https://git.example.org/group/team/shop',
  };
  for (const [address, page] of Object.entries(addresses)) {
    await git(folder, ['remote', 'set-url', 'origin', address]);
    assert.equal(await siteOf(folder), page, address);
  }
});
