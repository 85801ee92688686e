/** init, and where perf.yml is looked for, in a subfolder of a repository. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { main } from '../../scripts/main.js';
import { scratch } from '../store/scratch.js';

const TOP = scratch();

/** @param {string} name */
const app = (name) => ({
  [`apps/${name}/package.json`]: JSON.stringify({
    name,
    scripts: { start: 'node app.js' },
    dependencies: { express: '4' },
  }),
  [`apps/${name}/app.js`]: `const app = require('express')();\napp.get('/${name}', (q, s) => s.json([]));\napp.listen(process.env.PORT);\n`,
});
for (const [file, text] of Object.entries({ ...app('orders'), ...app('users') })) {
  mkdirSync(dirname(join(TOP, file)), { recursive: true });
  writeFileSync(join(TOP, file), text);
}
execFileSync('git', ['init', '-q', TOP]);
const ORDERS = join(TOP, 'apps/orders');

/**
 * @param {string} cwd
 * @param {...string} argv
 */
async function cli(cwd, ...argv) {
  let printed = '';
  const output = { write: (/** @type {string} */ text) => (printed += text) };
  const { signal } = new AbortController();
  const code = await main(argv, { cwd, env: process.env, stdout: output, stderr: output, signal });
  return { code, printed };
}

test('in a subfolder, init takes the servers below it, and the commands after it find what it wrote', async () => {
  const { printed } = await cli(ORDERS, 'init', '--no-start');
  assert.match(printed, /^found orders: /);
  assert.doesNotMatch(printed, /found users/);
  assert.match(printed, /wrote \.\.\/\.\.\/perf\.yml\n/);
  const { code, printed: planned } = await cli(ORDERS, 'plan');
  assert.equal(code, 0, planned);
  assert.match(planned, /^configuration: \.\.\/\.\.\/perf\.yml\n.*2 cases/);
  assert.match(
    (await cli(ORDERS, 'doctor', '--no-start')).printed,
    /✓ \.\.\/\.\.\/perf\.yml: 1 case: orders/,
  );
});

test('after npx, init names the command with npx', async (t) => {
  const { npm_command: before = '' } = process.env;
  t.after(() => (process.env.npm_command = before));
  process.env.npm_command = 'exec';
  assert.match((await cli(ORDERS, 'init')).printed, /next: npx github:[^/]+\/[\w-]+ doctor;/);
});

test('init with an id adds that server to an existing perf.yml, once', async () => {
  assert.match((await cli(TOP, 'init', 'users')).printed, /added users to perf\.yml/);
  const text = readFileSync(join(TOP, 'perf.yml'), 'utf8');
  assert.match(text, /- id: orders[^]*- id: users/);
  assert.match(text, /^# yaml-language-server/);
  assert.match((await cli(TOP, 'init', 'users')).printed, /kept +perf\.yml, which already exists/);
  assert.equal(readFileSync(join(TOP, 'perf.yml'), 'utf8'), text);
});

test('init with an id that there is not says which, beside one that there is', async () => {
  const { code, printed } = await cli(TOP, 'init', 'users', 'user');
  assert.equal(code, 2);
  assert.equal(printed, 'perf-action: init: no server user was found; there are orders, users\n');
});

test('outside a repository nothing above the working directory is read', async () => {
  const folder = scratch();
  mkdirSync(join(folder, 'below'));
  writeFileSync(join(folder, 'perf.yml'), 'servers: [x]\n');
  assert.ok(!existsSync(join(folder, '.git')));
  assert.match((await cli(join(folder, 'below'), 'plan')).printed, /there is no perf\.yml here/);
});
