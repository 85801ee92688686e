#!/usr/bin/env node
/**
 * Stands in for GitHub's command line, in the commands that recipes use (https://cli.github.com/manual): it
 * knows their flags alone, wants a token and a repository, and keeps issues, labels and the tags of releases
 * in the file STAND_IN_ISSUES.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { GH_TOKEN, GH_REPO, STAND_IN_ISSUES: FILE = '' } = process.env;

/**
 * @typedef {{ number: number, state: 'open' | 'closed', labels: string[], title: string, bodies: string[] }}
 *   Issue
 */
/** @type {{ issues: Issue[], labels: string[], releases: string[] }} */
const state = {
  ...{ issues: [], labels: [], releases: [] },
  ...(existsSync(FILE) && JSON.parse(readFileSync(FILE, 'utf8'))),
};

const text = /** @type {const} */ ({ type: 'string' });
const COMMANDS = {
  'issue list': { options: { label: text, state: text, limit: text, json: text, jq: text }, run: list },
  'issue create': { options: { label: text, title: text, body: text }, run: create },
  'issue comment': { options: { body: text }, run: comment },
  'issue close': { options: { comment: text }, run: close },
  'release view': { options: { json: text, jq: text }, run: viewRelease },
  'label create': {
    options: { force: { type: /** @type {const} */ ('boolean') }, description: text, color: text },
    run: label,
  },
};

const [group = '', verb = '', ...args] = process.argv.slice(2);
const command = COMMANDS[/** @type {keyof typeof COMMANDS} */ (`${group} ${verb}`)];
if (!command) fail(`unknown command "${verb}" for "gh ${group}"`);
if (!GH_TOKEN)
  fail('To use GitHub CLI in a GitHub Actions workflow, set the GH_TOKEN environment variable.', 4);
if (!/^[\w.-]+\/[\w.-]+$/.test(GH_REPO ?? '')) fail('expected the "[HOST/]OWNER/REPO" format');
const { values, positionals } = parseArgs({ args, options: command.options, allowPositionals: true });
command.run(/** @type {Record<string, any>} */ (values), positionals[0] ?? '');
writeFileSync(FILE, JSON.stringify(state));

/** @param {Record<string, any>} flags */
function list({ label: wanted, state: open = 'open', limit = '30', json, jq }) {
  const issues = state.issues.filter(
    (issue) => (open === 'all' || issue.state === open) && (!wanted || issue.labels.includes(wanted)),
  );
  const fields = String(json).split(',');
  const shown = issues
    .slice(-Number(limit))
    .map((issue) => Object.fromEntries(Object.entries(issue).filter(([field]) => fields.includes(field))));
  process.stdout.write(execFileSync('jq', ['-r', jq], { input: JSON.stringify(shown) }));
}

/** @param {Record<string, any>} flags */
function create({ label: wanted, title, body }) {
  if (title === undefined || body === undefined)
    fail('must provide `--title` and `--body` when not running interactively');
  if (wanted && !state.labels.includes(wanted)) fail(`could not add label: '${wanted}' not found`);
  const number = state.issues.length + 1;
  state.issues.push({ number, state: 'open', labels: wanted ? [wanted] : [], title, bodies: [body] });
  process.stdout.write(`https://github.com/${GH_REPO}/issues/${number}\n`);
}

/** @type {(flags: Record<string, any>, number: string) => void} */
function comment({ body }, number) {
  issueOf(number).bodies.push(body);
}

/** @type {(flags: Record<string, any>, number: string) => void} */
function close({ comment: body }, number) {
  const issue = issueOf(number);
  if (body !== undefined) issue.bodies.push(body);
  issue.state = 'closed';
}

/** @type {(flags: Record<string, any>, name: string) => void} */
function label({ force }, name) {
  if (state.labels.includes(name) && !force)
    fail(`label with name "${name}" already exists; use \`--force\` to update its color and description`);
  if (!state.labels.includes(name)) state.labels.push(name);
}

/** The latest one. @param {Record<string, any>} flags */
function viewRelease({ json, jq }) {
  const tagName = state.releases.at(-1) ?? fail('release not found');
  if (json !== 'tagName') fail(`Unknown JSON field: "${json}"`);
  process.stdout.write(execFileSync('jq', ['-r', jq], { input: JSON.stringify({ tagName }) }));
}

/** @type {(number: string) => Issue} */
function issueOf(number) {
  const issue = state.issues.find((each) => each.number === Number(number));
  return issue ?? fail(`Could not resolve to an issue or pull request with the number of ${number}.`);
}

/** @type {(message: string, code?: number) => never} */
function fail(message, code = 1) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
