/** Every mistake one can make in a configuration, and the one line it is told in. */

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { configOf, inFolder, readIn } from '../plan/sources.js';

const NOWHERE = 'and no folder with a server.yml';
const DURATION = 'is not a valid duration; use a number above 0 with a unit, like 500ms, 10s or 5m';
const NOTHING_LEFT =
  'every pattern starts with "!", so nothing can match; start with one without it, like "**"';
const COUNT = 'is not a valid count; use a whole number of at least 1';

/** @type {[options: import('../../scripts/types.js').Asked, line: string][]} */
const FLAGS = [
  [{ servers: 'alpa' }, `--servers: unknown server "alpa", ${NOWHERE}; did you mean "alpha"?`],
  [
    { servers: 'something' },
    `--servers: unknown server "something", ${NOWHERE}; there are alpha, beta, gauge`,
  ],
  [{ servers: './here' }, "--servers: there is no here/server.yml; add one to the server's folder"],
  [{ servers: ',' }, '--servers: the list is empty; give at least one value'],
  [{ tool: 'autocanon' }, '--tool: unknown load tool "autocanon"; did you mean "autocannon"?'],
  [{ preset: 'quik' }, '--preset: unknown preset "quik"; did you mean "quick"?'],
  [{ config: 'none.yml' }, 'none.yml: there is no such file; check the path'],
  [{ duration: '10' }, `--duration: "10" ${DURATION}`],
  [{ budget: '0s' }, `--budget: "0s" ${DURATION}`],
  [{ connections: '-5' }, `--connections: "-5" ${COUNT}`],
  [{ connections: '50,x' }, `--connections: "x" ${COUNT}`],
  [{ rate: '1.5' }, `--rate: "1.5" ${COUNT}`],
  [
    { rate: '5000', threads: '2' },
    '--threads: a rate sends every request when it is due, which several threads cannot; leave it out',
  ],
  [
    { rate: '5000', pipelining: '2' },
    '--pipelining: a rate sends every request when it is due, which pipelining cannot; leave it out',
  ],
  [{ 'runtime-metrics': 'yes' }, '--runtime-metrics: "yes" is not valid; use true or false'],
  [{ seed: 'x' }, '--seed: "x" is not a valid seed; use a whole number from 0 to 4294967295'],
  [{ margin: '500%' }, '--margin: "500%" is not a valid percentage; use one between 0 and 100, like 5%'],
  [{ 'fail-on': 'always' }, '--fail-on: "always" is not valid; use regressed, unsure or never'],
  [{ scale: '0' }, '--scale: "0" is not a valid factor; use a number above 0, like 0.1'],
  [{ reference: 'gage' }, `--reference: unknown server "gage", ${NOWHERE}; did you mean "gauge"?`],
  [{ 'relative-to': 'btea' }, '--relative-to: server "btea" is not measured; did you mean "beta"?'],
  [{ servers: 'beta', routes: '/jsn' }, '--routes: server "beta" has no route "/jsn"; did you mean "/json"?'],
  [{ routes: 'POST /items' }, '--routes: server "beta" has no route "POST /items"; there are /, /json'],
  [{ tool: 'ab', pipelining: '10' }, '--pipelining: ab cannot pipeline; use autocannon or wrk'],
  [{ tool: 'wrk', rate: '500' }, '--rate: wrk cannot hold a rate; use autocannon or k6'],
  [{ tool: 'ab', threads: '2' }, '--threads: ab cannot use several threads; use autocannon or wrk'],
  [
    { tool: 'autocannon', requests: '1000' },
    '--requests: autocannon cannot send a fixed number of requests; use ab',
  ],
  [
    { tool: 'ab', requests: '500', windows: '10', duration: '10s' },
    '--requests: 500 requests are too few for 100 connections in each of 10 windows; use at least 1000',
  ],
  [
    { tool: 'wrk', threads: '8', connections: '4' },
    '--threads: wrk cannot split 4 connections over 8 threads; use fewer threads or more connections',
  ],
  [
    { pipelining: '4', 'keep-alive': 'false' },
    '--pipelining: pipelining needs connections that stay open; leave keepAlive on',
  ],
  [
    { servers: 'beta', instances: '2' },
    '--instances: several instances need a Node server, and beta runs on java; exclude it',
  ],
  [
    { servers: 'beta', manager: 'pm2' },
    '--manager: pm2 needs a Node server, and beta runs on java; exclude it',
  ],
  [
    { servers: 'beta', proxy: 'https' },
    '--proxy: https needs a Node server, and beta runs on java; use https+nginx',
  ],
  [{ proxy: 'apache' }, '--proxy: "apache" is not valid; use direct, nginx, https or https+nginx'],
  [{ manager: 'forever' }, '--manager: "forever" is not valid; use cluster or pm2'],
  [
    { instances: '0x' },
    '--instances: "0x" is not a valid number of instances; use 1 to 1000, or 2x for twice the cores',
  ],
  [{ warmup: '500ms' }, '--warmup: autocannon runs for whole seconds only; 0.5 s is not possible'],
  [{ tool: 'wrk', duration: '1500ms' }, '--duration: wrk runs for whole seconds only; 1.5 s is not possible'],
  [
    { windows: '3', duration: '10s' },
    '--duration: autocannon runs for whole seconds only; one of 3 windows of 10 s is not possible',
  ],
];

/**
 * An exclude or include below two servers, two routes and two numbers of connections.
 * @type {[entries: string, lines: string[]][]}
 */
const ENTRIES = [
  ['exclude: [{ conections: 5 }]', ['perf.yml:4: unknown key "conections"; did you mean "connections"?']],
  [
    'exclude: [{ connections: [5, 6] }]',
    ['perf.yml:4: exclude[0].connections must be a whole number; got [5,6]'],
  ],
  [
    'exclude:\n  - { connections: 5 }\n  - connections: 6\n    server: alpa',
    ['perf.yml:7: exclude: server "alpa" is not measured; did you mean "alpha"?'],
  ],
  [
    'exclude: [{ connections: 7 }]',
    ['perf.yml:4: exclude: no combination has these values; correct them or remove this entry'],
  ],
  [
    'include: [{ server: alpa }]',
    ['perf.yml:4: include: server "alpa" is not measured; did you mean "alpha"?'],
  ],
  [
    'exclude:\n  - { server: alpha }\n  - { server: beta }',
    ['perf.yml:5: exclude: nothing is left to measure; remove an entry'],
  ],
  ['include: [{ tool: wrq }]', ['perf.yml:4: include: unknown load tool "wrq"; did you mean "wrk"?']],
  [
    'include: [{ tool: ab, pipelining: 4 }]',
    ['perf.yml:4: include: ab cannot pipeline; use autocannon or wrk'],
  ],
  [
    'include:\n  - { server: beta, route: POST /items }',
    ['perf.yml:5: include: server "beta" has no route "POST /items"; there are /, /json'],
  ],
];

for (const [entries, lines] of ENTRIES) {
  test(`entries ${JSON.stringify(entries)} are refused`, () => {
    const file = `servers: [alpha, beta]\nroutes: [/, /json]\nload: { connections: [5, 6] }\n${entries}\n`;
    assert.throws(() => configOf({}, file), { name: 'UserError', message: lines.join('\n') });
  });
}

for (const [options, message] of FLAGS)
  test(`flags ${JSON.stringify(options)} are refused`, () =>
    assert.throws(() => configOf(options), { name: 'UserError', message }));

/** @type {[perfYml: string, lines: string[]][]} */
const FILES = [
  ['lod: 3\n', ['perf.yml:1: unknown key "lod"; did you mean "load"?']],
  [
    'rounds: 2\nload:\n  conections: 5\n',
    ['perf.yml:3: unknown key "conections"; did you mean "connections"?'],
  ],
  [
    'routes: [{ path: /, method: POST, body: { token: "${NOT_SET_HERE}" } }]\n',
    ['perf.yml:1: routes: NOT_SET_HERE is not set here; set it, or write the value out'],
  ],
  ['load:\n  connections: 0\n', ['perf.yml:2: load.connections must be >= 1; got 0']],
  [
    'lod: 3\nload: { tool: [wrk, autocanon] }\n',
    [
      'perf.yml:1: unknown key "lod"; did you mean "load"?',
      'perf.yml:2: load.tool[1] must be written like autocannon or wrk or ab or k6 or locust; got "autocanon"',
    ],
  ],
  [
    'load:\n  connections:\n    - 50\n    - many\n',
    ['perf.yml:4: load.connections[1] must be a whole number; got "many"'],
  ],
  [
    'load:\n  connections: "50"\n',
    ['perf.yml:2: load.connections must be written like 50 or [50, 100]; got "50"'],
  ],
  [
    '\nload: { duration: 10sec }\n',
    ['perf.yml:2: load.duration must be written like 500ms or 10s or 5m; got "10sec"'],
  ],
  ['load: { duration: 0s }\n', [`perf.yml:1: load.duration: "0s" ${DURATION}`]],
  ['margin: 5\n', ['perf.yml:1: margin must be written like 5%; got 5']],
  ['failOn: always\n', ['perf.yml:1: failOn must be one of regressed, unsure, never; got "always"']],
  ['servers: []\n', ['perf.yml:1: servers must not be empty; got []']],
  [
    'servers: [{ id: a, start: x, env: [A=1], routes: [{ path: / }] }]\n',
    ['perf.yml:1: servers[0].env must be written like { NAME: value }; got ["A=1"]'],
  ],
  [
    'servers:\n  - id: a\n\tstart: x\n\troutes: [/]\n',
    ['perf.yml:3: Tabs are not allowed as indentation; use spaces'],
  ],
  ['- a list\n', ['perf.yml:1: the file must be a mapping, like { key: value }']],
  [
    'servers:\n  - alpha\n  - alpa\n',
    [`perf.yml:3: servers: unknown server "alpa", ${NOWHERE}; did you mean "alpha"?`],
  ],
  ['servers:\n  - id: mine\n    routes: [{ path: / }]\n', ['perf.yml:2: servers[0] lacks "start"; add it']],
  [
    'servers:\n  - id: mine\n    start: node x\n    ready:\n      timeout: 0s\n    routes: [{ path: / }]\n',
    [`perf.yml:5: servers: "0s" ${DURATION}`],
  ],
  ['routes: /nope\n', ['alpha', 'beta'].map((id) => routeLine('perf.yml:1: routes', id))],
  ['preset: lng\n', ['perf.yml:1: preset: unknown preset "lng"; did you mean "long"?']],
  [
    'load: [\n',
    ['perf.yml:2: Flow sequence in block collection must be sufficiently indented and end with a ]'],
  ],
  [
    'gates:\n  p99: always\n  memry: never\n',
    [
      'perf.yml:3: unknown key "memry"; did you mean "memory"?',
      'perf.yml:2: gates.p99 must be one of regressed, unsure, never; got "always"',
    ],
  ],
  [
    'routes:\n  - path: /\n    expect: { statsu: 200 }\n',
    ['perf.yml:3: unknown key "statsu"; did you mean "status"?'],
  ],
  [
    'servers:\n  - id: mine\n    folder: ./nowhere\n    start: node x\n    routes: [{ path: / }]\n',
    ['perf.yml:3: servers: there is no folder ./nowhere; it is relative to this file'],
  ],
  [
    'load:\n  tool: [wrk, locust]\n  duration: 2s\nroutes: [{ path: //x }]\n',
    [
      'perf.yml:2: load.tool: locust cannot ask for a path that begins with two slashes; use autocannon or wrk or ab or k6',
    ],
  ],
  [
    'load:\n  tool: [wrk, ab]\nroutes:\n  - { path: /, method: HEAD }\n  - { path: /gone, expect: { status: 404 } }\n',
    [
      'perf.yml:2: load.tool: wrk cannot read an answer that has a length but no body, as to HEAD or with 304; use autocannon or ab or k6 or locust',
      'perf.yml:2: load.tool: ab cannot tell an expected status outside 2xx from an error; use autocannon or wrk or k6 or locust',
    ],
  ],
  [
    'routes:\n  - { path: /, headers: { Expect: 100-continue, content-length: 3 } }\n',
    [
      'perf.yml:2: routes: "Expect" is left to the load tools, which frame requests and keep connections; remove it',
      'perf.yml:2: routes: "content-length" is left to the load tools, which frame requests and keep connections; remove it',
    ],
  ],
  [
    'routes:\n  - { path: /, expect: { status: 204, json: {} } }\n',
    [
      'perf.yml:2: routes: an answer to HEAD, or with status 204, 205, 304, has no body; remove `body` and `json` from `expect`',
    ],
  ],
  [
    'routes: [{ path: /, method: HEAD, body: x }]\n',
    ['perf.yml:1: routes: HEAD is sent without a body; remove it, or use another method'],
  ],
  [
    'routes: [{ path: /, expect: { status: 100 } }]\n',
    ['perf.yml:1: routes[0].expect.status must be >= 200; got 100'],
  ],
  [
    'load:\n  tool: [wrk, k6]\nroutes: [{ path: /, stream: true }]\n',
    ['wrk', 'k6'].map(
      (tool) =>
        `perf.yml:2: load.tool: ${tool} cannot time the first byte and the events of a stream; use autocannon`,
    ),
  ],
  [
    'load:\n  threads: 2\n  pipelining: 2\nroutes: [{ path: /, stream: true }]\n',
    [
      'perf.yml:2: load.threads: a stream keeps its connection, so the connections set the load: threads cannot be used; leave it out',
      'perf.yml:3: load.pipelining: a stream keeps its connection, so the connections set the load: pipelining cannot be used; leave it out',
    ],
  ],
  [
    'load: { rate: 100 }\nroutes: [{ path: /, stream: true }]\n',
    [
      'perf.yml:1: load.rate: a stream keeps its connection, so the connections set the load: a rate cannot be used; leave it out',
    ],
  ],
  [
    'routes: [{ path: /, stream: true, method: HEAD }]\n',
    ['perf.yml:1: routes: an answer to HEAD, or with status 204, 205, 304, has no body; remove `stream`'],
  ],
  [
    'routes: [{ path: /, stream: true, expect: { body: x } }]\n',
    [
      'perf.yml:1: routes: the check reads only the beginning of a stream; remove `body` and `json` from `expect`',
    ],
  ],
  [
    'load:\n  tool: [autocannon, ab]\n  rate: 100\n  warmup: 500ms\n',
    [
      'perf.yml:4: load.warmup: autocannon runs for whole seconds only; 0.5 s is not possible',
      'perf.yml:3: load.rate: ab cannot hold a rate; use autocannon or k6',
      'perf.yml:4: load.warmup: ab runs for whole seconds only; 0.5 s is not possible',
    ],
  ],
  [
    'servers:\n  - id: a\n    start: b\n    routes: [{ path: / }]\n    env:\n      PORT: 80\n      A: "${NOT_SET_HERE}"\n    passEnv: [GITHUB_TOKEN]\n',
    [
      'perf.yml:6: servers: PORT is set for every start; remove it here and use $PORT in start',
      'perf.yml:7: servers: NOT_SET_HERE is not set here; set it, or write the value out',
      'perf.yml:8: servers: GITHUB_TOKEN belongs to GitHub and is never passed; give the value another name',
    ],
  ],
  [
    'servers:\n  - id: a\n    start: b\n    routes: [{ path: "/items/${NOT_SET_HERE}" }]\n',
    ['perf.yml:4: servers: NOT_SET_HERE is not set here; set it, or write the value out'],
  ],
  [
    'servers:\n  - id: a\n    start: b\n    routes:\n      - path: /\n        headers: { "a b": 1, x: "1\\r\\ny: 2" }\n',
    [
      'perf.yml:6: servers: "a b" is not a valid header name; use letters, digits and hyphens',
      'perf.yml:6: servers: the value of "x" contains a line break or another control character; remove it',
    ],
  ],
  [
    'servers:\n  - id: a\n    start: b\n    routes: [{ path: / }]\n    copy: [../.env]\n',
    ['perf.yml:5: servers[0].copy[0] must be written like .env; got "../.env"'],
  ],
  [
    'servers:\n  - id: mine\n    start: node x\n    paths: ["!docs/**"]\n    routes: [{ path: / }]\n',
    [`perf.yml:4: servers: ${NOTHING_LEFT}`],
  ],
  ['title: a\ntitle: b\n', ['perf.yml:2: the key "title" stands here twice; remove one']],
  [
    'rounds: 2\ntitle: *none\n',
    ['perf.yml:2: an alias (*) without its anchor (&) above it; quote it if it is text'],
  ],
];

for (const [perfYml, lines] of FILES) {
  test(`perf.yml ${JSON.stringify(perfYml)} is refused`, () => {
    assert.throws(() => configOf({}, perfYml), { name: 'UserError', message: lines.join('\n') });
  });
}

test('all mistakes of all sources are reported at once, each in its own line', () => {
  assert.throws(
    () => configOf({ connections: '0', tool: 'wkr', servers: 'alpa,beta' }, 'rounds: 0\nlod: 1\n'),
    (/** @type {Error} */ { message }) => {
      assert.deepEqual(
        message.split('\n').map((line) => line.split(' ')[0]),
        ['perf.yml:2:', 'perf.yml:1:', '--connections:', '--servers:', '--tool:'],
      );
      return true;
    },
  );
});

test('two servers of one name are refused', () => {
  const file = 'servers:\n  - alpha\n  - id: alpha\n    start: node x\n    routes: [{ path: / }]\n';
  assert.throws(
    () => configOf({}, file),
    /^UserError: perf\.yml:1: servers: 2 are called "alpha" \(in .+ and .+\); rename all but one$/,
  );
  const gauge = 'servers:\n  - id: gauge\n    start: node x\n    routes: [{ path: / }]\n';
  assert.throws(() => configOf({}, gauge), /^UserError: perf\.yml:1: servers: 2 are called "gauge"/);
});

test('an output folder that cannot be written, or contains what is measured, is refused', () => {
  inFolder(undefined, (cwd) => {
    writeFileSync(join(cwd, 'taken'), '');
    const isFile = `${join(cwd, 'taken')} is a file; use a folder`;
    const contains = `it contains ${cwd}; use a folder of its own`;
    for (const [out, why] of [
      ['taken', isFile],
      ['taken/deeper', isFile],
      ['.', contains],
      ['..', contains],
      ...(process.platform === 'linux'
        ? [['/proc/results', '/proc is not writable; use another folder']]
        : []),
    ])
      assert.throws(() => readIn(cwd, { out }), {
        message: `--out: results cannot be written to ${out}: ${why}`,
      });
  });
});

test('a file may put its results into its own folder alone, the command line anywhere', () => {
  inFolder('out: ../elsewhere\n', (cwd) => {
    const message = /^perf\.yml:1: out: results cannot be written to \.\.\/elsewhere: it lies outside of /;
    assert.throws(() => readIn(cwd), { message });
    assert.equal(readIn(cwd, { out: '../elsewhere' }).out, '../elsewhere');
    symlinkSync(tmpdir(), join(cwd, 'link'));
    writeFileSync(join(cwd, 'perf.yml'), 'out: link/elsewhere\n');
    assert.throws(() => readIn(cwd), { message: /it lies outside of/ });
  });
});

test('a file for a body is there, is one, is small enough, and stands alone', () => {
  const refused = (/** @type {string} */ route, /** @type {RegExp} */ message) =>
    inFolder(undefined, (cwd) => {
      mkdirSync(join(cwd, 'folder'));
      writeFileSync(join(cwd, 'large'), Buffer.alloc(2 ** 20 + 1));
      writeFileSync(join(cwd, 'small'), 'x');
      writeFileSync(
        join(cwd, 'perf.yml'),
        `servers: [{ id: own, start: node x, routes: [{ path: /, ${route} }] }]\n`,
      );
      assert.throws(() => readIn(cwd), { message });
    });
  refused(
    'bodyFile: none',
    /^perf\.yml:1: servers.*: none: there is no such file; name a file of at most 1048576 bytes, relative to /,
  );
  refused('bodyFile: folder', /folder: is not a regular file; /);
  refused('bodyFile: large', /large: has more than 1048576 bytes; /);
  refused('bodyFile: small, body: x', /: there are both body and bodyFile; remove one of the two$/);
});

/**
 * @param {string} place
 * @param {string} id
 */
function routeLine(place, id) {
  const known = id === 'alpha' ? '/, /json, POST /items' : '/, /json';
  return `${place}: server "${id}" has no route "/nope"; there are ${known}`;
}

test('an unknown server is reported with those of the file', () => {
  const file = 'servers: [{ id: orders, start: node x, routes: [{ path: / }] }, ../plan/own]\n';
  assert.throws(() => configOf({ servers: 'ordres' }, file), {
    message: `--servers: unknown server "ordres", ${NOWHERE}; did you mean "orders"?`,
  });
});
