/** Run files, whole and broken: what is wrong is told in one line that says where, what and how to mend it. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../scripts/model/errors.js';
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

/** @param {string} file @param {RegExp} message */
async function refused(file, message) {
  await assert.rejects(readRun(file), (error) => {
    assert.ok(error instanceof UserError, String(error));
    assert.match(error.message, message);
    assert.match(error.message, /run\.json|missing\.json/);
    assert.ok(!error.message.includes('\n'), 'one line');
    return true;
  });
}

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
  await assert.rejects(writeRun(join(dir, 'a-file'), run()), (error) => {
    assert.ok(error instanceof UserError);
    assert.match(error.message, /a-file\/run\.json: cannot be written \(\w+\); choose another folder/);
    return true;
  });
  assert.equal(readFileSync(join(dir, 'a-file'), 'utf8'), 'kept');
});

test('another program’s run with nothing but seconds and requests is a run', async () => {
  const read = await readRun(recorded('minimal-run.json'));
  const [first] = read.cases;
  assert.ok(first);
  assert.deepEqual(
    [read.session, read.finishedAt, read.revision, read.environment.cpuModel],
    ['bare', '2026-11-20T10:00:00Z', {}, 'unknown'],
  );
  assert.deepEqual(
    [first.server, first.serverName, first.route, first.instances],
    ['hello', 'hello', '/', 1],
  );
  assert.deepEqual(first.request, { method: 'GET', path: '/', headers: {} });
  assert.deepEqual(first.load, {
    tool: 'unknown',
    durationSeconds: 3,
    warmupSeconds: 0,
    keepAlive: true,
    pipelining: 1,
    threads: 1,
  });
  assert.deepEqual(
    first.trials.map(({ round, failure, windows }) => [round, failure, windows.length]),
    [
      [0, null, 2],
      [1, null, 1],
    ],
  );
  assert.deepEqual(
    [first.summary?.trials, first.summary?.throughput.toFixed(3)],
    [2, Math.sqrt((3100 / 3) * 990).toFixed(3)],
  );
  assert.equal(read.cases[1]?.summary, undefined);
  assert.deepEqual(read.cases[1]?.request, { method: 'POST', path: '/echo', headers: {} });
});

test('fields of other programs are kept', async () => {
  const read = await readRun(changed({ theirs: { a: 1 } }));
  assert.deepEqual(/** @type {any} */ (read).theirs, { a: 1 });
});

test('a file that is missing, empty or no JSON is refused', async () => {
  await refused(
    join(scratch(), 'missing.json'),
    /there is no such file; check the path, or `perf-action run` makes/,
  );
  await refused(fileOf(' \n'), /the file is empty; `perf-action run` makes/);
  await refused(fileOf('{ "schema": \n oops }'), /is not valid JSON( at position 15)?; /);
  await refused(fileOf('null'), /has no "schema", but this version reads "perf-action\/run@1"/);
  await refused(fileOf('[]'), /has no "schema"/);
});

test('the refusal of another version names both', async () => {
  const mistake = /has the schema "perf-action\/run@2", but this version reads "perf-action\/run@1"/;
  await refused(changed({ schema: 'perf-action/run@2' }), mistake);
  await refused(changed({ schema: 'perf-action/comparison@1' }), /"perf-action\/comparison@1"/);
});

test('a wrong shape is reported with its path, what is wanted and what is there', async () => {
  /** @param {any} window */
  const withWindow = (window) =>
    changed({ cases: [{ ...runCase('a'), trials: [{ round: 0, windows: [window] }] }] });
  await refused(
    withWindow({ seconds: '5', requests: 1 }),
    /cases\[0\]\.trials\[0\]\.windows\[0\]\.seconds must be number; got "5"/,
  );
  await refused(withWindow({ seconds: 1 }), /cases\[0\]\.trials\[0\]\.windows\[0\] lacks "requests"/);
  await refused(withWindow({ seconds: 0, requests: 1 }), /windows\[0\]\.seconds must be > 0; got 0/);
  await refused(withWindow({ seconds: 1, requests: 1, rssBytes: null }), /rssBytes must be number; got null/);
  await refused(
    withWindow({ seconds: 1, requests: 1, latencyMs: { p99: -1 } }),
    /latencyMs\.p99 must be >= 0; got -1/,
  );
  await refused(changed({ cases: {} }), /cases must be array; got \{\}/);
  await refused(changed({ environment: undefined }), /the file lacks "environment"/);
  await refused(
    changed({ cases: [{ ...runCase('a'), reference: false }] }),
    /cases\[0\]\.reference must be true; got false/,
  );
});

test('a run whose percentiles do not rise is refused', async () => {
  const windows = { latencyMs: { p50: 4, p99: 3 } };
  const file = changed({ cases: [runCase('hello', [trial({}, windows)])] });
  await refused(file, /hello.*: its latency percentiles do not rise/);
});
