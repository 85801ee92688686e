/** A job of octo/app that an event started, beside a stand-in for GitHub's API. */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../scripts/model/defined.js';
import { withGitHub } from '../e2e/api/github.js';
import { scratch } from '../store/scratch.js';

/**
 * @param {(context: import('../../scripts/github/contract/outputs.js').Context) => Promise<unknown>} step
 * @param {{ event?: object, env?: NodeJS.ProcessEnv, dir?: string } & NonNullable<Parameters<typeof
 *   withGitHub>[0]>} given dir: the job's folder; the rest: the state of GitHub
 * @returns {Promise<{ outputs: any, bodies: string[], seen: string[], reactions: string[], summary: string
 *   }>} outputs: without those that have no value; the error, where it failed; bodies: of all comments
 */
export function job(step, { event = {}, env = {}, dir = scratch(), ...state }) {
  const [file, summary] = [join(dir, 'event.json'), join(dir, 'summary.md')];
  writeFileSync(file, JSON.stringify(event));
  rmSync(summary, { force: true });
  return withGitHub(state, async ({ url, comments, seen, reactions }) => {
    const site = { GITHUB_REPOSITORY: 'octo/app', GITHUB_API_URL: url, GITHUB_EVENT_PATH: file };
    const own = { GITHUB_STEP_SUMMARY: summary, RUNNER_TEMP: dir, PERF_GITHUB_TOKEN: 'x' };
    const { signal } = new AbortController();
    const outputs = await step({ env: { ...site, ...own, ...env }, cwd: dir, signal }).catch(
      (error) => error,
    );
    return {
      outputs: outputs instanceof Error ? outputs : defined(Object(outputs)),
      bodies: comments.map(({ body }) => body),
      seen,
      reactions,
      summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '',
    };
  });
}
