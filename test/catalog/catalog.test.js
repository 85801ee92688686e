import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { catalogServers, readCatalog, readServer, SERVER_SCHEMA } from '../../scripts/catalog/catalog.js';
import { readConfig } from '../../scripts/config/config.js';
import { checkConfig } from '../../scripts/config/layers.js';
import { ROUTE_KEYS } from '../../scripts/model/route-keys.js';
import { readYaml } from '../../scripts/system/yaml-file.js';
import { makePlan } from '../../scripts/plan/plan.js';
import { CALLER, inFolder, ROOT } from '../plan/sources.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

test('the catalogue lists the folders that hold a manifest, and the presets', () => {
  const { servers, presets } = readCatalog(ROOT);
  assert.deepEqual([...servers.keys()], ['alpha', 'beta', 'gauge']);
  assert.deepEqual([...presets.keys()].sort(), ['long', 'quick']);
});

test('a short manifest gets the documented defaults', () => {
  const folder = join(ROOT, 'servers', 'gauge');
  assert.deepEqual(readServer(folder, CALLER), {
    id: 'gauge',
    name: 'Gauge',
    runtime: 'node',
    folder,
    start: 'node gauge.js',
    ready: { path: '/', timeoutSeconds: 30 },
    routes: [{ id: '/', method: 'GET', path: '/', headers: {}, expect: { status: 200 } }],
    needs: [],
    env: {},
    reference: true,
  });
});

test('every row of the keys of a route is of a key of the schema', () => {
  const known = Object.keys(SERVER_SCHEMA.$defs.route.properties);
  assert.deepEqual(
    ROUTE_KEYS.map(({ key }) => key).filter((key) => !known.includes(key)),
    [],
  );
});

test('a route may be written as its name', () => {
  inFolder(undefined, (cwd) => {
    const text = 'start: x\nroutes: [/healthz, POST /items, { path: "/a b/${HOME}" }]\n';
    writeFileSync(join(cwd, 'server.yml'), text);
    const { routes } = readServer(cwd, { ...CALLER, environment: { HOME: '/home' } });
    assert.deepEqual(
      routes.map(({ id, method, path }) => [id, method, path]),
      [
        ['/healthz', 'GET', '/healthz'],
        ['POST /items', 'POST', '/items'],
        ['/a%20b/${HOME}', 'GET', '/a%20b/${HOME}'],
      ],
    );
  });
});

test('a full manifest keeps what it says, with numbers as the text they become', () => {
  const beta = readServer(join(ROOT, 'servers', 'beta'), CALLER);
  assert.equal(beta.name, 'beta');
  assert.deepEqual(beta.install, ['sh', '-c', 'echo installed']);
  assert.equal(beta.build, 'make');
  assert.deepEqual(beta.ready, { path: '/health', timeoutSeconds: 60 });
  assert.deepEqual(beta.env, { WORKERS: '4' });
  const items = readServer(join(ROOT, 'servers', 'alpha'), CALLER).routes.at(-1);
  assert.deepEqual(items, {
    id: 'POST /items',
    method: 'POST',
    path: '/items',
    headers: { 'content-length': '2' },
    body: '{}',
    expect: { status: 201 },
  });
});

const ROUTES = 'routes: [{ path: / }]';
/** @type {[what: string, text: string, lines: string[]][]} */
const BAD = [
  [
    'lacks what it needs',
    'name: x\n',
    [':1: the file lacks "start"; add it', ':1: the file lacks "routes"; add it'],
  ],
  [
    'has a key nobody knows',
    `start: node x\nstrat: 1\n${ROUTES}\n`,
    [':2: unknown key "strat"; did you mean "start"?'],
  ],
  [
    'has wrong types',
    'start: 5\nroutes:\n  - path: json\n    expect: { status: fine }\n',
    [
      ':1: start must be written like node server.js or [node, server.js]; got 5',
      ':3: routes[0].path must be written like /; got "json"',
      ':4: routes[0].expect.status must be a whole number; got "fine"',
    ],
  ],
  [
    'limits what its runtime cannot limit',
    `start: node x\nheap: 128MB\nprocessors: 2\n${ROUTES}\n`,
    [':3: processors: Node cannot be limited here; remove it, and use `start` or `env`'],
  ],
  [
    'names a version of Node for another runtime',
    `start: ./x\nruntime: go\nnode: 22\n${ROUTES}\n`,
    [':3: node: the server runs on Go; remove it'],
  ],
  [
    'names no version of Node',
    `start: node x\nnode: v24\n${ROUTES}\n`,
    [':2: node must be written like 24 or "24.9.0"; got "v24"'],
  ],
  [
    'limits its heap to no number of bytes',
    `start: node x\nheap: 128m\n${ROUTES}\n`,
    [':2: heap must be written like 128MB or 2GB; got "128m"'],
  ],
  [
    'calls itself another name than its folder',
    `start: node x\n${ROUTES}\nid: other\n`,
    [`:3: id is "other", but a server's id is its folder's name; remove id or rename the folder bad`],
  ],
  [
    'says where it is',
    `start: node x\n${ROUTES}\nfolder: ./x\n`,
    [
      ':3: folder is only for servers written inside perf.yml; remove it, as this server is in the folder of its server.yml',
    ],
  ],
];

for (const [what, text, lines] of BAD) {
  test(`a manifest that ${what} is refused with its line`, () => {
    inFolder(undefined, (cwd) => {
      const folder = join(cwd, 'bad');
      mkdirSync(folder);
      writeFileSync(join(folder, 'server.yml'), text);
      const expected = lines.map((line) => join(folder, 'server.yml') + line).join('\n');
      assert.throws(() => readServer(folder, CALLER), { name: 'UserError', message: expected });
    });
  });
}

test('the catalogue of the project has one reference, and a route means the same on every server', () => {
  const servers = catalogServers(PROJECT, CALLER);
  const [reference, ...others] = servers.filter((server) => server.reference);
  assert.deepEqual([reference?.routes.map(({ id }) => id), others], [['/', '/json'], []]);
  for (const route of reference?.routes ?? []) {
    const alike = servers.flatMap(({ id, routes }) =>
      routes.filter((other) => other.id === route.id).map((found) => ({ id, found })),
    );
    assert.ok(alike.length >= 5, `only ${alike.map(({ id }) => id)} have ${route.id}`);
    for (const { id, found } of alike) assert.deepEqual(found, route, id);
  }
});

test('no server of the project has a privilege: under other names they are planned alike', () => {
  const { servers, presets } = readCatalog(PROJECT);
  const renamed = (/** @type {string} */ text) =>
    [...servers.keys()].reduce(
      (changed, id) => changed.replace(new RegExp(`(?<![\\w-])${id}(?![\\w-])`, 'g'), `our-${id}`),
      text,
    );
  inFolder(undefined, (cwd) => {
    const root = join(cwd, 'root');
    for (const [id, folder] of servers) {
      mkdirSync(join(root, 'servers', `our-${id}`), { recursive: true });
      cpSync(join(folder, 'server.yml'), join(root, 'servers', `our-${id}`, 'server.yml'));
    }
    for (const folder of ['presets', 'baselines']) mkdirSync(join(root, folder));
    for (const [id, file] of presets)
      writeFileSync(join(root, 'presets', `${id}.yml`), renamed(readFileSync(file, 'utf8')));
    for (const preset of presets.keys()) {
      const casesIn = (/** @type {string} */ place) => {
        const config = readConfig({ options: { preset }, cwd, root: place, seed: 1, caller: CALLER });
        const { cases } = makePlan(config);
        return cases.map(({ server, serverName, route, load, reference }) => {
          const id = server.replace(/^our-/, '');
          return { id, serverName, route, load, reference };
        });
      };
      assert.deepEqual(casesIn(root), casesIn(PROJECT), preset);
    }
  });
});

test('every preset of the project asks a question and can be planned, and quick takes about a minute', () => {
  const { presets } = readCatalog(PROJECT);
  assert.ok(presets.size >= 2, `${presets.size} presets`);
  for (const [preset, file] of presets) {
    assert.match(readYaml(file, checkConfig).value.description, /\?$/, preset);
    const plan = inFolder(undefined, (cwd) =>
      makePlan(readConfig({ options: { preset }, cwd, root: PROJECT, seed: 1, caller: CALLER })),
    );
    assert.ok(plan.cases.length > 0, preset);
    const seconds = plan.estimateSeconds;
    if (preset === 'quick') assert.ok(seconds >= 40 && seconds <= 70, `${seconds} s`);
  }
});
