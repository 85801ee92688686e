/** `perf-action report` reads result folders. */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { main } from '../../scripts/main.js';
import { compare } from '../../scripts/judge/compare.js';
import { writeResults } from '../../scripts/session/results.js';
import { writeRun } from '../../scripts/store/run-file.js';
import { caseOf, runOf, seededNormal, startsOf } from '../judge/runs.js';
import { scratchFolder } from '../scratch.js';

const cwd = scratchFolder();

const random = seededNormal(3);
/**
 * @param {string} id
 * @param {number} level
 */
const measured = (id, level) => ({
  ...runOf([caseOf('a', startsOf({ level, noise: 0.01, starts: 12, random }))]),
  id,
});

/**
 * @param {string} place
 * @param {string} format
 */
const render = (place, format) => printed(place, '--format', format);

/** @param {string[]} args of report */
async function printed(...args) {
  let text = '';
  const output = { write: (/** @type {string} */ chunk) => (text += chunk) };
  const { signal } = new AbortController();
  const io = { cwd, env: {}, stdout: output, stderr: output, signal };
  const code = await main(['report', ...args], io);
  assert.equal(code, 0, text);
  return text;
}

/** @param {string} place */
const rendered = async (place) => JSON.parse(await render(place, 'json'));

test('a run file is reported in every format', async () => {
  const file = await writeRun(join(cwd, 'formats'), measured('one', 30_000));
  assert.match(await render('formats/run.json', 'md'), /^## /);
  assert.match(await render('formats/run.json', 'html'), /^<!doctype html>/);
  const points = JSON.parse(await render('formats/run.json', 'benchmark-action'));
  assert.ok(points.throughput[0].value > 100);
  assert.equal((await rendered('formats/run.json')).run.schema, 'perf-action/run@1', String(file));
});

test('a result folder, and a run file in it, are reported with the comparison beside them', async () => {
  const [base, run] = [measured('before', 30_000), measured('after', 20_000)];
  await writeResults(join(cwd, 'results'), { base, run, comparison: compare(base, run, { margin: 0.05 }) });
  for (const place of ['results', 'results/run.json']) {
    const { run: shown, comparison } = await rendered(place);
    assert.equal(shown.id, 'after');
    assert.equal(comparison.verdict, 'regressed');
  }
  assert.equal((await rendered('results/base')).comparison, undefined);
});

test("a comparison that another run left in the folder is not this run's", async () => {
  await writeRun(join(cwd, 'results'), measured('another', 30_000), 'other.json');
  assert.equal((await rendered('results/other.json')).comparison, undefined);
});

test('the history is JSON with --json, as with --format json', async () => {
  const trials = () => startsOf({ level: 30_000, noise: 0.01, starts: 4, random });
  const run = runOf([caseOf('gauge', trials(), { reference: true }), caseOf('a', trials())]);
  await writeRun(join(cwd, 'stored'), run);
  assert.deepEqual(JSON.parse(await printed('--history', 'stored', '--json')), []);
});

test('a history that is neither a folder nor a branch is one line', async () => {
  for (const name of ['no-such-folder', '/no/such/folder', '-x y']) {
    let text = '';
    const output = { write: (/** @type {string} */ chunk) => (text += chunk) };
    const io = { cwd, env: {}, stdout: output, stderr: output, signal: new AbortController().signal };
    assert.equal(await main(['report', `--history=${name}`], io), 2);
    assert.match(
      text,
      new RegExp(`^perf-action: --history ${name}: there is no folder ${name} and no branch .*\\n$`),
    );
  }
});

test('half of a comparison, and a run that counted, are refused as a baseline, and nothing is stored', async () => {
  let text = '';
  const output = { write: (/** @type {string} */ chunk) => (text += chunk) };
  const io = { cwd, env: {}, stdout: output, stderr: output, signal: new AbortController().signal };
  const half = { ...measured('half', 30_000), against: 'main' };
  const trials = startsOf({ level: 30_000, noise: 0.01, starts: 1, random });
  const counted = runOf([{ ...caseOf('a', trials), counted: true }]);
  /** @type {[import('../../scripts/types.js').Run, string][]} */
  const refused = [
    [half, 'the run did not measure the reference server, .*'],
    [{ ...counted, id: 'counted' }, 'it has no times; store one without --counts'],
  ];
  for (const [run, why] of refused) {
    text = '';
    await writeRun(join(cwd, run.id), run);
    assert.equal(await main(['baseline', 'save', `${run.id}/run.json`, '--dir', 'refused'], io), 2);
    assert.match(text, new RegExp(`^perf-action: run ${run.id} is not stored: ${why}\\n$`));
  }
  assert.ok(!existsSync(join(cwd, 'refused')));
});

test('stored runs that no trend can use are not "no stored run", neither when they are read nor when they are stored', async () => {
  const why =
    'did not measure the reference server, with which runs of different days are compared; store runs';
  let text = '';
  const output = { write: (/** @type {string} */ chunk) => (text += chunk) };
  const io = { cwd, env: {}, stdout: output, stderr: output, signal: new AbortController().signal };
  for (const id of ['first', 'second']) {
    await writeRun(join(cwd, id), measured(id, 30_000));
    assert.equal(await main(['baseline', 'save', `${id}/run.json`, '--dir', 'unusable'], io), 0);
    assert.ok(text.startsWith(`perf-action: no trend can use it: the run ${why}`), text);
    assert.match(text, /\nstored in unusable\/\S+\.json\n$/);
    text = '';
  }
  assert.equal(await main(['report', '--history', 'unusable'], io), 2);
  assert.ok(text.startsWith(`perf-action: --history unusable: 2 runs ${why}`), text);
  const trials = () => startsOf({ level: 30_000, noise: 0.01, starts: 4, random });
  const usable = {
    ...runOf([caseOf('gauge', trials(), { reference: true }), caseOf('a', trials())]),
    id: 'third',
  };
  await writeRun(join(cwd, 'unusable'), usable);
  assert.match(
    await printed('--history', 'unusable'),
    /perf-action: left out: 2 runs did not measure the reference server/,
  );
});
