import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { installSteps } from '../../scripts/deploy/source/with-install.js';
import { scratchFolder } from '../scratch.js';

const NPM = { 'package.json': '{ "workspaces": ["apps/*"] }' };

/**
 * @type {[title: string, files: Record<string, string>, install: import('../../scripts/types.js').Command,
 *   where: [string, string][]][]}
 */
const CASES = [
  ['npm', NPM, 'npm ci --no-audit --omit=dev', [['npm ci --no-audit --omit=dev', '']]],
  ['yarn', { 'package.json': '{ "workspaces": { "packages": ["./apps/*/"] } }' }, 'yarn', [['yarn', '']]],
  [
    'pnpm',
    { 'pnpm-workspace.yaml': 'packages:\n  - "apps/**"\n  - "!apps/old"\n' },
    ['pnpm', 'install', '-r'],
    [['pnpm install -r', '']],
  ],
  [
    'and then more',
    NPM,
    'npm ci && npx prisma generate',
    [
      ['npm ci', ''],
      ['npx prisma generate', 'apps/api'],
    ],
  ],
  [
    'a folder that is left out',
    { 'pnpm-workspace.yaml': 'packages: ["apps/**", "!apps/api"]' },
    'pnpm i',
    [['pnpm i', 'apps/api']],
  ],
  [
    'a file that pnpm cannot read',
    { 'pnpm-workspace.yaml': 'packages:\n  - */lib\n' },
    'pnpm i',
    [['pnpm i', 'apps/api']],
  ],
  ['a list that is none', { 'pnpm-workspace.yaml': 'packages: 5' }, 'pnpm i', [['pnpm i', 'apps/api']]],
  [
    'a package beside the members',
    { 'package.json': '{ "workspaces": ["libraries/*"] }' },
    'npm ci',
    [['npm ci', 'apps/api']],
  ],
  ['no workspace', { 'package.json': '{ "name": "all" }' }, 'npm ci', [['npm ci', 'apps/api']]],
  ['a package.json that is none', { 'package.json': '{' }, 'npm ci', [['npm ci', 'apps/api']]],
  ['one package alone', NPM, 'npm install express', [['npm install express', 'apps/api']]],
  ['a script of its own', NPM, './install.sh', [['./install.sh', 'apps/api']]],
];

for (const [title, files, install, where] of CASES) {
  test(`dependencies are installed where they belong: ${title}`, () => {
    const top = scratchFolder();
    const app = join(top, 'apps/api');
    mkdirSync(app, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(top, name), text);
    assert.deepEqual(
      installSteps(install, app),
      where.map(([command, cwd]) => ({ command, cwd: join(top, cwd) })),
    );
  });
}
