/**
 * The workflow that `init` writes, and the inputs that a workflow gives the action.
 * @import { Sources, Written } from './candidates.js'
 */

import { posix } from 'node:path';
import { parse, stringify } from 'yaml';
import { jsonIn } from '../model/json.js';
import { isInRange } from '../model/version-range.js';
import { DOCS, REPOSITORY } from '../system/this-project.js';
import { foldersAbove } from './source-tree.js';

/** What GitHub's runners lack, by the commands that need it. @type {[used: RegExp, step: string][]} */
const TOOLS = [
  [/\bpnpm |\byarn install( --immutable)?$/m, 'corepack enable'],
  [/\bbun /, 'npm install --global bun'],
  [/\bdeno /, 'npm install --global deno'],
  [/\buv (sync|run) /, 'pipx install uv'],
  [/\bpoetry /, 'pipx install poetry'],
  [/\bpipenv /, 'pipx install pipenv'],
];

/** What perf-action runs on, as package.json says. */
const OURS = '>=20.3';

/** @typedef {Pick<Written, 'folder' | 'install' | 'build' | 'setup' | 'start' | 'starts'>} Started */

/** The text of .github/workflows/perf.yml. @type {(sources: Sources, servers: Started[]) => string} */
export function workflowYml(sources, servers) {
  const version = servers
    .flatMap(({ folder }) => nodeFile(sources, folder) ?? [])
    .find(({ text }) => isOurs(text))?.file;
  // `npm start` may run what npm does not bring.
  const scriptOf = (/** @type {string} */ folder) =>
    jsonIn(sources.get(posix.join(folder, 'package.json')) ?? '')?.scripts?.start;
  const commandsOf = (/** @type {Started} */ { folder, install, build, setup, start, starts = [] }) =>
    [install, build, setup, start, ...starts, scriptOf(folder)].join('\n');
  const commands = servers.map(commandsOf).join('\n');
  const steps = TOOLS.filter(([used]) => used.test(commands)).map(([, step]) => `      - run: ${step}\n`);
  return `# Measures every pull request against the commit it is merged into, side by side on one machine, and comments.
# A pull request from a fork gets a job summary instead: for comments there, see ${DOCS}/recipes/README.md
name: perf
on: pull_request
permissions: {}
concurrency:
  group: perf-\${{ github.ref }}
  cancel-in-progress: true
jobs:
  perf:
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pull-requests: write
    steps:
      - uses: actions/checkout@v7
        with:
          persist-credentials: false
${
  version
    ? `      - uses: actions/setup-node@v7
        with:
          node-version-file: ${stringify(version)}`
    : ''
}${steps.join('')}      - uses: ${REPOSITORY}@v1
        with:
          against: base
`;
}

/**
 * The nearest file that names a version of Node.
 * @type {(sources: Sources, folder: string) => { file: string, text: string } | undefined}
 */
function nodeFile(sources, folder) {
  const [file] = [folder, ...foldersAbove(folder)]
    .flatMap((place) => ['.nvmrc', '.node-version'].map((name) => posix.join(place, name)))
    .filter((each) => sources.has(each));
  return file === undefined ? undefined : { file, text: (sources.get(file) ?? '').trim() };
}

/** Whether perf-action runs on it, too. @param {string} version */
function isOurs(version) {
  return /^v?\d/.test(version) ? isInRange(version, OURS) : /^(lts\/\*|node|current)$/.test(version);
}

/** An older Node is the server's alone. @type {(sources: Sources, folder: string) => { node?: string }} */
export function ownNode(sources, folder) {
  const [, version] = /^v?(\d[\d.]*)$/.exec(nodeFile(sources, folder)?.text ?? '') ?? [];
  return version === undefined || isOurs(version) ? {} : { node: version };
}

/** The inputs in a workflow that are not known. @type {(text: string, known: string[]) => string[]} */
export function unknownInputs(text, known) {
  const steps = Object.values(readJobs(text)).flatMap((job) => job?.steps ?? []);
  return steps
    .filter((step) => String(step?.uses ?? '').startsWith(`${REPOSITORY}@`))
    .flatMap((step) => Object.keys(step.with ?? {}))
    .filter((name) => !known.includes(name));
}

/** @type {(text: string) => Record<string, { steps?: { uses?: unknown, with?: object }[] } | null>} */
function readJobs(text) {
  try {
    return parse(text)?.jobs ?? {};
  } catch {
    return {};
  }
}
