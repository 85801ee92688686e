/** The design's walls: which folder may import which, and what those that are pure may ask for. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compare } from '../scripts/judge/compare.js';
import { renderComment } from '../scripts/report/comment.js';
import { renderHtml } from '../scripts/report/html.js';
import { renderReport } from '../scripts/report/markdown.js';
import { renderTerminal } from '../scripts/report/terminal.js';
import { sampleRun } from './report/sample.js';

const SCRIPTS = fileURLToPath(new URL('../scripts/', import.meta.url));

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
  'deploy/services.js': ['plan', 'init', 'github'],
  'deploy/runtimes.js': ['plan', 'init', 'github'],
  'deploy/topology/managers.js': ['plan'],
  'deploy/topology/fronts.js': ['plan', 'github'],
};

/** What stands above all stations. */
const ENTRY = ['cli.js', 'main.js', 'verbs.js'];

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

test('judge and report import nothing that reaches the system', () => {
  const broken = FILES.filter(({ station }) => ['judge', 'report'].includes(station)).flatMap(
    ({ file, text }) =>
      importsOf(text)
        .filter((from) => isBuiltin(from) && from !== 'node:util')
        .map((from) => `${file} imports ${from}`),
  );
  assert.deepEqual(broken, []);
});

test('judge and report ask neither clock, chance nor environment', () => {
  const { Date: clock, process: own } = globalThis;
  const { random } = Math;
  const refuse = () => assert.fail('asked for what it was not given');
  const run = sampleRun();
  try {
    globalThis.Date = new Proxy(clock, {
      construct: (target, args) => (args.length > 0 ? Reflect.construct(target, args) : refuse()),
      get: (target, key) => (key === 'now' ? refuse : Reflect.get(target, key)),
    });
    globalThis.process = new Proxy(own, {
      get: (target, key) => (key === 'env' ? refuse() : Reflect.get(target, key)),
    });
    Math.random = refuse;
    const comparison = compare({ ...run, id: 'base' }, run, { margin: 0.05 });
    for (const text of [
      renderReport(run, { comparison }),
      renderTerminal(run, { comparison }),
      renderComment(run, { comparison, key: 'perf' }),
      renderHtml(run, { comparison }),
    ])
      assert.match(text, /express/i);
  } finally {
    Object.assign(globalThis, { Date: clock, process: own });
    Math.random = random;
  }
});

test('a load tool knows no file of the engine but its own', () => {
  const tools = FILES.filter(({ file }) => file.startsWith('load/tools/'));
  assert.ok(tools.length >= 3);
  const broken = tools.flatMap(({ file, text }) => {
    const [id] = file.slice('load/tools/'.length).split(/[-.]/);
    return importsOf(text)
      .filter((from) => from.startsWith('.') && !from.startsWith(`./${id}-`))
      .map((from) => `${file} imports ${from}`);
  });
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
