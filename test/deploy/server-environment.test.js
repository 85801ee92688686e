import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../../scripts/deploy/start/start-server.js';
import {
  serverEnvironment,
  withheldNames,
  withLimits,
} from '../../scripts/deploy/process/server-environment.js';
import { prepare } from '../../scripts/deploy/install/prepare.js';
import { git } from '../../scripts/system/git.js';
import { PLANTED, planted } from '../planted.js';
import { toy } from './toys/toys.js';
import { scratchFolder } from '../scratch.js';

const PASSED = {
  HOME: '/home/me',
  LC_ALL: 'C',
  JAVA_HOME: '/opt/java',
  GOMODCACHE: '/go',
  npm_config_cache: '/npm',
  HTTPS_PROXY: 'http://me:x@proxy.example:3128',
};

/** @type {NodeJS.ProcessEnv} */
const CALLER = {
  ...planted(),
  ...PASSED,
  'npm_config_//registry.example/:_authToken': 'x',
  PIP_INDEX_URL: 'https://me:x@registry.example/simple',
  GITHUB_TOKEN: 'g',
  PERF_INPUTS: 'i',
};

test('a program gets the variables of the list and no others', () => {
  assert.deepEqual(serverEnvironment(CALLER, { runtime: 'node', env: {} }), PASSED);
});

test('limits are appended to the options', () => {
  const limits = { heapBytes: 128 * 2 ** 20, processors: 2 };
  const env = { JAVA_TOOL_OPTIONS: '-Xss1m', PORT: '1' };
  assert.deepEqual(withLimits(env, { runtime: 'java', ...limits }), {
    JAVA_TOOL_OPTIONS: '-Xss1m -Xmx131072k -XX:ActiveProcessorCount=2',
    PORT: '1',
  });
  assert.deepEqual(withLimits({}, { runtime: 'node', heapBytes: 2 ** 30 }), {
    NODE_OPTIONS: '--max-old-space-size=1024',
  });
  assert.deepEqual(withLimits(env, { runtime: 'java' }), env);
});

test('a name that the manifest lists is passed', () => {
  const passEnv = ['JWT_SECRET', 'NOT_THERE', 'PIP_INDEX_URL'];
  const { JWT_SECRET, PIP_INDEX_URL } = CALLER;
  const given = serverEnvironment(CALLER, { runtime: 'node', env: {}, passEnv });
  assert.deepEqual(given, { ...PASSED, JWT_SECRET, PIP_INDEX_URL });
});

test('${NAME} is replaced by the value of the caller, even a secret', () => {
  const env = { URL: 'http://${GH_PAT}@host/${HOME}', PLAIN: '$HOME ${ HOME }' };
  const given = serverEnvironment(CALLER, { runtime: 'node', env });
  assert.deepEqual([given.URL, given.PLAIN], [`http://${CALLER.GH_PAT}@host//home/me`, '$HOME ${ HOME }']);
});

test('the names of withheld variables are known', () => {
  const some = { HOME: '/', PWD: '/', _: '/bin/sh', GITHUB_TOKEN: 'g', JWT_SECRET: 's', LOG_LEVEL: 'debug' };
  assert.deepEqual(withheldNames(some, { runtime: 'node', env: {} }), ['JWT_SECRET', 'LOG_LEVEL']);
  const server = { runtime: 'node', env: { LOG_LEVEL: 'x' }, passEnv: ['JWT_SECRET'] };
  assert.deepEqual(withheldNames(some, server), []);
});

test('a real server, installation, build and git hook see none of the planted secrets', async () => {
  const folder = scratchFolder();
  const seen = (/** @type {string} */ name) => `cat /proc/self/environ > ${folder}/${name}`;
  const server = toy('quick', { folder, install: seen('install'), build: seen('build') });
  const start = `${seen('start')}; exec node toy.js good`;
  const { signal } = new AbortController();
  Object.assign(process.env, planted());
  try {
    await prepare(server, { signal });
    const instance = await startServer(toy('good', { start }), { signal });
    await instance.stop();
    await git(folder, ['init', '--quiet']);
    await git(folder, ['-c', `alias.seen=!${seen('git')}`, 'seen']);
  } finally {
    for (const name of PLANTED) delete process.env[name];
  }
  for (const name of ['install', 'build', 'start', 'git']) {
    const environ = readFileSync(join(folder, name), 'utf8').replaceAll('\0', '\n');
    assert.match(environ, /^PATH=/m, name);
    if (name === 'start')
      for (const given of [/^HOST=127\.0\.0\.1$/m, /^PORT=\d+$/m]) assert.match(environ, given);
    const found = Object.entries(planted()).filter(([, value]) => environ.includes(value));
    assert.deepEqual([name, found], [name, []]);
  }
});
