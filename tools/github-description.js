/**
 * `node tools/github-description.js`: writes the part of GitHub's description of its API that the tests'
 * stand-in answers, into test/data/api/github.json. The package with the whole description takes 394 MB.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = '@octokit/openapi@23.0.2';
const FILE = new URL('../test/data/api/github.json', import.meta.url);

/** What test/e2e/api answers. */
const OPERATIONS = [
  'get /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}',
  'get /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts',
  'get /repos/{owner}/{repo}/collaborators/{username}/permission',
  'get /repos/{owner}/{repo}/commits/{commit_sha}/pulls',
  'get /repos/{owner}/{repo}/commits/{ref}',
  'get /repos/{owner}/{repo}/compare/{basehead}',
  'get /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'post /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'get /repos/{owner}/{repo}/issues/{issue_number}/events',
  'get /repos/{owner}/{repo}/issues/{issue_number}/labels',
  'patch /repos/{owner}/{repo}/issues/comments/{comment_id}',
  'delete /repos/{owner}/{repo}/issues/comments/{comment_id}',
  'post /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
  'get /repos/{owner}/{repo}/pulls',
  'get /repos/{owner}/{repo}/pulls/{pull_number}',
  'post /repos/{owner}/{repo}/releases',
];
/** What test/e2e/api fills in and answers with. */
const EXAMPLES = [
  'artifact-paginated',
  'commit',
  'commit-comparison',
  'issue-event-for-issue-items',
  'label-items',
  'pull-request',
  'pull-request-simple-items',
  'reaction',
  'release',
  'repository-collaborator-permission-response-if-user-has-admin-permissions',
];
/** Of these, nothing is checked; examples are named one by one. */
const LEFT_OUT = new Set([
  'callbacks',
  'description',
  'example',
  'examples',
  'externalDocs',
  'operationId',
  'summary',
  'tags',
  'x-github',
]);

/**
 * @param {any} whole
 * @returns {object} with what the operations refer to
 */
function extractOf(whole) {
  /** @type {any} */
  const extract = { paths: {}, components: {} };
  const include = (/** @type {string} */ reference) => {
    const [, , kind = '', name = ''] = reference.split('/');
    extract.components[kind] ??= {};
    if (name in extract.components[kind]) return;
    extract.components[kind][name] = true;
    extract.components[kind][name] = copied(whole.components[kind][name]);
  };
  /** @type {(value: any, isNamed?: boolean) => any} */
  const copied = (value, isNamed = false) => {
    if (Array.isArray(value)) return value.map((item) => copied(item));
    if (typeof value !== 'object' || value === null) return value;
    if (typeof value.$ref === 'string') include(value.$ref);
    // A property may have one of these names.
    const kept = Object.entries(value).filter(([key]) => isNamed || !LEFT_OUT.has(key));
    return Object.fromEntries(kept.map(([key, item]) => [key, copied(item, key === 'properties')]));
  };
  for (const operation of OPERATIONS) {
    const [method = '', path = ''] = operation.split(' ');
    (extract.paths[path] ??= {})[method] = copied(whole.paths[path][method]);
  }
  const examples = EXAMPLES.map((name) => [name, { value: whole.components.examples[name].value }]);
  extract.components.examples = Object.fromEntries(examples);
  return extract;
}

/**
 * @param {any} extract
 * @returns {string} JSON with a line for each path and component, as changes are read best
 */
function linesOf({ paths, components }) {
  const partOf = (/** @type {object} */ record) =>
    Object.entries(record)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(',\n');
  const kinds = Object.entries(components).map(([kind, record]) => `"${kind}":{\n${partOf(record)}\n}`);
  return `{"paths":{\n${partOf(paths)}\n},\n"components":{\n${kinds.join(',\n')}\n}}\n`;
}

const folder = mkdtempSync(join(tmpdir(), 'perf-action-'));
try {
  execFileSync('npm', ['pack', '--silent', PACKAGE], { cwd: folder });
  const member = 'package/generated/api.github.com.json';
  execFileSync('sh', ['-c', `tar -xzf *.tgz ${member}`], { cwd: folder });
  const whole = JSON.parse(readFileSync(join(folder, member), 'utf8'));
  writeFileSync(FILE, linesOf(extractOf(whole)));
} finally {
  rmSync(folder, { recursive: true });
}
