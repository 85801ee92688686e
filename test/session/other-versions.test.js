/**
 * `--against fastify@5.2.0`: which servers are measured, with which versions on which side. The registry is a
 * script.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { wordsIn } from '../../scripts/report/text/words.js';
import { readRunConfig } from '../../scripts/session/run-config.js';
import { parseVersions, sidesWithVersions } from '../../scripts/session/other-versions.js';
import { sidesOf } from '../../scripts/session/sides.js';
import { toy } from '../deploy/toys/toys.js';
import { scratchFolder } from '../scratch.js';

/** Answers like the real one: a version, several, or an error. */
const NPM = `#!/usr/bin/env node
const answers = {
  'fastify@5.2.0': '5.2.0',
  'fastify@5.3.1': '5.3.1',
  'fastify@^5.2.0': ['5.2.2', '5.2.10', '5.2.1'],
  'pino@9': ['9.1.0'],
};
const error = (summary) => ({ error: { code: 'E404', summary } });
const [, , , asked] = process.argv;
const known = asked.startsWith('fastify@') ? error('No match found for version ' + asked) : error('Not Found');
console.log(JSON.stringify(answers[asked] ?? known));
`;

let scratch = '';
/** @type {NodeJS.ProcessEnv} */
let env = {};
beforeEach(() => {
  scratch = scratchFolder();
  env = { PATH: [join(scratch, 'bin'), process.env.PATH].join(delimiter) };
  write('bin/npm', NPM);
  execFileSync('chmod', ['+x', join(scratch, 'bin/npm')]);
  write('api/package.json', '{"dependencies":{"fastify":"^5.0.0","pino":"*"}}');
  const packages = { '': { dependencies: { fastify: '*', pino: '*' } } };
  const locked = {
    ...packages,
    'node_modules/fastify': { version: '5.3.1' },
    'node_modules/pino': { version: '8.0.0' },
  };
  write('api/package-lock.json', JSON.stringify({ packages: locked }));
  write('plain/server.js', '');
});

/** @type {(file: string, text: string) => void} */
function write(file, text) {
  mkdirSync(join(scratch, file, '..'), { recursive: true });
  writeFileSync(join(scratch, file), text);
}

/**
 * @param {string} against
 * @param {string[]} ids of servers, which are folders
 */
function sides(against, ids = ['api', 'plain']) {
  const servers = ids.map((id) => toy(id, { name: id, folder: join(scratch, id) }));
  const cases = ids.map((id) => ({ id, server: id, load: {} }));
  const config = /** @type {any} */ ({ against, servers, cases });
  return sidesWithVersions(config, { cwd: scratch, env });
}

test('packages and runtimes are distinguished from other names', () => {
  assert.deepEqual(parseVersions('fastify@5.2.0'), { fastify: '5.2.0' });
  assert.deepEqual(parseVersions('@fastify/cors@10,pino@=9.1.0'), { '@fastify/cors': '10', pino: '=9.1.0' });
  for (const ref of ['main', 'HEAD~1', 'v1.2.3', 'main@{upstream}', '@', 'fastify@', 'a@1,b', 'origin/a@1'])
    assert.equal(parseVersions(ref), undefined, ref);
});

test('the base has the package at that version, and servers that do not use it are left out', async () => {
  const { config, sides: pair, warnings } = (await sides('fastify@5.2.0,pino@9')) ?? assert.fail();
  const [base, head] = pair;
  assert.deepEqual(
    config.cases.map(({ id }) => id),
    ['api'],
  );
  assert.deepEqual(base?.versions, { fastify: '5.2.0', pino: '9.1.0' });
  assert.deepEqual(base?.servers.api?.packages, { fastify: '5.2.0', pino: '9.1.0' });
  assert.deepEqual([head?.versions, head?.servers.api?.packages], [undefined, {}]);
  assert.deepEqual(warnings, [
    {
      code: 'packages-moved',
      packages: [
        { name: 'fastify', from: '5.2.0', to: '5.3.1' },
        { name: 'pino', from: '9.1.0', to: '8.0.0' },
      ],
    },
    { code: 'same-versions', names: ['fastify', 'pino'], servers: ['plain'] },
  ]);
});

test('of a range, the newest version that fits is measured', async () => {
  const { sides: pair } = (await sides('fastify@^5.2.0')) ?? assert.fail();
  assert.deepEqual(pair[0]?.versions, { fastify: '5.2.10' });
});

test('another Node runs every Node server of the base', async () => {
  const { sides: pair, warnings } = (await sides('node@22')) ?? assert.fail();
  const [base, head] = pair.map(({ servers }) => Object.values(servers).map(({ version }) => version));
  assert.deepEqual(
    [base, head],
    [
      ['22', '22'],
      [undefined, undefined],
    ],
  );
  assert.deepEqual([pair[0]?.versions, warnings], [{ node: '22' }, []]);
});

test('a commit of that name wins, and a warning says so', async () => {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: scratch });
  write('perf.yml', 'servers: [{ id: api, start: node server.js, routes: [{ path: / }] }]\n');
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'a');
  git('branch', 'fastify@5.2.0');
  assert.equal(await sides('fastify@5.2.0'), undefined);
  assert.ok(await sides('fastify@^5.2.0'));
  const config = readRunConfig({ against: 'fastify@5.2.0' }, scratch);
  const { sides: pair, warnings } = await sidesOf(config, {
    cwd: scratch,
    env: { XDG_CACHE_HOME: scratchFolder() },
  });
  assert.equal(pair[0]?.versions, undefined);
  const [said = ''] = warnings.map((warning) => wordsIn().warning(warning));
  assert.match(said, /fastify@5\.2\.0.* names a commit here/);
});

/** @type {[what: string, against: string, message: RegExp][]} */
const MISTAKES = [
  ['a package that no server uses', 'fastfy@5.2.0', /names "fastfy"; did you mean "fastify"\?$/],
  [
    'a version that does not exist',
    'fastify@99',
    /^--against fastify@99: the registry has no version "99" of fastify; /,
  ],
  ['a package that does not exist', 'pino@99', /^--against pino@99: the registry has no package "pino"$/],
  ['a version that is installed', 'fastify@5.3.1', /installed already; name another version$/],
  [
    'a Node that cannot be',
    'node@next',
    /"next" is not a version of Node; use one like node@22 or node@22\.4\.0$/,
  ],
];
for (const [what, against, message] of MISTAKES)
  test(`${what} is one line`, async () => {
    await assert.rejects(sides(against), { name: 'UserError', message });
  });

test('all mistakes are reported at once', async () => {
  await assert.rejects(sides('fastify@99,koa@3'), (/** @type {Error} */ { message }) => {
    assert.match(message, /no version "99".*\n.*names "koa"; there are fastify, pino$/);
    return true;
  });
});
