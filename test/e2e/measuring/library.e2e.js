/** Packages under test, in small repositories: real git, real npm, real servers. */

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { areDisturbed } from '../../../scripts/model/interference.js';
import { gitIn, runCli, runTool } from '../tools.js';

const SCRATCH = mkdtempSync(join(tmpdir(), 'perf-library-'));
after(() => rmSync(SCRATCH, { recursive: true }));

const QUICK = '--connections 8 --duration 1s --warmup 0 --reference off'.split(' ');
const ONCE = '--rounds 1 --rate 100'.split(' ');

const json = (/** @type {unknown} */ value) => JSON.stringify(value);
/** Too long for V8 to inline, which would count it as its caller. @param {string} start of the module @param {number} times that a call works */
const work = (start, times) => `${start} function tag(text) {
  let sum = text.length;
  for (let i = 0; i < ${times}; i++) {
${'    sum = (sum * 31 + i) | 0;\n'.repeat(50)}  }
  return \`\${sum & 1}\`;
}
`;
/** A verdict that no machine is too busy for. */
const FAULTY = `let calls = 0;
module.exports = () => {
  if (++calls > 50 && calls % 3 === 0) throw new Error('refused');
  return '0';
};
`;
/** @param {Record<string, unknown>} manifest @param {string} code @returns {Record<string, string>} files of a server that says hello */
const server = (manifest, code) => ({
  'perf/server/package.json': json({ private: true, ...manifest }),
  'perf/server/server.js': code,
  'perf/server/server.yml': 'start: node server.js\nroutes: [{ path: /, expect: { body: hello } }]\n',
});

/**
 * @typedef {object} Library
 * @property {string} perfYml
 * @property {Record<string, string>} files
 * @property {string} slow the file that decides how slow it is
 * @property {(times: number) => string} text of that file
 * @property {string} blamed the function's file, as reports name it
 */

/** @type {Record<string, Library>} */
const LIBRARIES = {
  middleware: {
    perfYml: 'servers: [./perf/server]\nlibrary: .\n',
    files: {
      'package.json': json({ name: 'tagger', version: '1.0.0', dependencies: { depd: '^2.0.0' } }),
      'index.js': `require('depd')('tagger');
const tag = require('./tag');
module.exports = () => (request, response, next) => {
  response.setHeader('x-tag', tag(request.url));
  next();
};
`,
      ...server(
        { dependencies: { connect: '^3.7.0', tagger: 'file:../..' } },
        `const app = require('connect')();
app.use(require('tagger')());
app.use((request, response) => response.end('hello'));
app.listen(process.env.PORT, process.env.HOST);
`,
      ),
    },
    slow: 'tag.js',
    text: (times) => work('module.exports =', times),
    blamed: 'tagger/tag.js',
  },
  'plugin that is built': {
    perfYml: 'servers: [./perf/server]\nlibrary: .\n',
    files: {
      'package.json': json({
        name: '@acme/tag-plugin',
        version: '1.0.0',
        type: 'module',
        exports: './dist/index.js',
        files: ['dist'],
        scripts: { build: 'mkdir dist && cp src/*.js dist', prepare: 'node -p "require(\'depd\')"' },
        devDependencies: { depd: '^2.0.0' },
        peerDependencies: { fastify: '^5.0.0' },
      }),
      '.gitignore': 'dist\nnode_modules\nperf-results\n',
      'src/index.js': `import { tag } from './tag.js';
export async function tags(fastify) {
  fastify.addHook('onSend', async (request, reply) => void reply.header('x-tag', tag(request.url)));
}
tags[Symbol.for('skip-override')] = true;
`,
      ...server(
        { type: 'module', dependencies: { fastify: '^5.0.0', '@acme/tag-plugin': 'file:../..' } },
        `import Fastify from 'fastify';
import { tags } from '@acme/tag-plugin';
const app = Fastify();
app.register(tags);
app.get('/', async () => 'hello');
app.listen({ host: process.env.HOST, port: Number(process.env.PORT) });
`,
      ),
    },
    slow: 'src/tag.js',
    text: (times) => work('export', times),
    blamed: '@acme/tag-plugin/dist/tag.js',
  },
  'monorepo of two packages': {
    perfYml: 'servers: [./perf/server]\nlibrary: [packages/core, packages/common]\n',
    files: {
      'package.json': json({ private: true, workspaces: ['packages/*', 'perf/*'] }),
      'packages/core/package.json': json({
        name: '@acme/core',
        version: '1.0.0',
        dependencies: { '@acme/common': '^1.0.0' },
      }),
      'packages/core/index.js': `const tag = require('@acme/common');
exports.answer = (request) => { tag(request.url); return 'hello'; };
`,
      'packages/common/package.json': json({ name: '@acme/common', version: '1.0.0' }),
      ...server(
        { name: 'server', version: '1.0.0', dependencies: { '@acme/core': '*' } },
        `const { answer } = require('@acme/core');
require('node:http')
  .createServer((request, response) => response.end(answer(request)))
  .listen(process.env.PORT, process.env.HOST);
`,
      ),
    },
    slow: 'packages/common/index.js',
    text: (times) => work('module.exports =', times),
    blamed: '@acme/common/index.js',
  },
};

let count = 0;
/** @param {Library} library @returns {Promise<ReturnType<typeof repositoryIn>>} its repository with one commit */
async function repository({ perfYml, files, slow, text }) {
  const made = repositoryIn(join(SCRATCH, `repo-${++count}`, 'lib'));
  await made.git('init', '--quiet', '--initial-branch', 'main');
  const ignored = { '.gitignore': 'node_modules\nperf-results\n' };
  made.write({ ...ignored, 'perf.yml': perfYml, ...files, [slow]: text(1) });
  const cwd = files['package.json']?.includes('workspaces') ? made.top : join(made.top, 'perf/server');
  const { code, output } = await runTool('npm install --package-lock-only --no-audit'.split(' '), { cwd });
  assert.equal(code, 0, output);
  await made.commit({}, 'first');
  return made;
}

/** @param {string} top */
function repositoryIn(top) {
  mkdirSync(top, { recursive: true });
  const git = gitIn(top);
  const write = (/** @type {Record<string, string>} */ files) => {
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(top, file)), { recursive: true });
      writeFileSync(join(top, file), content);
    }
  };
  const measure = (/** @type {string[]} */ ...args) =>
    runCli([...args, ...QUICK], {
      cwd: top,
      env: { ...process.env, XDG_CACHE_HOME: join(top, '../cache') },
    });
  return {
    top,
    git,
    write,
    async commit(/** @type {Record<string, string>} */ files, /** @type {string} */ message) {
      write(files);
      await git('add', '--all');
      await git('commit', '--quiet', '--allow-empty', '--message', message);
    },
    run: (/** @type {string[]} */ ...args) => measure('run', ...args),
    measure,
    result: (/** @type {string} */ file) => JSON.parse(readFileSync(join(top, 'perf-results', file), 'utf8')),
  };
}

describe(
  'the slow commit is found, and the function is named in the package’s file',
  { concurrency: true },
  () => {
    for (const [what, library] of Object.entries(LIBRARIES))
      test(`of a ${what}`, { skip: what === 'middleware' && !process.env.PERF_TEST_ALL }, async () => {
        const { run, result, commit, git } = await repository(library);
        await commit({ [library.slow]: library.text(20_000) }, 'slower');
        const { code, stdout, stderr } = await run('--against', 'HEAD~1', '--rounds', '5', '--rate', '100');
        assert.equal(code, 1, stdout + stderr);
        const sha = async (/** @type {string} */ ref) => (await git('rev-parse', ref)).slice(0, 10);
        const names = result('run.json').revision.library.packages.join(', ');
        assert.match(
          stdout,
          new RegExp(
            `Compared ${names} of ${await sha('HEAD')} against ${names} of ${await sha('HEAD~1')}, in perf/server;`,
          ),
        );
        const { verdict, cases } = result('comparison.json');
        assert.equal(verdict, 'regressed');
        const [{ functions: [first] = [], blamed }] = cases;
        const named = [first, blamed].flatMap((each) => each?.file ?? []);
        // On a crowded machine, no function may stand out.
        const isExcused = named.length === 0 && areDisturbed(result('run.json').cases[0].trials);
        assert.ok(isExcused || named.includes(library.blamed), stdout);
        assert.equal(/Where the time goes/.test(stdout), named.length > 0, stdout);
        assert.equal(await git('status', '--porcelain'), '');
      });
  },
);

test('a commit that changes a comment is not slower', async () => {
  const library = LIBRARIES['monorepo of two packages'] ?? assert.fail();
  const { run, result, commit } = await repository(library);
  await commit({ [library.slow]: `${library.text(1)}// The same.\n` }, 'a comment');
  const { code, stdout, stderr } = await run('--against', 'HEAD~1', '--rounds', '2');
  assert.equal(code, 0, stdout + stderr);
  assert.ok(['same', 'unsure', 'improved'].includes(result('comparison.json').verdict));
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
