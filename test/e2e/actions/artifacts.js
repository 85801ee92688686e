/** Artifacts as the real actions name, root and unpack them, by the service that act runs. */

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import picomatch from 'picomatch';
import { fromBufferPromise } from 'yauzl';
import { zip } from './zip.js';

const {
  ACTIONS_RESULTS_URL: RESULTS_URL = '',
  ACTIONS_RUNTIME_TOKEN: RUNTIME_TOKEN = '',
  GITHUB_REPOSITORY: REPOSITORY = '',
  GITHUB_RUN_ID: RUN_ID = '',
  GITHUB_SERVER_URL: SERVER_URL = 'https://github.com',
  GITHUB_WORKSPACE: WORKSPACE = '',
} = process.env;

/** @typedef {import('./behaviours.js').Values} Values */

/** @type {(given: Values) => Promise<Values>} */
export async function upload({ name = 'artifact', path = '', ...options }) {
  if (/["\\/:<>|*?\r\n]/.test(name)) throw new Error(`the artifact name is not valid: ${name}`);
  const patterns = path
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => resolve(WORKSPACE, line));
  const roots = outermost(patterns.map(searchPathOf));
  const isWanted = picomatch(patterns.flatMap((pattern) => [pattern, `${pattern}/**`]));
  const files = roots
    .flatMap((root) => filesAt(root, options['include-hidden-files'] === 'true'))
    .filter((file) => isWanted(file));
  if (files.length === 0) {
    const { 'if-no-files-found': reaction = 'warn' } = options;
    if (reaction === 'error') throw new Error(`no files were found with the provided path: ${path}`);
    process.stdout.write(`::warning::No files were found with the provided path: ${path}\n`);
    return {};
  }
  refuseOwnServers();
  if ((await list()).some((each) => each.name === name) && options.overwrite !== 'true')
    throw new Error(`409: an artifact with the name ${name} exists already`);
  const root = rootOf(roots, files);
  const archive = zip(files.map((file) => ({ name: relative(root, file), data: readFileSync(file) })));
  const { signedUploadUrl } = await call('CreateArtifact', { name, version: 4 });
  for (const step of ['comp=block', 'comp=blocklist']) {
    const answer = await fetch(`${signedUploadUrl}&${step}`, {
      method: 'PUT',
      body: step === 'comp=block' ? archive : '',
    });
    if (answer.status !== 201) throw new Error(`upload: ${answer.status}`);
  }
  const { artifactId } = await call('FinalizeArtifact', { name, size: String(archive.length) });
  const url = `https://github.com/${REPOSITORY}/actions/runs/${RUN_ID}/artifacts/${artifactId}`;
  return { 'artifact-id': artifactId, 'artifact-url': url };
}

/** @type {(given: Values) => Promise<Values>} */
export async function download({ name, pattern = '*', path = '.', 'merge-multiple': merge, ...options }) {
  const { 'run-id': from, 'github-token': token } = options;
  if (from !== undefined && token === undefined)
    throw new Error('run-id needs github-token, to download from another run');
  const isWanted = name === undefined ? picomatch(pattern) : (/** @type {string} */ each) => each === name;
  refuseOwnServers();
  const found = (await list(from)).filter((each) => isWanted(each.name));
  if (name !== undefined && found.length === 0) throw new Error(`artifact ${name} not found`);
  const target = resolve(WORKSPACE, path);
  const isFlat = merge === 'true' || found.length === 1;
  for (const artifact of found) {
    const { signedUrl } = await call('GetSignedArtifactURL', { name: artifact.name }, from);
    const archive = Buffer.from(await (await fetch(signedUrl)).arrayBuffer());
    if (options['skip-decompress'] === 'true') {
      const folder = join(target, isFlat ? '' : artifact.name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${artifact.name}.zip`), archive);
      continue;
    }
    const opened = await fromBufferPromise(archive);
    for await (const entry of opened.eachEntry()) {
      const file = join(target, isFlat ? '' : artifact.name, entry.fileName);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, await buffer(await opened.openReadStreamPromise(entry)));
    }
  }
  return { 'download-path': target };
}

function refuseOwnServers() {
  if (/(^github\.com|\.ghe\.com|\.localhost)$/i.test(new URL(SERVER_URL).hostname)) return;
  throw new Error(
    '@actions/artifact v2.0.0+, upload-artifact@v4+ and download-artifact@v4+ are not currently supported on GHES.',
  );
}

/**
 * Up to the first part with a wildcard.
 * @param {string} pattern absolute
 */
function searchPathOf(pattern) {
  const parts = pattern.split(sep);
  const wild = parts.findIndex((part) => /[*?[]/.test(part));
  return wild < 0 ? pattern : parts.slice(0, wild).join(sep);
}

/** Each once, without those that lie in another of them. @type {(paths: string[]) => string[]} */
function outermost(paths) {
  const each = [...new Set(paths)];
  return each.filter((path) => !each.some((other) => path.startsWith(`${other}${sep}`)));
}

/**
 * @param {string[]} roots where it was searched, whether anything was found there or not
 * @param {string[]} files
 * @returns {string} what the names in the artifact are relative to
 */
function rootOf(roots, files) {
  const [first = '', ...others] = roots;
  if (others.length === 0) return files.length === 1 && files[0] === first ? dirname(first) : first;
  const parts = first.split(sep);
  const split = roots.map((root) => root.split(sep));
  const apart = parts.findIndex((part, place) => split.some((path) => path[place] !== part));
  return parts.slice(0, apart < 0 ? parts.length : apart).join(sep);
}

/** @type {(path: string, withHidden: boolean) => string[]} */
function filesAt(path, withHidden) {
  if (!existsSync(path)) return [];
  const isHidden = (/** @type {string} */ file) =>
    relative(dirname(path), file)
      .split(sep)
      .some((part) => part.startsWith('.'));
  const all = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
    : [path];
  return all.filter((file) => statSync(file).isFile() && (withHidden || !isHidden(file)));
}

/**
 * The service that act runs breaks off where it has no artifact yet; the site's answers with none.
 * @param {string} [from] the id of the run, where it is another one
 * @returns {Promise<{ name: string }[]>}
 */
async function list(from) {
  const { artifacts = [] } = await call('ListArtifacts', {}, from).catch((error) => {
    if (error.message !== 'fetch failed') throw error;
    return {};
  });
  return artifacts;
}

/**
 * @param {string} method
 * @param {Record<string, unknown>} request
 * @param {string} [from] the id of another run
 * @returns {Promise<any>}
 */
async function call(method, request, from) {
  const [, claims = ''] = RUNTIME_TOKEN.split('.');
  const { scp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const [, run, job] = /Actions\.Results:(\d+):(\d+)/.exec(scp) ?? [];
  const answer = await fetch(
    new URL(`twirp/github.actions.results.api.v1.ArtifactService/${method}`, RESULTS_URL),
    {
      method: 'POST',
      headers: { authorization: `Bearer ${RUNTIME_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ workflowRunBackendId: from ?? run, workflowJobRunBackendId: job, ...request }),
    },
  );
  if (!answer.ok) throw new Error(`${method}: ${answer.status}`);
  return answer.json();
}
