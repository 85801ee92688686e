/** The search for a commit: real git, with fake sessions that know how fast each commit is. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, test } from 'node:test';
import { bisectionAnswer } from '../../scripts/report/document/bisection-answer.js';
import { answerTerminal } from '../../scripts/report/render/terminal.js';
import { bisect, readSearch } from '../../scripts/session/experiments/bisect.js';
import { packageCommits } from '../../scripts/session/package-commits.js';
import { run, runCase } from '../store/runs.js';
import { scratch } from '../store/scratch.js';
import { scratchFolder } from '../scratch.js';

/** @import { Comparison, MetricComparison, Verdict } from '../../scripts/types.js' */

const ID = 'api / autocannon c50';
const OTHER = 'admin / autocannon c50';
const PERF_YML =
  'load: { connections: 50 }\nservers: [{ id: admin, start: node x, routes: [{ path: / }] }, { id: api, start: node x, routes: [{ path: / }] }]\n';

let top = '';
beforeEach(() => {
  top = scratch();
  git('init', '--quiet', '--initial-branch', 'main');
});

/** @param {string[]} args */
function git(...args) {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
  return execFileSync('git', [...author, ...args], { cwd: top, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/**
 * One commit each: what a request costs there, in microseconds; a word where it cannot be measured.
 * @param {(number | 'broken' | 'noisy')[]} costs
 * @param {(place: number) => string} [subjectOf]
 * @returns {string[]} the commits
 */
function history(costs, subjectOf = (place) => `commit ${place}`) {
  const data = (/** @type {string} */ text) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const perfYml = data(PERF_YML);
  const commits = costs.map(
    (cost, place) =>
      `commit refs/heads/main\ncommitter a <a@localhost> ${1e9 + place} +0000\n${data(subjectOf(place))}` +
      `M 100644 inline cost\n${data(`${cost} ${place}`)}M 100644 inline perf.yml\n${perfYml}`,
  );
  execFileSync('git', ['fast-import', '--quiet'], { cwd: top, input: commits.join('') });
  git('reset', '--quiet', '--hard');
  const made = git('rev-list', '--reverse', 'HEAD').split('\n');
  for (const [place, cost] of costs.entries()) costOf.set(made[place] ?? '', String(cost));
  return made;
}

/** By commit. @type {Map<string, string>} */
const costOf = new Map();

/**
 * @param {string} base
 * @param {string} commit
 * @param {number} margin percent
 * @returns {{ verdict: Verdict, change: MetricComparison }}
 */
function judge(base, commit, margin) {
  const [from, to] = [costOf.get(base), costOf.get(commit)];
  const metric = /** @type {const} */ ('cpuPerRequest');
  if (to === 'broken')
    return {
      verdict: 'failed',
      change: { metric, verdict: 'failed', why: { code: 'failed', kind: 'exited-at-start', message: 'no' } },
    };
  const effectPct = 100 * (Number(to === 'noisy' ? from : to) / Number(from) - 1);
  const half = to === 'noisy' ? 50 : 1;
  const ciPct = /** @type {[number, number]} */ ([effectPct - half, effectPct + half]);
  const isInside = Math.max(...ciPct.map(Math.abs)) < margin;
  const verdict = isInside ? 'same' : effectPct > half ? 'regressed' : 'unsure';
  const why = /** @type {const} */ ({ code: 'changed', byPct: effectPct, halfIntervalPct: half });
  return { verdict, change: { metric, verdict, effectPct, ciPct, why } };
}

/**
 * @param {(tries: number) => void} [onTry]
 * @returns {{ tries: string[], margins: string[], folders: { out: string, earlier?: string }[],
 *   hold: typeof import('../../scripts/session/session.js').runSession }}
 */
function sessions(onTry = () => {}) {
  /** @type {string[]} */
  const tries = [];
  /** @type {string[]} */
  const margins = [];
  /** @type {{ out: string, earlier?: string }[]} */
  const folders = [];
  return {
    tries,
    folders,
    margins,
    hold: async ({ config, answer }, { earlierFolder: earlier, signal }) => {
      const { against = '', commit = '', out, margin, failOn, explain, asked } = config;
      mkdirSync(out, { recursive: true });
      folders.push({ out: relative(top, out), ...(earlier && { earlier: relative(top, earlier) }) });
      assert.equal(failOn, 'never');
      assert.equal(asked.against, against);
      assert.equal(explain, /tries/.test(out) ? undefined : true);
      tries.push(git('show', '--no-patch', '--format=%s', commit));
      margins.push(`${Math.round(1000 * margin) / 10}%`);
      onTry(tries.length);
      const { verdict, change } = judge(against, commit, 100 * margin);
      const isWanted = (/** @type {{ id: string }} */ { id }) => config.cases.some((each) => each.id === id);
      const cases = [
        { id: OTHER, verdict: /** @type {const} */ ('same'), metrics: [] },
        { id: ID, verdict, decisive: change.metric, metrics: [change] },
      ].filter(isWanted);
      const side = { id: 'x', startedAt: '2026-01-01T00:00:00Z' };
      /** @type {Comparison} */
      const comparison = {
        schema: 'perf-action/comparison@1',
        verdict,
        base: side,
        head: side,
        method: 'side-by-side',
        promise: { falseAlarms: 0.01, outside: [] },
        warnings: [],
        cases,
      };
      const isCancelled = signal.aborted;
      return answer({ run: run(), comparison, code: 0, seconds: 0, isCancelled, text: () => '' });
    },
  };
}

/**
 * @param {Partial<Parameters<typeof readSearch>[0]>} asked
 * @param {ReturnType<typeof sessions>} means
 * @param {AbortSignal} [signal]
 */
async function search({ options = {}, ...ends }, { hold }, signal = new AbortController().signal) {
  const asked = await readSearch({ ...ends, options }, top);
  const stderr = { write: () => true };
  return bisect(asked, { cwd: top, env: process.env, stderr, signal, hold, onStep: () => {} });
}

/**
 * @param {Parameters<typeof history>[0]} costs
 * @param {import('../../scripts/types.js').Asked} [options]
 * @param {() => string} [subjectOf]
 */
async function searched(costs, options = {}, subjectOf) {
  const commits = history(costs, subjectOf);
  const means = sessions();
  const found = await search({ good: commits[0] ?? '', bad: 'HEAD', options }, means);
  return { commits, means, found };
}
/**
 * @param {number} fast
 * @param {number} slow how many commits
 * @param {number} [cost] of the slow ones
 */
const steps = (fast, slow, cost = 105) => [...Array(fast).fill(100), ...Array(slow).fill(cost)];

/** @param {Parameters<typeof bisectionAnswer>} found */
const printed = (...found) => answerTerminal(bisectionAnswer(...found));

test('the slower one of sixteen commits is found after four tries and measured beside its parent', async () => {
  const { commits, means, found } = await searched(steps(10, 6));
  assert.deepEqual(found.outcome, { code: 'found', commit: commits[10], parent: commits[9] });
  assert.equal(found.wanted?.id, ID);
  assert.ok(means.tries.length <= 6, means.tries.join());
  const text = printed(found);
  assert.match(text, /"commit 10" made api \\?\/ autocannon c50 slower\./);
  assert.match(
    text,
    /Compared with its parent .*: CPU per request \+5\.0 % \(\+4\.0 to \+6\.0 %\)\. False alarms: at most 1/,
  );
  assert.deepEqual(JSON.parse(readFileSync(join(top, 'perf-results/bisection.json'), 'utf8')), found);
  assert.throws(() => git('bisect', 'log'), /not bisecting/);
});

/** @type {[title: string, place: number, ...rest: Parameters<typeof searched>][]} */
const FOUND = [
  ['that is the first one', 1, steps(1, 15, 103), { margin: '1%' }],
  ['that is the last one', 15, steps(15, 1, 103), { margin: '1%' }],
  [
    'beside others that fail or stay unsure',
    6,
    [100, 100, 100, 'broken', 'noisy', 100, 110, 110, 'broken', 110],
  ],
  ['whose subject reads like a result of git', 5, steps(5, 5), {}, () => 'first bad commit: [0123abc]'],
];
for (const [title, place, ...asked] of FOUND)
  test(`a commit is found ${title}`, async () => {
    const { commits, found } = await searched(...asked);
    assert.deepEqual(found.outcome, { code: 'found', commit: commits[place], parent: commits[place - 1] });
  });

test('a commit that made the server three times as slow is found with a margin below 100 %', async () => {
  const { commits, means, found } = await searched([100, 100, 300]);
  assert.deepEqual(found.outcome, { code: 'found', commit: commits[2], parent: commits[1] });
  assert.deepEqual(means.margins, ['5%', '99%', '5%']);
});

test('the answer has the name of the case, or its id where the last run cannot be read', async () => {
  const { found } = await searched([100, 105]);
  const named = run({ cases: [{ ...runCase('api'), id: ID, serverName: 'Orders' }] });
  assert.match(printed(found, named), /"commit 1" made Orders slower/);
  assert.match(printed(found, undefined), new RegExp(`"commit 1" made ${ID} slower`));
});

test('the last comparison is another one, even where the commit follows the good one', async () => {
  const [good = '', bad = ''] = history([100, 105]);
  const means = sessions();
  const found = await search({ good, bad }, means);
  assert.deepEqual(found.outcome, { code: 'found', commit: bad, parent: good });
  assert.deepEqual(means.tries, ['commit 1', 'commit 1']);
  // Its rounds add to those of the first comparison of the two.
  const first = `perf-results/tries/${bad.slice(0, 10)}`;
  assert.deepEqual(means.folders, [{ out: first }, { out: 'perf-results', earlier: first }]);
});

test('if only commits that cannot be measured are left, all candidates are named', async () => {
  const { commits, found } = await searched([100, 100, 'broken', 'broken', 110, 110]);
  assert.equal(found.outcome?.code, 'one-of');
  assert.deepEqual(
    new Set(found.outcome?.code === 'one-of' ? found.outcome.commits : []),
    new Set(commits.slice(2, 5)),
  );
  assert.match(printed(found), /One of these 3 commits/);
});

/** Moves a package in both files, as npm does. */
const NPM = `#!/usr/bin/env node
const { readFileSync, writeFileSync } = require('node:fs');
const [, name, version] = /^(.+)@(.+)$/.exec(process.argv.at(-1));
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const [manifest, lock] = [read('package.json'), read('package-lock.json')];
manifest.dependencies[name] = lock.packages[''].dependencies[name] = version;
lock.packages['node_modules/' + name].version = version;
writeFileSync('package.json', JSON.stringify(manifest));
writeFileSync('package-lock.json', JSON.stringify(lock));
`;

/** @param {string} version of all packages */
function commitPackages(version) {
  const dependencies = Object.fromEntries(['ajv', 'fastify', 'pino'].map((name) => [name, version]));
  const places = Object.keys(dependencies).map((name) => [`node_modules/${name}`, { version }]);
  const packages = { '': { dependencies }, ...Object.fromEntries(places), 'node_modules/deep': { version } };
  writeFileSync(join(top, 'package.json'), JSON.stringify({ dependencies }));
  writeFileSync(join(top, 'package-lock.json'), JSON.stringify({ packages }));
  git('add', '--all');
  git('commit', '--quiet', '--message', version);
  return git('rev-parse', 'HEAD');
}

test('the slower one of the packages that moved is found, in commits that no branch names', async (context) => {
  const bin = scratchFolder();
  const { PATH } = process.env;
  context.after(() => {
    process.env.PATH = PATH;
  });
  writeFileSync(join(bin, 'npm'), NPM, { mode: 0o755 });
  process.env.PATH = `${bin}:${PATH}`;
  writeFileSync(join(top, 'perf.yml'), PERF_YML);
  const [base, head] = [commitPackages('1.0.0'), commitPackages('2.0.0')];
  const { good, bad, packages } = await packageCommits({ base, head, top, env: process.env });
  assert.equal(good, base);
  assert.equal(git('rev-parse', `${bad}^{tree}`), git('rev-parse', `${head}^{tree}`));
  assert.deepEqual(Object.values(packages), [
    'other packages',
    'ajv 1.0.0 → 2.0.0',
    'fastify 1.0.0 → 2.0.0',
    'pino 1.0.0 → 2.0.0',
  ]);
  assert.equal(git('branch', '--all', '--contains', bad), '');
  for (const [place, commit] of [good, ...Object.keys(packages)].entries())
    costOf.set(commit, place < 3 ? '100' : '105');
  const found = await search({ good: base, bad: 'HEAD', options: { packages: true } }, sessions());
  assert.deepEqual(found.packages, packages);
  const text = printed(found);
  assert.match(text, /fastify 1\.0\.0 → 2\.0\.0 made api \\?\/ autocannon c50 slower\./);
  assert.match(text, /Compared with the same packages without it: CPU per request \+5\.0 %/);
  assert.equal(git('worktree', 'list').split('\n').length, 1);
});

test('where no package moved, there is none to search for', async () => {
  await assert.rejects(searched([100, 105], { packages: true }), {
    name: 'UserError',
    message: /^bisect --packages: between these commits, no package-lock\.json says /,
  });
});

test('while it searches, the margin is below the smallest change that it may search for', async () => {
  const { means } = await searched([100, 100, 103.96, 103.96], { margin: '1%' });
  assert.deepEqual(new Set(means.margins.slice(1, -1)), new Set(['2.9%']));
});

test('a slowdown in small steps is not blamed on one commit', async () => {
  const { found } = await searched([100, 100.6, 101.2, 101.8, 102.4, 103, 103.6], { margin: '2%' });
  assert.equal(found.outcome?.code, 'not-confirmed');
  assert.match(printed(found), /compared with its parent, it is not slower/);
});

test('a last comparison that is unsure or fails does not acquit the commit', async () => {
  const [good = '', bad = ''] = history([100, 105]);
  for (const [cost, sentence] of /** @type {const} */ ([
    ['noisy', /compared with its parent, it is unsure whether it is slower/],
    ['broken', /compared with its parent, it could not be measured/],
  ])) {
    costOf.set(bad, '105');
    const means = sessions((tries) => tries === 2 && costOf.set(bad, cost));
    const found = await search({ good, bad }, means);
    assert.equal(found.outcome?.code, 'not-confirmed');
    const text = printed(found);
    assert.match(text, sentence);
    assert.doesNotMatch(text, /not slower/);
  }
});

for (const { costs, verdict } of /** @type {const} */ ([
  { costs: [100, 100], verdict: 'same' },
  { costs: [100, 'noisy'], verdict: 'unsure' },
  { costs: [100, 'broken'], verdict: 'failed' },
]))
  test(`nothing is searched between two ends that are ${verdict}`, async () => {
    const { found } = await searched([...costs]);
    assert.deepEqual(found.outcome, { code: 'nothing-to-find', verdict });
  });

test('a cancelled search resumes where it stopped', async () => {
  const commits = history(steps(10, 6));
  const cancel = new AbortController();
  const first = sessions((tries) => tries === 3 && cancel.abort());
  const ends = {
    good: commits[0] ?? '',
    bad: 'HEAD',
    options: { rounds: '4' },
  };
  await assert.rejects(search(ends, first, cancel.signal), {
    kind: 'cancelled',
    message: /^after 2 comparisons; go on with .* bisect --resume perf-results$/,
  });
  const second = sessions();
  const options = { resume: 'perf-results' };
  for (const other of [
    { good: commits[1], bad: 'HEAD' },
    { good: commits[0], bad: 'HEAD~1' },
  ])
    await assert.rejects(search({ ...other, options }, second), {
      name: 'UserError',
      message: /^--resume perf-results: its search is not of .*leave the commits out/,
    });
  assert.deepEqual(second.tries, []);
  const found = await search({ good: 'HEAD~15', bad: 'main', options }, second);
  assert.deepEqual(found.outcome, { code: 'found', commit: commits[10], parent: commits[9] });
  assert.equal(found.options.rounds, '4');
  assert.ok(!second.tries.some((tried) => first.tries.slice(0, 2).includes(tried)));
  await assert.rejects(search({ options }, second), /has finished/);
});

test('an impossible search is refused in one line before anything is measured', async () => {
  history([100, 100]);
  const means = sessions();
  /** @type {[Parameters<typeof search>[0], RegExp][]} */
  const wrong = [
    [{ good: 'HEAD' }, /^bisect needs two commits: perf-action bisect GOOD BAD/],
    [{ good: 'HEAD~1', bad: 'nowhere' }, /^bisect: there is no commit "nowhere" here/],
    [{ good: 'HEAD', bad: 'main' }, /^bisect: HEAD and main are the same commit/],
    [{ good: 'HEAD~1', bad: 'HEAD', options: { against: 'main' } }, /^bisect: --against does not apply/],
    [{ options: { resume: 'nothing' } }, /no such file/],
    [{ options: { resume: 'perf-results', rounds: '3' } }, /remove --rounds$/],
  ];
  for (const [asked, message] of wrong) await assert.rejects(search(asked, means), { message });
  assert.deepEqual(means.tries, []);
  assert.equal(existsSync(join(top, 'perf-results')), false);
});
