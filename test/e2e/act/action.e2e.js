/**
 * The composite action as a workflow runs it: real servers, real load, GitHub's API by its own description.
 */

import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { unpack } from '../actions/unpack.js';
import { openWorkshop, redirect } from '../actions/workshop.js';
import { withGitHub } from '../api/github.js';
import { gitIn, ROOT, runCli, runTool } from '../tools.js';

const QUICK = { duration: '1s', warmup: '0', connections: '8', rate: '100', reference: 'off' };

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
    const asked = { servers: './app,fastify', rounds: '2', 'node-version': '20' };
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
      { ...QUICK, servers: './app', rounds: '2', baseline: 'baseline.json' },
      url,
    );
    assert.equal(second.code, 1, second.log);
    assert.equal(second.outputs.verdict, 'regressed');
    assert.equal(second.outputs['comment-url'], first.outputs['comment-url']);
    assert.match(
      second.log,
      /::error.*The caller's app: (Throughput|CPU per request) regressed: [\d.,]+ \S+ → [\d.,]+ /,
    );
    assert.deepEqual(namesOf(second), ['cache', 'upload-artifact']);
    assert.equal(comments.length, 1);
    assert.match(comments[0]?.body ?? '', /regressed/);
    assert.equal(seen.filter((request) => /^POST .*comments$/.test(request)).length, 1);
    assert.equal(seen.filter((request) => request.startsWith('PATCH')).length, 1);
  }));

test("on GitHub Enterprise Server, with a fork's token: the summary has it all, two notices say why, the job is fine", () =>
  withGitHub({ mayWrite: false }, async ({ url, comments }) => {
    const site = { env: { GITHUB_SERVER_URL: 'https://github.example.com' } };
    const { code, log, called, artifacts, outputs } = await workshop.run(
      { ...QUICK, servers: './app', rounds: '1' },
      url,
      site,
    );
    assert.equal(code, 0, log);
    assert.deepEqual([comments, outputs['comment-url'], artifacts], [[], '', {}]);
    assert.deepEqual(namesOf({ called }), ['cache']);
    for (const notice of [
      /::notice.*does not support upload-artifact.*actions\/upload-artifact@v3/g,
      /::notice.*job summary.*the token has no permission to comment/g,
    ])
      assert.equal(log.match(notice)?.length, 1, log);
    assert.doesNotMatch(log, /::error/);
    assert.match(log, /Summary - <!-- perf-action:perf -->[^#]*### /);
  }));

test('a server that needs Java gets it; one that does not start is reported beside it, and the job fails', () =>
  withGitHub({}, async ({ url, comments }) => {
    const asked = { servers: '../not-java,../broken', 'working-directory': 'app', rounds: '1' };
    const { code, log, called, outputs } = await workshop.run({ ...QUICK, ...asked }, url);
    assert.equal(code, 1, log);
    assert.deepEqual(called.find(({ name }) => name === 'actions/setup-java')?.given, {
      distribution: 'temurin',
      'java-version': '21',
    });
    assert.match(outputs['results-path'] ?? '', /\/perf-action-results\/1$/);
    assert.match(log, /::error.*Broken: exited-at-start/);
    assert.match(
      comments[0]?.body ?? '',
      /Says it is Java[^]*exited-at-start|exited-at-start[^]*Says it is Java/,
    );
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
  /** The branch's head. @type {(name: string, files: Record<string, string>) => Promise<string>} */
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
  return { site, git, began, fresh, heads };
}

/**
 * @param {string} body of a comment
 * @param {string} checkout
 * @param {string} seed
 * @returns {Promise<string>} what its command plans
 */
async function planAgain(body, checkout, seed) {
  const command = /To repeat it locally:\n\n```text\n(.*)\n/.exec(body)?.[1] ?? '';
  const names = [...command.matchAll(/(?:^| )'?--([\w-]+)/g)].map(([, name]) => name);
  assert.deepEqual(names, [...new Set(names)], command);
  assert.match(command, new RegExp(` --seed=${seed}\\b`));
  const plan = command.replace(/^perf-action run/, `'${process.execPath}' '${ROOT}scripts/cli.js' plan`);
  const { code, output } = await runTool(['bash', '-c', plan], { cwd: checkout });
  assert.equal(code, 0, output);
  return output;
}

test('others’ merges are on both sides, and the comment names the head and repeats the plan; where nothing else changed, it says skipped', async () => {
  const { site, git, began, fresh, heads } = await makeSite();
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
    const asked = {
      ...QUICK,
      servers: './app',
      rounds: '2',
      against: 'base',
      'fail-on': 'never',
    };
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
    const { body = '' } = own ?? {};
    assert.deepEqual([body.split('\n')[1], others], [`<!-- of ${heads.code} -->`, []]);
    // Readers know the head, not the commit that GitHub merged and checked out.
    assert.match(body, new RegExp(`commit ${heads.code.slice(0, 10)} merged into ${fresh.slice(0, 10)}`));
    assert.doesNotMatch(body, new RegExp((await git('rev-parse', 'merge-of-code')).slice(0, 10)));
    const seed = String(/\(seed (\d+)\)/.exec(measured.log)?.[1]);
    assert.match(body, new RegExp(`order shuffled with seed ${seed}\\b`));
    await git('checkout', '-q', heads.code);
    const plan = await planAgain(body, site, seed);
    assert.match(plan, new RegExp(`1 case[^]*\\(seed ${seed}\\)[^]*First round:`));
    assert.match(body, new RegExp(`--against=${fresh}`));

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

test('in a library, the workflow that `init` writes compares the packages of two commits', async () => {
  const checkout = join(workshop.repository, '../library');
  const write = (/** @type {string} */ file, /** @type {string} */ text) =>
    writeFileSync(join(checkout, file), text);
  mkdirSync(checkout);
  write(
    'package.json',
    '{ "name": "tagger", "version": "1.0.0", "main": "index.js", "keywords": ["express"] }',
  );
  write('index.js', 'module.exports = () => (request, response, next) => next();\n');
  const git = gitIn(checkout);
  await git('init', '-q', '-b', 'main');
  await git('remote', 'add', 'origin', 'https://github.com/octo/app.git');
  const written = await runCli(['init'], { cwd: checkout });
  assert.equal(written.code, 0, written.stderr);
  appendFileSync(
    join(checkout, 'perf.yml'),
    'load: { connections: 8, rate: 100, duration: 1s, warmup: 0s }\nrounds: 1\nreference: off\n',
  );
  const commits = [];
  for (const text of ['// One.', '// Two.']) {
    appendFileSync(join(checkout, 'index.js'), text);
    await git('add', '.');
    await git('commit', '-q', '-m', text);
    commits.push(await git('rev-parse', 'HEAD'));
  }
  const [base = '', head = ''] = commits;
  const workflow = parse(readFileSync(join(checkout, '.github/workflows/perf.yml'), 'utf8'));
  const event = { pull_request: { number: 7, base: { sha: base }, head: { sha: head } } };
  const pullRequests = [{ number: 7, sha: head, from: 'octo/app:change' }];
  await withGitHub({ pullRequests }, async ({ url, comments }) => {
    const on = 'pull_request';
    const job = await workshop.runWorkflow({ workflow, on, event, apiUrl: url, checkout });
    assert.equal(job.code, 0, job.log);
    assert.match(comments[0]?.body ?? '', /Compared tagger of \S+ against tagger of \S+, in perf\/server;/);
    const results = await unpack(job.artifacts['perf-results-perf']);
    const sides = ['base/run.json', 'run.json'].map((file) => JSON.parse(results[file] ?? '{}'));
    assert.deepEqual(
      sides.map(({ revision, cases }) => [revision.sha, cases[0].trials[0].failure]),
      [
        [base, null],
        [head, null],
      ],
    );
  });
});
