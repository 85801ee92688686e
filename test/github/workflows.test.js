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

/** @type {{ uses?: string, run?: string, with?: Record<string, unknown> }[]} */
const STEPS = TEXTS.flatMap((text) =>
  Object.values(/** @type {Record<string, any>} */ (parse(text).jobs)).flatMap(({ steps = [] }) => steps),
);

test('a shard is given all of it, and what the expressions of the action read', () => {
  const { with: given } = PERF.jobs.measure.steps.find((/** @type {any} */ { id }) => id === 'measure');
  const { shard: _, seed: __, options, ...named } = given;
  assert.equal(options, '${{ toJSON(inputs) }}');
  for (const [name, value] of Object.entries(named)) {
    assert.ok(name in ACTION.inputs && name in PERF.on.workflow_call.inputs, name);
    assert.equal(value, `\${{ inputs.${name} }}`);
  }
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
