import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { examine, nodeRows } from '../../scripts/run/prepare/doctor.js';
import { toy } from '../deploy/toys/toys.js';
import { configOf } from './fakes.js';
import { scratchFolder } from '../scratch.js';

// Locust, which elsewhere on the PATH would be asked for its version each time, takes a second for it.
process.env.PATH = '/usr/bin:/bin';

/**
 * @param {import('../../scripts/types.js').Command} start
 * @param {{ install?: string, build?: string }} [steps]
 */
async function commands(start, steps = {}) {
  const findings = await examine({ servers: [toy('x', { start, ...steps })], cases: [] }, process.env);
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

test('doctor says that the support for Node 20 ended', () => {
  const found = nodeRows('20.20.2').map(({ found }) => found);
  assert.deepEqual(found, ['Node 20.20.2, whose support ended in April 2026: prefer 22, 24 or 26']);
  assert.deepEqual(nodeRows('22.3.0'), []);
});

test('servers that cannot be built here are listed', async () => {
  const servers = [toy('ours', { build: 'mvn package', start: './x' })];
  const mend =
    'cannot be built here: mvn is not installed: sudo apt-get install maven; ' +
    'javac is not installed: sudo apt-get install default-jdk-headless';
  const findings = await examine({ servers, cases: [] }, { PATH: '/nowhere' });
  assert.deepEqual(
    findings.filter(({ what }) => what.startsWith('server ')),
    [{ what: 'server ours', found: undefined, mend, needed: true }],
  );
});

test('what the cases need is missing, and nothing that they do not need', async () => {
  const missingFor = async (/** @type {Parameters<typeof configOf>[1][]} */ ...changes) => {
    const cases = changes.flatMap((change) => configOf(['a'], change).cases);
    const findings = await examine({ servers: [], cases }, { PATH: '/nowhere' });
    return findings
      .filter(({ what, found }) => found === undefined && !what.startsWith('two cores'))
      .map(({ what, needed }) => [what, needed]);
  };
  assert.deepEqual(await missingFor(), []);
  assert.deepEqual(await missingFor({ load: { tool: 'autocannon' } }), []);
  const locust = { load: { tool: 'locust' } };
  assert.deepEqual(await missingFor(locust), [['load tool Locust', true]]);
});

/**
 * A machine whose programs have version 1.26.8, except for Java's.
 * @param {import('node:test').TestContext} context
 */
function oldMachine(context) {
  const bin = scratchFolder();
  const { PATH } = process.env;
  context.after(() => {
    process.env.PATH = PATH;
  });
  const script = (/** @type {string} */ name) =>
    `#!/bin/sh\n[ "$1" = env ] && echo "\${TOOLCHAIN:-local}" || echo "${name} 1.26.8"\n`;
  mkdirSync(join(bin, '.git'));
  for (const name of ['go', 'node', 'java', 'php', 'python3', 'ruby', 'bun', 'cargo'])
    writeFileSync(join(bin, name), script(name), { mode: 0o755 });
  process.env.PATH = `${bin}:${PATH}`;
  return bin;
}

test('a runtime that is older than its server’s manifest asks for is missing', async (context) => {
  const bin = oldMachine(context);
  const found = async (/** @type {string} */ runtime, /** @type {object} */ more, env = process.env) => {
    const servers = [{ ...toy('x', { start: 'true' }), folder: bin, runtime, ...more }];
    const findings = await examine({ servers, cases: [] }, env);
    const finding = findings.find(({ what }) => what === `runtime ${runtime}`);
    return finding?.found ?? finding?.mend;
  };
  for (const [runtime, file, text, version] of /** @type {const} */ ([
    ['go', 'go.mod', 'module x\n\ngo 1.27\n', '1.27'],
    ['node', 'package.json', '{ "engines": { "npm": ">=9", "node": ">=22" } }', '>=22'],
    ['bun', 'package.json', '{ "engines": { "bun": "^1.30" } }', '^1.30'],
    ['java', 'pom.xml', '<properties><java.version>21</java.version></properties>', '21'],
    ['java', 'build.gradle', 'java { toolchain { languageVersion = JavaLanguageVersion.of(25) } }', '25'],
    ['java', 'build.gradle.kts', 'sourceCompatibility = JavaVersion.VERSION_17', '17'],
    ['php', 'composer.json', '{ "require": { "ext-json": "*", "php": "^8.2" } }', '^8.2'],
    ['python3', 'pyproject.toml', '[project]\nrequires-python = ">=3.12"\n', '>=3.12'],
    ['ruby', 'Gemfile', 'source "https://rubygems.org"\nruby "~> 3.3"\n', '~> 3.3'],
    ['cargo', 'Cargo.toml', '[package]\nrust-version = "1.80"\n', '1.80'],
  ])) {
    assert.equal(await found(runtime, {}), '1.26.8', `${runtime} without a manifest`);
    writeFileSync(join(bin, file), text);
    const mend = `${file} asks for ${version}, this is 1.26.8: install that version`;
    assert.equal(await found(runtime, {}), mend);
    mkdirSync(join(bin, 'inside'), { recursive: true });
    assert.equal(await found(runtime, { folder: join(bin, 'inside') }), mend, 'in a folder above');
    assert.equal(
      await found(runtime, { version: '22' }),
      '1.26.8',
      'perf.yml names a version, which is downloaded',
    );
    rmSync(join(bin, file));
  }
});

test('a runtime that downloads the version it needs is not missing', async (context) => {
  const bin = oldMachine(context);
  writeFileSync(join(bin, 'go.mod'), 'module x\n\ngo 1.27\n');
  writeFileSync(join(bin, 'pyproject.toml'), '[project]\nrequires-python = ">=3.12"\n');
  const servers = [
    { ...toy('x', { start: 'true' }), folder: bin, runtime: 'go' },
    { ...toy('y', { start: 'uv run server.py' }), folder: bin, runtime: 'python3' },
  ];
  const findings = await examine({ servers, cases: [] }, { ...process.env, TOOLCHAIN: 'auto' });
  assert.deepEqual(
    findings.filter(({ what }) => what.startsWith('runtime ')).map(({ found }) => found),
    ['1.26.8', '1.26.8'],
  );
});
