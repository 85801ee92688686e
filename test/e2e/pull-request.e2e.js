/** The comment on a pull request names the commit that readers know, the planned order, and a command that repeats the run. */

import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { openWorkshop } from './actions/workshop.js';
import { startGitHub } from './api/github.js';
import { ROOT, runTool, withOf } from './tools.js';

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
/** The pull request's head, what it is merged into, and the merge that GitHub checks out. */
let [head, into, merge] = ['', '', ''];
const local = mkdtempSync(join(tmpdir(), 'perf-local-'));
before(async () => {
  workshop = await openWorkshop();
  const cwd = workshop.repository;
  await git(cwd, 'checkout', '-q', '-b', 'topic');
  appendFileSync(join(cwd, 'app/server.js'), '\n// Says the same.\n');
  await git(cwd, 'commit', '-q', '-a', '-m', 'a comment');
  head = await git(cwd, 'rev-parse', 'HEAD');
  await git(cwd, 'checkout', '-q', 'main');
  await git(cwd, 'commit', '-q', '--allow-empty', '-m', 'another change');
  into = await git(cwd, 'rev-parse', 'HEAD');
  await git(cwd, 'checkout', '-q', '--detach');
  await git(cwd, 'merge', '-q', '--no-ff', '-m', 'merged', 'topic');
  merge = await git(cwd, 'rev-parse', 'HEAD');
});
after(() => {
  workshop.remove();
  rmSync(local, { recursive: true });
});

/** @param {string} cwd @param {string[]} args */
async function git(cwd, ...args) {
  const author = ['-c', 'user.name=octo', '-c', 'user.email=octo@example.com'];
  const { code, output } = await runTool(['git', ...author, ...args], { cwd });
  assert.equal(code, 0, output);
  return output.trim();
}

test("the comment names the head's commit, the run keeps to the planned order, and the command works locally", async () => {
  const github = await startGitHub({ pullRequests: [{ number: 7, sha: head, from: 'octo/app:change' }] });
  try {
    const workflow = parse(readFileSync(join(ROOT, 'examples/workflow/perf.yml'), 'utf8'));
    Object.assign(workflow.jobs.perf.steps.at(-1), {
      with: withOf({
        servers: './app',
        against: 'base',
        rounds: '2',
        duration: '1s',
        warmup: '0',
        connections: '8',
        header: 'x-note: two  spaces',
        'fail-on': 'never',
        reference: 'off',
      }),
    });
    const event = { pull_request: { number: 7, head: { sha: head }, base: { sha: into } } };
    const { code, log } = await workshop.runWorkflow({
      workflow,
      on: 'pull_request',
      event,
      apiUrl: github.url,
    });
    assert.equal(code, 0, log);
    const body = github.comments[0]?.body ?? '';
    assert.ok(body.includes(`commit ${head.slice(0, 10)} merged into ${into.slice(0, 10)}`), body);
    assert.ok(!body.includes(merge.slice(0, 10)), body);

    const planned = /\(seed (\d+)\)/.exec(log)?.[1];
    assert.match(body, new RegExp(`order shuffled with seed ${planned}\\b`));

    const command = /To repeat it locally:\n\n```text\n(.*)\n/.exec(body)?.[1] ?? '';
    const names = [...command.matchAll(/(?:^| )'?--([\w-]+)/g)].map(([, name]) => name);
    assert.deepEqual(names, [...new Set(names)], command);
    assert.match(
      command,
      new RegExp(` --seed=${planned}\\b.* --against=${into}|--against=${into}.* --seed=${planned}\\b`),
    );
    await git(local, 'clone', '-q', workshop.repository, '.');
    await git(local, 'checkout', '-q', head);
    const planCommand = command.replace(
      /^perf-action run/,
      `'${process.execPath}' '${ROOT}scripts/cli.js' plan`,
    );
    const plan = await runTool(['bash', '-c', planCommand], { cwd: local });
    assert.equal(plan.code, 0, plan.output);
    assert.match(plan.output, new RegExp(`1 case[^]*\\(seed ${planned}\\)[^]*Round 2:`));
  } finally {
    github.close();
  }
});
