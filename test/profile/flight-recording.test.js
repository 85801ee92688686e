/**
 * Recorded: a few samples of `jfr print --events jdk.ExecutionSample`, from two JVMs of the same loaded
 * server.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { profileOf, samplesOf } from '../../scripts/profile/flight-recording.js';

const recorded = (/** @type {string} */ name) =>
  readFileSync(new URL(`../data/observe/${name}.samples.txt`, import.meta.url), 'utf8').split('\n');

/** @param {string[]} lines */
async function* stream(lines) {
  yield* lines;
}
const timeOf = (/** @type {string} */ time) => Date.parse(`2026-11-22T${time}Z`);
const DAY = { from: timeOf('00:00:00'), to: timeOf('23:59:59') };
const fileOf = (/** @type {string} */ type) => (type === 'Shop' ? 'src/Shop.java' : type);

for (const [name, samples] of Object.entries({ java17: 4, java25: 5 }))
  test(`${name}: each sample is a path of calls, and its time the innermost method's own`, async () => {
    const found = await samplesOf(stream(recorded(name)), DAY);
    assert.equal(found.length, samples);
    const profile = profileOf(found, { us: 10, fileOf });
    assert.ok(profile.every(({ parent }, place) => parent < place));
    assert.equal(
      profile.reduce((sum, { us }) => sum + us, 0),
      10 * samples,
    );
    const roots = profile.filter(({ parent }) => parent === -1);
    assert.deepEqual(
      roots.map(({ name: root, file }) => [root, file]),
      [['Thread.run', 'java.lang.Thread']],
    );
    const [busiest] = profile.toSorted((a, b) => b.us - a.us);
    assert.ok(busiest);
    const { name: method, file, line, us, parent } = busiest;
    assert.deepEqual([method, file, line, us], ['Shop.serialize', 'src/Shop.java', 6, 30]);
    const callers = [];
    for (let caller = profile[parent]; caller; caller = profile[caller.parent]) callers.push(caller.name);
    assert.deepEqual(callers.slice(0, 3), ['Shop.answer', 'Shop.main (lambda)', 'Filter$Chain.doFilter']);
  });

test('only samples of the window count, whatever the day', async () => {
  const count = async (/** @type {number} */ from, /** @type {number} */ to) =>
    (await samplesOf(stream(recorded('java17')), { from, to })).length;
  assert.equal(await count(timeOf('10:43:16.000'), timeOf('10:43:17.000')), 1);
  assert.equal(await count(timeOf('10:43:17.331'), timeOf('10:43:17.406')), 2);
  assert.equal(await count(timeOf('09:00:00'), timeOf('10:43:16.000')), 0);
  const midnight = recorded('java17').map((line) => line.replace(/= 10:43:1[67]/, '= 00:00:01'));
  const around = { from: timeOf('23:59:59'), to: timeOf('23:59:59') + 3000 };
  assert.equal((await samplesOf(stream(midnight), around)).length, 4);
});

test('calls that a JVM makes while it runs are left out, and other texts have no samples', async () => {
  const stack = (/** @type {string[]} */ ...calls) => [
    '  startTime = 12:00:00.000',
    '  stackTrace = [',
    ...calls.map((call) => `    ${call}`),
    '  ]',
    '}',
  ];
  const made = stack(
    'shop.Json.write(Object) line: 7',
    'java.lang.invoke.LambdaForm$DMH.0x0000000800c03000.invokeStatic(Object, Object)',
    'jdk.internal.reflect.GeneratedMethodAccessor12.invoke(Object, Object[])',
    'jdk.proxy2.$Proxy61.write(Object)',
    'shop.Shop.lambda$answer$14(Request) line: 3',
    '...',
  );
  const found = await samplesOf(stream(made), DAY);
  assert.deepEqual(
    profileOf(found, { us: 1, fileOf }).map(({ name }) => name),
    ['Shop.answer (lambda)', 'Json.write'],
  );
  const odd = [
    'hello',
    '  ]',
    '  stackTrace = [',
    ...stack('no call at all'),
    '    a.b(',
    '  startTime = soon',
  ];
  assert.deepEqual(await samplesOf(stream(odd), DAY), []);
  assert.deepEqual(profileOf([], { us: Number.NaN, fileOf }), []);
});
