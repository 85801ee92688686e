import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examine } from '../../scripts/run/prepare/doctor.js';
import { toy } from '../deploy/toys/toys.js';

/**
 * @param {import('../../scripts/types.js').Command} start
 * @param {{ install?: string, build?: string }} [steps]
 */
async function commands(start, steps = {}) {
  const findings = await examine([toy('x', { start, ...steps })], [], process.env);
  return findings
    .filter(({ what }) => what.startsWith('command '))
    .map(({ what, found, mend }) => [what, found === undefined ? mend : 'found']);
}

const missing = (/** @type {string} */ name) => [`command ${name}`, `install ${name} and put it on the PATH`];

for (const [start, found] of /** @type {[import('../../scripts/types.js').Command, string[][]][]} */ ([
  ['no-such-program --now', [missing('no-such-program')]],
  [['no-such-program', '--now'], [missing('no-such-program')]],
  ['NODE_ENV=production exec no-such-program && true', [missing('no-such-program')]],
  ['env X=1 node toy.js', [['command env', 'found']]],
  ['cd here && no-such-program', []],
  ['"$PROGRAM" --now', []],
  ['./toys.sh', [['command ./toys.sh', `there is no ${toy('x').folder}toys.sh`]]],
])) {
  test(`doctor looks for the program that ${start} needs`, async () => {
    assert.deepEqual(await commands(start), found);
  });
}

test('a program that the installation brings may be missing before it', async () => {
  assert.deepEqual(await commands('.venv/bin/serve', { install: 'env true', build: './made.sh' }), [
    ['command env', 'found'],
  ]);
});

test('servers that cannot be built here are listed: those of perf.yml, or else of the catalogue', async () => {
  const builds = (/** @type {string} */ id) => toy(id, { build: 'mvn package', start: './x' });
  const [ours, theirs] = [builds('ours'), builds('theirs')];
  const mend =
    'cannot be built here: mvn is not installed: sudo apt-get install maven; ' +
    'javac is not installed: sudo apt-get install default-jdk-headless';
  for (const [servers, id] of /** @type {const} */ ([
    [[ours], 'ours'],
    [[], 'theirs'],
  ])) {
    const findings = await examine([...servers], [theirs], { PATH: '/nowhere' });
    assert.deepEqual(
      findings.filter(({ what }) => what.startsWith('server ')),
      [{ what: `server ${id}`, found: undefined, mend, needed: true }],
    );
  }
});
