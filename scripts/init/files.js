/**
 * perf.yml and .gitignore, as `init` writes them.
 * @import { Candidate } from './types.js'
 */

import { isSeq, parseDocument, stringify } from 'yaml';
import { DEFAULT_RUNTIME } from '../deploy/runtimes.js';
import { REPOSITORY } from '../system/repository.js';

const SCHEMA = `https://raw.githubusercontent.com/${REPOSITORY}/v1/scripts/config/config.schema.json`;
export const DOCS = `https://github.com/${REPOSITORY}/blob/v1/docs`;
/** The manual of perf.yml. */
export const HELP = `${DOCS}/perf-yml.md`;
/** Begins a line that its author has to look at. */
const TO_DO = '# To do: ';
const RESULTS = 'perf-results/';

/** @param {Candidate[]} servers at least one @returns {string} perf.yml */
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
 * @param {Candidate[]} servers
 * @returns {string} with the servers whose ids it lacks; unchanged if it has no list of servers
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

/** @param {Candidate} server */
function serverLines({
  id,
  evidence,
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
  toDos,
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
    `  # ${evidence}${route.declaredAt ? `; the route is from ${route.declaredAt}` : ''}.`,
    ...toDos.map((toDo) => `  ${TO_DO}${toDo}.`),
    `  - ${firstLine}`,
    ...lines.map((line) => `    ${line}`),
  ];
}

/** @param {Candidate['route']} route */
function requestOf({ declaredAt: _, isDoubtful: __, ...request }) {
  return request;
}

/**
 * @param {string} text of .gitignore, '' if there is none
 * @returns {string | undefined} with the results in it; undefined if they are there already
 */
export function gitignore(text) {
  if (/^\/?perf-results\/?\s*$/m.test(text)) return undefined;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${RESULTS}\n`;
}

/**
 * @param {string} text of perf.yml
 * @returns {{ line: number, what: string }[]} what its author still has to look at
 */
export function toDosIn(text) {
  return text.split('\n').flatMap((line, index) => {
    const start = line.indexOf(TO_DO);
    return start < 0 ? [] : [{ line: index + 1, what: line.slice(start + TO_DO.length) }];
  });
}
