/** The runner's files are restored after any change, without waiting. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRunnerFiles, restoreRunnerFiles } from '../../scripts/github/action/runner-files.js';
import { scratch } from '../store/scratch.js';
import { scratchFolder } from '../scratch.js';

const EVIL = 'LD_PRELOAD=/tmp/evil.so\n';

/** @type {Record<string, (file: string, folder: string) => void>} what is done to one file */
const ATTACKS = {
  'more lines': (file) => writeFileSync(file, EVIL, { flag: 'a' }),
  'a folder in its place': (file) => {
    rmSync(file);
    mkdirSync(join(file, 'deep'), { recursive: true });
  },
  'a pipe in its place': (file) => {
    rmSync(file);
    execFileSync('mkfifo', [file]);
  },
  'a link to a file without an end': (file) => {
    rmSync(file);
    symlinkSync('/dev/zero', file);
  },
  'a link to a file that holds the same': (file, folder) => {
    renameSync(file, join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), file);
  },
  'no file': (file) => rmSync(file),
  'a second name for it': (file, folder) => {
    writeFileSync(file, EVIL);
    linkSync(file, join(folder, 'second'));
  },
  'a folder that nobody may write': (file, folder) => {
    writeFileSync(file, EVIL);
    chmodSync(folder, 0o500);
  },
  'another folder': (_file, folder) => {
    renameSync(folder, `${folder}-moved`);
    mkdirSync(`${folder}-evil`);
    writeFileSync(join(`${folder}-evil`, 'env'), EVIL);
    symlinkSync(`${folder}-evil`, folder);
  },
};

for (const [attack, act] of Object.entries(ATTACKS))
  test(`the runner's files are restored after: ${attack}`, () => {
    const top = scratchFolder();
    try {
      const folder = join(top, 'commands');
      mkdirSync(folder);
      const env = {
        GITHUB_ENV: join(folder, 'env'),
        GITHUB_PATH: join(folder, 'path'),
        GITHUB_OUTPUT: join(folder, 'output'),
      };
      writeFileSync(env.GITHUB_ENV, 'A=1\n', { mode: 0o640 });
      writeFileSync(env.GITHUB_PATH, '');
      const files = readRunnerFiles(env);
      act(env.GITHUB_ENV, folder);
      writeFileSync(env.GITHUB_OUTPUT, 'guard=true\n');
      const { changed, lost } = restoreRunnerFiles(files);
      assert.ok(changed.includes('GITHUB_ENV'), String(changed));
      assert.ok(changed.includes('GITHUB_OUTPUT'), String(changed));
      assert.deepEqual(lost, []);
      assert.equal(readFileSync(env.GITHUB_ENV, 'utf8'), 'A=1\n');
      assert.equal(statSync(env.GITHUB_ENV).mode & 0o777, 0o640);
      assert.equal(readFileSync(env.GITHUB_PATH, 'utf8'), '');
      assert.throws(() => statSync(env.GITHUB_OUTPUT), { code: 'ENOENT' });
    } finally {
      execFileSync('chmod', ['-R', 'u+rwx', top]);
    }
  });

test('files that cannot be restored are named, and the others are restored', () => {
  const top = scratch();
  const env = { GITHUB_ENV: join(top, 'env'), GITHUB_PATH: join(top, 'path') };
  for (const file of Object.values(env)) writeFileSync(file, 'as it was');
  const [first, ...rest] = readRunnerFiles(env);
  assert.ok(first);
  for (const file of Object.values(env)) writeFileSync(file, EVIL);
  // A place that no program can write to, in the name of a file that is held.
  const held = { ...first, file: '/proc/self/status', folder: '/proc/self' };
  const { changed, lost } = restoreRunnerFiles([held, ...rest]);
  assert.deepEqual([changed, lost], [['GITHUB_ENV', 'GITHUB_PATH'], ['GITHUB_ENV']]);
  assert.equal(readFileSync(env.GITHUB_PATH, 'utf8'), 'as it was');
});

test('untouched files do not count as changed', () => {
  const top = scratch();
  const env = { GITHUB_ENV: join(top, 'env'), GITHUB_STATE: join(top, 'state') };
  writeFileSync(env.GITHUB_ENV, '');
  assert.deepEqual(restoreRunnerFiles(readRunnerFiles(env)), { changed: [], lost: [] });
});
