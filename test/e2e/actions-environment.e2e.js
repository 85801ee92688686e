/** GitHub's variables do not change the command line. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scratchFolder } from '../scratch.js';

const CLI = fileURLToPath(new URL('../../scripts/cli.js', import.meta.url));
const SERVER = `import { createServer } from 'node:http';
createServer((_request, response) => response.end('hi')).listen(process.env.PORT, process.env.HOST);
`;
const PERF_YML = `servers: [{ id: app, start: node server.mjs, routes: [{ path: / }] }]
load: { connections: 2, rate: 100, duration: 1s, warmup: 0s }
reference: "off"
`;

test('a run in a job records the same machine and commit as a local run', async () => {
  const cwd = scratchFolder();
  const files = ['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY', 'GITHUB_ENV'];
  const site = {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'octo/app',
    GITHUB_SHA: 'f'.repeat(40),
    GITHUB_REF: 'refs/heads/x',
    GITHUB_TOKEN: 'x',
    GITHUB_WORKSPACE: '/',
    RUNNER_TEMP: '/',
    RUNNER_ENVIRONMENT: 'github-hosted',
    RUNNER_OS: 'Other',
    ACTIONS_RUNTIME_TOKEN: 'x',
    ...Object.fromEntries(files.map((name) => [name, join(cwd, name)])),
  };
  const { PATH, HOME } = process.env;
  writeFileSync(join(cwd, 'server.mjs'), SERVER);
  writeFileSync(join(cwd, 'perf.yml'), PERF_YML);
  const recordedWith = async (/** @type {NodeJS.ProcessEnv} */ more) => {
    const args = [CLI, 'run', '--rounds=1', '--seed=3', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd,
      env: { PATH, HOME, ...more },
    });
    const { environment, revision, command, seed, title, cases } = JSON.parse(stdout).run;
    assert.deepEqual(
      cases.map((/** @type {any} */ { trials }) => trials[0].failure),
      [null],
    );
    return {
      environment,
      revision,
      command,
      seed,
      title,
      ids: cases.map((/** @type {any} */ { id }) => id),
    };
  };
  assert.deepEqual(await recordedWith(site), await recordedWith({}));
  assert.equal(
    JSON.parse(readFileSync(join(cwd, 'perf-results/run.json'), 'utf8')).environment.runner,
    'local',
  );
  assert.deepEqual(
    files.filter((name) => existsSync(join(cwd, name))),
    [],
  );
});
