/** Copies of results, where measured code put other things in their place. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { copyResults } from '../../scripts/github/action/copies.js';
import { scratchFolder } from '../scratch.js';

let top = '';
let [from, to] = ['', ''];
beforeEach(() => {
  top = scratchFolder();
  [from, to] = [join(top, 'out'), join(top, 'copies/1')];
  mkdirSync(join(from, 'base'), { recursive: true });
  for (const name of ['run.json', 'base/run.json', 'report.md', 'report.html', 'other.json'])
    writeFileSync(join(from, name), name);
  writeFileSync(join(top, 'token'), 'token');
});

const copies = () =>
  readdirSync(to, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(to, name)).isFile())
    .toSorted()
    .map((name) => [name, readFileSync(join(to, name), 'utf8')]);

test('files with known names are copied, and what lay there before is removed', () => {
  mkdirSync(join(top, 'copies/9'), { recursive: true });
  assert.deepEqual(copyResults(from, to), {
    copied: ['run.json', 'base/run.json', 'report.md', 'report.html'],
    refused: [],
  });
  assert.deepEqual(
    copies(),
    ['base/run.json', 'report.html', 'report.md', 'run.json'].map((name) => [name, name]),
  );
  assert.deepEqual(readdirSync(join(top, 'copies')), ['1']);
});

/**
 * What measured code may put in place of report.md, or of the folder it lies in.
 * @type {[name: string, attack: () => void][]}
 */
const ATTACKS = [
  ['a link to the environment of the step', () => symlinkSync('/proc/self/environ', join(from, 'report.md'))],
  ['a link to a file', () => symlinkSync('../token', join(from, 'report.md'))],
  ['a second name of a file', () => linkSync(join(top, 'token'), join(from, 'report.md'))],
  ['a pipe', () => void execFileSync('mkfifo', [join(from, 'report.md')])],
  ['a folder', () => mkdirSync(join(from, 'report.md'))],
  [
    'a file that fills the memory',
    () => {
      writeFileSync(join(from, 'report.md'), '');
      truncateSync(join(from, 'report.md'), 2 ** 40);
    },
  ],
];

for (const [name, attack] of ATTACKS)
  test(`${name} in place of a report is left out`, () => {
    rmSync(join(from, 'report.md'));
    attack();
    assert.deepEqual(copyResults(from, to).refused, ['report.md']);
    assert.deepEqual(
      copies().map(([copy]) => copy),
      ['base/run.json', 'report.html', 'run.json'],
    );
  });

test('nothing is taken from behind a link in place of a folder', () => {
  renameSync(join(from, 'base'), join(top, 'elsewhere'));
  symlinkSync('../elsewhere', join(from, 'base'));
  assert.deepEqual(copyResults(from, to).refused, ['base/run.json']);
  renameSync(from, join(top, 'away'));
  symlinkSync('away', from);
  assert.deepEqual(copyResults(from, to).copied, []);
  assert.deepEqual(copies(), []);
});

test('a link in place of the folder for the copies is replaced', () => {
  mkdirSync(join(top, 'elsewhere/1'), { recursive: true });
  writeFileSync(join(top, 'elsewhere/1/kept'), '');
  symlinkSync('elsewhere', join(top, 'copies'));
  assert.equal(copyResults(from, to).copied.length, 4);
  assert.deepEqual(readdirSync(join(top, 'elsewhere/1')), ['kept']);
});
