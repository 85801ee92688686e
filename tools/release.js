/**
 * Makes a release of this project: the changelog's next section becomes the notes of a tag, and the major
 * version's tag moves there. `node tools/release.js 1.2.3`, in a checkout of the default branch.
 */

import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { UserError } from '../scripts/model/errors.js';
import { git } from '../scripts/system/git.js';
import { readRepositoryName } from '../scripts/system/this-project.js';
import { openApi } from '../scripts/github/api.js';
import { withCredentials } from '../scripts/github/credentials.js';
import { isOfMain, readEvent } from '../scripts/github/event.js';
import { wrongAddresses } from './name.js';

const CHANGELOG = 'CHANGELOG.md';
const NEXT = '## Unreleased\n';
const VERSIONED = ['package.json', 'package-lock.json'];
const AUTHOR = [
  '-c',
  'user.name=github-actions[bot]',
  '-c',
  'user.email=github-actions[bot]@users.noreply.github.com',
];

/**
 * @param {string} changelog
 * @param {{ version: string, date: string }} release date: like 2026-01-31
 * @returns {{ changelog: string, notes: string }} the changelog with that section named, an empty next one
 *   above it
 * @throws {UserError} where there is nothing to release
 */
export function cutRelease(changelog, { version, date }) {
  const [before, after] = changelog.split(NEXT);
  const notes = (after ?? '').split(/^## /m)[0]?.trim();
  if (after === undefined || !notes) {
    throw new UserError(
      `${CHANGELOG}: there is nothing under "${NEXT.trim()}"; describe what changes for users`,
    );
  }
  return { changelog: `${before}${NEXT}\n## ${version} (${date})\n${after}`, notes };
}

/**
 * @param {string} version
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, date: string }} context
 * @returns {Promise<string>} the release's address
 * @throws {UserError} before anything was pushed; or where only the notes are missing, which it says
 */
async function release(version, { cwd, env, date }) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new UserError(`"${version}" is not a version like 1.2.3`);
  const { repository, apiUrl } = readEvent(env);
  const [owner = '', repo = ''] = repository?.split('/') ?? [];
  const token = env.PERF_GITHUB_TOKEN;
  if (!token || !repo) throw new UserError('no token: make releases with the workflow release.yml');
  if (!isOfMain(env))
    throw new UserError('releases are made from the default branch; run the workflow release.yml there');
  const [tag, major] = [`v${version}`, `v${version.split('.')[0]}`];
  const newest = newestOf(await git(cwd, ['ls-remote', '--refs', 'origin', `refs/tags/${major}.*`]));
  // Who names the major version gets what its tag points at: it may only go forward.
  if (newest && compareVersions(tag, newest) <= 0)
    throw new UserError(`${newest} already exists; choose a later version`);
  await requireOwnName(cwd, `${owner}/${repo}`);
  const branch = await git(cwd, ['rev-parse', '--abbrev-ref', 'HEAD']);
  const { changelog, notes } = cutRelease(readFileSync(`${cwd}/${CHANGELOG}`, 'utf8'), { version, date });
  writeFileSync(`${cwd}/${CHANGELOG}`, changelog);
  const bump = ['version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts'];
  await promisify(execFile)('npm', bump, { cwd });
  const files = [CHANGELOG, ...VERSIONED];
  await git(cwd, [...AUTHOR, 'commit', '--quiet', '--message', `chore(release): ${version}`, ...files]);
  await git(cwd, [...AUTHOR, 'tag', '--annotate', '--message', `${tag}\n\n${notes}`, tag]);
  await git(cwd, ['tag', '--force', major, `${tag}^{commit}`]);
  // All or nothing: a tag without its commit on the branch, or the other way round, would be hard to mend.
  const refs = [`HEAD:refs/heads/${branch}`, `refs/tags/${tag}`, `+refs/tags/${major}`];
  await git(cwd, ['push', '--quiet', '--atomic', 'origin', ...refs], {
    env: withCredentials(env),
  });
  const octokit = await openApi({ token, apiUrl });
  try {
    const what = { owner, repo, tag_name: tag, name: tag, body: notes };
    return (await octokit.rest.repos.createRelease(what)).data.html_url;
  } catch (error) {
    const { status, message } = /** @type {{ status?: number, message: string }} */ (error);
    const cause = status ? `${status}: ${message}` : message;
    throw new UserError(
      `${tag} is pushed, but its notes are not published (${cause}); gh release create ${tag} --notes-from-tag publishes them`,
    );
  }
}

/**
 * Users who copy a recipe of the release use the repository that it names.
 * @param {string} cwd
 * @param {string} repository
 */
async function requireOwnName(cwd, repository) {
  const name = readRepositoryName(cwd);
  if (name !== repository)
    throw new UserError(
      `package.json names ${name}, but this is ${repository}; run npm run name -- ${repository} and commit the result`,
    );
  const [wrong] = await wrongAddresses(cwd);
  if (wrong) throw new UserError(wrong);
}

/**
 * @param {string} url the release's
 * @returns {string} what no workflow can do
 */
function handwork(url) {
  return `${url} is published. Only a person can list it in the Marketplace: edit the release, tick "Publish this Action to the GitHub Marketplace", "Update release"; CONTRIBUTING.md lists the requirements.`;
}

/**
 * @param {string} listed as git ls-remote prints it
 * @returns {string | undefined}
 */
function newestOf(listed) {
  const tags = listed.split('\n').map((line) => line.split('refs/tags/')[1] ?? '');
  return tags
    .filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag))
    .sort(compareVersions)
    .at(-1);
}

/**
 * @param {string} a like v1.2.3
 * @param {string} b
 */
function compareVersions(a, b) {
  return a.localeCompare(b, 'en', { numeric: true });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    const date = new Date().toISOString().slice(0, 10);
    const [version = ''] = process.argv.slice(2);
    const text = handwork(await release(version, { cwd: process.cwd(), env: process.env, date }));
    console.log(text);
    if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, `${text}\n`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(`release: ${error.message}`);
    process.exitCode = 2;
  }
}
