import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askStatements, isTransaction, nameOf } from '../../scripts/deploy/services/statements.js';
import { servicesOf } from '../../scripts/run/server-run.js';

/** @type {[what: string, text: string, name: string][]} */
const NAMES = [
  [
    'of PostgreSQL is as it normalizes it',
    'SELECT name, cents\n  FROM prices WHERE item_id = $1',
    'SELECT name, cents FROM prices WHERE item_id = $1',
  ],
  [
    'of MariaDB loses the spaces between its tokens',
    'SELECT `p` . `cents` , ? FROM `prices` `p` WHERE `item_id` = ? ',
    'SELECT p.cents, ? FROM prices p WHERE item_id = ?',
  ],
  [
    'with many columns shows its table, and a list of values is one',
    'SELECT "Price"."id" AS "id", "Price"."cents" AS "cents" FROM "prices" "Price" WHERE id IN ($1, $2,$3)',
    'SELECT ... FROM "prices" "Price" WHERE id IN (...)',
  ],
  [
    'with a query inside keeps its own table',
    'SELECT id FROM a WHERE b IN (SELECT a_long_column_of_another_table FROM c)',
    'SELECT id FROM a WHERE b IN (SELECT a_long_column_of_another_table FROM c)',
  ],
  [
    'has no comment, in which traces and users stand',
    "/*user='ann'*/ DELETE FROM carts -- by ann\nWHERE id = $1 /* traceparent=00-1 */",
    'DELETE FROM carts WHERE id = $1',
  ],
  [
    'has no value, even where the database left one',
    "UPDATE users SET mail = 'ann''s -- mail', age = 41.5, pin = $x$ secret $x$ WHERE t2.id = $1",
    'UPDATE users SET mail = ?, age = ?, pin = ? WHERE t2.id = $1',
  ],
  [
    'with a backslash, whose meaning depends on settings, is its keyword',
    "SELECT 'a\\', 'b' FROM c",
    'SELECT',
  ],
  [
    'has no comment that is cut off, nor one with a comment inside',
    'SELECT id /* a /* b */ user:ann */ FROM carts WHERE id = $1 /*app:Shop,user:ann',
    'SELECT id FROM carts WHERE id = $1',
  ],
  ['whose comments are deeper is its keyword', 'SELECT 1 /* a /* b /* c */ d */ user:ann */', 'SELECT'],
  ['has no fraction', 'SELECT id FROM carts c WHERE c.vat = .19', 'SELECT id FROM carts c WHERE c.vat = ?'],
  [
    'has no text that is cut off',
    "UPDATE carts SET note = $x$ secret, pin = 'abc",
    'UPDATE carts SET note = ?',
  ],
  ['that is not normalized is its keyword', "create user ann password 'secret'", 'CREATE'],
  ['of a transaction is its keyword', 'START TRANSACTION READ ONLY', 'START'],
  ['that begins with a bracket has none', '(SELECT 1)', '?'],
];
for (const [what, text, name] of NAMES)
  test(`the name of a statement ${what}`, () => assert.equal(nameOf(text), name));

test('a long name is cut', () => {
  const name = nameOf(`SELECT id FROM ${'a'.repeat(500)}`);
  assert.match(name, /^SELECT id FROM a+\.\.\.$/);
  assert.ok(name.length < 250);
});

test('statements about other statements are told from them, and a command of Redis is none of these', () => {
  const control = 'BEGIN START COMMIT END ROLLBACK SAVEPOINT RELEASE SET RESET DISCARD'.split(' ');
  const names = [...control, 'SELECT 1', 'Redis SET', 'CREATE'];
  assert.deepEqual(names.filter(isTransaction), control);
});

test('of a database in which quotes hold texts, what clients prepare with one is its keyword', () => {
  const unclear = /[\\"#]/;
  for (const text of ['SELECT id FROM a WHERE b = "s3cret" AND c = ?', 'SELECT 1 # user:ann'])
    assert.equal(nameOf(text, unclear), 'SELECT');
  assert.equal(nameOf('SELECT id FROM a WHERE c = ?', unclear), 'SELECT id FROM a WHERE c = ?');
});

test('counters that lost something count nothing, and what has one name is one', async () => {
  const asked = (/** @type {string} */ lost) =>
    askStatements(
      async (sql) => [lost, JSON.stringify([sql.slice(0, 17), 2]), '["select\\nid from side_1",3]'],
      (database) => `select id from ${database}`,
    )(1);
  assert.equal(await asked('1'), undefined);
  const counted = [...((await asked('0')) ?? [])];
  assert.deepEqual(counted, [
    ['select id from si', 2],
    ['select id from side_1', 3],
  ]);
});

test('the statements of a server are not counted where one of its services counts none', () => {
  const service = (/** @type {string} */ id, /** @type {number} */ count) => ({
    ...{ id, groups: [], urlOf: () => '' },
    ...(count > 0 && { statementsOf: async () => new Map([['GET', count]]) }),
  });
  const statementsOf = (/** @type {number[]} */ ...counts) => {
    const services = counts.map((count, place) => service(`s${place}`, count));
    const needs = services.map(({ id }) => id);
    return servicesOf(/** @type {any} */ ({ needs }), services, 0).statements;
  };
  assert.equal(statementsOf(1, 0), undefined);
  assert.ok(statementsOf(1, 2));
});
