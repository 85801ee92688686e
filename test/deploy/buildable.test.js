/** Why a server cannot be built is known beforehand, from Composer itself. */

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { whyNotBuilt } from '../../scripts/deploy/install/buildable.js';
import { prepare } from '../../scripts/deploy/install/prepare.js';
import { findProgram } from '../../scripts/system/process/programs.js';
import { toy } from './toys/toys.js';

const scratch = mkdtempSync(join(tmpdir(), 'buildable-'));
after(() => rmSync(scratch, { recursive: true }));

const INSTALL = 'composer install --no-dev --no-interaction';
const skip = findProgram('composer', { env: process.env }) ? false : 'Composer is not installed';

/** Composer without a network and with an empty cache of its own. */
const offline = {
  COMPOSER_CACHE_DIR: join(scratch, 'cache'),
  COMPOSER_HOME: scratch,
  COMPOSER_DISABLE_NETWORK: '1',
};
const env = { ...process.env, ...offline };

/** @param {object} composer @param {string} [install] */
function project(composer, install = INSTALL) {
  const folder = mkdtempSync(join(scratch, 'project-'));
  writeFileSync(join(folder, 'composer.json'), JSON.stringify(composer));
  return toy('shop', { folder, install, runtime: 'php', env: offline });
}

const needsPackages = { require: { 'psr/log': '*' } };
const none = { repositories: [{ 'packagist.org': false }] };

for (const [what, server, why] of /** @type {const} */ ([
  ['needs no packages', project({ require: { php: '>=8.1' } }), undefined],
  ['needs packages', project(needsPackages), 'Composer’s registry cannot be reached'],
  [
    'needs an extension',
    project({ ...none, require: { 'ext-nosuch': '*' } }),
    "Root composer.json requires PHP extension ext-nosuch * but it is missing from your system. Install or enable PHP's nosuch extension.",
  ],
  ['does more than Composer in its installation', project(needsPackages, `${INSTALL} && true`), undefined],
]))
  test(`a server that ${what} is tried and left as it was`, { skip }, async () => {
    assert.equal(await whyNotBuilt(server, env), why);
    assert.deepEqual(readdirSync(server.folder), ['composer.json']);
  });

test('without Composer and PHP, both are told with what installs them', async () => {
  assert.equal(
    await whyNotBuilt(project(needsPackages), { PATH: scratch }),
    'composer is not installed: sudo apt-get install composer; php is not installed: sudo apt-get install php-cli',
  );
});

test('an installation that failed says that the registry could not be reached', { skip }, async () => {
  await assert.rejects(prepare(project(needsPackages), { signal: new AbortController().signal }), {
    kind: 'install-failed',
    message: /^`composer install .*` ended with \d+; Composer’s registry cannot be reached/,
  });
});
