/** perf.yml and .gitignore, as `init` writes them. @import { Written } from './candidates.js' */

import { isSeq, parseDocument, stringify } from 'yaml';
import { DEFAULT_RUNTIME } from '../deploy/runtimes.js';
import { DOCS, REPOSITORY } from '../system/this-project.js';

const SCHEMA = `https://raw.githubusercontent.com/${REPOSITORY}/v1/scripts/config/config.schema.json`;
export const HELP = `${DOCS}/perf-yml.md`;
export const TO_DO = '# To do: ';
const RESULTS = 'perf-results/';
const MOST_ROUTES = 20;

/** The text of perf.yml for at least one server. @type {(servers: Written[]) => string} */
export function perfYml(servers) {
  return withHead(servers.flatMap(serverLines));
}

/** The text of perf.yml: the servers' lines, and what follows them. @type {(lines: string[]) => string} */
export function withHead(lines) {
  const head = [
    `# yaml-language-server: $schema=${SCHEMA}`,
    `# What is measured, and how. Everything else has a default: ${HELP}`,
    'servers:',
  ];
  return [...head, ...lines, ''].join('\n');
}

/** Adds servers to a list that lacks their ids. @type {(text: string, servers: Written[]) => string} */
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

/** Keys that are written as they are. */
const WRITTEN = /** @type {const} */ (['node', 'install', 'build', 'setup', 'start', 'env', 'copy']);

/** @param {Written} server */
function serverLines(server) {
  const { id, folder, runtime, readyTimeout, needs, paths, starts = [] } = server;
  const manifest = {
    id,
    folder: folder === '' ? undefined : `./${folder}`,
    runtime: runtime === DEFAULT_RUNTIME ? undefined : runtime,
    ...Object.fromEntries(WRITTEN.map((key) => [key, server[key]])),
    ready: readyTimeout && { timeout: readyTimeout },
    needs: needs.length > 0 ? needs : undefined,
    paths: paths.length > 0 ? paths : undefined,
    routes: server.routes.map(({ toDo: _, ...route }) => route),
  };
  const [firstLine = '', ...lines] = stringify(manifest, { lineWidth: 0 }).trimEnd().split('\n');
  const others = server.otherRoutes.map(({ toDo, ...route }) => {
    const entry = stringify([route], { lineWidth: 0, collectionStyle: 'flow' }).trim();
    return `      # - ${entry.slice(1, -1).trim()}${toDo ? ` # to do: ${toDo}` : ''}`;
  });
  return [
    `  # ${server.evidence}${server.tried ? `; ${server.tried} when it was tried` : ''}.`,
    ...server.toDos.map((toDo) => `  ${TO_DO}${toDo}.`),
    `  - ${firstLine}`,
    ...starts.map((command) => `    # start: ${command}`),
    ...(server.login
      ? [`    # before: { path: ${server.login}, method: POST, body: {}, token: { json: token } }`]
      : []),
    ...lines.map((line) => `    ${line}`),
    ...(others.length > 0 ? ['      # There are also these; all that are measured share the time:'] : []),
    ...others.slice(0, MOST_ROUTES),
    ...(others.length > MOST_ROUTES ? [`      # ... and ${others.length - MOST_ROUTES} more.`] : []),
  ];
}

/** Adds a line that ignores the results to a .gitignore, or to ''. @type {(text: string) => string} */
export function gitignore(text) {
  if (/^\/?perf-results\/?\s*$/m.test(text)) return text;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${RESULTS}\n`;
}

/** What the author of perf.yml should look at. @type {(text: string) => { line: number, what: string }[]} */
export function toDosIn(text) {
  return text.split('\n').flatMap((line, index) => {
    const start = line.indexOf(TO_DO);
    return start < 0 ? [] : [{ line: index + 1, what: line.slice(start + TO_DO.length) }];
  });
}
