import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  concealing,
  reveal,
  revealRequest,
  redactedHeader,
  valuesOf,
  withoutPasswords,
} from '../../scripts/secrets/secrets.js';

const hide = () => '*';

test('reports show the name, scheme and reference of a secret header', () => {
  const cases = [
    ['Authorization', 'Bearer abc', 'Bearer *'],
    ['authorization', 'Bearer ${API_TOKEN}', 'Bearer ${API_TOKEN}'],
    ['x-api-key', 'pre-${KEY}-post', '*${KEY}*'],
    ['Cookie', 'a=1; b=${B}; c', 'a=*; b=${B};*'],
    ['x-Auth-User', 'me', '*'],
    ['accept', 'text/html', 'text/html'],
    ['X-Tenant', 'acme', '*'],
  ];
  for (const [name = '', value = '', expected] of cases)
    assert.equal(redactedHeader(name, value, { marked: ['x-tenant'], hide }), expected);
});

test('what is put in is not looked through for more', () => {
  assert.equal(reveal('${A}${NONE}', valuesOf({ A: '${B}', B: 'b' })), '${B}');
});

test('a value is encoded as one part of a path, and sent as it is in a header', () => {
  const request = { path: '/items/${ITEM}?q=${ITEM}', headers: { 'x-item': '${ITEM}' } };
  assert.deepEqual(revealRequest(request, { ITEM: 'a/b &#é' }), {
    path: '/items/a%2Fb%20%26%23%C3%A9?q=a%2Fb%20%26%23%C3%A9',
    headers: { 'x-item': 'a/b &#é' },
  });
});

for (const [body, sent] of /** @type {const} */ ([
  ['{"key":"${KEY}"}', '{"key":"a\\"b"}'],
  ['key=${KEY}', 'key=a"b'],
]))
  test(`a value stays a value in the body ${body}`, () =>
    assert.equal(revealRequest({ headers: {}, body }, { KEY: 'a"b' }).body, sent));

test('passwords of addresses are taken out, and nothing that looks alike', () => {
  assert.equal(withoutPasswords('postgres://app:pw@db/a'), 'postgres://app:‹secret›@db/a');
  assert.equal(
    withoutPasswords('see https://ghp_1@github.com/a.git'),
    'see https://‹secret›@github.com/a.git',
  );
  for (const plain of ['git+ssh://git@github.com/a', 'http://a/@b', 'at a@b.example: x', 'http://[::1]:80/'])
    assert.equal(withoutPasswords(plain), plain);
});

test('a known secret is taken out of logs, whole, encoded, or cut', () => {
  const value = 'pa ss"word';
  const conceal = concealing(new Map(Object.entries({ [value]: '${PW}', abc: '${SHORT}' })));
  const json = JSON.stringify({ value });
  assert.equal(conceal(`${value} ${json}`), '${PW} {"value":"${PW}"}');
  assert.equal(conceal(JSON.stringify(json)), '"{\\"value\\":\\"${PW}\\"}"');
  assert.equal(conceal(`?p=${encodeURIComponent(value)}`), '?p=${PW}');
  assert.equal(conceal(Buffer.from(value).toString('base64')), '${PW}==');
  assert.equal(conceal('"x pa ss…", abc'), '"x ${PW}…", abc');
});

test('a log made to be slow is redacted to its end', () => {
  const secret = 'a'.repeat(40);
  const conceal = concealing(new Map(Object.entries({ [secret]: '${A}', [`${'a'.repeat(39)}b`]: '${B}' })));
  // Quadratic, this would take minutes.
  for (const log of ['aaa…'.repeat(100_000), '://a:'.repeat(100_000)])
    assert.equal(conceal(`${log} ${secret}`), `${log} \${A}`);
});
