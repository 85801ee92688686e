/** The design's walls: which folder may import which, and who may read the site's environment. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SCRIPTS = fileURLToPath(new URL('../scripts/', import.meta.url));
const SERVERS = fileURLToPath(new URL('../servers/', import.meta.url));

const FILES = readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.js'))
  .map((file) => ({ file, station: stationOf(file), text: readFileSync(join(SCRIPTS, file), 'utf8') }));

/** Which stations a station must never import from. @type {Record<string, string[]>} */
const NEVER = {
  judge: ['boot', 'load', 'observe', 'run', 'session', 'github', 'report', 'cli', 'plan'],
  report: ['boot', 'load', 'observe', 'run', 'session', 'github', 'cli', 'plan'],
  store: ['boot', 'load', 'observe', 'run', 'session', 'github', 'report', 'cli', 'judge'],
  plan: ['boot', 'load', 'observe', 'run', 'session', 'github', 'report', 'cli', 'judge', 'store'],
  init: ['plan', 'boot', 'load', 'observe', 'run', 'session', 'github', 'report', 'cli', 'judge', 'store'],
  boot: ['load', 'observe', 'run', 'session', 'github', 'report', 'cli', 'judge', 'store'],
  load: ['boot', 'observe', 'run', 'session', 'github', 'report', 'cli', 'judge', 'store'],
  observe: ['boot', 'load', 'run', 'session', 'github', 'report', 'cli', 'judge'],
  run: ['session', 'github', 'report', 'cli', 'judge'],
  session: ['load', 'init', 'github', 'cli'],
  github: ['boot', 'load', 'observe', 'run', 'cli'],
  cli: ['load', 'github'],
};

/**
 * Planning reads the registries of what can be had, across the wall: what a thing can do and how it is installed stands in its
 * own file. Only its own station, and whoever conducts, runs it.
 * @type {Record<string, string[]>}
 */
const REGISTRIES = {
  'load/tools.js': ['plan', 'cli', 'github'],
  'boot/companions.js': ['plan', 'init', 'github'],
  'boot/runtimes.js': ['plan', 'init', 'github'],
};

/** What stands above all stations. */
const ENTRY = ['cli.js', 'verbs.js'];

test('every station keeps to its side of the walls', () => {
  assert.ok(FILES.length > 30, `only ${FILES.length} files were found`);
  const broken = FILES.flatMap(({ file, station, text }) =>
    importsOf(text)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => relative(SCRIPTS, join(SCRIPTS, dirname(file), specifier)))
      .filter(
        (target) =>
          (station && ENTRY.includes(target)) ||
          (NEVER[station]?.includes(stationOf(target)) && !REGISTRIES[target]?.includes(station)),
      )
      .map((target) => `${file} imports ${target}`),
  );
  assert.deepEqual(broken, []);
});

test('judge and report touch no disk, network, process or clock', () => {
  const outside =
    /from '(node:)?(fs|fs\/promises|child_process|net|http|os)'|Date\.now|new Date\(\)|process\.env/;
  const broken = FILES.filter(
    ({ station, text }) => ['judge', 'report'].includes(station) && outside.test(text),
  );
  assert.deepEqual(
    broken.map(({ file }) => file),
    [],
  );
});

test('only github reads what the site sets', () => {
  const broken = FILES.filter(
    ({ station, text }) => station !== 'github' && /(GITHUB|RUNNER|ACTIONS)_[A-Z]+/.test(text),
  );
  // boot names the variables in order to keep them from the servers.
  assert.deepEqual(
    broken.map(({ file }) => file).filter((file) => stationOf(file) !== 'boot'),
    [],
  );
});

test('no built-in server is named in the engine', () => {
  const ids = readdirSync(SERVERS).map((id) => `'${id}'`);
  const broken = FILES.flatMap(({ file, text }) =>
    ids.filter((id) => text.includes(id)).map((id) => `${file} names ${id}`),
  );
  assert.deepEqual(broken, []);
});

test('a load tool knows no other file of the engine', () => {
  const tools = FILES.filter(({ file }) => file.startsWith('load/tools/'));
  assert.ok(tools.length >= 3);
  const broken = tools.flatMap(({ file, text }) =>
    importsOf(text)
      .filter((from) => from.startsWith('.'))
      .map((from) => `${file} imports ${from}`),
  );
  assert.deepEqual(broken, []);
});

/** @param {string} file */
function stationOf(file) {
  return file.includes('/') ? (file.split('/')[0] ?? '') : '';
}

/** @param {string} text */
function importsOf(text) {
  const imports = text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)';|await import\('([^']+)'\)/gms);
  return [...imports].map(([, fixed, late]) => fixed ?? late ?? '');
}
