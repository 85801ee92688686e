/**
 * The examples as their readers have them: a repository each, built, started, verified, measured and judged.
 */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyRepository } from '../../bench/copy-repository.js';
import { ROOT, runCli } from './tools.js';
import { scratchFolder } from '../scratch.js';

const SCRATCH = scratchFolder();

const SHORTEST =
  '--against self --rounds 1 --rate 100 --duration 1s --warmup 0 --reference off --tool autocannon'.split(
    ' ',
  );
const { DATABASE_URL: _database, ...env } = process.env;

/** @type {Record<string, string[]>} the cases of each */
const EXPECTED = {
  'express-api': ['items /items', 'items POST /items'],
  'go-service': ['orders /orders/7'],
  'nest-monorepo': ['orders /orders/7', 'stock /stock'],
  'sequelize-orders': ['orders /orders', 'orders /orders/7'],
  'spring-boot': ['orders /orders/7'],
};

test('every example that has a perf.yml is run here', () => {
  const folders = readdirSync(join(ROOT, 'examples'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const examples = folders.map(({ name }) => name).filter((name) => name !== 'workflow');
  assert.deepEqual(examples.sort(), Object.keys(EXPECTED));
});

for (const [name, cases] of Object.entries(EXPECTED)) {
  test(`${name} is built, started, verified and judged`, async () => {
    const top = copyRepository(join(ROOT, 'examples', name), SCRATCH);
    const { code, stderr } = await runCli(['run', ...SHORTEST], { cwd: top, env });
    assert.equal(code, 0, stderr);
    const read = (/** @type {string} */ file) =>
      JSON.parse(readFileSync(join(top, 'perf-results', file), 'utf8'));
    /** @type {import('../../scripts/types.js').Run} */
    const measured = read('run.json');
    assert.deepEqual(measured.cases.map(({ server, route }) => `${server} ${route}`).sort(), cases);
    for (const { id, trials } of measured.cases) {
      assert.deepEqual(
        trials.map(({ failure }) => failure),
        [null],
        id,
      );
      for (const { windows } of trials)
        assert.ok(
          windows.every(
            ({ requests, errors }) =>
              requests > 0 && Object.values(errors ?? {}).every((count) => count === 0),
          ),
          id,
        );
    }
    /** @type {import('../../scripts/types.js').Comparison} */
    const { cases: judged } = read('comparison.json');
    assert.deepEqual(judged.map(({ id }) => id).sort(), measured.cases.map(({ id }) => id).sort());
    for (const { id, verdict } of judged) assert.notEqual(verdict, 'failed', id);
  });
}
