/** `perf-action compare` judges by the rules of the folder it is called in. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { main } from '../../scripts/main.js';
import { caseOf, runOf, seededNormal, startsOf } from '../judge/runs.js';
import { scratchFolder } from '../scratch.js';

const cwd = scratchFolder();

const random = seededNormal(3);
/**
 * @param {string} file
 * @param {number} level
 * @param {number} [bytes] of each answer
 */
function write(file, level, bytes) {
  const answers = bytes === undefined ? {} : { answers: [{ status: 200, bytes, times: 5 }] };
  const starts = startsOf({ level, noise: 0.01, starts: 12, random }).map((start) => ({
    ...start,
    ...answers,
  }));
  writeFileSync(join(cwd, file), JSON.stringify(runOf([caseOf('a', starts)])));
}
write('base.json', 30_000);
write('head.json', 28_800);

/** @param {string[]} options */
async function compared(...options) {
  let text = '';
  const out = /** @type {any} */ ({ write: (/** @type {string} */ chunk) => void (text += chunk) });
  const io = { cwd, env: {}, stdout: out, stderr: out, signal: new AbortController().signal };
  const code = await main(['compare', '--base', 'base.json', '--head', 'head.json', ...options], io);
  return { code, text };
}

/** @param {string[]} lines */
const configure = (...lines) => writeFileSync(join(cwd, 'perf.yml'), `${lines.join('\n')}\n`);

test('without a perf.yml the default margin applies, and a flag overrides it', async () => {
  assert.equal((await compared('--margin', '10%')).code, 0);
  assert.equal((await compared('--margin', '1%')).code, 1);
});

test('perf.yml sets margins and gates, and the report says what its gates decided', async () => {
  configure('margin: 1%', 'gates: { throughput: never, cpuPerRequest: never, p50: never, p99: never }');
  const open = await compared();
  assert.equal(open.code, 0, open.text);
  assert.match(open.text, /its own gate \(never\) lets it pass/);
  configure('margin: 1%');
  assert.equal((await compared()).code, 1);
  configure('margin: 10%');
  assert.equal((await compared()).code, 0);
});

test('a head that costs less since its answer shrank is not faster, and fails where the gate of the answer does', async () => {
  write('whole.json', 30_000, 44_012);
  write('empty.json', 40_000, 2);
  const runs = ['--base', 'whole.json', '--head', 'empty.json'];
  configure('failOn: regressed');
  const open = await compared(...runs);
  assert.equal(open.code, 0);
  assert.match(
    open.text,
    /^🟡 The answer changed: 44,012 to 2 bytes\. With other answers, nothing counts as faster\n/,
  );
  configure('gates: { answer: regressed }');
  const closed = await compared(...runs);
  assert.equal(closed.code, 1);
  assert.match(closed.text, /answer: regressed; its own gate \(regressed\) fails the check/);
  const [judged] = JSON.parse((await compared(...runs, '--json')).text).cases;
  assert.deepEqual(
    [judged.verdict, judged.answer],
    ['unsure', { base: { bytes: 44_012 }, head: { bytes: 2 } }],
  );
  configure('gates: { answer: never }');
  assert.equal((await compared(...runs)).code, 0);
});

/**
 * @param {string} file
 * @param {(run: import('../../scripts/types.js').Run) => object} changes
 */
const change = (file, changes) => {
  const run = JSON.parse(readFileSync(join(cwd, file), 'utf8'));
  writeFileSync(join(cwd, 'changed.json'), JSON.stringify({ ...run, ...changes(run) }));
};
const CHANGED = ['--base', 'base.json', '--head', 'changed.json'];
/**
 * @param {string} kind
 * @param {string} [message]
 */
const failed = (kind, message = 'no answer') => ({
  round: 0,
  startupMs: 9,
  windows: [],
  failure: { kind, message },
});

test('a limit fails it as it fails a run, and only where a limit is set here', async () => {
  change('base.json', () => ({
    limits: [{ case: 'a', metric: 'throughput', bound: 1e9, verdict: 'fails' }],
  }));
  configure('margin: 10%');
  assert.equal((await compared(...CHANGED)).code, 0);
  configure('limits: { throughput: 1000000000 }');
  const { code, text } = await compared(...CHANGED);
  assert.equal(code, 1);
  assert.match(text, /limit at least .*: fails/);
});

/** @type {[title: string, changes: Parameters<typeof change>[1]][]} */
const UNMEASURED = [
  [
    'a case whose budget ended first',
    ({ cases }) => ({ cases: cases.map((each) => ({ ...each, trials: [failed('cancelled')] })) }),
  ],
  [
    'a new case that failed',
    ({ cases }) => ({
      cases: [...cases, { ...caseOf('new', []), trials: [failed('never-ready'), failed('never-ready')] }],
    }),
  ],
  [
    'a head of which half of the starts failed',
    ({ cases }) => ({
      cases: cases.map(({ trials, ...each }) => ({
        ...each,
        trials: trials.map((start, round) =>
          round % 2 === 0 ? start : { ...start, failure: { kind: 'exited-at-start', message: 'it ended' } },
        ),
      })),
    }),
  ],
  [
    'a head whose run lost a shard',
    () => ({ warnings: [{ code: 'shards-missing', shards: [2], of: 2, cases: ['b'] }] }),
  ],
];
for (const [title, changes] of UNMEASURED)
  test(`${title} ends with 3, as a run of both sides does`, async () => {
    configure('failOn: regressed');
    change('base.json', changes);
    const { code, text } = await compared(...CHANGED);
    assert.equal(code, 3, text);
  });

test('another file is named by --config, and a mistake in it is one line', async () => {
  writeFileSync(join(cwd, 'strict.yml'), 'margin: 1%\n');
  assert.equal((await compared('--config', 'strict.yml')).code, 1);
  configure('margin: many');
  const { code, text } = await compared();
  assert.equal(code, 2);
  assert.match(text, /perf\.yml:1: margin/);
});

test('a folder of stored runs works as for run --baseline', async () => {
  mkdirSync(join(cwd, 'stored'));
  for (const day of [1, 2, 3]) {
    const arm = caseOf('gauge', startsOf({ level: 60_000, noise: 0.01, starts: 12, random }), {
      reference: true,
    });
    const app = caseOf('a', startsOf({ level: 30_000, noise: 0.01, starts: 12, random }));
    const run = { ...runOf([arm, app], { session: `day ${day}` }), id: `day-${day}` };
    const startedAt = `2026-01-0${day}T00:00:00Z`;
    writeFileSync(
      join(cwd, 'stored', `${day}.json`),
      JSON.stringify({ ...run, startedAt, finishedAt: startedAt }),
    );
  }
  configure('margin: 5%');
  const { code, text } = await compared('--base', 'stored', '--json');
  assert.equal(code, 0, text);
  const { base, method } = JSON.parse(text);
  assert.equal(method, 'stored');
  assert.equal(base.runs, 3);
});

test('a folder without a comparable run gives one line', async () => {
  mkdirSync(join(cwd, 'empty'));
  const { code, text } = await compared('--base', 'empty');
  assert.equal(code, 2);
  assert.match(text, /^perf-action: empty: no stored run in this folder has the cases of/);
});
