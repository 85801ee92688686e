/** The action, workflows and scripts by their rules: actionlint, shellcheck, schemas, zizmor. All offline. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, stringify } from 'yaml';
import { workflowYml } from '../../scripts/init/workflow.js';
import { ROOT, runTool } from './tools.js';
import { scratchFolder } from '../scratch.js';

const OWN = readdirSync(join(ROOT, '.github/workflows')).map((file) => `.github/workflows/${file}`);
const RECIPES = readdirSync(join(ROOT, 'docs/recipes'))
  .filter((file) => file.endsWith('.yml'))
  .map((file) => `docs/recipes/${file}`);
const WORKFLOWS = [...OWN, ...RECIPES, 'examples/workflow/perf.yml'];

/** @param {string} kind */
const schemaCheck = (kind) => ['check-jsonschema', '--builtin-schema', `vendor.github-${kind}`];

test('actionlint has nothing to say of the workflows', async () => {
  const { code, output } = await runTool(['actionlint', ...WORKFLOWS]);
  assert.equal(code, 0, output);
});

test('shellcheck has nothing to say of the scripts and of the steps of the action', async () => {
  const scripts = await runTool(['shellcheck', 'scripts/bench', 'scripts/test', '.ci/run']);
  assert.equal(scripts.code, 0, scripts.output);
  const { runs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
  const steps = runs.steps.filter((/** @type {{ run?: string }} */ { run }) => run);
  assert.ok(steps.length > 0);
  for (const { name, run } of steps) {
    // "node" comes by an eval of what an earlier step recorded.
    const argv = ['shellcheck', '--shell=bash', '--exclude=SC2154', '-'];
    const { code, output } = await runTool(argv, { stdin: run });
    assert.equal(code, 0, `${name}: ${output}`);
  }
});

test('actionlint refuses an expression that reads what is not there', async () => {
  const workflow = parse(readFileSync(join(ROOT, 'examples/workflow/perf.yml'), 'utf8'));
  workflow.jobs.perf['runs-on'] = 'ubuntu-${{ nothing.like.this }}';
  const { code, output } = await runTool(['actionlint', '-'], { stdin: stringify(workflow) });
  assert.equal(code, 1, output);
  assert.match(output, /nothing/);
});

test('the workflows and the action keep to the published schemas', async () => {
  const workflows = await runTool([...schemaCheck('workflows'), ...WORKFLOWS]);
  assert.equal(workflows.code, 0, workflows.output);
  const action = await runTool([...schemaCheck('actions'), 'action.yml']);
  assert.equal(action.code, 0, action.output);
});

test('the schema refuses an action with a misspelt key', async () => {
  const dir = scratchFolder();
  const { runs, ...rest } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
  writeFileSync(join(dir, 'action.yml'), stringify({ ...rest, rums: runs }));
  const { code, output } = await runTool([...schemaCheck('actions'), join(dir, 'action.yml')]);
  assert.equal(code, 1, output);
});

// The example names versions by tag, as people write them.
test('zizmor finds no weakness in what is ours', async () => {
  const checked = ['action.yml', ...OWN, ...RECIPES];
  const { code, output } = await runTool(['zizmor', '--offline', '--no-progress', ...checked]);
  assert.equal(code, 0, output);
});

test('every exception for zizmor or actionlint has its reason beside it', () => {
  const marks = [...OWN, ...RECIPES, 'action.yml'].flatMap(
    (file) => readFileSync(join(ROOT, file), 'utf8').match(/zizmor: ignore.*/g) ?? [],
  );
  assert.ok(marks.length > 0);
  for (const mark of marks) assert.match(mark, /^zizmor: ignore\[[\w-]+\] (\S+ ){5}/);
});

test('the workflow of the README is the one that init writes', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const shown = /```yaml\n(name: perf\n.*?)```/s.exec(readme)?.[1] ?? '';
  assert.deepEqual(parse(shown), parse(workflowYml(new Map(), [])));
});
