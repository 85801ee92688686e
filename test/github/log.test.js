/** Results that were measured elsewhere, through the judge and the steps that report them: a server that only waits longer. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compare } from '../../scripts/judge/compare.js';
import { summarize } from '../../scripts/samples/summary.js';
import { writeComparison } from '../../scripts/store/comparison-file.js';
import { writeRun } from '../../scripts/store/run-file.js';
import { startGitHub } from '../e2e/api/github.js';
import { sampleRun } from '../report/sample.js';

const STEP = fileURLToPath(new URL('../../scripts/github/action.js', import.meta.url));
const ROUNDS = 12;
/** @import { Run } from '../../scripts/types.js' */

let dir = '';
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'perf-log-'));
  const [base, head] = [runOf('base', 12), runOf('head', 35)];
  await writeRun(dir, head);
  await writeComparison(dir, compare(base, head));
});
after(() => rmSync(dir, { recursive: true }));

/**
 * @param {string} label
 * @param {number} p99 in milliseconds
 * @returns {Run} starts whose throughput scatters too wide to decide anything
 */
function runOf(label, p99) {
  const { warnings, published, relativeTo, ...run } = sampleRun();
  const cases = run.cases
    .filter(({ server }) => ['express', 'node-http'].includes(server))
    .map((sample) => {
      const [trial] = sample.trials;
      const [window] = trial?.windows ?? [];
      if (!trial || !window) throw new Error('the sample has no window');
      const trials = Array.from({ length: ROUNDS }, (_, round) => {
        const stir = 1 + 0.25 * Math.sin(7 * round + (label === 'base' ? 0 : 2));
        const requests = Math.round(window.requests * (sample.reference ? 1 + 0.001 * (round % 3) : stir));
        const { cpu, rssBytes, ...rest } = window;
        const latencyMs = { p99: (sample.reference ? 3 : p99) * (1 + 0.02 * (round % 4)) };
        return { round, failure: null, windows: [{ ...rest, requests, latencyMs }] };
      });
      const summary = summarize(trials, sample);
      return {
        ...sample,
        trials,
        ...(sample.reference ? {} : { serverName: 'Orders', load: { ...sample.load, connections: 50 } }),
        ...(summary && { summary }),
      };
    });
  return { ...run, id: label, revision: { sha: 'a'.repeat(40), label }, cases };
}

/**
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ code: number, output: string }>}
 */
function step(name, env) {
  return new Promise((resolve) => {
    const given = { PATH: process.env.PATH, ...env };
    execFile(process.execPath, [STEP, name], { cwd: dir, env: given }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

test('headline, row and annotation name the metric that got worse, with both values', async () => {
  const github = await startGitHub();
  try {
    const event = join(dir, 'event.json');
    writeFileSync(event, JSON.stringify({ pull_request: { number: 7 } }));
    const summary = join(dir, 'summary.md');
    const posted = await step('comment', {
      PERF_OUT: dir,
      PERF_CODE: '1',
      PERF_GITHUB_TOKEN: 'x',
      GITHUB_REPOSITORY: 'octo/app',
      GITHUB_API_URL: github.url,
      GITHUB_EVENT_PATH: event,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_OUTPUT: '',
    });
    assert.equal(posted.code, 0, posted.output);
    const body = github.comments[0]?.body ?? '';
    assert.equal(readFileSync(summary, 'utf8'), `${body}\n`);
    assert.match(body, /### 🔴 Slower than the base: Orders\n/);
    assert.match(body, /\n\| Orders +\| regressed +\| +p99 latency \+\d/);
    assert.match(body, /\| Orders +\| Throughput +\| unsure /);
    assert.match(body, /\n\*\*.*50 connections \([^]*\n\*\*.*100 connections \(/, 'the reference comes last');
    assert.doesNotMatch(body, /give or take/);
  } finally {
    github.close();
  }
  const gate = await step('gate', { PERF_CODE: '1', PERF_RESULTS: dir });
  assert.equal(gate.code, 2, gate.output);
  assert.match(
    gate.output,
    /^::error title=perf-action%3A regressed%3A Orders::Orders, p99 latency: 12\.\d ms → 36 ms, \+\d+\.\d %25 \(/m,
  );
});
