/** Packages under test, in small repositories: real git, real npm, real servers. */

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { areDisturbed } from '../../../scripts/model/interference.js';
import { gitIn, runCli, runTool } from '../tools.js';

export const SCRATCH = mkdtempSync(join(tmpdir(), 'perf-library-'));
after(() => rmSync(SCRATCH, { recursive: true }));

const QUICK = '--connections 8 --duration 1s --warmup 0 --reference off'.split(' ');
export const ONCE = '--rounds 1 --rate 100'.split(' ');

export const json = (/** @type {unknown} */ value) => JSON.stringify(value);
/**
 * Too long for V8 to inline, which would count it as its caller.
 * @param {string} start of the module
 * @param {number} times that a call works
 */
const work = (start, times) => `${start} function tag(text) {
  let sum = text.length;
  for (let i = 0; i < ${times}; i++) {
${'    sum = (sum * 31 + i) | 0;\n'.repeat(50)}  }
  return \`\${sum & 1}\`;
}
`;
/** A verdict that no machine is too busy for. */
export const FAULTY = `let calls = 0;
module.exports = () => {
  if (++calls > 50 && calls % 3 === 0) throw new Error('refused');
  return '0';
};
`;
/**
 * @param {Record<string, unknown>} manifest
 * @param {string} code
 * @returns {Record<string, string>} files of a server that says hello
 */
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
export const LIBRARIES = {
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
/** Its repository with one commit. @type {(library: Library) => Promise<ReturnType<typeof repositoryIn>>} */
export async function repository({ perfYml, files, slow, text }) {
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
export function repositoryIn(top) {
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

/** The slow commit is found, and the function is named in the package's file. @param {Library} library */
export async function findSlowCommit(library) {
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
}
