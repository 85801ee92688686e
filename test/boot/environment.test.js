import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverEnvironment, withheldNames } from '../../scripts/boot/environment.js';

const CALLER = { HOME: '/home/me', JWT_SECRET: 's', API_TOKEN: 't', GITHUB_TOKEN: 'g', PERF_INPUTS: 'i' };

test('what looks secret stays back unless it is listed, what is the site’s always', () => {
  assert.deepEqual(serverEnvironment(CALLER, { runtime: 'node', env: {} }), { HOME: '/home/me' });
  assert.deepEqual(
    serverEnvironment(CALLER, { runtime: 'node', env: {}, passEnv: ['JWT_SECRET', 'NOT_THERE'] }),
    {
      HOME: '/home/me',
      JWT_SECRET: 's',
    },
  );
});

test('a name in braces stands for the value of the caller, also of a secret', () => {
  const env = { URL: 'http://${API_TOKEN}@host/${HOME}', PLAIN: '$HOME ${ HOME }' };
  assert.deepEqual(serverEnvironment(CALLER, { runtime: 'node', env }), {
    HOME: '/home/me',
    URL: 'http://t@host//home/me',
    PLAIN: '$HOME ${ HOME }',
  });
});

test('names are known of what could be passed and is not', () => {
  assert.deepEqual(withheldNames(CALLER, { env: {} }), ['JWT_SECRET', 'API_TOKEN']);
  assert.deepEqual(withheldNames(CALLER, { env: { API_TOKEN: 'x' }, passEnv: ['JWT_SECRET'] }), []);
});
