/** A package without a server gets those of ours that depend on it, or a small server that uses it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { librariesIn, libraryFiles } from '../../scripts/init/library-server.js';
import { workflowYml } from '../../scripts/init/workflow.js';
import { toDosIn } from '../../scripts/init/files.js';

/**
 * @param {Record<string, object | string>} files contents of package.json, or text
 * @returns {Map<string, string>}
 */
const sourcesOf = (files) =>
  new Map(
    Object.entries(files).map(([file, content]) => [
      file,
      typeof content === 'string' ? content : JSON.stringify(content),
    ]),
  );

/**
 * @param {Record<string, object | string>} files
 * @param {Parameters<typeof libraryFiles>[1]} [ours]
 */
function written(files, ours = []) {
  const sources = sourcesOf(files);
  const { files: texts, ...rest } = libraryFiles(librariesIn(sources), ours);
  const server = JSON.parse(texts['perf/server/package.json'] ?? '{}');
  return {
    ...rest,
    texts,
    sources,
    perfYml: parse(texts['perf.yml'] ?? ''),
    dependencies: server.dependencies,
  };
}

/** @param {object} manifest */
const alone = (manifest) => ({ 'package.json': { name: '@acme/tags', main: 'index.js', ...manifest } });

test('a server of ours that depends on the package is the whole file', () => {
  const ours = [{ id: 'express', dependencies: ['express'] }];
  const { found, texts, perfYml } = written(alone({ name: 'express' }), ours);
  assert.match(found, /^found express: no server; express, which we bring, /);
  assert.deepEqual(Object.keys(texts), ['perf.yml']);
  assert.deepEqual(perfYml, { servers: ['express'], library: '.' });
});

/** @type {[kind: string, manifest: object, what: RegExp, uses: RegExp, beside: Record<string, string>][]} */
const KINDS = [
  [
    'a plugin',
    { keywords: ['middleware'], peerDependencies: { fastify: '^4.2.0' }, devDependencies: { express: '5' } },
    /as a plugin of Fastify/,
    /register\(library\)/,
    { fastify: '^4.2.0' },
  ],
  [
    'middleware',
    { keywords: ['middleware'] },
    /as middleware of Express/,
    /app\.use\(library\(\)\)/,
    { express: '*' },
  ],
  [
    'middleware of Koa, by its name',
    { name: 'koa-tags', keywords: ['middleware'], devDependencies: { koa: 'catalog:', express: '5' } },
    /as middleware of Koa/,
    /app\.use\(library\(\)\)/,
    { koa: '*' },
  ],
  [
    'anything else, with its peers',
    {
      peerDependencies: { zod: '^4.0.0', pg: '8' },
      peerDependenciesMeta: { pg: { optional: true } },
    },
    /as a library/,
    /createServer/,
    { zod: '^4.0.0' },
  ],
];
for (const [kind, manifest, what, uses, beside] of KINDS)
  test(`${kind} gets a small server that uses it, with what is left to do`, () => {
    const { found, texts, perfYml, dependencies } = written(alone(manifest));
    assert.match(found, what);
    assert.deepEqual(perfYml, { servers: ['./perf/server'], library: '.' });
    assert.equal(toDosIn(texts['perf.yml'] ?? '').length, 1);
    const name = Object.keys(dependencies).at(-1);
    assert.match(texts['perf/server/server.js'] ?? '', new RegExp(`^import library from '${name}';`));
    assert.match(texts['perf/server/server.js'] ?? '', uses);
    assert.equal(parse(texts['perf/server/server.yml'] ?? '').name, name);
    assert.deepEqual(dependencies, { ...beside, [name ?? '']: 'file:../..' });
  });

const WORKSPACE = {
  'package.json': { name: 'all', private: true },
  'pnpm-workspace.yaml': 'packages: ["packages/*"]',
  'pnpm-lock.yaml': '',
  'packages/common/package.json': { name: '@acme/common', main: 'a.js' },
  'packages/core/package.json': {
    name: '@acme/core',
    exports: './a.js',
    dependencies: { '@acme/common': 'workspace:*' },
    peerDependencies: { '@acme/common': 'workspace:*', fastify: '^5.0.0' },
  },
  'packages/docs/package.json': { name: '@acme/docs', private: true, main: 'a.js' },
  'other/package.json': { name: '@acme/other', main: 'a.js' },
};

test('of a private workspace, the published packages are measured with a server that uses the one that extends a framework', () => {
  const { found, texts, perfYml, dependencies, sources, started } = written(WORKSPACE);
  assert.match(
    found,
    /^found @acme\/common, @acme\/core: no server; .* uses @acme\/core as a plugin of Fastify\n/,
  );
  assert.deepEqual(perfYml, { servers: ['./perf/server'], library: ['packages/common', 'packages/core'] });
  assert.match(texts['perf/server/server.js'] ?? '', /^import library from '@acme\/core';/);
  assert.deepEqual(dependencies, {
    fastify: '^5.0.0',
    '@acme/common': 'file:../../packages/common',
    '@acme/core': 'file:../../packages/core',
  });
  assert.match(workflowYml(sources, [started]), /run: .*corepack enable/);
  const { peerDependencies: _, ...core } = WORKSPACE['packages/core/package.json'];
  assert.match(
    written({ ...WORKSPACE, 'packages/core/package.json': core }).found,
    /uses @acme\/core as a library/,
  );
});

test('of a workspace, those are listed that servers of ours depend on, and no more than a few', () => {
  const core = [{ id: 'ours', dependencies: ['@acme/core', 'other'] }];
  assert.deepEqual(written(WORKSPACE, core).perfYml, { servers: ['ours'], library: 'packages/core' });
  const many = Array.from({ length: 8 }, (_, place) => [
    `packages/p${place}/package.json`,
    { name: `p${place}`, main: 'a' },
  ]);
  const { found, perfYml } = written({ ...WORKSPACE, ...Object.fromEntries(many) });
  assert.equal(perfYml.library.length, 5);
  assert.match(found, /left out 5 more packages/);
});

test('what is private, or no package of Node, is no library of Node', () => {
  for (const text of [
    '{ "name": "app", "private": true, "main": "a.js" }',
    '{ "main": "a.js" }',
    '{ "name": "a" }',
    '',
  ])
    assert.deepEqual(librariesIn(sourcesOf({ 'package.json': text })), []);
});
