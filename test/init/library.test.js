/** A package without a server gets one of ours that depends on it, or a small server that uses it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { packageIn } from '../../scripts/init/init.js';
import { libraryFiles } from '../../scripts/init/library.js';
import { workflowYml } from '../../scripts/init/workflow.js';
import { toDosIn } from '../../scripts/init/files.js';

/** @param {object} manifest @param {{ builtIn?: string[], beside?: string[] }} [more] beside: other files */
function written(manifest, { builtIn = [], beside = [] } = {}) {
  const sources = new Map([['package.json', JSON.stringify({ main: 'index.js', ...manifest })]]);
  for (const file of beside) sources.set(file, '');
  const found = packageIn(sources);
  assert.ok(found);
  return { ...libraryFiles(sources, found, builtIn), sources };
}

test('a server of ours that depends on the package is the whole file', () => {
  const { found, files } = written({ name: 'express' }, { builtIn: ['express'] });
  assert.match(found, /^found express: a library, no server; express, which we bring, /);
  assert.deepEqual(Object.keys(files), ['perf.yml']);
  assert.deepEqual(parse(files['perf.yml'] ?? ''), { servers: ['express'], library: '.' });
});

/** @type {[kind: string, manifest: object, what: RegExp, uses: RegExp, beside: string | undefined][]} */
const KINDS = [
  [
    'a plugin',
    { peerDependencies: { fastify: '5' } },
    /a plugin of Fastify/,
    /register\(library\)/,
    'fastify',
  ],
  ['middleware', { keywords: ['middleware'] }, /of Express/, /app\.use\(library\(\)\)/, 'express'],
  ['middleware of Koa', { devDependencies: { koa: '3' } }, /of Koa/, /app\.use\(library\(\)\)/, 'koa'],
  ['anything else', {}, /a library/, /createServer/, undefined],
];
for (const [kind, manifest, what, uses, beside] of KINDS)
  test(`${kind} gets a small server that uses it, with what is left to do`, () => {
    const { found, files } = written({ name: '@acme/tags', ...manifest });
    assert.match(found, what);
    const perfYml = files['perf.yml'] ?? '';
    assert.deepEqual(parse(perfYml), { servers: ['./perf/server'], library: '.' });
    assert.equal(toDosIn(perfYml).length, 1);
    assert.match(files['perf/server/server.js'] ?? '', /^import library from '@acme\/tags';/);
    assert.match(files['perf/server/server.js'] ?? '', uses);
    const { dependencies } = JSON.parse(files['perf/server/package.json'] ?? '');
    assert.deepEqual(Object.keys(dependencies), [...(beside ? [beside] : []), '@acme/tags']);
    assert.equal(dependencies['@acme/tags'], 'file:../..');
  });

test('the workflow brings the package manager of the library', () => {
  const { sources, started } = written({ name: 'tags' }, { beside: ['pnpm-lock.yaml'] });
  assert.match(workflowYml(sources, [started]), /run: corepack enable/);
});

test('what is private, or no package of Node, is no library of Node', () => {
  for (const text of ['{ "name": "app", "private": true, "main": "a.js" }', '{ "main": "a.js" }', ''])
    assert.equal(packageIn(new Map([['package.json', text]])), undefined);
});
