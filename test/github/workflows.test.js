/** The reusable workflow hands on what the action takes, and brings nothing that is not pinned. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, '.github/workflows');
const TEXTS = readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), 'utf8'));
const ACTION = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
const PERF = parse(readFileSync(join(FOLDER, 'perf.yml'), 'utf8'));

/** Inputs of the action that no caller of the workflow gives. */
const NOT_HANDED_ON = ['shard', 'github-token', 'trend'];
/** Inputs of the workflow alone. */
const OWN = ['shards', 'runs-on', 'ref', 'action-ref'];
/** Inputs of the action that the jobs which measure have no use for. */
const TOLD_ONCE = ['comment', 'comment-key', 'github-token', 'trend', 'baseline-history'];

/** @type {{ uses?: string, run?: string, with?: Record<string, unknown> }[]} */
const STEPS = TEXTS.flatMap((text) =>
  Object.values(/** @type {Record<string, any>} */ (parse(text).jobs)).flatMap(({ steps = [] }) => steps),
);

test('perf.yml takes what the action takes, in its words, and what only it has', () => {
  const { inputs } = PERF.on.workflow_call;
  const shared = Object.entries(ACTION.inputs).filter(([name]) => !NOT_HANDED_ON.includes(name));
  assert.deepEqual(Object.keys(inputs), [...OWN, ...shared.map(([name]) => name)]);
  for (const [name, { description, default: standard = '' }] of /** @type {[string, any][]} */ (shared))
    assert.deepEqual(inputs[name], { description, type: 'string', default: standard }, name);
});

test('docs/inputs.md has what only the workflow takes, in its words', () => {
  const [, text = ''] = readFileSync(join(ROOT, 'docs/inputs.md'), 'utf8').split('# Reusable workflows');
  const rows = [...text.matchAll(/^\| `([\w-]+)` \| (.*?) \| (.*) \|$/gm)].map(([, ...cells]) => cells);
  const { inputs } = PERF.on.workflow_call;
  assert.deepEqual(
    rows,
    OWN.map((name) => [
      name,
      inputs[name].default && `\`${inputs[name].default}\``,
      inputs[name].description,
    ]),
  );
});

test('a shard is given all of it', () => {
  const { with: given } = PERF.jobs.measure.steps.find((/** @type {any} */ { id }) => id === 'measure');
  const expected = Object.keys(ACTION.inputs).filter((name) => !TOLD_ONCE.includes(name));
  assert.deepEqual(Object.keys(given).sort(), expected.sort());
  for (const name of expected.filter((each) => !['shard', 'seed'].includes(each)))
    assert.equal(given[name], `\${{ inputs.${name} }}`);
});

test('no expression stands in a script, where its value would be run', () => {
  for (const { run } of STEPS) assert.doesNotMatch(run ?? '', /\$\{\{/);
});

test('third-party actions are pinned by their full commit, with the version said', () => {
  const lines = TEXTS.flatMap((text) => text.match(/uses: (?!\.).*/g) ?? []);
  assert.ok(lines.length > 5);
  for (const line of lines)
    assert.match(line, /^uses: [\w-]+\/[\w-]+(\/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('no checkout leaves its token behind', () => {
  const checkouts = STEPS.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
  assert.ok(checkouts.length > 5);
  for (const { with: given } of checkouts) assert.equal(given?.['persist-credentials'], false);
});
