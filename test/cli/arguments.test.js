/** What people type first: extra words, and the flags of other load testers. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { main } from '../../scripts/main.js';
import { ROOT } from '../../scripts/system/this-project.js';
import { scratchFolder } from '../scratch.js';

const cwd = scratchFolder();
writeFileSync(join(cwd, 'perf.yml'), 'servers: [{ id: app, start: node server.js, routes: [/] }]\n');
writeFileSync(join(cwd, 'a.json'), '{}');

/** @param {string[]} args */
async function typed(...args) {
  let text = '';
  const output = { write: (/** @type {string} */ chunk) => (text += chunk) };
  const { signal } = new AbortController();
  const code = await main(args, { cwd, env: {}, stdout: output, stderr: output, signal });
  return { code, text };
}

const STARTED_HERE = /: perf-action starts the server itself; perf-action init finds it/;

for (const [line, answer] of /** @type {const} */ ([
  ['run main', /^perf-action: run takes no "main"; did you mean --against main\? \(--servers main /],
  ['plan HEAD~1', /"HEAD~1"; did you mean --against HEAD~1\?/],
  ['plan perf.yml', /"perf\.yml"; did you mean --config perf\.yml\?/],
  ['list servers', /^perf-action: list takes no "servers"; remove it$/m],
  ['compare main HEAD', /needs a base and a head: .*; to compare commits: perf-action run --against main$/m],
  ['compare a.json b.json', /; did you mean --base a\.json --head b\.json\?$/m],
  ['http://localhost:3000', STARTED_HERE],
  ['run http://localhost:3000', STARTED_HERE],
  ['run --url http://localhost:3000', STARTED_HERE],
  ['run -c 100', /unknown option -c of run; did you mean "--connections"\?/],
  ['run -d10', /unknown option -d of run; did you mean "--duration"\?/],
  ['run -t 2', /unknown option -t of run; did you mean "--threads"\?/],
  ['run --concurrency 9', /did you mean "--connections"\?/],
  ['run --threshold 5', /did you mean "--margin"\?/],
  ['run --time 30s', /did you mean "--duration"\?/],
  ['run --xyzxyzxyz', /unknown option --xyzxyzxyz of run; see perf-action run --help$/m],
]))
  test(`perf-action ${line}: one line says what to write`, async () => {
    const { code, text } = await typed(...line.split(' '));
    assert.match(text, answer);
    assert.equal(text.trim().split('\n').length, 1, text);
    assert.equal(code, 2);
  });

test('perf.yml gets the same hints', async () => {
  writeFileSync(join(cwd, 'other.yml'), 'threshold: 5%\nload: { concurrency: 9 }\n');
  const { text } = await typed('plan', '--config', 'other.yml');
  assert.match(text, /other\.yml:1: unknown key "threshold"; did you mean "margin"\?/);
  assert.match(text, /other\.yml:2: unknown key "concurrency"; did you mean "connections"\?/);
});

test('the version is printed', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const word of ['--version', '-v', 'version'])
    assert.deepEqual(await typed(word), { code: 0, text: `${version}\n` });
});
