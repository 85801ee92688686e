/** docs/dependencies.md says what package.json asks for, and nothing else is installed for users. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDependencies } from '../bench/dependencies.js';

const read = (/** @type {string} */ file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const [users = '', development = ''] = read('docs/dependencies.md').split('## What its development needs\n');
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  '(MIT AND Zlib)',
]);

const dependencies = readDependencies();
for (const [text, isDev] of /** @type {const} */ ([
  [users, false],
  [development, true],
]))
  test(`each dependency of ${isDev ? 'development' : 'users'} has a row with what it needs, and its reason`, () => {
    const rows = [...text.matchAll(/^\| `(.+?)` +\| +(\d+) \| +[\d,]+ \| (.+?) +\|$/gm)];
    assert.deepEqual(
      rows.map(([, name, packages]) => ({ name, packages: Number(packages) })),
      dependencies
        .filter((each) => each.isDev === isDev)
        .map(({ name, packages }) => ({ name, packages: packages.length })),
      'run: node bench/dependencies.js',
    );
    for (const [, name, , reason = ''] of rows) assert.ok(reason.length > 4, name);
  });

test('everything installed for users may be used and passed on, and comes from a registry with its checksum', () => {
  /** @type {[string, any][]} */
  const installed = Object.entries(JSON.parse(read('package-lock.json')).packages);
  const ours = installed.filter(([place, { dev }]) => place !== '' && !dev);
  assert.ok(ours.length > 50);
  for (const [place, { license, integrity }] of ours) {
    assert.ok(place === 'node_modules/jstat' || ALLOWED.has(license), `${place}: ${license}`);
    assert.match(integrity ?? '', /^sha512-/, place);
  }
});

test('each package supports the oldest Node that package.json promises', () => {
  assert.equal(JSON.parse(read('package.json')).engines.node, '>=20.3');
  /** @type {[string, any][]} */
  const installed = Object.entries(JSON.parse(read('package-lock.json')).packages);
  assert.deepEqual(
    installed.filter(([, { engines }]) => !supportsNode20(engines?.node ?? '*')).map(([place]) => place),
    [],
  );
});

/** @param {string} ranges such as "^18.17.0 || >=20.5.0" */
function supportsNode20(ranges) {
  return ranges.split('||').some((range) => range.trim() === '*' || parseInt(range.replace(/\D+/, '')) <= 20);
}
