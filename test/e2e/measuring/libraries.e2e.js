/** More packages under test: other kinds, failures, bisection, packages in place of others. */

import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runTool } from '../tools.js';
import {
  FAULTY,
  findSlowCommit,
  json,
  LIBRARIES,
  ONCE,
  repository,
  repositoryIn,
  SCRATCH,
} from './library.js';

describe('the slow commit is found', { concurrency: true }, () => {
  for (const what of ['middleware', 'plugin that is built'])
    test(`of a ${what}`, () => findSlowCommit(LIBRARIES[what] ?? assert.fail()));
});

test('a package that does not build fails its side, with the end of its log', async () => {
  const { run, result, commit, top } = await repository(LIBRARIES['plugin that is built'] ?? assert.fail());
  const manifest = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
  manifest.scripts.build = 'echo cannot find src/tag.ts; exit 1';
  await commit({ 'package.json': json(manifest) }, 'broken');
  const { code, stdout } = await run('--against', 'HEAD~1', ...ONCE);
  assert.equal(code, 3, stdout);
  assert.match(stdout, /`npm run build` ended with 1/);
  const [trial] = result('run.json').cases[0].trials;
  assert.equal(trial.failure.kind, 'build-failed');
  assert.match(trial.failure.logTail.join('\n'), /cannot find src\/tag\.ts/);
  assert.equal(result('base/run.json').cases[0].trials[0].failure, null);
});

test('the commit is found that made the package fail', async () => {
  const { measure, result, commit, git } = await repository(LIBRARIES.middleware ?? assert.fail());
  await commit({ 'readme.md': 'tags' }, 'a page');
  await commit({ 'tag.js': FAULTY }, 'faulty');
  const planted = await git('rev-parse', 'HEAD');
  await commit({ 'tag.js': `${FAULTY}// The same.\n` }, 'a comment');
  const { code, stdout, stderr } = await measure('bisect', 'HEAD~3', 'HEAD', ...ONCE);
  assert.equal(code, 0, stdout + stderr);
  const { outcome } = result('bisection.json');
  assert.deepEqual([outcome.code, outcome.commit], ['found', planted]);
});

test('two packages: a folder beside the repository, and a tarball of it', async () => {
  const { run, result, top } = await repository(LIBRARIES.middleware ?? assert.fail());
  const fork = repositoryIn(join(top, '../fork'));
  const { files = {} } = LIBRARIES.middleware ?? {};
  fork.write({
    'package.json': json({ name: '@me/tagger', version: '9.0.0' }),
    'index.js': (files['index.js'] ?? '').replace(/require\('depd'\).*/, ''),
    'tag.js': `module.exports = () => 'fork';\n`,
  });
  assert.equal((await runTool(['npm', 'pack'], { cwd: fork.top })).code, 0);
  for (const place of ['../fork', '../fork/me-tagger-9.0.0.tgz']) {
    const { code, stdout, stderr } = await run('--against', `tagger@file:${place}`, ...ONCE);
    assert.equal(code, 0, stdout + stderr);
    assert.match(
      stdout,
      new RegExp(`Compared tagger of \\w{10} against tagger of ${place}, in perf/server;`),
    );
    assert.notEqual(result('comparison.json').verdict, 'failed');
  }
  const { code, stderr } = await run('--against', 'tagger@file:../nothing', ...ONCE);
  assert.equal(code, 2);
  assert.match(stderr, /^perf-action: --against tagger@file:\.\.\/nothing: it cannot be had: .*\n$/);
});

test('in the repository of Express, `servers: [express]` and `library: .` are the whole file', async () => {
  const { run, result, commit, git, top } = repositoryIn(join(SCRATCH, 'express'));
  const pack = await runTool('npm pack express@5.1.0 --silent'.split(' '), { cwd: top });
  assert.equal(pack.code, 0, pack.output);
  await runTool(['tar', '-xzf', pack.output.trim(), '--strip-components=1'], { cwd: top });
  rmSync(join(top, pack.output.trim()));
  await git('init', '--quiet', '--initial-branch', 'main');
  await commit({ '.gitignore': 'perf-results\n', 'perf.yml': 'servers: [express]\nlibrary: .\n' }, 'first');
  await commit({ 'lib/view.js': `${readFileSync(join(top, 'lib/view.js'), 'utf8')}\n` }, 'a line');
  const { code, stdout, stderr } = await run('--against', 'HEAD~1', '--routes', '/', ...ONCE);
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /Compared express of \w{10} against express of \w{10}, in express;/);
  assert.notEqual(result('comparison.json').verdict, 'failed');
});
