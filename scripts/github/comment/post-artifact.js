/**
 * The privileged half of a measurement that ran without privileges: reads figures from an artifact, judges
 * them and posts. Only the event and the API say which pull request they belong to.
 * @import { Run } from '../../types.js'
 * @import { Rules } from '../../config/rules.js'
 * @import { Octokit } from '../api.js'
 * @import { Step } from '../contract/outputs.js'
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sum } from 'd3-array';
import { UserError } from '../../model/errors.js';
import { readRules } from '../../config/rules.js';
import { judge } from '../../session/finish.js';
import { writeResults } from '../../session/results.js';
import { ROOT, thisProcess } from '../../system/this-project.js';
import { COMPARISON, SIDES } from '../../store/result-files.js';
import { writeText } from '../../store/json-file.js';
import { mergeRuns } from '../../store/merge.js';
import { readComparison, readRun } from '../../store/run-file.js';
import { isSkipped } from '../../store/skipped.js';
import { openApi } from '../api.js';
import { BOUNDS, fetchArtifact, readFiles, rejected } from './artifact.js';
import { readComment, readEvent, readMeasuring } from '../event.js';
import { findAcceptance } from './accept.js';
import { directoryOf, keyOf, readInputs, readOptions } from '../contract/inputs.js';
import { postResults, postText, urlOf } from './post.js';
import { notice } from '../step-log.js';

/** More than people look at, and few enough to judge in a minute. */
const MOST_CASES = 300;
const MOST_STARTS = 10_000;

/**
 * Throws for a rejected artifact. cwd: a checkout of the default branch, whose configuration has the margins;
 * env.PERF_GITHUB_TOKEN: may comment and read artifacts; env.PERF_INPUTS: the workflow's inputs as JSON.
 * @type {Step<'receive'>}
 */
export async function receive({ env, cwd }) {
  const { repository = '', apiUrl, serverUrl } = readEvent(env);
  const inputs = readInputs(env);
  const directory = directoryOf(inputs, cwd);
  const rule = readRules({ options: readOptions(inputs), cwd: directory, root: ROOT, caller: thisProcess() });
  const key = keyOf(inputs);
  const [owner = '', repo = ''] = repository.split('/');
  const octokit = await openApi({ token: env.PERF_GITHUB_TOKEN ?? '', apiUrl });
  const target = await findTarget(octokit, { owner, repo, env, asked: inputs.sha });
  if (!target) return undefined;
  const { pullRequest, runId, sha } = target;
  const log = `${serverUrl}/${repository}/actions/runs/${runId}`;
  const artifact = await fetchArtifact(octokit, { owner, repo, runId, name: `perf-results-${key}` });
  if (!artifact) {
    notice('The run left no results: it ended too early.');
    if (!readComment(env)) return undefined;
    // Somebody who asked by comment gets an answer; otherwise the log suffices.
    const text = `The requested run left no results; [its log](${log}) says why.`;
    return { 'comment-url': await postText({ text, key, env, pullRequest }) };
  }
  const reportUrl = `${log}/artifacts/${artifact.id}`;
  const dir = await mkdtemp(join(env.RUNNER_TEMP || tmpdir(), 'perf-received-'));
  try {
    const files = await readFiles(artifact.archive, [...SIDES, COMPARISON]);
    const run = await judgeInto(dir, files, rule).catch((error) => {
      throw error instanceof UserError ? rejected(error.message) : error;
    });
    const done = isSkipped(run) ? 'Skipped' : 'Measured';
    const origin = `_${done} by [a run](${log}) of the pull request's own code, at ${sha.slice(0, 10)}._`;
    const hasFailed = run.gate !== undefined && run.gate.failed.length > 0;
    const acceptance = hasFailed ? await findAcceptance(env, { pullRequest, sha }) : undefined;
    const posted = await postResults({ dir, key, env, pullRequest, sha, reportUrl, origin, acceptance });
    if ('movedTo' in posted && readComment(env)) {
      const text = `The figures of the requested run were not posted: ${posted.denied}. Comment \`/perf\` again to measure the new commit.`;
      await postText({ text, key: 'request', env, pullRequest });
    }
    return { 'comment-url': urlOf(posted) };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * A comment requested the commit in `asked`. `sha` is of the measured commit. Undefined, with a notice, where
 * the figures belong to no open pull request.
 * @type {(octokit: Octokit, context: { owner: string, repo: string, env: NodeJS.ProcessEnv,
 *   asked: string | undefined }) => Promise<{ pullRequest: number, runId: number, sha: string } | undefined>}
 */
async function findTarget(octokit, { owner, repo, env, asked }) {
  const run = readMeasuring(env);
  if (!run) {
    // A job of this run measured; the comment of somebody with write access started it.
    const { pullRequest } = readEvent(env);
    const runId = Number(env.GITHUB_RUN_ID);
    if (pullRequest === undefined || !(runId > 0))
      throw new UserError(
        'this workflow runs on workflow_run, or on issue_comment after the jobs that measure',
      );
    // Comments name no commit, and an artifact may lie.
    if (asked !== undefined && /^[0-9a-f]{40}$/.test(asked)) return { pullRequest, runId, sha: asked };
    throw new UserError(
      'sha: say which commit was measured; use `sha: ${{ needs.ask.outputs.sha }}`, as docs/recipes/ask.yml does',
    );
  }
  if (run.event !== 'pull_request') {
    notice(`The run was started by ${run.event} and has no pull request.`);
    return undefined;
  }
  // The event's own list of pull requests is empty for forks.
  const { data } = await octokit.rest.pulls.list({
    owner,
    repo,
    state: 'open',
    per_page: 100,
    head: `${run.repository.split('/')[0]}:${run.branch}`,
  });
  const [match, ...others] = data.filter(
    ({ head }) => head.sha === run.sha && head.repo?.full_name === run.repository,
  );
  if (match && others.length === 0) return { pullRequest: match.number, runId: run.id, sha: run.sha };
  notice(
    match
      ? `${others.length + 1} pull requests have the head ${run.sha}: it is unknown which of them was measured.`
      : `No open pull request has the head ${run.sha}: it was updated or closed.`,
  );
  return undefined;
}

/**
 * Computes summaries and verdicts again: those in the artifact are only claims. The profiled functions cannot
 * be measured again here, so they are taken over. Returns the head's run.
 * @type {(dir: string, files: Map<string, Buffer>, rule: Rules) => Promise<Run>}
 * @throws {UserError} where a file breaks its schema or the bounds
 */
async function judgeInto(dir, files, rule) {
  const [head, base] = await Promise.all(SIDES.map((name) => readSide(dir, name, files.get(name))));
  if (!head) throw new UserError('it has no run.json');
  const claim = files.get(COMPARISON);
  const claimed = claim && (await readComparison(await place(dir, `handed-${COMPARISON}`, claim), BOUNDS));
  const results = judge({ head, base, claims: claimed ? [claimed] : [] }, rule);
  await writeResults(dir, results);
  return results.run;
}

/** The name is ours. @type {(dir: string, name: string, content?: Buffer) => Promise<Run | undefined>} */
async function readSide(dir, name, content) {
  if (!content) return undefined;
  const run = await readRun(await place(dir, name, content), BOUNDS);
  const starts = sum(run.cases, ({ trials }) => trials.length);
  if (run.cases.length > MOST_CASES || starts > MOST_STARTS)
    throw new UserError(`${name} has ${run.cases.length} cases with ${starts} server starts`);
  return mergeRuns([run]);
}

/** The file, by one of our names. @type {(dir: string, name: string, content: Buffer) => Promise<string>} */
async function place(dir, name, content) {
  const file = join(dir, name);
  await writeText(file, content.toString());
  return file;
}
