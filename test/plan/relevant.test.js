import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyRelevant, relevantServers } from '../../scripts/plan/relevant.js';
import { makePlan } from '../../scripts/plan/plan.js';
import { shardCount } from '../../scripts/plan/shard.js';
import { configOf } from './sources.js';

const MONOREPO = configOf(
  {},
  `servers:
  - { id: orders, start: node x, routes: [{ path: / }], paths: ["services/orders/**", "lib/**", "!**/*.test.js"] }
  - { id: users, start: node x, routes: [{ path: / }], paths: ["services/users/**", "!services/users/seeds/**", "services/users/seeds/schema.sql"] }
  - { id: rest, start: node x, routes: [{ path: / }] }
`,
);

/** @type {[what: string, changed: string[], touched: string[]][]} */
const CHANGES = [
  ['nothing', [], []],
  ['documentation', ['README.md', 'services/orders/notes.md', 'docs/a/b.html', 'lib/LICENSE'], []],
  ['a workflow that does not measure', ['.github/workflows/ci.yml', '.github/dependabot.yml'], []],
  ['the workflow that measures', ['.github/workflows/perf.yml'], ['orders', 'users', 'rest']],
  ["one server's source", ['services/orders/src/main.js'], ['orders', 'rest']],
  ['a file with a dot', ['services/users/.env'], ['users', 'rest']],
  ['what is taken out again', ['services/orders/a.test.js'], ['rest']],
  ['what is taken out and put back', ['services/users/seeds/schema.sql'], ['users', 'rest']],
  ['a folder whose name only begins alike', ['services/orders-old/a.js'], ['rest']],
  ['how servers are measured', ['perf.yml'], ['orders', 'users', 'rest']],
  ["a server's manifest", ['services/users/server.yml'], ['orders', 'users', 'rest']],
  ['documentation and source', ['README.md', 'lib/a.js'], ['orders', 'rest']],
];

for (const [what, changed, touched] of CHANGES) {
  test(`a change of ${what} affects ${touched.join(', ') || 'nothing'}`, () => {
    assert.deepEqual(
      relevantServers(MONOREPO, changed).map(({ id }) => id),
      touched,
    );
  });
}

test('perf.yml says what is ignored, which may be nothing', () => {
  const touched = (/** @type {string} */ perfYml, /** @type {string} */ file) =>
    relevantServers(configOf({ servers: 'alpha' }, perfYml), [file]).length;
  assert.equal(touched('ignore: []\n', 'README.md'), 1);
  assert.equal(touched('ignore: ["**.txt"]\n', 'README.md'), 1);
  assert.equal(touched('ignore: ["**.txt"]\n', 'a/b.txt'), 0);
  assert.equal(touched('ignore: ["*.txt"]\n', 'a/b.txt'), 1);
});

test('unaffected cases are measured on no machine, and the reference stays where it shares a load', () => {
  const config = configOf(
    { servers: 'orders,users', reference: 'gauge', connections: '10,20' },
    `servers:
  - { id: orders, start: node x, routes: [{ path: / }], paths: ["orders/**"] }
  - { id: users, start: node x, routes: [{ path: / }], paths: ["users/**"] }
`,
  );
  const touched = onlyRelevant(config, ['users/main.js']);
  const { sides, ...plan } = makePlan(touched);
  assert.deepEqual(
    plan.cases.map(({ server, load }) => [server, load.connections]),
    [
      ['gauge', 10],
      ['gauge', 20],
      ['users', 10],
      ['users', 20],
    ],
  );
  assert.equal(shardCount({ sides, ...plan }, 8), 2);
  assert.deepEqual(onlyRelevant(config, ['README.md']).cases, []);
});

test('the reference stays beside a server that is measured for longer', () => {
  const config = configOf(
    { servers: 'orders', reference: 'gauge' },
    'servers:\n  - { id: orders, start: node x, routes: [{ path: / }], paths: ["orders/**"] }\n',
  );
  const cases = config.cases.map((planned) =>
    planned.reference ? planned : { ...planned, load: { ...planned.load, durationSeconds: 6 } },
  );
  assert.equal(onlyRelevant({ ...config, cases }, ['orders/a.js']).cases.length, 2);
});
