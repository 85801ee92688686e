/** The composite action as a workflow runs it: real servers, real load, GitHub's API by its own description. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { unpack } from './actions/unpack.js';
import { openWorkshop, redirect } from './actions/workshop.js';
import { withGitHub } from './api/github.js';
import { gitIn } from './tools.js';

const QUICK = { duration: '1s', warmup: '0', connections: '8', reference: 'off' };

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
before(async () => {
  workshop = await openWorkshop();
});
after(() => workshop.remove());

/** @param {{ called: { name: string }[] }} job */
const namesOf = ({ called }) => called.map(({ name }) => name.split('/')[1]);

test('the first run comments; the next one, far slower than its baseline, updates that and fails the job', () =>
  withGitHub({}, async ({ url, comments, seen }) => {
    const asked = { servers: './app,fastify', rounds: '4', 'node-version': '20' };
    const first = await workshop.run({ ...QUICK, ...asked }, url, { installs: true });
    assert.equal(first.code, 0, first.log);
    assert.deepEqual(namesOf(first), ['setup-node', 'cache', 'upload-artifact']);
    assert.equal(comments.length, 1);
    assert.match(comments[0]?.body ?? '', /^<!-- perf-action:perf -->\n[^]*The caller's app[^]*Fastify/);
    assert.match(first.outputs['comment-url'] ?? '', /#issuecomment-1000$/);
    assert.equal(first.outputs.verdict, '');

    const baseline = JSON.parse(readFileSync(join(first.results, 'run.json'), 'utf8'));
    for (const { server, trials } of baseline.cases)
      for (const window of server === 'app'
        ? trials.flatMap((/** @type {any} */ trial) => trial.windows)
        : [])
        window.requests *= 1e6;
    writeFileSync(join(workshop.repository, 'baseline.json'), JSON.stringify(baseline));
    const second = await workshop.run(
      { ...QUICK, servers: './app', rounds: '4', baseline: 'baseline.json' },
      url,
    );
    assert.equal(second.code, 1, second.log);
    assert.equal(second.outputs.verdict, 'regressed');
    assert.equal(second.outputs['comment-url'], first.outputs['comment-url']);
    assert.match(
      second.log,
      /::error.*The caller's app, (throughput|CPU per request): [\d.,]+ \S+ → [\d.,]+ /,
    );
    assert.deepEqual(namesOf(second), ['cache', 'upload-artifact']);
    assert.equal(comments.length, 1);
    assert.match(comments[0]?.body ?? '', /regressed/);
    assert.equal(seen.filter((request) => /^POST .*comments$/.test(request)).length, 1);
    assert.equal(seen.filter((request) => request.startsWith('PATCH')).length, 1);
  }));

test("a fork's token may not write: the summary has it all, a notice says why, the job is fine", () =>
  withGitHub({ mayWrite: false }, async ({ url, comments }) => {
    const { code, log, outputs } = await workshop.run({ ...QUICK, servers: './app', rounds: '1' }, url);
    assert.equal(code, 0, log);
    assert.equal(comments.length, 0);
    assert.equal(outputs['comment-url'], '');
    assert.match(log, /::notice.*job summary.*the token has no permission to comment/);
    assert.match(log, /Summary - <!-- perf-action:perf -->[^#]*### /);
  }));

test('GitHub Enterprise Server takes no artifacts: one notice says so, everything else works', () =>
  withGitHub({}, async ({ url, comments }) => {
    const { code, log, called, artifacts } = await workshop.run(
      { ...QUICK, servers: './app', rounds: '1' },
      url,
      { env: { GITHUB_SERVER_URL: 'https://github.example.com' } },
    );
    assert.equal(code, 0, log);
    assert.deepEqual(namesOf({ called }), ['cache']);
    assert.deepEqual(artifacts, {});
    assert.equal(
      log.match(/::notice.*does not support upload-artifact.*actions\/upload-artifact@v3/g)?.length,
      1,
      log,
    );
    assert.doesNotMatch(log, /::error/);
    assert.equal(comments.length, 1);
    assert.match(log, /Summary - <!-- perf-action:perf -->[^#]*### /);
  }));

test('a server that needs Java gets it, paths start at the working directory, no comment is written unasked', () =>
  withGitHub({}, async ({ url, seen }) => {
    const asked = { servers: '../not-java', 'working-directory': 'app', rounds: '1', comment: 'false' };
    const { code, log, called, outputs } = await workshop.run({ ...QUICK, ...asked }, url);
    assert.equal(code, 0, log);
    assert.deepEqual(called.find(({ name }) => name === 'actions/setup-java')?.given, {
      distribution: 'temurin',
      'java-version': '21',
    });
    assert.match(outputs['results-path'] ?? '', /\/perf-action-results\/1$/);
    assert.deepEqual(seen, []);
  }));

test('the comment reports a server that does not start beside those that did, and the job fails', () =>
  withGitHub({}, async ({ url, comments }) => {
    const { code, log } = await workshop.run({ ...QUICK, servers: './app,./broken', rounds: '1' }, url);
    assert.equal(code, 1, log);
    assert.match(log, /::error.*Broken: exited-at-start/);
    assert.match(comments[0]?.body ?? '', /The caller's app/);
    assert.match(comments[0]?.body ?? '', /exited-at-start|Broken/);
  }));

test('a mistake in the inputs is an annotation, and nothing is measured', () =>
  withGitHub({}, async ({ url, seen }) => {
    const { code, log, outputs } = await workshop.run({ ...QUICK, servers: 'expres', duration: '10' }, url);
    assert.equal(code, 1, log);
    assert.match(log, /::error.*"expres".*express/);
    assert.match(log, /::error.*duration/);
    assert.equal(outputs['results-path'], '');
    assert.deepEqual(seen, []);
  }));

/** main: the workshop's commit, then somebody else's; the pull request's branch began before that. */
async function makeSite() {
  const site = join(workshop.repository, '../site');
  await gitIn(workshop.repository)('clone', '-q', '.', site);
  const git = gitIn(site);
  const began = await git('rev-parse', 'HEAD');
  const server = join(site, 'app/server.js');
  const text = readFileSync(server, 'utf8');
  writeFileSync(server, `${text}// of somebody else\n`);
  await git('commit', '-q', '-a', '-m', 'of somebody else');
  const fresh = await git('rev-parse', 'HEAD');
  /** @param {string} name @param {Record<string, string>} files @returns {Promise<string>} the branch's head */
  const branch = async (name, files) => {
    await git('checkout', '-q', '-b', name, began);
    for (const [file, content] of Object.entries(files)) writeFileSync(join(site, file), content);
    await git('add', '.');
    await git('commit', '-q', '-m', name);
    await git('checkout', '-q', '-B', `merge-of-${name}`, 'main');
    await git('merge', '-q', '--no-ff', '-m', 'merged', name);
    return git('rev-parse', name);
  };
  const heads = {
    words: await branch('words', { 'README.md': 'words' }),
    code: await branch('code', { 'app/more.js': 'export {};' }),
  };
  return { site, began, fresh, heads };
}

test('others’ merges are on both sides; where nothing else changed, the old comment says skipped', async () => {
  const { site, began, fresh, heads } = await makeSite();
  const pull = { number: 7, sha: '', from: 'octo/app:change' };
  /**
   * As the site's own checkout would have it: the merge commit and no other.
   * @param {'words' | 'code'} name
   * @param {string} url
   */
  const run = async (name, url) => {
    const checkout = join(site, `../shallow-${name}`);
    await gitIn(site)('clone', '-q', '--depth=1', '-b', `merge-of-${name}`, `file://${site}`, checkout);
    await gitIn(checkout)('remote', 'set-url', 'origin', 'https://github.com/octo/app.git');
    const asked = { ...QUICK, servers: './app', rounds: '1', against: 'base', 'fail-on': 'never' };
    const pull_request = { number: 7, base: { sha: began }, head: { sha: heads[name] } };
    const env = redirect('https://github.com/octo/app.git', site);
    pull.sha = String(heads[name]);
    return workshop.run(asked, url, { checkout, event: { pull_request }, env });
  };
  await withGitHub({ pullRequests: [pull] }, async ({ url, comments }) => {
    const measured = await run('code', url);
    assert.equal(measured.code, 0, measured.log);
    const results = await unpack(measured.artifacts['perf-results-perf']);
    assert.equal(JSON.parse(results['base/run.json'] ?? '{}').revision.sha, fresh);
    const [own, ...others] = comments;
    assert.deepEqual([own?.body.split('\n')[1], others], [`<!-- of ${heads.code} -->`, []]);

    const skipped = await run('words', url);
    assert.equal(skipped.code, 0, skipped.log);
    assert.deepEqual([skipped.outputs.verdict, skipped.outputs.cases], ['', '[]']);
    assert.equal(
      comments.map(({ body }) => body).join(),
      `<!-- perf-action:perf -->\n<!-- of ${heads.code} -->\n\n` +
        `### ⚪ Skipped: no changed file affects a server since commit ${fresh.slice(0, 10)}\n\n` +
        `The previous result here was for commit ${heads.code.slice(0, 10)}.`,
    );
    assert.match(skipped.log, /Summary - [^]*⚪ Skipped: no changed file affects a server/);
    const left = await unpack(skipped.artifacts['perf-results-perf']);
    const { cases, warnings } = JSON.parse(left['run.json'] ?? '{}');
    assert.deepEqual([cases, warnings[0].code], [[], 'skipped']);
  });
});
