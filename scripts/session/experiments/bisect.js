/**
 * Finds the commit that made a case slower: git chooses what to try, each try is a session that measures the
 * commit beside the good one, and the answer rests on a last session that measures the commit beside its
 * parent: with the rounds of an earlier one, where the parent is the good commit.
 * @import { Asked, Bisection, BisectStep, Comparison, Config, FinishedBisection } from '../../types.js'
 * @import { Surroundings } from './experiment.js'
 */

import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { greatest } from 'd3-array';
import { resolveRef } from '../../deploy/source/worktrees.js';
import { MeasureError, UserError } from '../../model/errors.js';
import { onlyCase } from '../../plan/relevant.js';
import { git, tryGit } from '../../system/git.js';
import { withScratch } from '../../system/scratch-folder.js';
import { decisiveChange } from '../../judge/case-verdict.js';
import { kindOf, readJson, writeJson } from '../../store/json-file.js';
import { BISECTION } from '../../store/result-files.js';
import { readRunConfig } from '../run-config.js';
import { packageCommits } from '../package-commits.js';
import { runSession } from '../session.js';
import { asConfigured } from './experiment.js';

/** How git records a verdict. @type {Record<BisectStep['verdict'], 'good' | 'bad' | 'skip'>} */
const MARKS = { regressed: 'bad', same: 'good', improved: 'good', unsure: 'skip', failed: 'skip' };

/** @type {import('../../store/json-file.js').Kind<Bisection>} */
const KIND = kindOf('bisection.schema.json', '`perf-action bisect GOOD BAD` makes one', [
  'run.schema.json',
  'comparison.schema.json',
]);
const OF_TRIES = { 'fail-on': 'never' };
/** Options that the search sets itself. */
const RESERVED = ['against', 'baseline', 'shard', 'json'];

/** @typedef {{ base: string, commit: string, isLast?: true, margin?: number }} Try */

/** config: of a try, up to its sides @typedef {{ state: Bisection, config: Config }} Search */

/**
 * @param {Search} search
 * @param {Surroundings & { onStep: (step: BisectStep, left: number) => void, hold?: typeof runSession }}
 *   surroundings onStep: gets every try, and about how many are left; hold: measures one try
 * @returns {Promise<FinishedBisection>}
 * @throws {UserError} with every mistake
 * @throws {MeasureError} cancelled, with the command that resumes it
 */
export async function bisect({ state, config }, { onStep, hold = runSession, ...surroundings }) {
  const { cwd } = surroundings;
  const out = resolve(cwd, state.out);
  const { top } = await resolveRef(state.good, cwd);
  await writeJson(join(out, BISECTION), state);
  /** @type {(tried: Try) => Promise<BisectStep>} */
  const measure = async ({ base, commit, isLast, margin = config.margin }) => {
    const known = state.steps.find((step) => step.base === base && step.commit === commit);
    // The last comparison is always measured, since it leaves the report.
    if (known && !isLast) return known;
    const earlierFolder = join(out, 'tries', commit.slice(0, 10));
    const { wanted } = state;
    const own = wanted ? onlyCase(config, wanted.id) : config;
    const asked = { ...own.asked, against: base, ...OF_TRIES };
    const sides = { against: base, commit, asked, margin, out: isLast ? out : earlierFolder };
    // Only the last session explains the slowdown.
    const { isCancelled, comparison } = await hold(
      asConfigured({ ...own, ...sides, controls: undefined, explain: isLast ? own.explain : undefined }),
      { ...surroundings, ...(known && existsSync(earlierFolder) && { earlierFolder }) },
    );
    if (isCancelled)
      throw new MeasureError(
        'cancelled',
        `after ${state.steps.length} comparisons; go on with perf-action bisect --resume ${relative(cwd, out)}`,
      );
    const subject = await git(top, ['show', '--no-patch', '--format=%s', commit]);
    const step = { commit, base, subject, ...resultOf(comparison, wanted?.id) };
    state.steps.push(step);
    await writeJson(join(out, BISECTION), state);
    return step;
  };
  const outcome = await search(state, {
    top,
    measure: async (tried, left = 0) => {
      const step = await measure(tried);
      onStep(step, left);
      return step;
    },
  });
  const finished = { ...state, outcome };
  await writeJson(join(out, BISECTION), finished);
  return finished;
}

/**
 * @param {Bisection} state gets the case to search for
 * @param {{ top: string, measure: (tried: Try, left?: number) => Promise<BisectStep> }} context
 * @returns {Promise<NonNullable<Bisection['outcome']>>}
 */
async function search(state, { top, measure }) {
  const { good, bad } = state;
  const ends = await measure({ base: good, commit: bad });
  if (ends.verdict !== 'regressed') return { code: 'nothing-to-find', verdict: ends.verdict };
  // The smallest change that the interval allows; the margin must be below it, and below 100 %.
  const leastPct = Math.min(99, ...(ends.change?.ciPct ?? [0]).map(Math.abs));
  state.wanted ??= { id: String(ends.case), leastPct };
  const margin = Math.max(1, Math.floor(10 * state.wanted.leastPct)) / 1000;
  const culprits = await withGitBisect(top, state, async ({ position, mark }) => {
    for (;;) {
      const reached = await position();
      if ('culprits' in reached) return reached.culprits;
      const { next, left } = reached;
      const { verdict } = await measure({ base: good, commit: next, margin }, left);
      await mark(next, MARKS[verdict]);
    }
  });
  const [commit = '', ...more] = culprits;
  if (more.length > 0) return { code: 'one-of', commits: culprits };
  const parent = await tryGit(top, 'rev-parse', '--verify', '--quiet', `${commit}^1`);
  if (parent === undefined) throw new UserError(`bisect: ${commit} has no parent to compare it with`);
  const { verdict } = await measure({ base: parent, commit, isLast: true });
  return { code: verdict === 'regressed' ? 'found' : 'not-confirmed', commit, parent };
}

/**
 * The position of a search. next: the commit to try; left: about how many tries remain; culprits: the first
 * bad commit, or the candidates where the rest could not be tried.
 * @typedef {{ next: string, left: number } | { culprits: string[] }} Position
 */

/**
 * `git bisect` in a bare repository that shares the objects: the user's checkout and bisection are kept.
 * @template T
 * @param {string} top the repository's folder
 * @param {{ good: string, bad: string }} ends commits
 * @param {(search: { position: () => Promise<Position>, mark: (commit: string, as: 'good' | 'bad' | 'skip')
 *   => Promise<void> }) => Promise<T>} work
 * @returns {Promise<T>} what the work returns, after the search is removed
 * @throws {UserError} where git finds nothing to search
 */
function withGitBisect(top, { good, bad }, work) {
  return withScratch(async (scratch) => {
    const bisect = async (/** @type {string[]} */ ...args) => {
      await git(scratch, ['bisect', ...args]).catch((error) => {
        // Git fails where only skipped commits are left, and its log names them.
        if (!/skip/.test(error.cause)) throw new UserError(`bisect: ${error.message}`);
      });
    };
    const position = async () => {
      const log = await git(scratch, ['bisect', 'log']);
      // Lines of other commits contain their subjects.
      const named = [...log.matchAll(/^# (?:possible )?first bad commit: \[(\w+)\]/gm)];
      if (named.length > 0) return { culprits: named.map(([, commit = '']) => commit) };
      const goods = await git(scratch, ['for-each-ref', '--format=%(objectname)', 'refs/bisect/good-*']);
      const range = ['refs/bisect/bad', '--not', ...goods.split('\n')];
      const vars = await git(scratch, ['rev-list', '--bisect-vars', ...range]);
      const left = Number(/bisect_steps=(\d+)/.exec(vars)?.[1]) + 1;
      return { next: await git(scratch, ['rev-parse', 'BISECT_HEAD']), left };
    };
    await git(top, ['clone', '--quiet', '--bare', '--shared', '--', top, scratch]);
    await bisect('start', bad, good);
    return work({ position, mark: (commit, as) => bisect(as, commit) });
  });
}

/**
 * good, bad: name a commit; options: of `run`, or only resume, the results folder of an interrupted search.
 * @type {(asked: { good?: string, bad?: string, options: Asked }, cwd: string) => Promise<Search>}
 * @throws {UserError} with every mistake, before anything is measured
 */
export async function readSearch(asked, cwd) {
  const { resume, packages, ...options } = asked.options;
  if (resume) {
    const state = await readState(asked, cwd);
    return { state, config: readRunConfig(state.options, cwd, { against: state.good, ...OF_TRIES }) };
  }
  const { good, bad, top } = await endsOf({ ...asked, options }, cwd);
  const config = readRunConfig(options, cwd, { against: good, ...OF_TRIES });
  if (packages && config.library)
    throw new UserError(
      'bisect --packages: it moves the packages of the servers, and library has the same servers on both sides; leave --packages out',
    );
  const ends = packages
    ? await packageCommits({ base: good, head: bad, top, env: process.env })
    : { good, bad };
  const state = {
    schema: /** @type {const} */ ('perf-action/bisection@1'),
    ...ends,
    out: relative(cwd, resolve(cwd, config.out)) || '.',
    options: /** @type {Bisection['options']} */ (Object.fromEntries(givenOptions(options))),
    ...(config.language !== undefined && { language: config.language }),
    steps: [],
  };
  return { state, config };
}

/**
 * @param {Parameters<typeof readSearch>[0]} asked
 * @param {string} cwd
 */
async function endsOf({ good, bad, options }, cwd) {
  if (good === undefined || bad === undefined)
    throw new UserError('bisect needs two commits: perf-action bisect GOOD BAD [options of run]');
  const reserved = RESERVED.find((name) => options[name] !== undefined && options[name] !== '');
  if (reserved !== undefined)
    throw new UserError(
      `bisect: --${reserved} does not apply, since each commit is measured beside another; remove it`,
    );
  const [first, last] = [await resolveRef(good, cwd, 'bisect'), await resolveRef(bad, cwd, 'bisect')];
  if (first.sha === last.sha) throw new UserError(`bisect: ${good} and ${bad} are the same commit; use two`);
  return { good: first.sha, bad: last.sha, top: first.top };
}

/** For `--resume`. @type {(asked: Parameters<typeof readSearch>[0], cwd: string) => Promise<Bisection>} */
async function readState({ good, bad, options }, cwd) {
  const { resume, ...rest } = options;
  const [extra] = givenOptions(rest);
  if (extra)
    throw new UserError(
      `--resume ${resume}: takes the options of the interrupted search; remove --${extra[1] === false ? 'no-' : ''}${extra[0]}`,
    );
  const state = await readJson(join(resolve(cwd, String(resume)), BISECTION), KIND);
  if (state.outcome)
    throw new UserError(`--resume ${resume}: its search has finished; start another one without --resume`);
  for (const [given, kept] of [
    [good, state.good],
    [bad, state.bad],
  ])
    if (given !== undefined && (await resolveRef(given, cwd, 'bisect')).sha !== kept)
      throw new UserError(
        `--resume ${resume}: its search is not of ${given}, but from ${state.good} to ${state.bad}; leave the commits out, or start another search without --resume`,
      );
  return state;
}

/** @type {(options: Asked) => [string, unknown][]} */
function givenOptions(options) {
  return Object.entries(options).filter(([, value]) => value !== undefined && value !== '');
}

/**
 * @param {Comparison | undefined} comparison undefined: no changed file affects a server
 * @param {string | undefined} wanted the case to search for; undefined: the one that changed most
 * @returns {Pick<BisectStep, 'verdict' | 'case' | 'change' | 'promise'>}
 */
function resultOf(comparison, wanted) {
  if (!comparison) return { verdict: 'same' };
  const candidates = comparison.cases
    .filter(({ id, verdict }) => (wanted ? id === wanted : verdict === comparison.verdict))
    .map((compared) => ({ compared, change: decisiveChange(compared) }));
  const most = greatest(candidates, ({ change }) => Math.abs(change?.effectPct ?? 0));
  const { promise } = comparison;
  return {
    verdict: most?.compared.verdict ?? 'failed',
    ...(most && { case: most.compared.id }),
    ...(most?.change && { change: most.change }),
    ...(promise && { promise }),
  };
}
