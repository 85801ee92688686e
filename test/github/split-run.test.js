/** Shards are merged, also if some are missing. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { mergeShards } from '../../scripts/github/split-run.js';
import { writeRun } from '../../scripts/store/run-file.js';
import { zip } from '../e2e/actions/zip.js';
import { run, runCase, trial } from '../store/runs.js';
import { scratchFolder } from '../scratch.js';

const CASES = ['a', 'b'].map((server) => `${server} / autocannon c10`);
const SKIPPED = { code: /** @type {const} */ ('skipped'), message: 'no changed file affects a server' };

let cwd = '';
const { HOME } = process.env;
beforeEach(() => {
  cwd = scratchFolder();
  process.env.HOME = join(cwd, 'home');
  mkdirSync(join(cwd, 'app'));
  writeFileSync(join(cwd, 'app/server.yml'), 'start: node server.js\nroutes: [{ path: / }]\n');
});
afterEach(() => {
  process.env.HOME = HOME;
});

/** @param {Record<string, string>} env */
const contextOf = (env) => ({ env, cwd, signal: new AbortController().signal });

/**
 * @param {number} index
 * @param {NonNullable<Parameters<typeof run>[0]>} facts
 * @param {'head' | 'base'} [label]
 * @param {number} [of] how many share the cases
 */
async function hand(index, facts, label = 'head', of = 2) {
  const shard = { index, of, cases: CASES };
  const made = run({ id: `${index}-${label}`, session: `${index}`, seed: 4, shard, ...facts });
  const revision = { ...made.revision, label };
  await writeRun(join(cwd, 'shards', String(index), label === 'base' ? 'base' : '.'), { ...made, revision });
}

/** Zips each machine's folder as its artifact, and removes it. @param {string} [place] */
function packShards(place = '') {
  const [from, to] = [join(cwd, 'shards'), join(cwd, 'archives')];
  for (const shard of existsSync(from) ? readdirSync(from) : []) {
    const files = readdirSync(join(from, shard), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({ name: `${shard}/${name}`, data: readFileSync(join(from, shard, name)) }));
    leave(`perf-shard-perf@${place}${shard}`, zip(files));
  }
  rmSync(from, { recursive: true, force: true });
  return to;
}

/** @type {(name: string, archive: Buffer) => void} */
function leave(name, archive) {
  const folder = join(cwd, 'archives', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.zip`), archive);
}

/** @param {Record<string, string>} [inputs] */
async function merged({ count = '2', ...inputs } = {}) {
  rmSync(join(cwd, 'temp'), { recursive: true, force: true });
  mkdirSync(join(cwd, 'temp'));
  const env = {
    PERF_INPUTS: JSON.stringify({ servers: './app', ...inputs }),
    PERF_SEED: '4',
    PERF_COUNT: count,
    PERF_SHARDS: packShards(),
    PERF_CHECKOUT: cwd,
    RUNNER_TEMP: join(cwd, 'temp'),
    GITHUB_REPOSITORY: 'octo/app',
  };
  const outputs = await mergeShards(contextOf(env));
  const dir = String(outputs?.['results-path']);
  const result = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8'));
  return { code: outputs?.code, dir, result, isCompared: existsSync(join(dir, 'comparison.json')) };
}

test('two machines become one run with both sides', async () => {
  for (const [index, server] of /** @type {[number, string][]} */ ([
    [1, 'a'],
    [2, 'b'],
  ]))
    for (const label of /** @type {const} */ (['base', 'head']))
      await hand(index, { cases: [runCase(server)] }, label);
  const { result, isCompared } = await merged();
  assert.deepEqual(
    result.cases.map((/** @type {any} */ { server }) => server),
    ['a', 'b'],
  );
  assert.ok(isCompared);
});

test('machines that counted alone are reported without clocks', async () => {
  for (const [index, server] of ['a', 'b'].entries())
    for (const label of /** @type {const} */ (['base', 'head'])) {
      const outgoing = { count: label === 'base' ? 2000 : 6000, by: {} };
      const trials = [0, 1, 2].map((round) => trial({ round }, { outgoing }));
      await hand(index + 1, { cases: [{ ...runCase(server, trials), counted: true }] }, label);
    }
  const { code, dir } = await merged({ counts: 'true' });
  assert.equal(code, '0');
  const report = readFileSync(join(dir, 'report.md'), 'utf8');
  assert.match(report, /^## 🔴 The counts of 2 of 2 cases changed\n/);
  assert.match(report, /Outgoing requests per request regressed: 1 → 3/);
  assert.doesNotMatch(report, /req\/s|Throughput/);
});

test("the base's perf.yml decides, whatever that of the head and the machines say", async () => {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd });
  git('init', '--quiet');
  for (const rule of ['unsure', 'never']) {
    writeFileSync(join(cwd, 'perf.yml'), `failOn: ${rule}\nservers: [./app]\n`);
    git('add', 'app', 'perf.yml');
    git('commit', '--quiet', '--message', rule);
  }
  for (const label of /** @type {const} */ (['base', 'head']))
    await hand(1, { cases: [runCase('a')] }, label, 1);
  const { code, result } = await merged({ count: '1', against: 'HEAD~1' });
  assert.deepEqual(
    [code, result.warnings],
    [
      '1',
      [
        {
          code: 'looser-than-base',
          settings: [{ setting: 'failOn', base: 'unsure', head: 'never' }],
        },
      ],
    ],
  );
});

test('a machine with nothing to measure does not count as lost', async () => {
  await hand(1, { cases: [runCase('a'), runCase('b')] });
  await hand(2, { warnings: [SKIPPED], cases: [] });
  const { code, result } = await merged();
  assert.deepEqual([code, result.cases.length, result.warnings], ['0', 2, undefined]);
});

test('the last job replaces what machines say about a missing comparison', async () => {
  const missing = { code: /** @type {const} */ ('not-compared'), why: 'the event has no base' };
  await hand(1, { cases: [runCase('a')], warnings: [missing] });
  await hand(2, { cases: [runCase('b')], warnings: [missing] });
  const notCompared = async (/** @type {Record<string, string>} */ inputs) =>
    (await merged(inputs)).result.warnings?.filter((/** @type {any} */ { code }) => code === 'not-compared');
  assert.deepEqual(await notCompared({ against: 'base' }), [missing]);
  const store = { 'baseline-store': 'cache' };
  assert.deepEqual(await notCompared(store), [
    { code: 'not-compared', why: 'no run is stored yet (baseline-store: cache)' },
  ]);
  const stored = run({ id: 'stored', cases: [runCase('a'), runCase('b')] });
  const cache = join(cwd, 'home/.cache/perf-action/baselines/octo/app/perf');
  await writeRun(cache, { ...stored, seed: 1 }, 'stored.json');
  assert.equal(await notCompared(store), undefined);
  await writeRun(join(cwd, 'baselines'), stored, 'stored.json');
  writeFileSync(join(cwd, 'perf.yml'), 'baseline: baselines\n');
  assert.equal(await notCompared({ against: 'base' }), undefined);
});

test('the whole run is skipped if no machine had anything to measure', async () => {
  for (const index of [1, 2])
    await hand(index, { shard: { index, of: 2, cases: [] }, warnings: [SKIPPED], cases: [] });
  const { code, result } = await merged();
  assert.deepEqual([code, result.cases, result.warnings], ['0', [], [SKIPPED]]);
});

test('figures of an earlier attempt, or of another job with the same key, are left out, and a warning names the key', async (t) => {
  await hand(1, { cases: [runCase('a')] });
  await hand(2, { cases: [runCase('b')], seed: 3 });
  const { mock } = t.mock.method(process.stdout, 'write');
  const { code, result } = await merged();
  const lines = mock.calls
    .map(({ arguments: [text] }) => String(text))
    .filter((text) => /^::warning/.test(text));
  assert.equal(lines.length, 1);
  assert.match(String(lines), /left the figures of another run; .* give each its own comment-key/);
  assert.equal(code, '3');
  assert.deepEqual(result.warnings, [
    { code: 'shards-missing', shards: [2], of: 2, cases: ['b / autocannon c10'] },
  ]);
});

test('a lost machine is reported even if the others had nothing to measure, or none is left', async () => {
  await hand(1, { shard: { index: 1, of: 2, cases: [] }, warnings: [SKIPPED], cases: [] });
  const { code, result } = await merged();
  assert.equal(code, '3');
  assert.deepEqual(result.warnings.at(-1), { code: 'shards-missing', shards: [2], of: 2 });
  rmSync(join(cwd, 'archives'), { recursive: true });
  await assert.rejects(merged(), {
    name: 'UserError',
    message: /^shards 1, 2 of 2 left no results; see the logs/,
  });
});

/** @param {string} name */
const labelled = (name) => ({ against: 'main', count: '1', machines: JSON.stringify(name.split(' ')) });

/**
 * One machine of a kind measures both cases, on both sides.
 * @type {(label: string, ofHead?: import('../../scripts/types.js').Trial) => Promise<void>}
 */
async function measureOn(label, ofHead) {
  const [base, head] = [undefined, ofHead].map((one) => ({
    cases: [runCase('a', one && [one]), runCase('b')],
  }));
  await hand(1, base ?? {}, 'base', 1);
  await hand(1, head ?? {}, 'head', 1);
  packShards(`${label}@`);
}

test('several kinds of machine make one report, of the worst one, with a column for each', async () => {
  await measureOn('x64');
  await measureOn('arm', trial({ failure: { kind: 'died-under-load', message: 'it crashed' } }));
  const { code, dir, result } = await merged(labelled('x64 arm'));
  assert.equal(code, '3');
  const read = (/** @type {string} */ name) => readFileSync(join(dir, name), 'utf8');
  const { verdict, machines, head } = JSON.parse(read('comparison.json'));
  assert.equal(verdict, 'failed');
  assert.deepEqual(
    machines.map((/** @type {any} */ each) => [each.machine, each.verdict, each.cases.length]),
    [
      ['arm', 'failed', 2],
      ['x64', 'unsure', 2],
    ],
  );
  assert.equal(head.id, result.id);
  assert.match(read('report.md'), /^## [^\n]*\(on arm\)[^]*\| Case +\| arm +\| x64 +\|/m);
  for (const label of ['x64', 'arm']) assert.ok(read(`machines/${label}/report.html`).includes('</html>'));
});

test('a kind of machine that left no results is named, and fails the check', async () => {
  await measureOn('x64');
  const { code, dir, result } = await merged(labelled('x64 arm'));
  assert.equal(code, '3');
  assert.deepEqual(result.warnings.at(-1), { code: 'machines-missing', machines: ['arm'] });
  assert.match(
    readFileSync(join(dir, 'report.md'), 'utf8'),
    /\(incomplete: arm left no results\)[^]*not measured/,
  );
  rmSync(join(cwd, 'archives'), { recursive: true });
  await assert.rejects(merged(labelled('x64 arm')), {
    message: /^x64, arm left no results; see the logs/,
  });
});

/** @type {[what: string, archive: () => Buffer, reason: RegExp][]} */
const REFUSED = [
  [
    'a link by the name of a result',
    () => zip([{ name: '2/run.json', data: '/etc/passwd', mode: 0o120777 }]),
    /"2\/run\.json" is not a regular file/,
  ],
  ['an archive that is huge', () => Buffer.alloc(17 * 2 ** 20), /it has 17825792 bytes/],
  [
    'a result of another machine',
    () => zip([{ name: '1/run.json', data: '{}' }]),
    /another one has 1\/run\.json/,
  ],
];

for (const [what, archive, reason] of REFUSED)
  test(`${what} is refused in one line, with nothing of it written to disk`, async () => {
    await hand(1, { cases: [runCase('a')] });
    leave('perf-shard-perf@2', archive());
    await assert.rejects(merged(), (/** @type {Error} */ error) => {
      assert.equal(error.name, 'UserError', error.stack);
      assert.match(error.message, reason);
      assert.match(error.message, /^the artifact was rejected: [^\n]*; none of it was used$/);
      return true;
    });
    const left = readdirSync(join(cwd, 'temp'), { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      left.filter((name) => /\b2\b|perf-action|cron/.test(name)),
      [],
    );
  });

test('links in the checkout do not redirect what is written', async () => {
  const elsewhere = join(cwd, 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(cwd, 'perf-results'));
  for (const index of [1, 2]) await hand(index, { cases: [runCase(index === 1 ? 'a' : 'b')] });
  const { code } = await merged();
  assert.deepEqual([code, readdirSync(elsewhere)], ['0', []]);
  assert.ok(lstatSync(join(cwd, 'perf-results')).isSymbolicLink());
});

test('a file named like the results folder in the checkout does no harm', async () => {
  // What git makes of a committed link where it may make none.
  writeFileSync(join(cwd, 'perf-results'), '.perf-action');
  for (const index of [1, 2]) await hand(index, { cases: [runCase(index === 1 ? 'a' : 'b')] });
  assert.equal((await merged()).code, '0');
});
