/**
 * The files that init writes, as text.
 * @import { Found, Sources } from './types.js'
 */

import { isSeq, parseDocument, stringify } from 'yaml';
import { DEFAULT_RUNTIME } from '../deploy/runtimes.js';
import { REPOSITORY } from '../system/repository.js';

const SCHEMA = `https://raw.githubusercontent.com/${REPOSITORY}/v1/scripts/config/config.schema.json`;
const DOCS = `https://github.com/${REPOSITORY}/blob/v1/docs`;
/** Where people read what perf.yml may say. */
export const HELP = `${DOCS}/perf-yml.md`;
/** How a line begins that waits for the author. */
const TO_DO = '# To do: ';
const RESULTS = 'perf-results/';

/**
 * @param {Found[]} servers at least one
 * @returns {string} perf.yml
 */
export function perfYml(servers) {
  const head = [
    `# yaml-language-server: $schema=${SCHEMA}`,
    `# What is measured, and how. Everything else has a default: ${HELP}`,
    'servers:',
  ];
  return [...head, ...servers.flatMap(serverLines), ''].join('\n');
}

/**
 * @param {string} text of a perf.yml
 * @param {Found[]} servers
 * @returns {string} the same with those whose ids it lacks; as it is where it has no list of servers
 */
export function withServers(text, servers) {
  const document = parseDocument(text);
  const list = document.get('servers');
  if (document.errors.length > 0 || !isSeq(list)) return text;
  const known = list.toJSON().map((/** @type {any} */ server) => server?.id);
  const missing = servers.filter(({ id }) => !known.includes(id));
  if (missing.length === 0) return text;
  const added = parseDocument(perfYml(missing)).get('servers');
  if (isSeq(added)) list.items.push(...added.items);
  return document.toString({ lineWidth: 0 });
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
  copy,
  readyTimeout,
  needs,
  route,
  paths,
  doubts,
}) {
  const manifest = {
    id,
    ...(folder && { folder: `./${folder}` }),
    ...(runtime !== DEFAULT_RUNTIME && { runtime }),
    ...(install && { install }),
    ...(build && { build }),
    start,
    ...(env && { env }),
    ...(copy && { copy }),
    ...(readyTimeout && { ready: { timeout: readyTimeout } }),
    ...(needs.length > 0 && { needs }),
    ...(paths.length > 0 && { paths }),
    routes: [requestOf(route)],
  };
  const [firstLine = '', ...lines] = stringify(manifest, { lineWidth: 0 }).trimEnd().split('\n');
  return [
    `  # ${seen}; ${route.at ? `the route is from ${route.at}` : 'no route found in the sources, so / is a guess'}.`,
    ...doubts.map((doubt) => `  ${TO_DO}${doubt}.`),
    `  - ${firstLine}`,
    ...lines.map((line) => `    ${line}`),
  ];
}

/** @param {Found['route']} route */
function requestOf({ at: _, ...request }) {
  return request;
}

/**
 * @param {string} text of .gitignore, '' where there is none
 * @returns {string | undefined} with the results in it; undefined where they are there already
 */
export function gitignore(text) {
  if (/^\/?perf-results\/?\s*$/m.test(text)) return undefined;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${RESULTS}\n`;
}

/**
 * @param {string} text of perf.yml
 * @returns {{ line: number, what: string }[]} what still waits for its author
 */
export function toDosIn(text) {
  return text.split('\n').flatMap((line, index) => {
    const at = line.indexOf(TO_DO);
    return at < 0 ? [] : [{ line: index + 1, what: line.slice(at + TO_DO.length) }];
  });
}

/**
 * @param {Sources} sources
 * @returns {string} .github/workflows/perf.yml
 */
export function workflowYml(sources) {
  const version = ['.nvmrc', '.node-version'].find((file) => sources.has(file));
  const corepack =
    sources.has('pnpm-lock.yaml') || /"packageManager"/.test(sources.get('package.json') ?? '');
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
    ? `      - uses: actions/setup-node@v6
        with:
          node-version-file: ${version}
`
    : ''
}${corepack ? '      - run: corepack enable\n' : ''}      - uses: ${REPOSITORY}@v1
        with:
          against: base
`;
}
