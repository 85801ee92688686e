/** A place where a workflow can run: the action as it would be published, stand-ins, a caller's repository. */

import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { ROOT, runTool, toolEnvironment } from '../tools.js';

const HERE = join(ROOT, 'test/e2e/actions');
/** @type {Record<string, { ref: string, inputs: Record<string, string>, outputs: string[] }>} */
const RECORDED = JSON.parse(readFileSync(join(HERE, 'recorded.json'), 'utf8'));

/**
 * @typedef {{
 *   code: number,
 *   log: string,
 *   outputs: Record<string, string>,
 *   results: string,
 *   called: { name: string, given: Record<string, string>, unknown: string[], missing: string[] }[],
 * }} Job log: the summary is in it too; results: a copy of the result folder; called: the third-party actions, in order
 */

/** @returns {Promise<{ repository: string, run: (inputs: Record<string, unknown>, apiUrl: string) => Promise<Job>, remove: () => void }>} */
export async function openWorkshop() {
  const folder = mkdtempSync(join(tmpdir(), 'perf-act-'));
  const action = join(folder, 'action');
  const repository = join(folder, 'repository');
  const { output } = await runTool(['git', 'ls-files', '--cached', '--others', '--exclude-standard', '-z']);
  for (const file of output.split('\0').filter((name) => name && existsSync(join(ROOT, name))))
    cpSync(join(ROOT, file), join(action, file));
  const local = { 'org/perf-action@v1': action, ...makeStandIns(join(folder, 'actions')) };
  await makeRepository(repository);
  return {
    repository,
    run: (inputs, apiUrl) => runJob({ folder, repository, local }, inputs, apiUrl),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * @param {string} folder
 * @returns {Record<string, string>} folders by the names under which workflows use them
 */
function makeStandIns(folder) {
  return Object.fromEntries(
    Object.entries(RECORDED).map(([name, { ref, inputs, outputs }]) => {
      const dir = join(folder, name);
      mkdirSync(dir, { recursive: true });
      const described = Object.keys(inputs).map((input) => [input, { description: input, required: false }]);
      const manifest = {
        name,
        description: 'stand-in',
        inputs: Object.fromEntries(described),
        outputs: Object.fromEntries(outputs.map((output) => [output, { description: output }])),
        runs: { using: 'node20', main: 'stand-in.js' },
      };
      writeFileSync(join(dir, 'action.yml'), stringify(manifest));
      writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(dir, 'recorded.json'), JSON.stringify({ name, inputs }));
      cpSync(join(HERE, 'stand-in.js'), join(dir, 'stand-in.js'));
      return [`${name}@${ref}`, dir];
    }),
  );
}

/** @param {string} folder */
async function makeRepository(folder) {
  cpSync(join(HERE, 'repository'), folder, { recursive: true });
  const git = ['git', '-c', 'user.name=octo', '-c', 'user.email=octo@example.com'];
  await runTool(['git', 'init', '-q', '-b', 'main'], { cwd: folder });
  await runTool(['git', 'remote', 'add', 'origin', 'https://github.com/octo/app.git'], { cwd: folder });
  await runTool([...git, 'add', '.'], { cwd: folder });
  await runTool([...git, 'commit', '-q', '-m', 'app'], { cwd: folder });
}

/**
 * @param {{ folder: string, repository: string, local: Record<string, string> }} place
 * @param {Record<string, unknown>} inputs
 * @param {string} apiUrl
 * @returns {Promise<Job>}
 */
async function runJob({ folder, repository, local }, inputs, apiUrl) {
  const out = mkdtempSync(join(folder, 'job-'));
  const workflow = join(out, 'workflow.yml');
  const event = join(out, 'event.json');
  writeFileSync(workflow, stringify(workflowWith(inputs)));
  writeFileSync(
    event,
    JSON.stringify({ pull_request: { number: 7 }, repository: { full_name: 'octo/app' } }),
  );
  const passed = { GITHUB_API_URL: apiUrl, STAND_IN_LOG: join(out, 'called'), TOLD: join(out, 'told') };
  const { code, output } = await runTool(
    [
      ...['act', 'pull_request', '-W', workflow, '-e', event, '-P', 'ubuntu-latest=-self-hosted'],
      ...['--action-cache-path', join(out, 'cache'), '--no-cache-server', '-s', 'GITHUB_TOKEN=ghs_of-a-test'],
      ...Object.entries(local).flatMap(([name, dir]) => ['--local-repository', `${name}=${dir}`]),
      ...Object.entries(passed).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ],
    { cwd: repository, env: { ...toolEnvironment(), XDG_CACHE_HOME: join(out, 'xdg') } },
  );
  /** @param {string} file */
  const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const lines = read(passed.STAND_IN_LOG).split('\n').filter(Boolean);
  return {
    code,
    log: output,
    outputs: JSON.parse(read(join(passed.TOLD, 'outputs.json')) || '{}'),
    results: join(passed.TOLD, 'perf-results'),
    called: lines.map((line) => JSON.parse(line)),
  };
}

/**
 * The example for readers, with other inputs, and a last step that tells what the action gave.
 * @param {Record<string, unknown>} inputs
 */
function workflowWith(inputs) {
  const workflow = parse(readFileSync(join(ROOT, 'examples/workflow/perf.yml'), 'utf8'));
  const { steps } = workflow.jobs.perf;
  Object.assign(steps.at(-1), { id: 'perf', with: inputs });
  steps.push({
    if: 'always()',
    env: { OUTPUTS: '${{ toJSON(steps.perf.outputs) }}' },
    run: 'mkdir "$TOLD"; printf %s "$OUTPUTS" > "$TOLD/outputs.json"; if [ -d perf-results ]; then cp -r perf-results "$TOLD"; fi',
  });
  return workflow;
}
