/** What moved between two lock files. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { movedPackages, readLock } from '../../scripts/deploy/install/lock-file.js';

/** @type {(file: string, content: unknown) => import('../../scripts/deploy/install/lock-file.js').Lock} */
function lock(file, content) {
  const read = readLock(file, typeof content === 'string' ? content : JSON.stringify(content));
  assert.ok(read);
  return read;
}

/**
 * @param {Record<string, string>} versions by place
 * @param {string[]} names that package.json has
 */
const npm = (versions, names = ['fastify']) =>
  lock('services/api/package-lock.json', {
    packages: {
      '': { dependencies: Object.fromEntries(names.map((name) => [name, '*'])) },
      ...Object.fromEntries(
        Object.entries(versions).map(([place, version]) => [`node_modules/${place}`, { version }]),
      ),
    },
  });

const BEFORE = { fastify: '5.2.0', pino: '9.1.0', 'find-my-way': '9.0.0', ajv: '8.0.0' };

test('packages that package.json names are named, and those that they bring are counted', () => {
  const moved = { fastify: '5.3.1', pino: '9.2.0', 'find-my-way': '9.1.0', dequal: '2.0.0' };
  const head = npm({ ...BEFORE, ...moved });
  assert.deepEqual(movedPackages(npm(BEFORE), head), {
    packages: [{ name: 'fastify', from: '5.2.0', to: '5.3.1' }],
    indirect: 3,
  });
});

test('where none that package.json names moved, all are named', () => {
  assert.deepEqual(movedPackages(npm(BEFORE), npm({ ...BEFORE, pino: '9.2.0' })), {
    packages: [{ name: 'pino', from: '9.1.0', to: '9.2.0' }],
    indirect: 0,
  });
});

test('new and removed packages have one version, and the place of a package does not matter', () => {
  const { pino: _, ...rest } = BEFORE;
  const head = npm({ ...rest, 'fastify/node_modules/pino': '9.1.0', '@fastify/cors': '10.0.0' }, [
    'fastify',
    '@fastify/cors',
  ]);
  assert.deepEqual(movedPackages(npm(BEFORE), head).packages, [{ name: '@fastify/cors', to: '10.0.0' }]);
  assert.deepEqual(movedPackages(head, npm(BEFORE)).packages, [{ name: '@fastify/cors', from: '10.0.0' }]);
  assert.deepEqual(movedPackages(npm(BEFORE), npm(BEFORE)), { packages: [], indirect: 0 });
});

test('a second version that is gone is no removal', () => {
  const two = npm({ ...BEFORE, 'ajv/node_modules/fastify': '4.0.0' });
  assert.deepEqual(movedPackages(two, npm(BEFORE)).packages, [
    { name: 'fastify', from: '4.0.0', to: '5.2.0' },
  ]);
});

test('a member of a workspace has the version in its own folder, or that of a folder above', () => {
  const { direct } = lock('package-lock.json', {
    packages: {
      '': { workspaces: ['apps/*'] },
      'apps/a': { dependencies: { ms: '^2', depd: '^2' }, devDependencies: { linked: '*' } },
      'apps/a/node_modules/ms': { version: '2.1.1' },
      'node_modules/ms': { version: '2.1.3' },
      'node_modules/depd': { version: '2.0.0' },
      'node_modules/linked': { link: true },
    },
  });
  assert.deepEqual(
    [...(direct.get('apps/a') ?? [])],
    [
      ['ms', '2.1.1'],
      ['depd', '2.0.0'],
      ['linked', undefined],
    ],
  );
});

test('lock files of pnpm are read, too', () => {
  const pnpm = (/** @type {string} */ version) =>
    lock(
      'pnpm-lock.yaml',
      `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      '@fastify/cors':
        specifier: ^10.0.0
        version: ${version}(fastify@5.2.0)
packages:
  '@fastify/cors@${version}':
    resolution: {}
  mnemonist@0.39.${version.length}:
    resolution: {}
`,
    );
  assert.equal(pnpm('10.0.1').direct.get('')?.get('@fastify/cors'), '10.0.1');
  assert.deepEqual(movedPackages(pnpm('9.9.9'), pnpm('10.0.1')), {
    packages: [{ name: '@fastify/cors', from: '9.9.9', to: '10.0.1' }],
    indirect: 1,
  });
});

test('other and broken files are no lock files', () => {
  assert.equal(readLock('constructor', '{}'), undefined);
  assert.equal(readLock('package-lock.json', '{'), undefined);
  assert.equal(readLock('package-lock.json', '{"lockfileVersion":1}'), undefined);
});
