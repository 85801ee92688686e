/**
 * What is planted into the services, and which routes it should touch.
 * @import { Version } from './shops.js'
 */

import { ROUTES } from './shops.js';

/**
 * @typedef {object} Change
 * @property {string} name
 * @property {Version} [before] what the base has
 * @property {Version} to the head, on top of that
 * @property {string[]} touched routes
 * @property {string[]} [why] reasons, one of which is named
 * @property {string} [only] the framework that it is planted into
 */

const ALL = ROUTES;
const NONE = /** @type {string[]} */ ([]);
const LIST = "return all('orders').filter";
const USERS = "return all('users').filter";
const POOL = 'free = Array.from';
const POOL_TOP = 'let free‹: number[]› = [];';

/** Work in front of a line. @type {(turns: number, line: string) => string} */
const slower = (turns, line) => `let check = 7;
  for (let turn = 0; turn < ${turns}; turn += 1) check = Math.imul(check ^ turn, 0x01000193);
  if (check === 0) throw new Error('it never is');
  ${line}`;

/** One route's service function. @type {(turns: number) => Change} */
export const slowerService = (turns) => ({
  name: 'a service function',
  to: { texts: [['services/orders', LIST, slower(turns, LIST)]] },
  touched: ['/orders'],
});

/** @type {(turns: number) => Change} */
export const slowerMiddleware = (turns) => ({
  name: 'shared middleware',
  to: { texts: [['middleware', 'next();', slower(turns, 'next();')]] },
  touched: ALL,
});

/** More for shared middleware to look at, which one request adds. @type {(sessions: number) => Change} */
export const filledByOne = (sessions) => ({
  name: 'a global that one request fills',
  to: {
    texts: [
      [
        'services/carts',
        'keepSession(Date.now() + 60_000, 1);',
        `for (let place = 0; place < ${sessions}; place += 1) keepSession(Date.now() + 60_000, ${sessions});`,
      ],
    ],
  },
  touched: ['POST /carts'],
});

/** The same, of which each request adds one. @type {(sessions: number) => Change} */
export const growingGlobal = (sessions) => ({
  name: 'a global that grows',
  to: { texts: [['services/carts', '60_000, 1)', `60_000, ${sessions})`]] },
  touched: ['POST /carts'],
});

/** The same from the start. @type {(sessions: number) => Change} */
export const filledGlobal = (sessions) => ({
  name: 'a global that is full',
  to: {
    texts: [['sessions', '= [];', `= Array.from({ length: ${sessions} }, () => Date.now() + 3_600_000);`]],
  },
  touched: ALL,
});

/** @type {Change} */
export const COMMENT = {
  name: 'a comment',
  to: { texts: [['services/orders', LIST, `// Those that cost something.\n  ${LIST}`]] },
  touched: NONE,
};

/** Which routes it touches is known from the code. @type {Change[]} */
const KNOWN = [
  slowerService(1000),
  slowerMiddleware(1000),
  filledByOne(1000),
  growingGlobal(1000),
  {
    name: 'a helper of some services',
    to: { texts: [['money', 'Math.round(net * PERCENT) / 100', 'Math.round(PERCENT * net) / 100']] },
    touched: ALL.filter((route) => /total|id/.test(route)),
  },
  {
    name: 'a constant of that helper',
    to: { texts: [['money', '119', '120']] },
    touched: ALL.filter((route) => /total|id/.test(route)),
  },
  {
    name: 'generated code of a route',
    to: { texts: [['services/users', USERS, `new Function('return 1')();\n  ${USERS}`]] },
    touched: ['/users'],
  },
  COMMENT,
  { name: 'a test file', to: { files: { 'test/orders.test.js': '// Soon.\n' } }, touched: NONE },
  {
    name: 'a type',
    to: { texts: [['types', 'net: number;', 'net: number;\n  note?: string;']] },
    touched: NONE,
  },
  {
    name: 'a package that one route calls',
    to: { packages: { 'pretty-bytes': '5.6.0' } },
    touched: ['/items/${id}'],
  },
  {
    name: 'a package for development',
    to: { development: { 'left-pad': '1.3.0' } },
    touched: NONE,
  },
];

/** A row of "cannot know" each. @type {Change[]} */
const UNKNOWN = [
  {
    name: 'what runs at start',
    to: { texts: [['pool', POOL, `free.length = 0;\n  ${POOL}`]] },
    touched: ALL,
    why: ['start'],
  },
  {
    name: 'what runs between requests',
    to: { texts: [['jobs', 'rate * 1', '1 * rate']] },
    touched: ALL,
    why: ['between', 'start'],
  },
  {
    name: 'what a timer runs every five seconds',
    before: { texts: [['jobs', '100)', '5000)']] },
    to: { texts: [['jobs', 'rate * 1', '1 * rate']] },
    touched: ALL,
    why: ['between', 'first', 'unasked'],
  },
  {
    name: 'what the first request alone runs',
    to: { texts: [['titles', "'Ruby'", "'Garnet'"]] },
    touched: ALL,
    why: ['first'],
  },
  {
    name: 'what no route runs',
    to: { texts: [['pool', '  free = [];', '  free.length = 0;']] },
    touched: ALL,
    why: ['unasked'],
  },
  {
    name: 'code outside of functions',
    to: { texts: [['money', 'const PERCENT = 119;', "const PERCENT = 119;\nprocess.env.TAXED = 'yes';"]] },
    touched: ALL,
    why: ['module'],
  },
  {
    name: 'generated code at start',
    to: { texts: [['pool', POOL, `new Function('return 1')();\n  ${POOL}`]] },
    touched: ALL,
    why: ['generated'],
  },
  {
    name: 'code of vm at start',
    to: {
      texts: [
        ['pool', POOL_TOP, `import { runInThisContext } from 'node:vm';\n\n${POOL_TOP}`],
        ['pool', POOL, `runInThisContext('1 + 1');\n  ${POOL}`],
      ],
    },
    touched: ALL,
    why: ['generated', 'module', 'start'],
  },
  {
    name: 'WebAssembly',
    to: {
      texts: [
        [
          'services/users',
          USERS,
          `const wasm = (globalThis‹ as any›).WebAssembly;
  new wasm.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  ${USERS}`,
        ],
      ],
    },
    touched: ALL,
    why: ['assembly'],
  },
  {
    name: 'a server with a worker',
    before: {
      texts: [
        ['pool', POOL_TOP, `import { Worker } from 'node:worker_threads';\n\n${POOL_TOP}`],
        ['pool', POOL, `new Worker('setInterval(() => {}, 1000)', { eval: true });\n  ${POOL}`],
      ],
    },
    to: COMMENT.to,
    touched: ALL,
    why: ['worker'],
  },
  ...['execFileSync', 'spawn'].map((starts) => ({
    name: `a server with a child process, by ${starts}`,
    before: {
      texts: /** @type {Version['texts']} */ ([
        ['pool', POOL_TOP, `import { ${starts} } from 'node:child_process';\n\n${POOL_TOP}`],
        ['pool', POOL, `${starts}('true');\n  ${POOL}`],
      ]),
    },
    to: COMMENT.to,
    touched: ALL,
    why: ['program'],
  })),
  {
    name: 'a file that is not code',
    to: { files: { 'rates.json': '[1, 2, 4]\n' } },
    touched: ALL,
    why: ['file'],
  },
  {
    name: 'a description that tests have, too',
    to: { files: { 'spec/openapi.yaml': 'openapi: 3.1.0\n' } },
    touched: ALL,
    why: ['file'],
  },
  {
    name: 'a migration',
    to: { files: { 'migrations/1.sql': 'SELECT 1;\n' } },
    touched: ALL,
    why: ['file'],
  },
  {
    name: 'setup',
    before: { server: { setup: 'node seed.js' } },
    to: { files: { 'seed.js': '// Soon.\n' } },
    touched: ALL,
    why: ['setup'],
  },
  {
    name: 'setup, in a file whose name another one has',
    before: { server: { setup: 'node seeds/orders.js' }, files: { 'seeds/orders.js': '// Nothing yet.\n' } },
    to: { files: { 'seeds/orders.js': '// Soon.\n' } },
    touched: ALL,
    why: ['setup'],
  },
  {
    name: 'a migration of the start',
    only: 'express',
    before: {
      server: { start: 'node migrate.js && node src/main.js' },
      files: { 'migrate.js': '// Nothing yet.\n' },
    },
    to: { files: { 'migrate.js': '// Soon.\n' } },
    touched: ALL,
    why: ['setup'],
  },
  {
    name: 'the start',
    only: 'express',
    to: { server: { start: 'node --no-deprecation src/main.js' } },
    touched: ALL,
    why: ['server'],
  },
  { name: 'the environment', to: { server: { env: { SIZE: '1' } } }, touched: ALL, why: ['server'] },
  { name: 'perf.yml', to: { config: { load: { connections: 40 } } }, touched: ALL, why: ['file'] },
  {
    name: 'another Node',
    only: 'express',
    before: {
      packages: { node: '20.19.0' },
      server: { runtime: 'node', start: 'node_modules/.bin/node src/main.js' },
    },
    to: { packages: { node: '22.12.0' } },
    touched: ALL,
    why: ['node'],
  },
  {
    name: 'a native package',
    before: {
      packages: { '@node-rs/crc32': '1.10.4' },
      texts: [
        ['services/users', 'import { all', "import { crc32 } from '@node-rs/crc32';\nimport { all"],
        ['services/users', USERS, `crc32('users');\n  ${USERS}`],
      ],
    },
    to: { packages: { '@node-rs/crc32': '1.10.6' } },
    touched: ALL,
    why: ['file'],
  },
  {
    name: 'a bundle whose names moved',
    only: 'express',
    before: {
      development: { esbuild: '0.25.5' },
      server: {
        build: 'npx esbuild src/main.js --bundle --minify --platform=node --outfile=dist/main.js',
        start: 'node dist/main.js',
      },
    },
    to: {
      texts: [
        ['store', 'const COLOURS', 'const SIZES = [1, 2];\nexport const sizes = () => SIZES;\nconst COLOURS'],
      ],
    },
    touched: ALL,
  },
];

export const CHANGES = [...KNOWN, ...UNKNOWN];

const CONTROLLER = 'src/cats.controller.ts';
const ONE = 'return { id };';

/** Of a repository that bench:repositories knows, built by Nest's own command. */
export const REPOSITORY = {
  name: 'nest',
  first: /** @type {Version} */ ({
    texts: [['perf.yml', 'path: /api/cats/all', 'path: /api/cats/all\n      - path: /api/cats/7']],
  }),
  changes: /** @type {Change[]} */ ([
    {
      name: 'a handler',
      to: { texts: [[CONTROLLER, ONE, "return { id, name: 'Tom' };"]] },
      touched: ['/api/cats/7'],
    },
    { name: 'a comment', to: { texts: [[CONTROLLER, ONE, `// By its id.\n    ${ONE}`]] }, touched: NONE },
  ]),
};

/** What the base has, and the head. @type {(change: Change) => [Version, Version]} */
export function versionsOf({ before = {}, to }) {
  return [
    before,
    {
      ...{ ...before, ...to, texts: [...(before.texts ?? []), ...(to.texts ?? [])] },
      ...{ packages: { ...before.packages, ...to.packages }, server: { ...before.server, ...to.server } },
    },
  ];
}
