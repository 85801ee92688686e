/** Inputs become options of a run. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { keyOf, readOptions, variableOf } from '../../scripts/github/inputs.js';
import { STEPS } from '../../scripts/github/steps.js';

test('what was left empty is not given', () => {
  assert.deepEqual(readOptions({ PERF_INPUT_SERVERS: '', PERF_INPUT_TOOL: '  ' }), {});
});

test('names keep their dashes, values their commas, equal signs and lines', () => {
  const env = {
    PERF_INPUT_KEEP_ALIVE: 'true,false',
    PERF_INPUT_BODY: '--a=b',
    PERF_INPUT_HEADER: 'accept: text/html\nx-one: 1\n',
  };
  assert.deepEqual(readOptions(env), {
    'keep-alive': 'true,false',
    header: 'accept: text/html\nx-one: 1',
    body: '--a=b',
  });
});

test("the action's own inputs and unknown variables are no options", () => {
  const env = {
    PERF_INPUT_GITHUB_TOKEN: 'x',
    PERF_INPUT_COMMENT: 'true',
    PERF_INPUT_JSON: 'true',
    PERF_A: 'b',
  };
  assert.deepEqual(readOptions(env), {});
});

test('an input has one variable', () => {
  assert.equal(variableOf('fail-on'), 'PERF_INPUT_FAIL_ON');
});

test('an action without inputs, in a repository without perf.yml, says how to begin', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'inputs-'));
  try {
    const { signal } = new AbortController();
    await assert.rejects(async () => STEPS.plan?.({ env: { PERF_INPUT_ROUNDS: '2' }, cwd, signal }), {
      name: 'UserError',
      message: /^there is no perf\.yml here; `perf-action init` writes one/,
    });
  } finally {
    rmSync(cwd, { recursive: true });
  }
});

test('a comment-key is what can name an artifact', () => {
  const keyIn = (/** @type {string} */ key) => keyOf({ PERF_INPUT_COMMENT_KEY: key });
  assert.deepEqual(['perf-api', 'v1.2_x', ''].map(keyIn), ['perf-api', 'v1.2_x', 'perf']);
  for (const key of ['a/b', '../x', 'a b', 'a@1', 'a*', '.git'])
    assert.throws(() => keyIn(key), {
      name: 'UserError',
      message: /^comment-key: ".*" cannot name .*perf-api$/,
    });
});
