/** The design's walls: which folder may import which, and what those that are pure may ask for. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compare } from '../scripts/judge/compare.js';
import { renderComment } from '../scripts/report/render/comment.js';
import { renderHtml } from '../scripts/report/page/page.js';
import { renderReport } from '../scripts/report/render/markdown.js';
import { renderTerminal } from '../scripts/report/render/terminal.js';
import { sampleRun } from './report/sample.js';

const SCRIPTS = fileURLToPath(new URL('../scripts/', import.meta.url));

const FILES = readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.js'))
  .map((file) => ({ file, station: stationOf(file), text: readFileSync(join(SCRIPTS, file), 'utf8') }));

/** What files import from one another, and which types they name. */
const ARROWS = FILES.flatMap(({ file, station, text }) =>
  [importsOf(text), typesOf(text)].flatMap((specifiers, kind) =>
    specifiers
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => ({ file, station, target: join(dirname(file), specifier), isType: kind === 1 })),
  ),
);

/** Rooms in the order in which data flows: the first know least. */
const ROOMS = [
  'model',
  'samples',
  'system',
  'secrets',
  'catalog',
  'config',
  'plan',
  'deploy',
  'load',
  'observe',
  'profile',
  'run',
  'store',
  'judge',
  'history',
  'report',
  'init',
  'session',
  'github',
  'cli',
];

/**
 * What a room may import from beside itself; all others are behind a wall.
 * @type {Record<string, string[]>}
 */
const KNOWS = {
  model: [],
  samples: ['model'],
  system: ['model'],
  secrets: ['model', 'system'],
  catalog: ['model', 'system', 'secrets'],
  config: ['model', 'samples', 'system', 'secrets', 'catalog'],
  plan: ['model', 'system', 'catalog', 'config'],
  deploy: ['model', 'system', 'secrets'],
  load: ['model', 'samples', 'system'],
  observe: ['model', 'system'],
  profile: ['model', 'samples', 'system', 'observe', 'judge'],
  run: ['model', 'samples', 'system', 'secrets', 'plan', 'deploy', 'load', 'observe'],
  store: ['model', 'samples', 'system'],
  judge: ['model', 'samples'],
  history: ['model', 'samples', 'system', 'store', 'judge'],
  report: ['model', 'samples', 'system', 'store', 'judge'],
  init: ['model', 'system'],
  session: ROOMS.filter((room) => !['load', 'init', 'github', 'cli'].includes(room)),
  github: ROOMS.filter((room) => !['deploy', 'load', 'observe', 'run', 'cli'].includes(room)),
  cli: ROOMS.filter((room) => !['load', 'github'].includes(room)),
};

/**
 * Planning reads the registries of what can be had, across the wall: what a thing can do and how it is
 * installed stands in its own file. Only its own station, and whoever conducts, runs it.
 * @type {Record<string, string[]>}
 */
const REGISTRIES = {
  'load/tools.js': ['config', 'cli', 'github'],
  'deploy/services.js': ['catalog', 'config', 'init', 'github'],
  'deploy/runtimes.js': ['catalog', 'config', 'plan', 'init', 'github'],
  'deploy/topology/managers.js': ['config'],
  'deploy/topology/proxies.js': ['config', 'github'],
  'deploy/source/with-install.js': ['plan'],
};

/**
 * What a sub-room may import from beside itself. The ground comes first, and each knows only what comes
 * before it. A file `x.js` beside a folder `x` is a part of it.
 * @type {Record<string, Record<string, string[]>>}
 */
const FLOORS = {
  deploy: {
    runtimes: [],
    process: ['runtimes'],
    services: ['process'],
    source: ['runtimes', 'process'],
    install: ['runtimes', 'process', 'source'],
    topology: ['runtimes', 'process', 'services'],
    preflight: ['topology'],
    start: ['runtimes', 'process', 'topology'],
  },
  report: {
    text: [],
    document: ['text'],
    render: ['text', 'document'],
    charts: ['text', 'render'],
    page: ['text', 'document', 'render', 'charts'],
  },
  github: {
    'step-log': [],
    event: [],
    api: [],
    contract: [],
    credentials: ['event'],
    'machine-kinds': ['contract'],
    comment: ['step-log', 'event', 'api', 'contract'],
    baselines: ['step-log', 'event', 'contract', 'credentials', 'comment'],
    commands: ['step-log', 'event', 'api', 'contract', 'comment'],
    collect: ['machine-kinds', 'comment'],
    'split-run': ['step-log', 'contract', 'machine-kinds', 'baselines', 'collect'],
    action: [
      'step-log',
      'event',
      'contract',
      'credentials',
      'machine-kinds',
      'comment',
      'baselines',
      'commands',
      'split-run',
    ],
  },
};

/**
 * Types that a room names across its wall, since it is handed the values: reports print the answers of
 * experiments, and a command has the type of its row in the table.
 */
const TYPES = new Set([
  'report names session/experiments/prove.js',
  'report names session/experiments/capacity-search.js',
  'cli names verbs.js',
  'cli names main.js',
  'github names verbs.js',
]);

/** What stands above all stations. */
const ENTRY = ['cli.js', 'main.js', 'verbs.js'];

/**
 * Lines of JavaScript that a room may have. Whoever raises one lowers another in the same commit: the sum of
 * all sources does not grow.
 * @type {Record<string, number>}
 */
const BUDGETS = {
  catalog: 400,
  cli: 821,
  config: 1901,
  deploy: 4097,
  github: 2707,
  history: 915,
  init: 2034,
  judge: 2803,
  load: 2039,
  model: 1129,
  observe: 1048,
  plan: 731,
  profile: 1037,
  report: 7726,
  run: 2988,
  samples: 808,
  secrets: 316,
  session: 3103,
  store: 392,
  system: 1576,
};

/** Lines of every source below scripts/, without those that are generated. */
const MOST_LINES = 40_901;

/** Words of README.md, docs/*.md and docs/recipes/*.md, generated tables included. */
const MOST_WORDS = 24_762;

test('every room is known to the walls, and the top level holds the entry alone', () => {
  const rooms = new Set(FILES.map(({ station }) => station).filter(Boolean));
  assert.deepEqual([...rooms].sort(), [...ROOMS].sort());
  assert.deepEqual(FILES.flatMap(({ file }) => (file.includes('/') ? [] : [file])).sort(), ENTRY);
});

test('every source has a name of its own, which no other has in another number', () => {
  const sources = readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' });
  const names = sources.flatMap((file) => /([^/]+?)s?\.(?:c?js|d\.ts)$/.exec(file)?.[1] ?? []);
  assert.ok(names.length > FILES.length);
  assert.deepEqual(
    names.filter((name, place) => names.indexOf(name) !== place),
    [],
  );
});

test('every station keeps to its side of the walls, and names only listed types from behind one', () => {
  for (const kind of [true, false])
    assert.ok(ARROWS.filter(({ isType }) => isType === kind).length > FILES.length);
  const across = ARROWS.filter(
    ({ station, target }) =>
      (station && ENTRY.includes(target)) ||
      (ROOMS.includes(station) &&
        stationOf(target) !== '' &&
        stationOf(target) !== station &&
        !KNOWS[station]?.includes(stationOf(target)) &&
        !REGISTRIES[target]?.includes(station)),
  );
  const code = across.filter(({ isType }) => !isType);
  assert.deepEqual(
    code.map(({ file, target }) => `${file} imports ${target}`),
    [],
  );
  const types = across.filter(({ isType }) => isType);
  assert.deepEqual(new Set(types.map(({ station, target }) => `${station} names ${target}`)), TYPES);
});

test('a sub-room of deploy, report or github knows none above it, by its code or its types', () => {
  for (const [room, knows] of Object.entries(FLOORS)) {
    const subRooms = Object.keys(knows);
    const inside = FILES.filter(({ station }) => station === room).map(({ file }) => subRoomOf(file));
    assert.deepEqual([...new Set(inside)].sort(), subRooms.toSorted());
    subRooms.forEach((name, floor) => {
      for (const known of knows[name] ?? [])
        assert.ok(subRooms.indexOf(known) < floor, `${room}: ${known} does not come before ${name}`);
    });
    const broken = ARROWS.filter(
      ({ file, station, target }) =>
        station === room &&
        stationOf(target) === room &&
        subRoomOf(file) !== subRoomOf(target) &&
        !knows[subRoomOf(file)]?.includes(subRoomOf(target)),
    );
    assert.deepEqual(
      broken.map(({ file, target }) => `${file} imports ${target}`),
      [],
    );
  }
});

test('deploy knows no load and no plan', () => {
  const types =
    /@import \{[^}]*\b(?:Load|Conditions|Case|Plan|Config)\b|\.(?:Load|Conditions|Case|Plan|Config)\b/;
  const broken = FILES.filter(({ station, text }) => station === 'deploy' && types.test(text));
  assert.deepEqual(
    broken.map(({ file }) => file),
    [],
  );
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

test('configuration and planning get environment, working directory and cores from their caller', () => {
  const asks = /\bprocess\.(?:env|cwd)\b|\bavailableParallelism\b|\bcpus\b/;
  const broken = FILES.filter(
    ({ station, text }) => ['catalog', 'config', 'secrets', 'plan'].includes(station) && asks.test(text),
  );
  assert.deepEqual(
    broken.map(({ file }) => file),
    [],
  );
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

test('a load tool knows no other, and of the engine only how and when requests are sent and which ports are free', () => {
  const shared = ['../request.js', '../slices.js', '../../system/free-port.js'];
  const tools = FILES.filter(({ file }) => file.startsWith('load/tools/'));
  assert.ok(tools.length >= 3);
  const broken = tools.flatMap(({ file, text }) => {
    const [id] = file.slice('load/tools/'.length).split(/[-.]/);
    return importsOf(text)
      .filter((from) => from.startsWith('.') && !from.startsWith(`./${id}-`) && !shared.includes(from))
      .map((from) => `${file} imports ${from}`);
  });
  assert.deepEqual(broken, []);
});

test('every room keeps to its budget of lines', () => {
  const lines = FILES.map(({ station, text }) => ({ station, lines: text.split('\n').length - 1 }));
  for (const room of ROOMS) {
    const sum = lines.reduce((total, file) => total + (file.station === room ? file.lines : 0), 0);
    assert.ok(
      sum <= (BUDGETS[room] ?? 0),
      `${room}: ${sum} lines; take as many away, or raise the budget and say why`,
    );
  }
});

test('the sources together do not grow', () => {
  const sources = readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(js|cjs|ts|pl|py|lua|java)$/.test(file) && !file.startsWith('generated/'),
  );
  const texts = sources.map((file) => readFileSync(join(SCRIPTS, file), 'utf8'));
  const lines = texts.reduce((total, text) => total + text.split('\n').length - 1, 0);
  assert.ok(lines <= MOST_LINES, `${lines} lines of source; take as many away as you add`);
});

test('comments in Lua, Perl, Python, Java and the shell are within 110 columns, too', () => {
  const files = readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(lua|pl|py|java)$|^(bench|test)$/.test(file),
  );
  const faults = files.flatMap((file) =>
    readFileSync(join(SCRIPTS, file), 'utf8')
      .split('\n')
      .filter((line) => /^\s*(--|#|\/\/|\/?\*)/.test(line) && line.length > 110),
  );
  assert.ok(files.length >= 6);
  assert.deepEqual(faults, []);
});

test('comments are within 110 columns, and in a block each tag has a line of its own', () => {
  const top = fileURLToPath(new URL('../', import.meta.url));
  const files = ['scripts', 'test', 'tools', 'bench', 'mcp'].flatMap((folder) =>
    readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (file) =>
          /\.(c?js|ts)$/.test(file) && !/(^|\/)(node_modules|generated|repositories|data)\//.test(file),
      )
      .map((file) => join(folder, file)),
  );
  const isComment = /^\s*(?:\/\*\*(?:(?!\*\/).)*(?:\*\/)?|\*.*|\/\/.*)$/;
  const faults = files.flatMap((file) =>
    readFileSync(join(top, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const tags = line.match(/@(?:param|property|returns|template|throws|type|typedef)\b/g) ?? [];
        return isComment.test(line) && (line.length > 110 || tags.length > 1) ? [`${file}:${index + 1}`] : [];
      }),
  );
  assert.ok(files.length > 500);
  assert.deepEqual(faults, []);
});

test('README and docs are short enough to be read', () => {
  const docs = fileURLToPath(new URL('../docs/', import.meta.url));
  const folders = ['', 'recipes/'];
  const pages = folders.flatMap((folder) => readdirSync(join(docs, folder)).map((file) => folder + file));
  const texts = ['../README.md', ...pages.filter((file) => file.endsWith('.md'))].map((file) =>
    readFileSync(join(docs, file), 'utf8'),
  );
  const words = texts.flatMap((text) => text.split(/\s+/).filter(Boolean)).length;
  assert.ok(words <= MOST_WORDS, `${words} words; cut as many as you add, or raise the budget and say why`);
});

/** @param {string} file */
function stationOf(file) {
  return file.includes('/') ? (file.split('/')[0] ?? '') : '';
}

/**
 * @param {string} file
 * @returns {string} "process" of deploy/process/hints.js, "runtimes" of deploy/runtimes.js
 */
function subRoomOf(file) {
  return (file.split('/')[1] ?? '').replace(/\.js$/, '');
}

/** @param {string} text */
function importsOf(text) {
  const imports = text.matchAll(
    /^(?:import|export)\b[^;]*?from '([^']+)';|(?:^import |await import\()'([^']+)'/gms,
  );
  return [...imports].map(([, fixed, late]) => fixed ?? late ?? '');
}

/** @param {string} text */
function typesOf(text) {
  const types = text.matchAll(/@import [^']*?from '([^']+)'|(?<!await )\bimport\('([^']+)'\)/g);
  return [...types].map(([, named, inline]) => named ?? inline ?? '');
}
