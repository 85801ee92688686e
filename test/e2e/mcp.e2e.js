/**
 * The Model Context Protocol server, driven by the official client: a whole run, a cancelled one, and
 * mistakes.
 */

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { folder, toyFolder } from './command-line.js';
import { ROOT } from './tools.js';

const PACKAGE = join(ROOT, 'mcp');

/** @type {any} typed where it is installed */
let client;
before(async () => {
  const npm = ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', npm, { cwd: PACKAGE, stdio: 'pipe' });
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', PACKAGE], { stdio: 'pipe' });
  const { connect } = await import(join(PACKAGE, 'client.js'));
  client = await connect(folder);
});
after(() => client.close());

/** A run of some seconds. */
const SHORT = {
  servers: toyFolder('forks-child'),
  routes: '/',
  connections: '8',
  rate: '100',
  duration: '1s',
  warmup: '0',
  reference: 'off',
};

test('it offers five tools, whose input is described', async () => {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((/** @type {any} */ { name }) => name).sort(), [
    'bisect',
    'compare',
    'explain',
    'plan',
    'run',
  ]);
  const bisect = tools.find((/** @type {any} */ { name }) => name === 'bisect');
  assert.deepEqual(bisect?.inputSchema.required, ['good', 'bad']);
  assert.match(client.getInstructions() ?? '', /Never report a gain/);
});

test('a run reports progress and answers with verdicts', async () => {
  /** @type {number[]} */
  const progress = [];
  const { structuredContent, content, isError } = await client.callTool(
    { name: 'run', arguments: { ...SHORT, against: 'self', rounds: '2' } },
    { onprogress: (/** @type {any} */ step) => void progress.push(step.progress), timeout: 120_000 },
  );
  assert.ok(!isError, JSON.stringify(content));
  const { comparison, cases } = /** @type {any} */ (structuredContent);
  assert.equal(comparison.schema, 'perf-action/comparison@1');
  assert.equal(cases[0].summary.trials, 2);
  assert.ok(progress.length >= 4, `${progress}`);
  assert.deepEqual(
    progress,
    [...progress].sort((a, b) => a - b),
  );
  assert.match(/** @type {any} */ (content)[0].text, /: (same|unsure|improved|regressed)/);
});

test('a run of counts has no figures of clocks', async () => {
  const input = { servers: 'node-http', routes: '/', against: 'self', counts: true };
  const { structuredContent, content } = await client.callTool(
    { name: 'run', arguments: input },
    { timeout: 120_000 },
  );
  assert.match(/** @type {any} */ (content)[0].text, /^node-http .*: same/);
  const { comparison, cases } = /** @type {any} */ (structuredContent);
  assert.equal(cases[0].summary, undefined);
  const metrics = comparison.cases[0].metrics.map((/** @type {any} */ { metric }) => metric);
  // Bytes that one start shows to lie within the margin are not judged.
  assert.deepEqual(
    metrics.filter((/** @type {string} */ metric) => metric !== 'allocated'),
    ['outgoing', 'errors'],
  );
});

test('a run that is cancelled leaves no process', async () => {
  const cancelled = new AbortController();
  const run = client.callTool(
    { name: 'run', arguments: { ...SHORT, rounds: '50', out: 'cancelled' } },
    {
      signal: cancelled.signal,
      timeout: 120_000,
      onprogress: (/** @type {any} */ { message }) => message?.includes('[1/50]') && cancelled.abort(),
    },
  );
  await assert.rejects(run);
  for (let tries = 0; tries < 100 && (await listed()) !== ''; tries++) await setTimeout(100);
  assert.equal(await listed(), '');
});

/** @returns {Promise<string>} pids of what belongs to the cancelled run */
async function listed() {
  return new Promise((resolve) => {
    execFile('pgrep', ['-f', join(folder, 'forks-child')], (_error, stdout) => resolve(stdout.trim()));
  });
}

test('a plan is an answer without a run', async () => {
  const { structuredContent } = await client.callTool({ name: 'plan', arguments: SHORT });
  assert.ok(/** @type {any} */ (structuredContent).estimateSeconds > 0);
});

/**
 * What a stranger's text may make an assistant ask for; the folder holds a link named away to /etc.
 * @type {Record<string, string>[]}
 */
const OUTSIDE = [
  { out: '../elsewhere' },
  { out: '/tmp/elsewhere' },
  { out: 'away/elsewhere' },
  { config: '/etc/passwd' },
  { baseline: '../run.json' },
  { servers: 'node-http,away' },
  { servers: 'node-http, ../evil' },
  { servers: 'node-http\n../evil' },
  { library: '../other' },
  { against: 'express@file:../fork' },
  { against: 'express@file:~/fork' },
  { folder: '..' },
  { folder: 'away' },
];

test('a path that leads out of the folder where the server was started is refused', async () => {
  symlinkSync('/etc', join(folder, 'away'));
  for (const input of OUTSIDE) {
    const answer = await client.callTool({ name: 'plan', arguments: { servers: 'node-http', ...input } });
    const { error } = /** @type {any} */ (answer.structuredContent);
    assert.equal(error?.code, 'usage', JSON.stringify(input));
    assert.match(error.message, /^\w+: \S+ lies outside .*; use a place inside it$/);
  }
});

test('an argument of a megabyte is an error of one line', async () => {
  const long = await client.callTool({ name: 'plan', arguments: { title: 'x'.repeat(2 ** 20) } });
  assert.equal(long.isError, true);
  assert.match(JSON.stringify(long.content), /title must NOT have more than 32768 characters/);
});

test('a mistake is an error with a code and one line', async () => {
  const mistake = await client.callTool({ name: 'plan', arguments: { servers: 'nowhere' } });
  assert.equal(mistake.isError, true);
  const { error } = /** @type {any} */ (mistake.structuredContent);
  assert.equal(error.code, 'usage');
  assert.match(error.message, /nowhere/);
  const unknown = await client
    .callTool({ name: 'plan', arguments: { sservers: 'x' } })
    .catch((/** @type {unknown} */ thrown) => thrown);
  assert.match(JSON.stringify(unknown) + String(unknown), /sservers|additional/i);
});
