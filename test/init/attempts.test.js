/** What is tried next after what was found, and what is written in the end. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { perfYml } from '../../scripts/init/files.js';
import { foundServer } from '../../scripts/init/found-server.js';
import { firstAttempt, nextAttempt } from '../../scripts/init/next-attempt.js';
import { harmless, lackingIn } from '../../scripts/init/server-settings.js';

/** @import { Candidate, Tries } from '../../scripts/init/candidates.js' */
/** @import { RouteAnswer, Found } from '../../scripts/types.js' */

const POSTGRES = { id: 'postgres', assignments: { DB_HOST: '$PGHOST' } };
const REDIS = { id: 'redis', assignments: {} };
/** @type {(tries?: Partial<Tries>, runtime?: string) => Candidate} */
const candidate = (tries, runtime = 'node') => ({
  ...{
    id: 'shop',
    evidence: 'Express in package.json',
    folder: '',
    runtime,
    env: { NODE_ENV: 'production' },
  },
  ...{ paths: [], toDos: [] },
  tries: {
    ...{
      commands: ['node server.js'],
      pages: [],
      words: [],
      services: [],
      migrations: [],
      options: [],
    },
    settings: { names: [], values: {}, files: [] },
    ...tries,
  },
});
/** @type {(path: string, answer?: Partial<RouteAnswer>) => RouteAnswer} */
const answer = (path, more) => ({
  method: 'GET',
  path,
  status: 200,
  bytes: 500,
  ms: 3.4,
  shape: 'data',
  ...more,
});
/** @type {(found?: Partial<Found>) => Found} */
const found = (more) => ({ answers: [], log: [], ...more });
const ended = { kind: 'exited-at-start', message: '`node server.js` ended with 1' };

/**
 * @type {(tries: Partial<Tries>, results: Partial<Found>[], missing?: string[]) =>
 *   import('../../scripts/init/next-attempt.js').Choice[]}
 */
function choicesFor(tries, results, missing = []) {
  const server = candidate(tries);
  const choices = [firstAttempt(server)];
  for (const result of results) {
    const last = choices.at(-1);
    const next = last && nextAttempt(server, last, found(result), missing);
    if (!next) break;
    choices.push(next);
  }
  return choices;
}

test('a setting that a start asks for gets a value, a service that it misses is started, a migration follows', () => {
  const tries = {
    services: [POSTGRES, REDIS],
    migrations: ['npm run migrate'],
    settings: { names: ['API_TOKEN'], values: {}, files: [] },
  };
  const choices = choicesFor(tries, [
    { failure: ended, log: ['Error: API_TOKEN is not set'] },
    {
      answers: [answer('/items', { status: 500 })],
      log: ['perf-action refused a connection to localhost:5432'],
    },
    { answers: [answer('/items', { status: 500 })], log: ['relation "items" does not exist'] },
    { answers: [answer('/items')] },
  ]);
  assert.deepEqual(
    choices.map(({ env, needs, migration }) => [Object.keys(env).length, needs.join(), migration]),
    [
      [1, '', undefined],
      [2, '', undefined],
      [2, 'postgres', undefined],
      [2, 'postgres', 0],
    ],
  );
});

test('a start that ends in silence gets what the example has', () => {
  const values = { DB_HOST: 'localhost', REGION: 'eu', COOKIE_SECRET: '', RATE_LIMIT_MAX: '4' };
  const settings = { names: Object.keys(values), values, files: [] };
  const last = choicesFor({ services: [REDIS], settings }, [{ failure: ended }]).at(-1);
  assert.deepEqual(Object.keys(last?.env ?? {}), ['NODE_ENV', 'REGION', 'COOKIE_SECRET', 'RATE_LIMIT_MAX']);
  assert.equal(last?.env.RATE_LIMIT_MAX, '1000000000');
});

test('a server that answers without its drivers needs no service, and no migration', () => {
  const tries = { services: [POSTGRES, REDIS], migrations: ['npm run migrate'] };
  assert.equal(choicesFor(tries, [{ answers: [answer('/items')] }]).length, 1);
});

test('a service that cannot be started here is a to-do', () => {
  const result = found({
    answers: [answer('/items')],
    log: ['perf-action refused a connection to localhost:6379'],
  });
  const server = candidate({ services: [REDIS] });
  assert.equal(nextAttempt(server, firstAttempt(server), result, ['redis']), undefined);
  const written = foundServer(server, [{ choice: firstAttempt(server), found: result }], ['redis']);
  const toDo = 'it asks for Redis, which is not installed here: add it to needs';
  assert.deepEqual(written.toDos, [toDo]);
  const failed = { choice: firstAttempt(server), found: { ...result, failure: ended } };
  const { toDos } = foundServer(server, [failed], ['redis']);
  assert.deepEqual(
    toDos.filter((each) => /redis/i.test(each)),
    [toDo],
  );
});

test('a version that pip does not find is told without all that there are', () => {
  const log = [
    'ERROR: Ignored the following versions that require a different python version: 6.0 Requires-Python >=3.12',
    'ERROR: Could not find a version that satisfies the requirement django==6.0 (from versions: 1.1.3, 5.2.1)',
  ];
  const failure = { kind: /** @type {const} */ ('install-failed'), message: '`pip install` ended with 1' };
  const server = candidate({}, 'python3');
  const { toDos } = foundServer(
    server,
    [{ choice: firstAttempt(server), found: found({ failure, log }) }],
    [],
  );
  assert.equal(
    toDos[0],
    'the try failed: `pip install` ended with 1: ERROR: Could not find a version that satisfies the requirement django==6.0',
  );
});

test('a lock file that does not fit is left out, and told', () => {
  const server = { ...candidate(), install: 'npm ci', node: '18' };
  const failed = found({
    failure: { kind: 'install-failed', message: '`npm ci` ended with 1' },
    log: ['npm error Missing: express@4.21.2 from lock file'],
  });
  const next = nextAttempt(server, firstAttempt(server), failed, []);
  assert.equal(next?.install, 'npm install');
  const last = nextAttempt(server, /** @type {NonNullable<typeof next>} */ (next), failed, []);
  assert.deepEqual([last?.install, last?.anyNode], ['npm install', true]);
  const tried = [
    { choice: { ...firstAttempt(server), install: 'npm install' }, found: found({ answers: [answer('/')] }) },
  ];
  const { install, toDos } = foundServer(server, tried, []);
  assert.equal(install, 'npm install');
  const [{ choice }] = /** @type {[typeof tried[number]]} */ (tried);
  assert.equal(foundServer(server, [{ choice, found: failed }], []).install, 'npm ci');
  const other = { ...failed, log: ['npm warn old lockfile', 'npm error gyp ERR!'] };
  assert.equal(
    nextAttempt({ ...candidate(), install: 'npm ci' }, firstAttempt(server), other, []),
    undefined,
  );
  assert.match(toDos.join(), /`npm ci` fails, since the lock file does not fit/);
});

test('the program that answers decides its runtime', () => {
  const server = candidate({ commands: ['bun a.ts', 'node b.js'] }, 'bun');
  const choice = { ...firstAttempt(server), command: 1 };
  const written = foundServer(server, [{ choice, found: found({ answers: [answer('/')] }) }], []);
  assert.deepEqual([written.runtime, written.start], ['node', 'node b.js']);
  assert.match(written.toDos.join(), /which program to measure, there is also bun a\.ts/);
  const both = candidate({ commands: ['node b.js', 'bun a.ts'] });
  assert.match(
    perfYml([foundServer(both, [], [])]),
    /# start: node b\.js\n    # start: bun a\.ts # runtime: bun\n/,
  );
});

test('what it connects to and init does not start is named', () => {
  const server = candidate();
  const result = found({ answers: [answer('/')], log: ['perf-action refused a connection to kafka:9092'] });
  const { toDos } = foundServer(server, [{ choice: firstAttempt(server), found: result }], []);
  assert.match(toDos.join(), /connects to kafka:9092, which no try reaches/);
});

test('what a migration would download is no host to do without', () => {
  const failure = { kind: /** @type {const} */ ('setup-failed'), message: '`npm run migrate` ended with 1' };
  const log = ['perf-action refused a connection to binaries.example:443'];
  const server = candidate();
  const { toDos } = foundServer(
    server,
    [{ choice: firstAttempt(server), found: found({ failure, log }) }],
    [],
  );
  assert.deepEqual(toDos.slice(0, -1), [
    'the try failed: `npm run migrate` ended with 1: perf-action refused a connection to binaries.example:443',
  ]);
});

test('a port of its own is given PORT in every way that the sources name, or is a to-do', () => {
  const options = ['--port $PORT', 'APP_PORT=$PORT'];
  const fixed = { fixedPort: 4000, answers: [answer('/')] };
  const choices = choicesFor({ options }, [fixed, { failure: ended }, fixed]);
  assert.deepEqual(
    choices.map(({ option }) => option),
    [undefined, 0, 1],
  );
  const server = candidate({ options });
  const [first, second, third] = choices;
  assert.ok(first && second && third);
  const all = [
    { choice: first, found: found(fixed) },
    { choice: second, found: found({ failure: ended }) },
    { choice: third, found: found({ answers: [answer('/')] }) },
  ];
  assert.equal(foundServer(server, all, []).start, 'APP_PORT=$PORT node server.js');
  assert.match(foundServer(server, all.slice(0, 2), []).toDos.join(), /listens on 4000 whatever PORT says/);
});

test('missing folders and files of settings are made', () => {
  const log = (/** @type {string} */ line) =>
    choicesFor({}, [{ failure: ended, log: [line] }]).at(-1)?.folders;
  assert.deepEqual(log("Error: ENOENT: no such file or directory, open '/tmp/x/tree/data/shop.db'"), [
    'mkdir -p data',
  ]);
  assert.deepEqual(log("Error: ENOENT: no such file or directory, open '/tmp/x/tree/.env'"), ['touch .env']);
  assert.deepEqual(log('listening'), []);
});

test('data goes before a page, a page before a greeting; documentation, health, forms and refusals are comments', () => {
  const server = candidate();
  const answers = [
    answer('/docs', { shape: 'documentation' }),
    answer('/health', { shape: 'greeting', bytes: 2 }),
    answer('/', { shape: 'greeting', bytes: 5 }),
    answer('/home', { shape: 'page' }),
    answer('/old', { status: 302 }),
    answer('/find', { shape: 'form' }),
    answer('/api/items', { bytes: 2100 }),
    answer('/me', { status: 401, guard: 'authenticate' }),
    answer('/api/login', { method: 'POST', status: undefined }),
    answer('/api/items/:id', { status: undefined }),
    answer('/api/items', { method: 'POST', status: undefined }),
    answer('/events', { shape: 'stream', status: undefined }),
  ];
  const written = foundServer(server, [{ choice: firstAttempt(server), found: found({ answers }) }], []);
  assert.deepEqual(written.routes, [{ path: '/api/items' }, { path: '/home' }, { path: '/' }]);
  assert.deepEqual(
    written.otherRoutes.map(({ path }) => path),
    ['/me', '/api/items/:id', '/api/items', '/docs', '/health', '/find'],
  );
  assert.equal(written.tried, 'GET /api/items answered 200 with 2.1 kB in 4 ms');
  const text = perfYml([written]);
  assert.match(text, /# before: \{ path: \/api\/login, method: POST/);
  assert.match(text, /# - \{ path: \/me, .*\} # to do: it answers 401 \(authenticate\): give it a token/);
  assert.doesNotMatch(text, /tries|\/old|\/events/);
});

test('an answer that is an error is no route, and what may be missing is tried', () => {
  const answers = [answer('/', { shape: 'error' })];
  assert.deepEqual(choicesFor({ migrations: ['npm run migrate'] }, [{ answers }]).at(-1)?.migration, 0);
  const server = candidate();
  const { tried, toDos } = foundServer(
    server,
    [{ choice: firstAttempt(server), found: found({ answers }) }],
    [],
  );
  assert.deepEqual([tried, toDos], [undefined, ['no route answers: write one that answers with status 200']]);
});

test('of the paths at which one query is answered, the first is written', () => {
  const answers = ['/graphql', '/', '/items'].map((path) =>
    answer(path, path === '/items' ? {} : { method: 'POST', body: '{}' }),
  );
  const server = candidate();
  const written = foundServer(server, [{ choice: firstAttempt(server), found: found({ answers }) }], []);
  assert.deepEqual(
    written.routes.map(({ path }) => path),
    ['/graphql', '/items'],
  );
});

test('of a server whose process does not tell its routes, three are written', () => {
  const answers = ['/a', '/b', '/c', '/d'].map((path) => answer(path));
  const server = candidate({}, 'go');
  const written = foundServer(server, [{ choice: firstAttempt(server), found: found({ answers }) }], []);
  assert.deepEqual([written.routes.length, written.otherRoutes.length], [3, 1]);
});

test('without an answer there are to-dos, and nothing that was guessed', () => {
  const tries = {
    services: [POSTGRES],
    migrations: ['npm run migrate'],
    commands: ['node a.js', 'node b.js'],
  };
  const server = candidate(tries);
  const failed = [
    {
      choice: firstAttempt(server),
      found: found({
        failure: { kind: 'install-failed', message: '`npm ci` ended with 1' },
        log: ['npm warn old lockfile must be fetched', 'npm error network'],
      }),
    },
  ];
  for (const tried of [[], failed]) {
    const { needs, setup, routes, toDos, starts } = foundServer(server, tried, []);
    assert.deepEqual([needs, setup, routes], [[], undefined, [{ path: '/' }]]);
    assert.deepEqual(starts, ['node a.js', 'node b.js']);
    const text = toDos.join('\n');
    for (const part of [
      'choose a start line',
      'add to needs: postgres',
      'under setup: npm run migrate',
      'no route is known',
    ])
      assert.ok(text.includes(part), part);
    assert.equal(text.includes('npm error network'), tried.length > 0);
  }
});

test('of a try that fails, only the services stay that a start asked for', () => {
  const server = candidate({ services: [POSTGRES, REDIS], migrations: ['npm run migrate'] });
  const choice = { ...firstAttempt(server), needs: ['postgres', 'redis'], migration: 0 };
  const log = ['connect ECONNREFUSED 127.0.0.1:6379'];
  const { needs, setup, toDos } = foundServer(
    server,
    [{ choice, found: found({ failure: ended, log }) }],
    [],
  );
  assert.deepEqual([needs, setup], [['redis'], undefined]);
  assert.match(toDos.join(), /add to needs: postgres/);
});

test('a build names packages of drivers, so that it asks for a service only where one refused', () => {
  const failure = { kind: 'build-failed', message: '`go build` ended with 1' };
  const needsAfter = (/** @type {string} */ line) =>
    choicesFor({ services: [POSTGRES] }, [{ failure, log: [line] }]).at(-1)?.needs;
  assert.deepEqual(needsAfter('missing go.sum entry for gorm.io/driver/postgres'), []);
  assert.deepEqual(needsAfter('perf-action refused a connection to localhost:5432'), ['postgres']);
});

/** @type {[library: string, log: string, name: string, value: string | undefined][]} */
const WORDS = [
  [
    'zod 3',
    '[\n  {\n    "code": "invalid_type",\n    "expected": "string",\n    "received": "undefined",\n    "path": [\n      "AUTH_SECRET"\n    ],\n    "message": "Required"\n  }\n]',
    'AUTH_SECRET',
    'only-for-measuring-0123456789abcdef',
  ],
  [
    'zod 4',
    '[{ "code": "invalid_value", "values": ["debug", "info", "warn"], "path": ["LOG_LEVEL"], "message": "Invalid option: expected one of \\"debug\\"|\\"info\\"|\\"warn\\"" }]',
    'LOG_LEVEL',
    'info',
  ],
  [
    'zod, a length',
    '{ "origin": "string", "code": "too_small", "minimum": 48, "path": ["JWT_SECRET"], "message": "Too small: expected string to have >=48 characters" }',
    'JWT_SECRET',
    'only-for-measuring-0123456789abcdef0000000000000',
  ],
  [
    'envalid',
    '================================\n\u001b[33m Missing\u001b[0m environment variables:\n    \u001b[34mJWT_SECRET\u001b[0m: undefined\n',
    'JWT_SECRET',
    'only-for-measuring-0123456789abcdef',
  ],
  ['Nest', 'Error: Config validation error: "MAX_ITEMS" is required', 'MAX_ITEMS', undefined],
  [
    'Nest, getOrThrow',
    'TypeError: Configuration key "JWT_SECRET" does not exist',
    'JWT_SECRET',
    'only-for-measuring-0123456789abcdef',
  ],
  ['Joi', 'ValidationError: "MAX_ITEMS" must be a number', 'MAX_ITEMS', '1'],
  [
    'Spring',
    'Could not resolve placeholder \'jwt.secret\' in value "${jwt.secret}"',
    'JWT_SECRET',
    'only-for-measuring-0123456789abcdef',
  ],
  [
    'Django',
    'django.core.exceptions.ImproperlyConfigured: Set the SECRET_KEY environment variable',
    'SECRET_KEY',
    'only-for-measuring-0123456789abcdef',
  ],
  ['Python', "KeyError: 'SITE_URL'", 'SITE_URL', 'http://localhost'],
  [
    'Pydantic',
    '1 validation error for Settings\napi_token\n  Field required [type=missing]',
    'API_TOKEN',
    'only-for-measuring-0123456789abcdef',
  ],
];
for (const [library, log, name, value] of WORDS)
  test(`a setting is read from the words of ${library}`, () => {
    const settings = { names: [name, 'OTHER_NAME'], values: {}, files: [] };
    assert.deepEqual(lackingIn(log.split('\n'), settings), [{ name, ...(value !== undefined && { value }) }]);
  });

test('a secret that was made up is a to-do, unless only this server reads it again', () => {
  const made = 'only-for-measuring-0123456789abcdef';
  const choice = {
    ...firstAttempt(candidate()),
    env: { API_TOKEN: made, JWT_SECRET: made, LOG_LEVEL: 'info' },
  };
  const { toDos } = foundServer(candidate(), [{ choice, found: found({ answers: [answer('/')] }) }], []);
  assert.deepEqual(toDos, ['API_TOKEN under env is made up: write what your routes need']);
});

test('a placeholder of the authors’ example is no value, and a form of theirs is theirs to make', () => {
  const settings = {
    names: ['TOKEN_LOCAL_KEY', 'SENTRY_DSN', 'REGION', 'PORT'],
    values: {
      TOKEN_LOCAL_KEY: 'k4.local.<your-generated-key>',
      SENTRY_DSN: 'your-dsn',
      REGION: 'eu',
      PORT: '1',
    },
    files: [],
  };
  const log = ['TOKEN_LOCAL_KEY is missing', 'SENTRY_DSN is missing', 'REGION is missing', 'PORT is missing'];
  assert.deepEqual(lackingIn(log, settings), [
    { name: 'TOKEN_LOCAL_KEY' },
    { name: 'SENTRY_DSN' },
    { name: 'REGION', value: 'eu' },
  ]);
});

test('what a file of settings names is led to a port at which nothing listens', () => {
  const text =
    'PORT=3000\nDATABASE_URL=postgres://shop:secret@localhost:5432/shop?a=1\nDB_HOST=db\nDB_PORT=5433\nKAFKA=kafka:9092,other:9092\nexport API="https://api.example.com/v1"\n';
  assert.equal(
    harmless('apps/.env.production', text),
    'PORT=3000\nDATABASE_URL=postgres://shop:secret@127.0.0.1:1/shop?a=1\nDB_HOST=127.0.0.1\nDB_PORT=1\nKAFKA=127.0.0.1:1,127.0.0.1:1\nexport API="https://127.0.0.1:1/v1"\n',
  );
  assert.equal(harmless('src/server.js', text), text);
});
