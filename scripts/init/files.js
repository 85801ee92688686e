/**
 * The files that init writes, as text.
 * @import { Found, Sources } from './types.js'
 */

import { stringify } from 'yaml';

const SCHEMA = 'https://raw.githubusercontent.com/org/perf-action/v1/scripts/plan/config.schema.json';
const HELP = 'https://github.com/org/perf-action/blob/v1/docs/perf-yml.md';

/**
 * @param {Found[]} servers at least one
 * @returns {string} perf.yml
 */
export function perfYml(servers) {
  const head = [
    `# yaml-language-server: $schema=${SCHEMA}`,
    `# What is measured, and how; everything that is not here has a default: ${HELP}`,
    'servers:',
  ];
  return [...head, ...servers.flatMap(serverLines), ''].join('\n');
}

/** @param {Found} server */
function serverLines({
  id,
  seen,
  folder,
  runtime,
  install,
  build,
  start,
  env,
  readyTimeout,
  needs,
  route,
  paths,
  doubts,
}) {
  const manifest = {
    id,
    ...(folder && { folder: `./${folder}` }),
    ...(runtime !== 'node' && { runtime }),
    ...(install && { install }),
    ...(build && { build }),
    start,
    ...(env && { env }),
    ...(readyTimeout && { ready: { timeout: readyTimeout } }),
    ...(needs.length > 0 && { needs }),
    ...(paths.length > 0 && { paths }),
    routes: [{ path: route.path }],
  };
  const [firstLine = '', ...lines] = stringify(manifest, { lineWidth: 0 }).trimEnd().split('\n');
  return [
    `  # ${seen}; ${route.at ? `the route is from ${route.at}` : 'no route was found in the sources, so / is a guess'}.`,
    ...doubts.map((doubt) => `  # To do: ${doubt}.`),
    `  - ${firstLine}`,
    ...lines.map((line) => `    ${line}`),
  ];
}

/**
 * @param {Sources} sources
 * @returns {string} .github/workflows/perf.yml
 */
export function workflowYml(sources) {
  const version = ['.nvmrc', '.node-version'].find((file) => sources.has(file));
  const corepack =
    sources.has('pnpm-lock.yaml') || /"packageManager"/.test(sources.get('package.json') ?? '');
  return `# Measures every pull request against the commit it branched off, side by side on one machine, and comments.
# A pull request from a fork gets a job summary instead: for comments there, see docs/recipes of perf-action.
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
    ? `      - uses: actions/setup-node@v6
        with:
          node-version-file: ${version}
`
    : ''
}${corepack ? '      - run: corepack enable\n' : ''}      - uses: org/perf-action@v1
        with:
          against: base
`;
}
