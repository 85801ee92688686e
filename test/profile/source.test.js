/** How JavaScript is divided into functions, each without those inside of it, and the code around them. */

import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { test } from 'node:test';
import { compileFunction } from 'node:vm';
import { readSource, unitsByRange } from '../../scripts/profile/source.js';

const read = (/** @type {string} */ text) => readSource(text) ?? assert.fail('not read');
const unitsIn = (/** @type {string} */ text) => read(text).units.map(({ name, own }) => [name, own]);

test('a function is its own text without inner functions, comments and white space', () => {
  const text = `
    function outer(a) { /* why */ return a.map((each) => each + 1); } // end
    class Shop { static open() { return 1 }
      async list() {} }
    const made = { price: function () { return \`\${() => 2}\`; } };`;
  assert.deepEqual(unitsIn(text), [
    ['outer', 'function outer ( a ) { return a . map ( ƒ ) ; }'],
    ['', '( each ) => each + 1'],
    ['open', 'static open ( ) { return 1 }'],
    ['list', 'async list ( ) { }'],
    ['price', 'function ( ) { return `  ${ ƒ }  ` ; }'],
    ['', '( ) => 2'],
  ]);
});

test('what only declares is told from what may do anything', () => {
  const { effects, declared, exported } = read(`
    import { list } from './list.js';
    import './side.js';
    const LIMIT = 2 * 5, { a, b: c } = require('x'), cache = new Map();
    class Shop { size = LIMIT; list() {} }
    const pool = new Pool({ max: LIMIT });
    export const price = () => 1;
    export { list as all };
    app.get('/', () => pool);
    function plain() {}
  `);
  assert.deepEqual(
    effects.map(({ own }) => own),
    ["import './side.js' ;", 'const pool = new Pool ( { max : LIMIT } ) ;', "app . get ( '/' , ƒ ) ;"],
  );
  assert.deepEqual([...declared.keys()], ['list', 'LIMIT', 'a', 'c', 'cache', 'Shop', 'price']);
  assert.deepEqual([...exported.keys()], ['price', 'all']);
});

test('exports of CommonJS are read, also as TypeScript writes them', () => {
  const { effects, exported } = read(`"use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    exports.b = exports.a = void 0;
    exports.c = 5;
    module.exports = { d, e: () => 1 };
    module.exports.f = make();`);
  assert.deepEqual(
    effects.map(({ own }) => own),
    ['module . exports . f = make ( ) ;'],
  );
  assert.deepEqual(
    [...exported].map(([name, { isName }]) => [name, isName]),
    [
      ['a', true],
      ['b', true],
      ['c', false],
      ['d', true],
      ['e', true],
    ],
  );
});

test('sloppy code is read; what is no JavaScript is not', () => {
  assert.deepEqual(unitsIn('#!/usr/bin/env node\nvar await = 010; return; function f() {}'), [
    ['f', 'function f ( ) { }'],
  ]);
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
