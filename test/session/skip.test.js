/** A run that had nothing to measure. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { main } from '../../scripts/main.js';
import { unmarked } from '../../scripts/report/text/inline.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { readRunConfig } from '../../scripts/session/run-config.js';
import { skippedRun } from '../../scripts/session/finish.js';
import { setAside } from '../../scripts/session/results.js';
import { run, runCase } from '../store/runs.js';
import { scratch } from '../store/scratch.js';

let out = '';
beforeEach(() => {
  out = scratch();
});

/**
 * @param {string} name
 * @param {unknown} content
 */
const leave = (name, content) => writeFileSync(join(out, name), JSON.stringify(content));
/** @param {string} name */
const left = (name) => readFileSync(join(out, name), 'utf8');
const SKIPPED = run({
  id: 'skipped',
  cases: [],
  warnings: [{ code: 'skipped', message: 'no changed file affects a server' }],
});

test('earlier results move to a separate folder, and other files stay', async () => {
  mkdirSync(join(out, 'base'));
  for (const name of ['run.json', 'base/run.json', 'comparison.json', 'report.md', 'notes.txt'])
    leave(name, name === 'run.json' ? run({ cases: [runCase('a')] }) : name);
  const before = left('run.json');
  assert.equal(await setAside(out), join(out, 'earlier'));
  assert.deepEqual(readdirSync(out).sort(), ['base', 'earlier', 'notes.txt']);
  assert.equal(left('earlier/run.json'), before);
  assert.equal(left('earlier/base/run.json'), '"base/run.json"');
});

test('a second skipped run keeps the measured one; a new measurement replaces all of it', async () => {
  leave('run.json', run({ cases: [runCase('a')] }));
  leave('comparison.json', 'of a');
  await setAside(out);
  leave('run.json', SKIPPED);
  assert.equal(await setAside(out), undefined);
  assert.match(left('earlier/run.json'), /"a /);
  leave('run.json', run({ cases: [runCase('b')] }));
  await setAside(out);
  assert.match(left('earlier/run.json'), /"b /);
  assert.ok(!existsSync(join(out, 'earlier/comparison.json')));
});

test('a run that was cancelled before its first start keeps the measured one', async () => {
  const cancelled = run({ id: 'cancelled', cases: [{ ...runCase('b'), trials: [] }] });
  leave('run.json', run({ cases: [runCase('a')] }));
  await setAside(out);
  leave('run.json', cancelled);
  assert.equal(await setAside(out), undefined);
  assert.match(left('earlier/run.json'), /"a /);
});

test('a run against the commit that is checked out says that nothing can differ', () => {
  const config = readRunConfig({ preset: 'quick' }, out);
  const of = (/** @type {object} */ head) => {
    const sides = [
      { label: 'base', servers: {}, revision: { sha: 'a1', ref: 'main' } },
      { label: 'head', servers: {}, revision: { sha: 'a1', ref: 'main', ...head } },
    ];
    const facts = { session: 's', command: 'c', runner: undefined, head: undefined };
    return skippedRun(config, sides, facts).warnings?.map((warning) =>
      unmarked(wordsIn('en').warning(warning)),
    );
  };
  assert.match(String(of({})), /^`main` is what is checked out here, so nothing differs: check out a branch/);
  for (const head of [{ dirty: true }, { sha: 'b2' }])
    assert.deepEqual(of(head), ['no changed file affects a server since commit a1']);
});

test('without earlier results no folder is created', async () => {
  assert.equal(await setAside(out), undefined);
  assert.deepEqual(readdirSync(out), []);
});

/** @param {string[]} argv */
async function call(...argv) {
  let text = '';
  const stream = /** @type {any} */ ({ write: (/** @type {string} */ part) => (text += part) });
  const io = { cwd: out, env: {}, stdout: stream, stderr: stream, signal: new AbortController().signal };
  return { code: await main(argv, io), text };
}

test('every command recognizes a skipped run', async () => {
  leave('run.json', SKIPPED);
  leave('measured.json', run({ cases: [runCase('a')] }));
  assert.deepEqual(await call('report', 'run.json'), {
    code: 0,
    text: '## ⚪ Skipped: no changed file affects a server\n',
  });
  assert.match((await call('report', 'run.json', '--format', 'html')).text, /Skipped: no changed file/);
  const compared = await call('compare', '--base', 'measured.json', '--head', 'run.json');
  assert.equal(compared.code, 2);
  assert.match(
    compared.text,
    /^perf-action: run\.json: the run was skipped and measured nothing; use another/,
  );
  const saved = await call('baseline', 'save', 'run.json');
  assert.equal(saved.code, 2);
  assert.match(saved.text, /measured nothing/);
});
