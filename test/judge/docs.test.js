/** The manual's table of constants is the code's. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const scripts = new URL('../../scripts/', import.meta.url);
const manual = readFileSync(new URL('../../docs/verdicts.md', import.meta.url), 'utf8');
const told = [...manual.matchAll(/^\| `([A-Z_]+)` \| `(.+?)` \| `(.+?)` \|/gm)].map(
  ([, name = '', value = '', file = '']) => ({ name, value, file }),
);

/** Numbers, or some of them. @param {string} file */
function constantsIn(file) {
  const code = readFileSync(new URL(file, scripts), 'utf8');
  return new Map(
    [...code.matchAll(/^(?:export )?const ([A-Z_]+) = (\d.*|[[{] ?(?:\w+: )?\d.*);$/gm)].map(
      ([, name, value]) => [name, value],
    ),
  );
}

test('every constant has the value that the manual tells', () => {
  assert.ok(told.length > 20, `only ${told.length} were found`);
  for (const { name, value, file } of told)
    assert.equal(constantsIn(file).get(name), value, `docs/verdicts.md: ${name} of ${file}`);
});

test('the manual leaves none out', () => {
  const files = readdirSync(new URL('judge/', scripts)).filter((file) => file.endsWith('.js'));
  const all = ['disturbance.js', 'run/conduct.js', ...files.map((file) => `judge/${file}`)].flatMap((file) =>
    [...constantsIn(file).keys()].map((name) => `${name} of ${file}`),
  );
  const names = told.map(({ name, file }) => `${name} of ${file}`);
  assert.deepEqual(
    all.filter((name) => !names.includes(name)),
    [],
    'missing in docs/verdicts.md',
  );
});
