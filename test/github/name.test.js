/** The name of this project's repository, in every place where people read it. */

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { git } from '../../scripts/system/git.js';
import { wrongAddresses, writeName } from '../../tools/name.js';
import { readRepositoryName } from '../../scripts/system/this-project.js';
import { scratch } from '../store/scratch.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('every address names the repository of package.json', async () => {
  assert.deepEqual(await wrongAddresses(ROOT), []);
});

test('one command rewrites all addresses, and a wrong name is found anywhere', async () => {
  const old = readRepositoryName(ROOT);
  const copy = join(scratch(), 'project');
  // Only these have something to rewrite.
  for (const file of (await git(ROOT, ['grep', '-lzF', old])).split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  await git(copy, ['init', '--quiet']);
  await git(copy, ['add', '.']);
  const changed = await writeName(copy, 'acme/load.test');
  assert.ok(changed.length > 15, changed.join());
  assert.equal(readRepositoryName(copy), 'acme/load.test');
  assert.deepEqual(await wrongAddresses(copy), []);
  for (const file of [
    'README.md',
    'docs/recipes/ask.yml',
    '.github/workflows/perf.yml',
    '.github/zizmor.yml',
  ])
    assert.ok(readFileSync(join(copy, file), 'utf8').includes('acme/load.test'), file);

  const recipe = join(copy, 'docs/recipes/label.yml');
  writeFileSync(recipe, readFileSync(recipe, 'utf8').replace('acme/load.test', old));
  const [wrong, ...others] = await wrongAddresses(copy);
  assert.match(
    String(wrong),
    /^docs\/recipes\/label\.yml:\d+: has .*, but package\.json says acme\/load\.test/,
  );
  assert.deepEqual(others, []);
  await assert.rejects(writeName(copy, 'acme'), /"acme" is not a repository like OWNER\/REPO/);
});
