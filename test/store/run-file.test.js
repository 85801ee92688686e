/**
 * Run files, whole and broken: what is wrong is told in one line that says where, what and how to mend it.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeText } from '../../scripts/store/json-file.js';
import { readRun, writeRun } from '../../scripts/store/run-file.js';
import { run, runCase, trial } from './runs.js';
import { scratch } from './scratch.js';

/** @param {string} name */
const recorded = (name) => fileURLToPath(new URL(`../data/store/${name}`, import.meta.url));

/** @param {string} text */
function fileOf(text) {
  const file = join(scratch(), 'run.json');
  writeFileSync(file, text);
  return file;
}

/** @param {any} changes */
const changed = (changes) => fileOf(JSON.stringify({ ...run(), ...changes }));

/**
 * In one line.
 * @param {string} file
 * @param {RegExp} message
 */
const refused = (file, message) =>
  assert.rejects(readRun(file), {
    name: 'UserError',
    message: new RegExp(`^(?!.*\\n)(?=.*(run|missing)\\.json: ).*${message.source}`),
  });

test('a result is written through no link that somebody left in its place', async () => {
  const dir = scratch();
  const [mine, file] = ['mine', 'report.md'].map((name) => join(dir, name));
  assert.ok(mine && file);
  writeFileSync(mine, 'mine');
  for (const name of ['', `.${process.pid}.tmp`]) symlinkSync(mine, `${file}${name}`);
  await writeText(file, 'text');
  assert.deepEqual([readFileSync(mine, 'utf8'), readFileSync(file, 'utf8')], ['mine', 'text']);
});

test('what is written is read again, whole', async () => {
  const dir = join(scratch(), 'not', 'there', 'yet');
  const window = { cpu: { serverSeconds: 1, clientSeconds: 1, foreignShare: 0, stealShare: 0 } };
  const failure = { kind: /** @type {const} */ ('never-ready'), message: 'no answer', logTail: ['[1,\n2]'] };
  const written = run({
    looks: [0.2, 0.6],
    cases: [
      runCase('hello', [
        trial({ startupMs: 31 }, { ...window, rssBytes: 6e6 }),
        trial({ round: 1, failure, windows: [] }),
      ]),
    ],
  });
  await writeRun(dir, written);
  const read = await readRun(join(dir, 'run.json'));
  const cases = read.cases.map(({ summary, ...planned }) => planned);
  assert.deepEqual({ ...read, cases }, written);
  assert.deepEqual([read.cases[0]?.summary?.trials, read.cases[0]?.summary?.failed], [1, 1]);
  assert.deepEqual(readdirSync(dir), ['run.json'], 'nothing unfinished is left');
  assert.match(readFileSync(join(dir, 'run.json'), 'utf8'), /"looks": \[0\.2, 0\.6\]/);
});

test('writing again replaces, and a failure to write leaves what was there', async () => {
  const dir = scratch();
  await writeRun(dir, run());
  await writeRun(dir, run({ id: 'two' }));
  assert.equal((await readRun(join(dir, 'run.json'))).id, 'two');
  writeFileSync(join(dir, 'a-file'), 'kept');
  const message = /a-file\/run\.json: cannot be written \(\w+\); choose another folder/;
  await assert.rejects(writeRun(join(dir, 'a-file'), run()), { name: 'UserError', message });
  assert.equal(readFileSync(join(dir, 'a-file'), 'utf8'), 'kept');
});

test('another program’s run with nothing but seconds and requests is a run, and its own fields are kept', async () => {
  const { cases, ...read } = await readRun(recorded('minimal-run.json'));
  const { session, finishedAt, revision, environment } = read;
  const facts = [session, finishedAt, revision, environment.cpuModel];
  assert.deepEqual(facts, ['bare', '2026-11-20T10:00:00Z', {}, 'unknown']);
  const [first, second] = cases;
  assert.ok(first && second);
  const { server, serverName, route, instances, request, load, trials, summary } = first;
  assert.deepEqual([server, serverName, route, instances], ['hello', 'hello', '/', 1]);
  assert.deepEqual(request, { method: 'GET', path: '/', headers: {} });
  const defaults = { tool: 'unknown', warmupSeconds: 0, keepAlive: true, pipelining: 1, threads: 1 };
  assert.deepEqual(load, { ...defaults, durationSeconds: 3 });
  assert.deepEqual(
    trials.map(({ round, failure, windows }) => [round, failure, windows.length]),
    [
      [0, null, 2],
      [1, null, 1],
    ],
  );
  assert.deepEqual(
    [summary?.trials, summary?.throughput.toFixed(3)],
    [2, Math.sqrt((3100 / 3) * 990).toFixed(3)],
  );
  assert.equal(second.summary, undefined);
  assert.deepEqual(second.request, { method: 'POST', path: '/echo', headers: {} });
  const other = await readRun(changed({ theirs: { a: 1 } }));
  assert.deepEqual(/** @type {any} */ (other).theirs, { a: 1 });
});

/** @param {any} window */
const withWindow = (window) =>
  changed({ cases: [{ ...runCase('a'), trials: [{ round: 0, windows: [window] }] }] });
const FALLING = runCase('hello', [trial({}, { latencyMs: { p50: 4, p99: 3 } })]);

/** @type {[what: string, file: () => string, message: RegExp][]} */
const REFUSED = [
  [
    'missing',
    () => join(scratch(), 'missing.json'),
    /there is no such file; check the path, or `perf-action run` makes/,
  ],
  ['empty', () => fileOf(' \n'), /the file is empty; `perf-action run` makes/],
  ['no JSON', () => fileOf('{ "schema": \n oops }'), /is not valid JSON( at position 15)?; /],
  ['null', () => fileOf('null'), /has no "schema", but this version reads "perf-action\/run@1"/],
  ['a list', () => fileOf('[]'), /has no "schema"/],
  [
    'of another version',
    () => changed({ schema: 'perf-action/run@2' }),
    /has the schema "perf-action\/run@2", but this version reads "perf-action\/run@1"/,
  ],
  ['a comparison', () => changed({ schema: 'perf-action/comparison@1' }), /"perf-action\/comparison@1"/],
  [
    'with a text for a number',
    () => withWindow({ seconds: '5', requests: 1 }),
    /cases\[0\]\.trials\[0\]\.windows\[0\]\.seconds must be a number; got "5"/,
  ],
  ['without requests', () => withWindow({ seconds: 1 }), /trials\[0\]\.windows\[0\] lacks "requests"/],
  ['of no time', () => withWindow({ seconds: 0, requests: 1 }), /windows\[0\]\.seconds must be > 0; got 0/],
  [
    'with null',
    () => withWindow({ seconds: 1, requests: 1, rssBytes: null }),
    /rssBytes must be a number; got null/,
  ],
  [
    'with a negative latency',
    () => withWindow({ seconds: 1, requests: 1, latencyMs: { p99: -1 } }),
    /latencyMs\.p99 must be >= 0; got -1/,
  ],
  [
    'without a list of cases',
    () => changed({ cases: {} }),
    /cases must be a list, like \[one, another\]; got \{\}/,
  ],
  ['without its machine', () => changed({ environment: undefined }), /the file lacks "environment"/],
  [
    'with a reference that is none',
    () => changed({ cases: [{ ...runCase('a'), reference: false }] }),
    /cases\[0\]\.reference must be true; got false/,
  ],
  [
    'with falling percentiles',
    () => changed({ cases: [FALLING] }),
    /hello.*: its latency percentiles do not rise/,
  ],
];
for (const [what, file, message] of REFUSED)
  test(`a run file that is ${what} is refused in one line`, () => refused(file(), message));
