import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { ownEnvironment } from '../../scripts/deploy/process/server-environment.js';
import {
  concealing,
  hidingHeader,
  hidingRequest,
  hidingVariables,
  reveal,
  revealRequest,
  valuesOf,
  withoutPasswords,
} from '../../scripts/secrets/secrets.js';

const DIGEST = / ?[0-9a-f]{4}(?=›)/g;

test('name, scheme and reference of a secret header are shown', () => {
  const cases = [
    ['Authorization', 'Bearer abc', 'Bearer ‹secret›'],
    ['authorization', 'Bearer ${API_TOKEN}', 'Bearer ${API_TOKEN}'],
    ['x-api-key', 'pre-${KEY}-post', '‹secret›${KEY}‹secret›'],
    ['Cookie', 'a=1; b=${B}; c', 'a=‹secret›; b=${B};‹secret›'],
    ['x-Auth-User', 'me', '‹secret›'],
    ['accept', 'text/html', 'text/html'],
    ['referer', 'http://me:pw@host/', 'http://‹secret›@host/'],
    ['X-Tenant', 'acme', '‹secret›'],
  ];
  for (const [name = '', value = '', expected] of cases) {
    const hidden = hidingHeader(name, value, ['x-tenant']);
    assert.equal(String(hidden).replace(DIGEST, ''), expected);
    assert.equal(
      reveal(hidden, (known) => known),
      value.replace(/\$\{(\w+)\}/g, '$1'),
    );
  }
});

const SECRET = hidingHeader('authorization', 'Bearer tok-8f1c0a77');
const REQUEST = hidingRequest({
  ...{ id: '/', method: 'POST', path: '/to?u=http://me:pth-0d46aa83@host/', expect: { status: 200 } },
  headers: { authorization: 'Bearer tok-8f1c0a77', 'x-tenant': 'ten-5a9917be' },
  secretHeaders: ['X-Tenant'],
  bodyFile: { name: 'a.bin', bytes: 3, sha256: 'ab', base64: 'YmRmLTU1' },
  data: { requests: 1, different: 1, sha256: 'cd', rows: [{ key: 'row-c20d6f15' }] },
});
const ENV = hidingVariables({ DB_PASSWORD: 'env-37fd4c60', URL: 'redis://:adr-f4481d9e@db', PLAIN: 'seen' });
const PLANTED = /tok-8f1c|ten-5a99|pth-0d46|YmRm|row-c20d|env-37fd|adr-f448/;

/** Whatever is done with a secret. @type {[way: string, say: () => unknown][]} */
const WAYS = [
  ['JSON.stringify', () => JSON.stringify({ REQUEST, ENV }, null, 2)],
  [
    'a template',
    () => `${SECRET} ${REQUEST.headers['x-tenant']} ${REQUEST.path} ${ENV.DB_PASSWORD} ${ENV.URL}`,
  ],
  ['adding', () => `${'the header is '.concat(SECRET)}${[SECRET, ENV.DB_PASSWORD].join()}`],
  ['util.inspect', () => inspect({ REQUEST, ENV }, { depth: 9, showHidden: false })],
  ['util.inspect with all that it can show', () => inspect([SECRET, ENV], { depth: 9, showHidden: true })],
  ['a message', () => new Error(SECRET).stack],
  ['a comparison that fails', () => caught(() => assert.deepEqual({ REQUEST, ENV }, {}))],
  ['structuredClone', () => inspect(structuredClone({ REQUEST, ENV }), { depth: 9 })],
  [
    'spreading',
    () => JSON.stringify([{ ...REQUEST.data, ...REQUEST.bodyFile, ...ENV }, [...SECRET].join('')]),
  ],
  [
    'changing',
    () => [SECRET.trim(), SECRET.slice(0), SECRET.replace('Bearer', ''), SECRET.split(' ')].join(),
  ],
  ['bytes', () => Buffer.from(SECRET).toString()],
];
for (const [way, say] of WAYS)
  test(`${way} shows no secret`, () => {
    const said = String(say());
    assert.doesNotMatch(said, PLANTED);
    assert.match(said, /‹secret/);
  });

/** @param {() => void} fail */
function caught(fail) {
  try {
    fail();
  } catch (error) {
    return inspect(error, { depth: 9 });
  }
  return '';
}

test('what is sent, and what a server gets, is what was written', () => {
  const { variants: [sent] = [] } = revealRequest(REQUEST, {});
  assert.equal(sent?.path, '/to?u=http://me:pth-0d46aa83@host/');
  assert.deepEqual(sent.headers, { authorization: 'Bearer tok-8f1c0a77', 'x-tenant': 'ten-5a9917be' });
  assert.equal(String(sent.body), 'bdf-55');
  assert.deepEqual(ownEnvironment({}, { env: ENV }), {
    DB_PASSWORD: 'env-37fd4c60',
    URL: 'redis://:adr-f4481d9e@db',
    PLAIN: 'seen',
  });
});

test('only what sends a secret, or takes it out of a log, opens it', () => {
  const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url));
  const files = readdirSync(scripts, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  );
  const opening = files.filter((file) =>
    readFileSync(join(scripts, file), 'utf8').includes("/hidden-text.js'"),
  );
  assert.deepEqual(opening, ['secrets/secrets.js']);
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
