import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSecrets } from '../../scripts/run/with-secrets.js';
import { hidingRequest } from '../../scripts/secrets/secrets.js';
import { serverOf } from './fakes.js';

const LOGIN = {
  ...{ id: 'POST /login', method: 'POST', path: '/login', headers: {}, body: '{"password":"${PW}"}' },
  ...{ expect: { status: 200 }, token: { json: 'token' } },
};
const ROUTE = { method: 'GET', path: '/me/${token}', headers: { authorization: 'Bearer ${token}' } };
const ENV = { PW: 'secret pw', token: 'of the environment' };

/** @param {string[]} tokens that logins give, in turn; without one, a login fails */
function wrapped(tokens) {
  /** @type {any[]} */
  const said = [];
  let started = 0;
  const real = {
    startServer: async () => ({
      url: `http://127.0.0.1:${++started}`,
      stop: async () => said.push('stopped'),
    }),
    async logIn(/** @type {any} */ _instance, /** @type {any} */ login) {
      said.push(login.body);
      const token = tokens.shift();
      if (token === undefined) throw new Error('no token');
      return token;
    },
    load: async (/** @type {any} */ target) => said.push(target.request),
    verify: async (/** @type {any} */ _instance, /** @type {any[]} */ routes) => said.push(...routes),
  };
  const sides = [{ label: 'head', servers: { api: serverOf('api', { before: LOGIN }) } }];
  return { said, dependencies: withSecrets(/** @type {any} */ (real), { sides, cases: [] }, ENV) };
}

const signal = new AbortController().signal;
const api = serverOf('api', { before: LOGIN });

test('each start has its own token, which is sent to it alone and concealed', async () => {
  const { said, dependencies } = wrapped(['tok-one', 'tok-two']);
  const first = await dependencies.startServer(api, { signal });
  const second = await dependencies.startServer(api, { signal });
  const plain = await dependencies.startServer(serverOf('plain'), { signal });
  assert.deepEqual(said.splice(0), ['{"password":"secret pw"}', '{"password":"secret pw"}']);
  for (const { url } of [first, second, plain])
    await dependencies.load(/** @type {any} */ ({ url, request: ROUTE, signal }));
  await dependencies.verify(second, [{ id: '/me', ...ROUTE, expect: { status: 200 } }], {});
  assert.deepEqual(
    said.map(({ path, headers }) => [path, headers.authorization]),
    [
      ['/me/tok-one', 'Bearer tok-one'],
      ['/me/tok-two', 'Bearer tok-two'],
      ['/me/of%20the%20environment', 'Bearer of the environment'],
      ['/me/tok-two', 'Bearer tok-two'],
    ],
  );
  const log = 'tok-one, tok-two and secret pw';
  assert.equal(dependencies.conceal(log), '${token}, ${token} and ${PW}');
});

test('a server whose login fails is stopped', async () => {
  const { said, dependencies } = wrapped([]);
  await assert.rejects(dependencies.startServer(api, { signal }), { message: 'no token' });
  assert.equal(said.at(-1), 'stopped');
});

test('rows of a secret header are concealed, and what is sent twice is made once', async () => {
  const rows = ['key-one', 'key-two'].map((key, id) => ({ key, id }));
  const request = hidingRequest({
    ...{ id: '/${id}', method: 'GET', path: '/${id}', headers: { 'x-api-key': '${key}' } },
    data: { requests: 2, different: 2, sha256: '', rows },
    expect: { status: 200 },
  });
  /** @type {any[]} */
  const sent = [];
  const real = { load: async (/** @type {any} */ target) => sent.push(target.request) };
  const cases = /** @type {any} */ ([{ request }]);
  const dependencies = withSecrets(/** @type {any} */ (real), { sides: [], cases }, {});
  for (const url of ['http://a', 'http://b', 'http://a'])
    await dependencies.load(/** @type {any} */ ({ url, request, signal }));
  assert.ok(sent.every((each) => each === sent[0]));
  assert.deepEqual(
    sent[0].variants.map((/** @type {any} */ each) => [each.path, each.headers['x-api-key']]),
    [
      ['/0', 'key-one'],
      ['/1', 'key-two'],
    ],
  );
  assert.equal(dependencies.conceal('got key-two'), 'got ${key}');
});
