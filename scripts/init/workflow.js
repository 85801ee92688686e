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

/** What GitHub's runners lack, by the commands that need it. @type {[used: RegExp, run: string][]} */
const TOOLS = [
  // Node 25 and later come without corepack.
  [/\bpnpm |\byarn install( --immutable)?$/m, 'npm install --global corepack && corepack enable'],
  [/\bbun /, 'npm install --global bun'],
  [/\bdeno /, 'npm install --global deno'],
  [/\buv (sync|run) /, 'pipx install uv'],
  [/\bpoetry /, 'pipx install poetry'],
  [/\bpipenv /, 'pipx install pipenv'],
];
/** What brings a runtime, and as many parts of its version as that is given. */
const SETUPS = {
  node: { uses: 'actions/setup-node@v7', parts: 1, given: {} },
  java: { uses: 'actions/setup-java@v5', parts: 1, given: { distribution: 'temurin' } },
  go: { uses: 'actions/setup-go@v6', parts: 2, given: {} },
  python: { uses: 'actions/setup-python@v6', parts: 2, given: {} },
  dotnet: { uses: 'actions/setup-dotnet@v5', parts: 2, given: {} },
};
const MANIFEST = 'package.json';

/** What perf-action runs on, as package.json says. */
const OURS = '>=20.3';
/** Versions of Node of which one fits a range that perf-action runs on, too. */
const NEWER = ['20.20', '22.99', '24.99', '26.99', '28.99'];
const LATEST = /^(lts\/\*|node|current)$/;
/** Names of lines, from Node 4 on. */
const LINES = 'argon boron carbon dubnium erbium fermium gallium hydrogen iron jod krypton'.split(' ');

/** @typedef {Partial<Written> & { folder: string }} Started */

/** The text of .github/workflows/perf.yml. @type {(sources: Sources, servers: Started[]) => string} */
export function workflowYml(sources, servers) {
  // `npm start` may run what npm does not bring.
  const commands = servers.flatMap(({ folder, install, build, setup, start, starts = [] }) => [
    ...[install, build, setup, start, ...starts, sources.get(posix.join(folder, MANIFEST))],
  ]);
  const [asked] = servers.flatMap(({ folder }) => nodeIn(sources, folder) ?? []);
  const setups = Object.entries(SETUPS).flatMap(([name, { uses, parts, given }]) => {
    // The version under which the server was tried, unless a file names another.
    const tried = servers.find(({ runtime }) => runtime?.replace(/\d$/, '') === name)?.version;
    const isAsked =
      name === 'node' && asked && !(asked.file.endsWith(MANIFEST) && isInRange(tried ?? '', asked.text));
    if (isAsked) return isOurs(asked) ? { uses, with: { 'node-version-file': asked.file } } : [];
    const version = tried?.split('.').slice(0, parts).join('.');
    return version ? { uses, with: { ...given, [`${name}-version`]: version } } : [];
  });
  const steps = [
    { uses: 'actions/checkout@v7', with: { 'persist-credentials': false } },
    ...setups,
    ...TOOLS.filter(([used]) => used.test(commands.join('\n'))).map(([, run]) => ({ run })),
    { uses: `${REPOSITORY}@v1`, with: { against: 'base' } },
  ];
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
${stringify(steps).replace(/^(?=.)/gm, '      ')}`;
}

/**
 * The nearest file that names a version of Node, else the package.json that asks for a range.
 * @type {(sources: Sources, folder: string) => { file: string, text: string } | undefined}
 */
function nodeIn(sources, folder) {
  const places = [folder, ...foldersAbove(folder)];
  const files = places.flatMap((place) => ['.nvmrc', '.node-version'].map((name) => posix.join(place, name)));
  return [...files, ...places.map((place) => posix.join(place, MANIFEST))].flatMap((file) => {
    const source = sources.get(file) ?? '';
    const text = file.endsWith(MANIFEST) ? Object(jsonIn(source)).engines?.node : source.trim();
    const line = LINES.indexOf(text?.replace('lts/', ''));
    return text ? { file, text: line < 0 ? text : `${4 + 2 * line}` } : [];
  })[0];
}

/** Whether perf-action runs on it, or on the newest that it may be, too. @param {{ text: string }} node */
function isOurs({ text }) {
  const isKnown = /^v?\d+(\.\d+)*$/.test(text) && isInRange(text.replace('v', ''), OURS);
  return isKnown || LATEST.test(text) || (/\d/.test(text) && NEWER.some((each) => isInRange(each, text)));
}

/** An older Node is the server's alone. @type {(sources: Sources, folder: string) => { node?: string }} */
export function ownNode(sources, folder) {
  const node = nodeIn(sources, folder);
  const version = /\d[\d.]*\d|\d/.exec(node?.text ?? '')?.[0] ?? '';
  return node && version && !isOurs(node) && isInRange(version, node.text) ? { node: version } : {};
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
