/** Which routes execute changed code: a row for each thing that is known, and for each that cannot be. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSource } from '../../scripts/profile/source.js';
import { touchedRoutes } from '../../scripts/profile/touched.js';

/** @import { Ran, Recording } from '../../scripts/profile/coverage.js' */
/**
 * What ran, as "file function".
 * @typedef {{ start?: string[], first?: string[], idle?: string[], '/a'?: string[] | string[][], '/b'?:
 *   string[] }} Executed
 */
/**
 * @typedef {Partial<Pick<Recording, 'version' | 'unseen'>> & { files?: Record<string, string>, others?:
 *   Record<string, string> }} Facts
 */

const APP = `
const { list } = require('./list');
const LIMIT = 10, SIZE = 2;
const TWICE = 2 * SIZE;
const pool = make({ max: 10 });
function a() { return list().slice(LIMIT); }
function b() { return 1; }
app.get('/a', () => a());
`;
const LIST = `
function list() { return [1].map((each) => each); }
function rare() { return 0; }
module.exports = { list, rare };
`;
const FILES = { 'app.js': APP, 'list.js': LIST };
/** @type {Executed} */
const RAN = {
  start: ['app.js make'],
  first: ['list.js list'],
  '/a': ['app.js a', 'list.js list', 'list.js '],
  '/b': ['app.js b'],
};

/**
 * @param {Facts} facts
 * @param {Executed} executed
 * @returns {Recording}
 */
function sideOf({ files = FILES, others = {}, version = 'v24.0.0', unseen = [] }, executed) {
  /**
   * @param {string} text
   * @returns {Ran[]}
   */
  const rangeOf = (text) => {
    const [file = '', name = ''] = text.split(/ (?=\S*$)/);
    const units = readSource(files[/** @type {keyof typeof files} */ (file)] ?? '')?.units ?? [];
    const unit = units.find((each) => each.name === name) ?? { start: 0, end: 0 };
    return [{ file, name, start: unit.start, end: unit.end }];
  };
  const all = (/** @type {string[]} */ texts = []) => texts.flatMap(rangeOf);
  const times = (/** @type {string[] | string[][]} */ texts = []) =>
    Array.isArray(texts[0])
      ? texts.map((time) => all(/** @type {string[]} */ (time)))
      : Array.from({ length: 3 }, () => all(/** @type {string[]} */ (texts)));
  const { start, first, idle } = executed;
  return {
    ...{ version, unseen, start: all(start), first: all(first), idle: all(idle) },
    files: new Map(Object.entries(files)),
    routes: new Map([
      ['/a', times(executed['/a'])],
      ['/b', times(executed['/b'])],
    ]),
    others: new Map(Object.entries(others)),
  };
}

/**
 * @param {Record<string, string>} files of the head
 * @param {Executed} [ran] by both sides
 * @param {Facts} [more] of the head
 * @param {Executed} [ranInHead]
 */
function touchedBy(files, ran = RAN, more = {}, ranInHead = ran) {
  const head = sideOf({ ...more, files: { ...FILES, ...files } }, ranInHead);
  return touchedRoutes({ server: 'api', routes: ['/a', '/b'] }, [sideOf({}, ran), head]);
}

/** @param {ReturnType<typeof touchedBy>} touched */
const routesOf = ({ routes }) => routes.filter(({ touched }) => touched).map(({ route }) => route);
/** @param {ReturnType<typeof touchedBy>} touched */
const namesOf = ({ routes }) => routes.map(({ functions }) => functions.map(({ name }) => name));
const whysOf = (/** @type {ReturnType<typeof touchedBy>} */ { reasons }) => reasons.map(({ why }) => why);

/**
 * @param {string} text
 * @param {string | RegExp} from
 * @param {string} to
 */
function changed(text, from, to) {
  const after = text.replace(from, to);
  assert.notEqual(after, text);
  return after;
}
const app = (/** @type {string} */ from, /** @type {string} */ to) => ({ 'app.js': changed(APP, from, to) });
const list = (/** @type {string} */ from, /** @type {string} */ to) => ({
  'list.js': changed(LIST, from, to),
});

test('equal sides: no route', () => {
  const { routes, reasons } = touchedBy({});
  assert.deepEqual(routes, [
    { server: 'api', route: '/a', touched: false, functions: [] },
    { server: 'api', route: '/b', touched: false, functions: [] },
  ]);
  assert.deepEqual(reasons, []);
});

/**
 * The route /a alone.
 * @type {Record<string, [files: Record<string, string>, functions: string[], ran?: Executed]>}
 */
const KNOWN = {
  'a function that it executes': [list('return [1]', 'return [1, 2]'), ['list']],
  'the innermost function, not the one around it': [list('=> each', '=> each + 1'), ['list']],
  'a constant that a function of it reads': [app('LIMIT = 10', 'LIMIT = 20'), ['a']],
  'an import that a function of it reads': [app("require('./list')", "require('./other')"), ['a']],
  'a new function that it executes': [
    { 'list.js': `${changed(LIST, '{ return [1]', '{ added(); return [1]')}function added() {}` },
    ['list', 'added'],
    { ...RAN, '/a': [.../** @type {string[]} */ (RAN['/a']), 'list.js added'] },
  ],
  'a new function that it imports': [
    {
      'list.js': `${changed(LIST, '{ list, rare }', '{ list, rare, added }')}function added() {}`,
      'app.js': changed(
        changed(APP, '{ list }', '{ list, added }'),
        'return list()',
        'added(); return list()',
      ),
    },
    ['a', 'added'],
    { ...RAN, '/a': [.../** @type {string[]} */ (RAN['/a']), 'list.js added'] },
  ],
  'a new file that exports one': [
    {
      'app.js': `const more = require('./more');${changed(APP, 'return list()', 'return more(list())')}`,
      'more.js': `'use strict';
Object.defineProperty(exports, "__esModule", { value: true });
exports.more = void 0;
class More { size = new Set(); }
module.exports = more;
function more() {}`,
    },
    ['a', 'more'],
    { ...RAN, '/a': [.../** @type {string[]} */ (RAN['/a']), 'more.js more'] },
  ],
  'a new file of functions': [
    {
      ...app('return list()', 'return more(list())'),
      'more.js': 'const N = 1; exports.more = more; function more() { return N; }',
    },
    ['a', 'more'],
    { ...RAN, '/a': [.../** @type {string[]} */ (RAN['/a']), 'more.js more'] },
  ],
};
for (const [what, [files, functions, ranInHead]] of Object.entries(KNOWN))
  test(`${what}: that route alone, and it is named`, () => {
    const touched = touchedBy(files, RAN, {}, ranInHead);
    assert.deepEqual(whysOf(touched), []);
    assert.deepEqual(routesOf(touched), ['/a']);
    assert.deepEqual(namesOf(touched), [functions, []]);
  });

/** @type {Record<string, Record<string, string>>} */
const NOTHING = {
  'a comment, and white space': list('return 0;', 'return  0; /* nothing */'),
  'the order of functions': {
    'list.js': `function rare() { return 0; }${changed(LIST, 'function rare() { return 0; }', '')}`,
  },
};
for (const [what, files] of Object.entries(NOTHING))
  test(`${what}: no route`, () => {
    const touched = touchedBy(files);
    assert.deepEqual([whysOf(touched), routesOf(touched)], [[], []]);
  });

/**
 * All routes.
 * @type {Record<string, [why: string, files: Record<string, string>, ran?: Executed, more?: Facts]>}
 */
const UNKNOWN = {
  'a changed function that ran before the first request': [
    'start',
    list('return 0', 'return 1'),
    { ...RAN, start: ['list.js rare'] },
  ],
  'one that ran then and on a route': [
    'start',
    list('return [1]', 'return [2]'),
    { ...RAN, start: ['list.js list'] },
  ],
  'one that ran between requests': [
    'between',
    list('return 0', 'return 1'),
    { ...RAN, idle: ['list.js rare'] },
  ],
  'one that ran with the first requests alone': [
    'first',
    list('return 0', 'return 1'),
    { ...RAN, first: ['list.js rare'] },
  ],
  'one that no route executed': ['unasked', list('return 0', 'return 1')],
  'one that is new, and no route executed': ['unasked', { 'list.js': `${LIST}function more() {}` }],
  'one that is gone, and no route executed': [
    'unasked',
    { 'list.js': 'function list() { return [1].map((each) => each); } module.exports = { list };' },
  ],
  'code outside of functions': ['module', app('max: 10', 'max: 1')],
  'a constant that code outside of functions reads': [
    'module',
    { 'app.js': `const SMALL = 1;${changed(APP, 'max: 10', 'max: SMALL')}` },
  ],
  'a constant that another one is made of': ['module', app('SIZE = 2', 'SIZE = 3')],
  'a new module that does something': ['module', { 'new.js': 'globalThis.fetch = undefined;' }],
  'a value that a module exports': ['module', list('{ list, rare }', '{ list, rare, LIMIT: 5 }')],
  'another function under an exported name': ['module', list('{ list, rare }', '{ list, rare: list }')],
  'a directive of strictness': ['module', { 'list.js': `'use strict';${LIST}` }],
  'a file that cannot be read': ['module', { 'list.js': `${LIST} const a: number = 1;` }],
  'code of eval that ran before the first request': [
    'generated',
    { 'generated code 12ab': 'function anonymous() { return 1; }' },
    { ...RAN, start: ['generated code 12ab anonymous'] },
  ],
  'a file that is no code': ['file', {}, RAN, { others: { 'data.json': 'b' } }],
  WebAssembly: ['assembly', {}, RAN, { others: { 'wasm://wasm/12ab': 'wasm://wasm/12ab' } }],
  'a native package': ['file', {}, RAN, { others: { 'node_modules/x/x.node': 'b' } }],
  'another Node': ['node', {}, RAN, { version: 'v26.0.0' }],
  workers: ['worker', {}, RAN, { unseen: ['worker'] }],
  'other programs': ['program', {}, RAN, { unseen: ['program'] }],
  'no process that served': ['silent', {}, RAN, { version: '' }],
  'a process that did not answer': ['silent', {}, RAN, { unseen: ['silent'], version: '' }],
};
for (const [what, [why, files, ran, more]] of Object.entries(UNKNOWN))
  test(`${what}: all routes`, () => {
    const touched = touchedBy(files, ran, more);
    assert.ok(whysOf(touched).includes(/** @type {any} */ (why)), whysOf(touched).join());
    assert.deepEqual(routesOf(touched), ['/a', '/b']);
    assert.ok(touched.routes.every((route) => route.why !== undefined));
  });

test('code of eval that a route executes: that route', () => {
  const files = { 'generated code 12ab': '(a) => a' };
  const ran = { ...RAN, '/b': ['app.js b', 'generated code 12ab '] };
  const touched = touchedBy(files, RAN, {}, ran);
  assert.deepEqual([whysOf(touched), routesOf(touched)], [[], ['/b']]);
  assert.deepEqual(touched.routes[1]?.functions, [{ name: '', file: 'generated code' }]);
});

test('a bundle whose names moved: every route that executes it', () => {
  const bundle = (/** @type {string[]} */ [a, b]) =>
    `function ${a}() { return ${b}() } function ${b}() { return 1 }`;
  const executed = (/** @type {string} */ a, /** @type {string} */ b) => ({
    '/a': [`dist.js ${a}`, `dist.js ${b}`],
    '/b': [`dist.js ${b}`],
  });
  const base = sideOf({ files: { 'dist.js': bundle(['x', 'y']) } }, executed('x', 'y'));
  const head = sideOf({ files: { 'dist.js': bundle(['q', 'r']) } }, executed('q', 'r'));
  assert.deepEqual(routesOf(touchedRoutes({ server: 'api', routes: ['/a', '/b'] }, [base, head])), [
    '/a',
    '/b',
  ]);
});

test('a route that executes other functions, none of which changed, is touched; one that does so at times is not', () => {
  const more = { ...RAN, '/b': ['app.js b', 'list.js rare'] };
  const [, route] = touchedBy({}, RAN, {}, more).routes;
  assert.deepEqual(
    [route?.touched, route?.why, route?.functions.map(({ name }) => name)],
    [true, 'calls', ['rare']],
  );
  const timer = { ...RAN, idle: ['list.js rare'] };
  assert.deepEqual(routesOf(touchedBy({}, timer, {}, more)), []);
  const b = ['app.js a', 'list.js list', 'list.js '];
  const atTimes = { ...RAN, '/a': [b, [...b, 'list.js rare'], b] };
  assert.deepEqual(routesOf(touchedBy({}, RAN, {}, atTimes)), []);
});

test('a changed function that runs at times beside a route runs between requests: all routes', () => {
  const a = /** @type {string[]} */ (RAN['/a']);
  const atTimes = { ...RAN, '/a': [a, [...a, 'list.js rare'], a] };
  const touched = touchedBy({ 'list.js': changed(LIST, 'return 0', 'return 1') }, atTimes);
  assert.deepEqual(
    touched.reasons.map(({ why, places }) => [why, places.map(({ name }) => name)]),
    [['between', ['rare']]],
  );
  assert.deepEqual(routesOf(touched), ['/a', '/b']);
});

test('a route that one side lacks counts as touched', () => {
  const [base, head] = [sideOf({}, RAN), sideOf({}, RAN)];
  base.routes.delete('/b');
  const { routes } = touchedRoutes({ server: 'api', routes: ['/a', '/b'] }, [base, head]);
  assert.deepEqual(
    routes.map(({ why }) => why),
    [undefined, 'unknown'],
  );
});

test('the version in the manifest of a package does not count', () => {
  assert.deepEqual(routesOf(touchedBy({}, RAN, { others: { 'node_modules/x/package.json': 'b' } })), []);
});

test('a function is named once, with its line in the head', () => {
  const [route] = touchedBy(list('return [1]', 'return [1, 2]')).routes;
  assert.deepEqual(route?.functions, [{ name: 'list', file: 'list.js', line: 2 }]);
});
