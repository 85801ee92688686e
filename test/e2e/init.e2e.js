/** The first minutes of a new user: init in a project of theirs, then run, with no edit in between. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommands } from '../commands.js';
import { runCli, runTool } from './tools.js';
import { scratchFolder } from '../scratch.js';

const SCRATCH = scratchFolder();
const TOP = join(SCRATCH, 'orders');
mkdirSync(TOP);

const QUICK = '--rounds 1 --connections 8 --rate 100 --duration 1s --warmup 0 --reference off'.split(' ');
const APP = `const express = require('express');
const app = express();
app.get('/orders', (request, response) => response.json([{ id: 1 }]));
app.listen(process.env.PORT || 3000);
`;

const AUTHOR = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
const env = { ...process.env, XDG_CACHE_HOME: join(SCRATCH, 'cache') };

/** @param {string[]} args */
function cli(...args) {
  return runCli(args, { cwd: TOP, env });
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function inTop(command, ...args) {
  return execFileSync(command, args, { cwd: TOP, encoding: 'utf8', stdio: 'pipe' });
}

/** @param {string} message */
function commit(message) {
  inTop('git', 'add', '--all');
  inTop('git', ...AUTHOR, 'commit', '--quiet', '--message', message);
}

test('init reports a folder without a server, and writes nothing', async () => {
  const { code, stdout, stderr } = await cli('init');
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(
    stderr,
    /^perf-action: nothing in .*orders looks like a server: no package\.json .*; write perf\.yml by hand, .*: https:.*\n$/,
  );
});

test('after init in an Express project, doctor, a run and a comparison need no edit', async () => {
  inTop('git', 'init', '--quiet', '--initial-branch', 'main');
  writeFileSync(join(TOP, 'package.json'), '{ "name": "orders" }');
  writeFileSync(join(TOP, '.gitignore'), 'node_modules\n');
  inTop('npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', 'express@5');
  writeFileSync(join(TOP, 'index.js'), APP);
  commit('an app');

  const made = await cli('init');
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /found orders: Express in package\.json, .* measured at \/orders\n/);
  const files = ['perf.yml', '.github/workflows/perf.yml'];
  for (const file of files) assert.match(made.stdout, new RegExp(`wrote ${file.replaceAll('.', '\\.')}\n`));

  assert.match(made.stdout, /added perf-results\/ to \.gitignore\n/);

  const checked = await cli('doctor');
  assert.equal(checked.code, 0, checked.stdout);
  assert.match(checked.stdout, /✓ perf\.yml: 1 case: orders/);
  assert.match(
    checked.stdout,
    /✓ start of orders: started in .* s\n· \/orders answered 200, \d+ bytes in .* ms/,
  );

  const measured = await cli('run', ...QUICK);
  assert.equal(measured.code, 0, measured.stderr);
  const { cases } = JSON.parse(readFileSync(join(TOP, 'perf-results/run.json'), 'utf8'));
  assert.deepEqual(
    cases.map((/** @type {Record<string, unknown>} */ { server, route }) => [server, route]),
    [['orders', '/orders']],
  );
  assert.ok(cases[0].trials[0].windows[0].requests > 0);

  writeFileSync(join(TOP, 'perf.yml'), `${readFileSync(join(TOP, 'perf.yml'), 'utf8')}title: Mine\n`);
  commit('perf');
  const again = await cli('init');
  assert.equal(again.code, 0);
  for (const file of files)
    assert.match(again.stdout, new RegExp(`kept {2}${file.replaceAll('.', '\\.')}, which`));
  assert.match(readFileSync(join(TOP, 'perf.yml'), 'utf8'), /title: Mine/);
  assert.equal(readFileSync(join(TOP, '.gitignore'), 'utf8'), 'node_modules\nperf-results/\n');

  writeFileSync(join(TOP, 'index.js'), `// The orders.\n${APP}`);
  commit('a comment');
  const compared = await cli('run', ...QUICK, '--against', 'HEAD~1');
  assert.equal(compared.code, 0, compared.stderr);
  assert.match(compared.stdout, /Compared with HEAD~1/);
});

test('the workflow it writes passes the linters', async () => {
  const workflow = join(TOP, '.github/workflows/perf.yml');
  const linted = await runTool(['actionlint', workflow]);
  assert.equal(linted.code, 0, linted.output);
  const audited = await runTool(['zizmor', '--offline', '--no-progress', workflow]);
  // It names this action and the site's own by tag, as people do; nothing else may be found.
  const rules = [...audited.output.matchAll(/^(?:error|warning|info|help)\[([\w-]+)\]/gm)].map(
    (match) => match[1],
  );
  assert.deepEqual(
    [...new Set(rules)].filter((rule) => rule !== 'unpinned-uses'),
    [],
    audited.output,
  );
});

test('a server that is hardly known is written with its to-dos, which doctor lists and does not fail', async () => {
  const top = join(SCRATCH, 'odd');
  mkdirSync(top);
  writeFileSync(join(top, 'package.json'), '{ "name": "odd", "scripts": { "start": "serve-it" } }');
  const commands = [{ args: ['init'] }, { args: ['doctor', '--no-start'] }];
  const [made, checked] = await runCommands(commands, { cwd: top, env });
  assert.equal(made?.code, 0, made?.stderr);
  assert.match(
    made?.stdout ?? '',
    /found odd: the start script in package\.json, .*\n {6}to do: no server framework/,
  );
  assert.equal(checked?.code, 0, checked?.stdout);
  assert.match(checked?.stdout ?? '', /\? perf\.yml:\d+: to do: no server framework recognized/);
});

test('a mistake in perf.yml or the workflow is found by doctor', async () => {
  writeFileSync(join(TOP, 'perf.yml'), 'servers:\n  - id: a\n    stat: node index.js\n');
  const commands = ['agianst', 'pipelining'].map((input) => {
    const workflow = `jobs: { a: { steps: [{ uses: org/perf-action@v1, with: { ${input}: base } }] } }`;
    return { args: ['doctor'], files: { '.github/workflows/perf.yml': workflow } };
  });
  const [{ code, stdout } = assert.fail(), option] = await runCommands(commands, { cwd: TOP, env });
  assert.equal(code, 2);
  assert.match(stdout, /✗ perf\.yml: perf\.yml:2: .*\n(?:· perf.*\n)*· perf\.yml:3: unknown key "stat"/);
  assert.match(
    stdout,
    /✗ \.github\/workflows\/perf\.yml: the action has no input "agianst"; did you mean "against"\?/,
  );
  assert.match(
    option?.stdout ?? '',
    /the action has no input "pipelining"; write load\.pipelining in perf\.yml, or give the input options: '\{"pipelining": \.\.\.\}'/,
  );
});

test('init in a library writes a server that uses it, and a second time keeps it', async () => {
  const cwd = join(SCRATCH, 'tags');
  mkdirSync(cwd);
  const files = {
    'package.json': JSON.stringify({
      name: 'tags',
      version: '1.0.0',
      main: 'index.js',
      keywords: ['express'],
    }),
    'index.js': 'module.exports = () => (request, response, next) => next();\n',
  };
  const [written, again] = await runCommands([{ args: ['init'], files }, { args: ['init'] }], { cwd, env });
  assert.equal(written?.code, 0, written?.stderr);
  assert.match(
    written?.stdout ?? '',
    /^found tags: no server; perf\/server\/server\.js uses tags as middleware of Express\n +to do: /,
  );
  assert.equal(again?.code, 0, again?.stderr);
  assert.match(again?.stdout ?? '', /kept {2}perf\.yml, which/);
});
