/**
 * A place where a workflow can run: the action as it would be published, stand-ins, a caller's repository.
 */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, delimiter, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { alone } from '../../../scripts/system/lock.js';
import { ROOT, runTool, toolEnvironment, withOf } from '../tools.js';
import { scratchFolder } from '../../scratch.js';

const HERE = join(ROOT, 'test/e2e/actions');
/** @type {Record<string, { ref: string, inputs: Record<string, string>, outputs: string[] }>} */
const RECORDED = JSON.parse(readFileSync(join(HERE, 'recorded.json'), 'utf8'));

/** act copies the action several times a job: without tests and documents it has half the files. */
const ACTION_FILES = [
  '.github',
  'action.yml',
  'package.json',
  'package-lock.json',
  'presets',
  'scripts',
  'servers',
];

/** Under which the action is used. */
const OURS = 'org/perf-action@v1';

/**
 * bin: has an npm that copies the action's modules; local: folders by the names under which workflows use
 * them
 * @typedef {{ folder: string, repository: string, bin: string, local: Record<string, string> }} Place
 * @typedef {{ workflow: object, on: string, event: object, apiUrl: string, env?: Record<string, string>,
 *   artifacts?: string, checkout?: string, installs?: true, around?: string[] }} Workflow artifacts: the
 *     folder they are kept in;
 *   checkout: of another repository than the workshop's; installs: npm itself installs the action's modules;
 *     around: a program that
 *   starts act, and its arguments
 * @typedef {{
 *   code: number,
 *   log: string,
 *   called: { name: string, given: Record<string, string>, unknown: string[], missing: string[] }[],
 *   artifacts: Record<string, string>,
 * }} Job log: the summaries are in it too; called: the third-party actions, in order; artifacts: zip files by
 *   name
 */

/** Inputs that measure the server of a test, `./spy`, for a second. */
export const SPY = {
  duration: '1s',
  warmup: '0',
  connections: '8',
  rate: '100',
  rounds: '1',
  servers: './spy',
  reference: 'off',
};

/**
 * @returns {Promise<{
 *   repository: string,
 *   bin: string,
 *   run: (inputs: Record<string, unknown>, apiUrl: string, more?: Partial<Workflow> & { uses?: number }) =>
 *     ReturnType<typeof runExample>,
 *   runWorkflow: (workflow: Workflow) => Promise<Job>,
 *   remove: () => void,
 * }>}
 */
export async function openWorkshop() {
  const folder = scratchFolder();
  const action = join(folder, 'action');
  const repository = join(folder, 'repository');
  const list = 'git ls-files --cached --others --exclude-standard -z --'.split(' ');
  const { output } = await runTool([...list, ...ACTION_FILES]);
  const files = output.split('\0').filter((name) => name && existsSync(join(ROOT, name)));
  mkdirSync(action);
  await runTool(['cp', '--parents', ...files, action]);
  const modules = await prepareModules();
  cpSync(join(modules, 'package-lock.json'), join(action, 'package-lock.json'));
  const bin = join(folder, 'bin');
  writeNpm(bin, modules, [join(ROOT, 'package-lock.json'), join(action, 'package-lock.json')]);
  const local = { [OURS]: action, ...makeStandIns(join(folder, '_actions')) };
  await makeRepository(repository);
  return {
    repository,
    bin,
    run: (inputs, apiUrl, more = {}) =>
      runExample({ folder, repository, bin, local }, inputs, { apiUrl, ...more }),
    runWorkflow: (workflow) => runWorkflow({ folder, repository, bin, local }, workflow),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * With an address, npm takes a package from its cache by its checksum; without one, it parses all that the
 * registry says of it first, which each of the many jobs here would wait for.
 * @param {string} file a lock file, which names no registry
 */
async function addressPackages(file) {
  const { output } = await runTool(['npm', 'config', 'get', 'registry', '--loglevel=error']);
  const [registry] = output.split('\n');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  for (const [place, locked] of Object.entries(lock.packages)) {
    if (place === '') continue;
    const name = locked.name ?? place.split('node_modules/').at(-1);
    locked.resolved = `${registry}${name}/-/${basename(name)}-${locked.version}.tgz`;
  }
  writeFileSync(file, JSON.stringify(lock));
}

/**
 * @returns {Promise<string>} a folder with the modules that the action installs and their addressed lock
 *   file, made once for one lock file
 */
async function prepareModules() {
  const lock = readFileSync(join(ROOT, 'package-lock.json'));
  const prepared = join(ROOT, '.cache/action-modules', createHash('sha256').update(lock).digest('hex'));
  // The test files that need them start at once.
  await alone(`${prepared}.lock`, async () => {
    if (existsSync(prepared)) return;
    const folder = `${prepared}-${process.pid}`;
    mkdirSync(folder, { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(ROOT, file), join(folder, file));
    await addressPackages(join(folder, 'package-lock.json'));
    const install = 'npm ci --omit=dev --prefer-offline --no-audit --no-fund --loglevel=error'.split(' ');
    const { code, output } = await runTool(install, { cwd: folder });
    if (code !== 0) throw new Error(output);
    // Most of the bytes are types and maps, which no program reads and every job would copy and digest.
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (/\.(d\.[cm]?ts|map|md)$/.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
    renameSync(folder, prepared);
  });
  return prepared;
}

/**
 * Writes an npm that links prepared modules where the action installs those of a known lock file, and is npm
 * otherwise.
 * @type {(bin: string, prepared: string, locks: string[]) => void}
 */
function writeNpm(bin, prepared, locks) {
  const isKnown = locks.map((lock) => `cmp -s "$2/package-lock.json" '${lock}'`).join(' || ');
  mkdirSync(bin);
  writeFileSync(join(bin, 'gh'), `#!/bin/sh\nexec node '${join(HERE, 'gh.js')}' "$@"\n`, { mode: 0o755 });
  writeFileSync(
    join(bin, 'npm'),
    `#!/bin/sh
if [ "$1" = --prefix ] && [ "$3" = ci ] && { ${isKnown}; }; then
  rm -rf "$2/node_modules"
  # Another user may not make links to them.
  cp -rl '${prepared}/node_modules' "$2/node_modules" 2>/dev/null || cp -r '${prepared}/node_modules' "$2"
  exit
fi
PATH="\${PATH#*:}" exec npm "$@"
`,
    { mode: 0o755 },
  );
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
 * The example for readers, by a pull request of the repository's own.
 * @param {Place} place
 * @param {Record<string, unknown>} inputs
 * @param {Pick<Workflow, 'apiUrl'> & Partial<Workflow> & { uses?: number }} site uses: of the action, one
 *   after the other
 * @returns {Promise<Job & { outputs: Record<string, string>, results: string }>} results: a copy of the
 *   result folder
 */
async function runExample(place, inputs, { uses = 1, ...site }) {
  const left = mkdtempSync(join(place.folder, 'left-'));
  const job = await runWorkflow(place, {
    workflow: workflowWith(inputs, uses),
    on: 'pull_request',
    event: { pull_request: { number: 7 } },
    ...site,
    env: { ...site.env, LEFT: left },
  });
  const outputs = join(left, 'outputs.json');
  return {
    ...job,
    outputs: existsSync(outputs) ? JSON.parse(readFileSync(outputs, 'utf8')) : {},
    results: join(left, 'perf-results'),
  };
}

/** @type {(place: Place, workflow: Workflow) => Promise<Job>} */
async function runWorkflow(
  { folder, repository, bin, local },
  { workflow, on, event, apiUrl, env = {}, artifacts: kept, checkout = repository, installs, around = [] },
) {
  const out = mkdtempSync(join(folder, 'job-'));
  const files = { workflow: join(out, 'workflow.yml'), event: join(out, 'event.json') };
  const artifacts = kept ?? join(out, 'artifacts');
  writeFileSync(files.workflow, stringify(workflow));
  writeFileSync(files.event, JSON.stringify({ repository: { full_name: 'octo/app' }, ...event }));
  const called = join(out, 'called');
  const tools = toolEnvironment();
  const PATH = installs ? tools.PATH : [bin, tools.PATH].join(delimiter);
  const passed = {
    GITHUB_API_URL: apiUrl,
    // act takes its actions from the folder where a runner keeps the downloaded ones.
    RUNNER_WORKSPACE: repository,
    ...redirect('https://github.com/octo/app.git', checkout),
    STAND_IN_LOG: called,
    STAND_IN_BEHAVIOURS: join(HERE, 'behaviours.js'),
    STAND_IN_CACHES: join(folder, 'caches'),
    STAND_IN_REPOSITORIES: JSON.stringify({ 'octo/app': checkout, 'org/perf-action': local[OURS] }),
    ...env,
  };
  const { code, output } = await runTool(
    [
      ...around,
      'act',
      on,
      '-W',
      files.workflow,
      '-e',
      files.event,
      ...['ubuntu-latest', 'self-hosted', 'linux'].flatMap((runner) => ['-P', `${runner}=-self-hosted`]),
      '--action-cache-path',
      join(out, 'cache'),
      '--no-cache-server',
      '-s',
      'GITHUB_TOKEN=ghs_of-a-test',
      '--artifact-server-path',
      artifacts,
      '--artifact-server-addr=127.0.0.1',
      `--artifact-server-port=${await freePort()}`,
      ...Object.entries(local).flatMap(([name, dir]) => ['--local-repository', `${name}=${dir}`]),
      ...Object.entries(passed).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ],
    { cwd: checkout, env: { ...tools, PATH, XDG_CACHE_HOME: join(out, 'xdg') } },
  );
  const lines = existsSync(called) ? readFileSync(called, 'utf8').split('\n').filter(Boolean) : [];
  return {
    code,
    log: output,
    called: lines.map((line) => JSON.parse(line)),
    artifacts: Object.fromEntries(zipsIn(artifacts).map((file) => [basename(file, '.zip'), file])),
  };
}

/** A recipe as it stands, but for the version, which act does not tell. @type {(name: string) => any} */
export function readRecipe(name) {
  const workflow = parse(readFileSync(join(ROOT, 'docs/recipes', name), 'utf8'));
  for (const job of Object.values(/** @type {Record<string, any>} */ (workflow.jobs)))
    if (job.uses) job.with = { ...job.with, 'action-ref': 'v1' };
  return workflow;
}

/**
 * @param {string} url
 * @param {string} folder
 * @returns {Record<string, string>} what makes git go to a folder for what is the site's
 */
export function redirect(url, folder) {
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${folder}.insteadOf`,
    GIT_CONFIG_VALUE_0: url,
  };
}

/** @param {string} folder */
function zipsIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.zip'))
    .map((name) => join(folder, name));
}

/**
 * Below those that the system gives to whoever asks for any: between this process's look and act's use nobody
 * gets it.
 */
let port = 10_000 + 10 * (process.pid % 2000);

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(++port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * The example for readers, with other inputs, and a last step that tells what the action gave.
 * @param {Record<string, unknown>} inputs
 * @param {number} [uses]
 */
function workflowWith(inputs, uses = 1) {
  const workflow = parse(readFileSync(join(ROOT, 'examples/workflow/perf.yml'), 'utf8'));
  const { steps } = workflow.jobs.perf;
  Object.assign(steps.at(-1), { id: 'perf', with: withOf(inputs) });
  for (let use = 2; use <= uses; use++) steps.push({ ...steps.at(-1), id: `perf-${use}`, if: 'always()' });
  steps.push({
    if: 'always()',
    env: { OUTPUTS: '${{ toJSON(steps.perf.outputs) }}' },
    run: 'printf %s "$OUTPUTS" > "$LEFT/outputs.json"; if [ -d perf-results ]; then cp -r perf-results "$LEFT"; fi',
  });
  return workflow;
}
