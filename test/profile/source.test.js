/** How JavaScript is divided into functions, each without those inside of it, and the code around them. */

import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { test } from 'node:test';
import { compileFunction } from 'node:vm';
import { readSource, unitsByRange } from '../../scripts/profile/source.js';

const read = (/** @type {string} */ text) => readSource(text) ?? assert.fail('not read');
const ownIn = (/** @type {string} */ text) => read(text).units.map(({ own }) => own);

/** Statements that may do anything, names that are declared, and how many exports there are. */
const kindsOf = (/** @type {string} */ text) => {
  const { parts } = read(text);
  const effects = parts.filter(({ names, isExport }) => !names && !isExport);
  return {
    effects: effects.map(({ own }) => JSON.parse(own).type ?? JSON.parse(own)[0].type),
    declared: parts.flatMap(({ names }) => [...(names ?? [])]),
    exports: parts.filter(({ isExport }) => isExport).length,
  };
};

const SHOP = `
  function outer(a) { return a.map((each) => each + 1); }
  class Shop { static open() { return 1 }
    async list() {} }
  const made = { price: function () { return \`\${() => 2}\`; } };`;

test('each function has its name and line, those inside of it after it', () => {
  assert.deepEqual(
    read(SHOP).units.map(({ name, line }) => [name, line]),
    [
      ['outer', 2],
      ['', 2],
      ['open', 3],
      ['list', 4],
      ['price', 5],
      ['', 5],
    ],
  );
});

/** Functions that change. @type {Record<string, [from: string, to: string, functions: number[]]>} */
const CHANGES = {
  'comments, white space, quotes and brackets': ['return a', '// why\n return /* it */  (a)', []],
  'a function inside': ['each + 1', 'each + 2', [1]],
  'the code around it': ['a.map(', 'a.find(', [0]],
  'a name': ['list()', 'all()', [3]],
  'its kind': ['async list', 'list', [3]],
  'being static': ['static open', 'open', [2]],
  'a template': ['`${() => 2}`', '` ${() => 2}`', [4]],
  'a big number': ['return 1', 'return 1n', [2]],
  'another text': ['return 1', "return '1'", [2]],
};
for (const [what, [from, to, functions]] of Object.entries(CHANGES))
  test(`${what}: ${functions.length} function(s) changed`, () => {
    assert.ok(SHOP.includes(from));
    const [before, after] = [ownIn(SHOP), ownIn(SHOP.replace(from, () => to))];
    assert.deepEqual(
      before.flatMap((own, place) => (own === after[place] ? [] : place)),
      functions,
    );
  });

test('what only declares is told from what may do anything', () => {
  assert.deepEqual(
    kindsOf(`
      import { list } from './list.js';
      import './side.js';
      const LIMIT = 2 * 5, { a, b: c } = require('x'), cache = new Map();
      class Shop { size = LIMIT; pool = new Pool(); list() {} }
      const pool = new Pool({ max: LIMIT });
      const { d = read() } = require('y');
      class Open extends made() {}
      export const price = () => 1;
      export { list as all };
      export * from './more.js';
      app.get('/', () => pool);
      function plain() {}`),
    {
      effects: [
        'ImportDeclaration',
        'VariableDeclaration',
        'VariableDeclaration',
        'ClassDeclaration',
        'ExportAllDeclaration',
        'ExpressionStatement',
      ],
      declared: ['list', 'LIMIT', 'a', 'c', 'cache', 'Shop', 'price'],
      exports: 2,
    },
  );
});

test('exports of CommonJS are read, also as TypeScript writes them', () => {
  const text = `
    exports.b = exports.a = void 0;
    exports.c = 5;
    exports.a = a;
    module.exports = { d, e: () => 1, g: 5, ...more };
    module.exports.f = make();
    exports[name] = a;`;
  assert.deepEqual(kindsOf(text), {
    effects: [
      'AssignmentExpression',
      'Property',
      'SpreadElement',
      'AssignmentExpression',
      'ExpressionStatement',
    ],
    declared: [],
    exports: 3,
  });
  assert.equal(kindsOf('module.exports = router;').exports, 1);
  const header = '"use strict"; Object.defineProperty(exports, "__esModule", { value: true });';
  assert.deepEqual(read(header).parts, []);
  assert.notEqual(read(header).header, read('').header);
});

test('sloppy code is read; what is no JavaScript is not', () => {
  assert.equal(ownIn('#!/usr/bin/env node\nvar await = 010; return; function f() {}').length, 1);
  assert.equal(readSource('const a: number = 1'), undefined);
});

test('the ranges that V8 names are found, also where it begins behind a word', async () => {
  const text = `
    const arrow = (x) => (x, 1), chain = (x) => (y) => x, later = async () => ({ a: 1 });
    class Shop { size = 3; #own() { return 1 } static open() {} get shut() { return this.#own() } field = () => 2; }
    const made = { list() { return 1 }, async *each() { yield 1 }, get one() { return 1 }, old: function () {} };
    arrow(1); chain(1)(2); later(); Shop.open(); new Shop().shut; new Shop().field();
    made.list(); made.each().next(); made.one; made.old();`;
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  compileFunction(text, [], { filename: '/shop.js' })();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const functions = result.find(({ url }) => url.endsWith('/shop.js'))?.functions ?? [];
  const find = unitsByRange(read(text).units);
  const found = functions.flatMap(({ ranges: [range] }) =>
    range && range.count > 0 ? (find({ start: range.startOffset, end: range.endOffset })?.own ?? []) : [],
  );
  assert.deepEqual(new Set(found), new Set(read(text).units.map(({ own }) => own)));
});
