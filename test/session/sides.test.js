import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { countOnly } from '../../scripts/session/experiments/count-only.js';
import { readRunConfig } from '../../scripts/session/run-config.js';
import { sidesOf } from '../../scripts/session/sides.js';
import { scratchFolder } from '../scratch.js';

let cwd = '';
let env = {};
beforeEach(() => {
  const scratch = scratchFolder();
  cwd = join(scratch, 'repository');
  env = { XDG_CACHE_HOME: join(scratch, 'cache') };
  mkdirSync(join(cwd, 'src'), { recursive: true });
  git('init', '--quiet');
});

/** @param {string[]} args */
const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd });

/** @param {Record<string, string>} files */
function commit(files) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(cwd, file, '..'), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  git('add', '--all');
  git('commit', '--quiet', '--message', Object.keys(files).join(' '));
}

/** @param {import('../../scripts/types.js').Asked} [options] */
const measured = (options) => sidesOf(readRunConfig({ against: 'HEAD~1', ...options }, cwd), { cwd, env });

/**
 * @param {string} server more of it
 * @param {string} [rest] of perf.yml
 */
const api = (server, rest = '') => `servers:\n  - { id: api, start: node x, ${server} }\n${rest}`;
const ROOT_ROUTE = 'routes: [{ path: / }]';

test('a changed configuration affects every server, whatever its name', async () => {
  const server = '{ id: api, folder: .., start: node x, routes: [{ path: / }], paths: [src/**] }';
  for (const seed of [1, 2]) commit({ 'ci/api.yml': `seed: ${seed}\nservers: [${server}]\n` });
  const { config } = await measured({ config: 'ci/api.yml' });
  assert.deepEqual(
    config.servers.map(({ id }) => id),
    ['api'],
  );
});

test('so does a link in place of the configuration', async () => {
  const quiet = api(ROOT_ROUTE, 'ignore: ["**"]\n');
  commit({ 'perf.yml': api(ROOT_ROUTE), 'docs/quiet.yml': quiet });
  rmSync(join(cwd, 'perf.yml'));
  symlinkSync('docs/quiet.yml', join(cwd, 'perf.yml'));
  commit({ 'src/a.js': '' });
  const { config } = await measured();
  assert.equal(config.servers.length, 1);
});

test("the base's rules decide, and one warning lists what the head's perf.yml asks less of", async () => {
  const rules = 'failOn: unsure\nlimits: { p99: 50ms, at: 500/s }\n';
  commit({
    'perf.yml': api('routes: [{ path: / }, { path: /items }], paths: ["src/**"]', rules),
    'src/a.js': '',
    'src/db/b.js': '',
  });
  commit({
    'perf.yml': api(`${ROOT_ROUTE}, paths: ["src/**", "!src/db/**"]`, 'failOn: never\n'),
  });
  const { config, warnings } = await measured();
  const { failOn, limits, cases } = config;
  assert.deepEqual([failOn, limits], ['unsure', [{ metric: 'p99', bound: 50, rate: 500 }]]);
  // What a limit is about is measured, although the head no longer has the limit.
  assert.deepEqual(
    cases.flatMap(({ reference, id }) => (reference ? [] : id)),
    ['api / autocannon c10', 'api / autocannon c100 r500'],
  );
  assert.deepEqual(warnings, [
    {
      code: 'looser-than-base',
      settings: [
        { setting: 'failOn', base: 'unsure', head: 'never' },
        { setting: 'limits.p99 at 500/s', base: '50ms' },
      ],
      routes: ['api /items'],
      file: 'src/db/b.js',
      files: 1,
    },
  ]);
});

test('a run that only counts measures no case at the rate of a limit that the base has', async () => {
  commit({ 'perf.yml': api(ROOT_ROUTE, 'limits: { p99: 50ms, at: 500/s }\n') });
  commit({ 'perf.yml': api(ROOT_ROUTE) });
  const asked = countOnly(readRunConfig({ against: 'HEAD~1', reference: 'off' }, cwd)).config;
  const { config } = await sidesOf(asked, { cwd, env });
  assert.deepEqual(
    config.cases.map(({ id, counted }) => [id, counted]),
    [['api / autocannon c10', true]],
  );
});

test('stricter rules, new routes and wider paths are no warning', async () => {
  commit({ 'perf.yml': api(`${ROOT_ROUTE}, paths: ["src/**"]`), 'README.txt': '' });
  commit({ 'perf.yml': api('routes: [{ path: / }, { path: /items }]', 'failOn: unsure\n') });
  const { config, warnings } = await measured();
  assert.deepEqual([config.failOn, warnings], ['unsure', []]);
});

test('without a perf.yml in the base, and in a search, that of the head decides', async () => {
  commit({ 'README.txt': '' });
  commit({ 'perf.yml': api(ROOT_ROUTE, 'failOn: never\n') });
  const first = await measured();
  commit({ 'perf.yml': api(ROOT_ROUTE, 'failOn: regressed\n') });
  commit({ 'perf.yml': api(ROOT_ROUTE, 'failOn: never\n') });
  const commitSha = String(git('rev-parse', 'HEAD')).trim();
  const asked = { ...readRunConfig({ against: 'HEAD~1' }, cwd), commit: commitSha };
  const search = await sidesOf(asked, { cwd, env });
  for (const { config, warnings } of [first, search])
    assert.deepEqual(
      [config.failOn, warnings.filter(({ code }) => code === 'looser-than-base')],
      ['never', []],
    );
});

test('a server at the top, which is named after its folder, is the same in the base', async () => {
  const manifest = (/** @type {string} */ routes) => `start: node x\nroutes: [${routes}]\n`;
  commit({ 'server.yml': manifest('{ path: / }, { path: /items }'), 'perf.yml': 'servers: [.]\n' });
  commit({ 'server.yml': manifest('{ path: / }') });
  const { warnings } = await measured();
  assert.deepEqual(warnings, [{ code: 'looser-than-base', routes: ['repository /items'] }]);
});
