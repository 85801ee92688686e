/**
 * Versions of packages and of Node, with real pairs from npm's registry. Which one is faster is not asserted.
 */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ALONE, CLI, QUICK } from './command-line.js';
import { gitIn, runTool } from './tools.js';
import { scratchFolder } from '../scratch.js';

const PLAIN = `require('node:http')
  .createServer((_, response) => response.end('hello'))
  .listen(process.env.PORT, process.env.HOST);
`;
const PERF_YML = `servers:
  - { id: api, folder: ./api, start: node server.js, routes: [{ path: / }], paths: ['api/**'] }
  - { id: page, folder: ./page, start: node server.js, routes: [{ path: / }], paths: ['page/**'] }
`;
const OWN = process.versions.node.split('.')[0] ?? '';

const scratch = scratchFolder();
let top = '';
before(async () => {
  top = join(scratch, 'app');
  for (const [file, text] of Object.entries({
    '.gitignore': 'node_modules\nperf-results\n',
    'perf.yml': PERF_YML,
    'api/server.js': `require('depd')('app');\n${PLAIN}`,
    'page/server.js': PLAIN,
    // connect 1.8.0 is for Node 0.6 and older.
    'page/.npmrc': 'engine-strict=true\n',
  })) {
    mkdirSync(join(top, file, '..'), { recursive: true });
    writeFileSync(join(top, file), text);
  }
  await lock('api', 'depd@1.1.2');
  await lock('page', 'connect@3.7.0');
  await commit('first');
  await lock('api', 'depd@2.0.0');
  await commit('newer');
});

/**
 * Names packages in a project's package.json and its lock file.
 * @type {(project: string, ...packages: string[]) => Promise<void>}
 */
async function lock(project, ...packages) {
  const cwd = join(top, project);
  const manifest = join(cwd, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{}');
  const line = ['npm', 'install', '--package-lock-only', '--save-exact', '--no-audit', '--no-fund'];
  const { code, output } = await runTool([...line, ...packages], { cwd });
  assert.equal(code, 0, output);
}

/** @param {string} message */
async function commit(message) {
  const git = gitIn(top);
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', message);
}

/**
 * @param {string} against
 * @param {string[]} options
 */
function run(against, ...options) {
  const asked = [...QUICK, ...ALONE, '--rate=100', `--against=${against}`, ...options];
  const env = { ...process.env, XDG_CACHE_HOME: join(scratch, 'cache') };
  return runTool([process.execPath, CLI, 'run', ...asked], { cwd: top, env });
}

/**
 * @param {string} file of the results
 * @returns {any}
 */
const result = (file) => JSON.parse(readFileSync(join(top, 'perf-results', file), 'utf8'));

/** @returns {string[]} the versions of depd that are installed anywhere */
function installed() {
  const files = readdirSync(scratch, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('node_modules/depd/package.json'))
    .map((file) => JSON.parse(readFileSync(join(scratch, file), 'utf8')).version)
    .toSorted();
}

test('the base is the same tree with another version, and the tree stays as it is', async () => {
  const { code, output } = await run('depd@1.1.2');
  assert.equal(code, 0, output);
  assert.match(output, /Compared with depd@1\.1\.2 \(the same sources with depd 1\.1\.2\); both sides /);
  assert.match(output, /depd 1\.1\.2 → 2\.0\.0/i);
  assert.match(output, /: page\b/);
  const { against, base, head, cases } = result('comparison.json');
  assert.deepEqual([against, base.versions, head.versions], ['depd@1.1.2', { depd: '1.1.2' }, undefined]);
  assert.deepEqual([cases.length, cases[0].verdict === 'failed'], [1, false]);
  assert.deepEqual(installed(), ['1.1.2', '2.0.0']);
  assert.equal(await gitIn(top)('status', '--porcelain'), '');
});

test('a version that cannot be installed fails its case, and the others are compared', async () => {
  const { code, output } = await run('depd@1.1.2,connect@1.8.0');
  assert.equal(code, 3, output);
  assert.match(output, /`npm install .* connect@1\.8\.0` ended with 1/);
  const verdicts = result('comparison.json').cases.map((/** @type {any} */ { id, verdict }) => [
    id.split(' ')[0],
    verdict === 'failed',
  ]);
  assert.deepEqual(Object.fromEntries(verdicts), { api: false, page: true });
});

test('the base runs on another Node, with its own installation', async () => {
  const { code, output } = await run(`node@${OWN}`, '--servers', 'api');
  assert.equal(code, 0, output);
  assert.match(output, new RegExp(`the same sources with node ${OWN}\\)`));
  assert.match(result('run.json').environment.runtimes[`node@${OWN}`], new RegExp(`^${OWN}\\.`));
});

test('a commit that changes lock files says which packages moved', async () => {
  const { code, output } = await run('HEAD~1');
  assert.equal(code, 0, output);
  assert.match(output, /api\/package-lock\.json`?: depd 1\.1\.2 → 2\.0\.0(, and \d+ that it brings)?/);
});
