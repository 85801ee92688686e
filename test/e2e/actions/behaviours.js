/** What stand-ins do beyond taking notes: check out from folders, and speak to the artifact service that act runs. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { zip } from './zip.js';

const {
  ACTIONS_RESULTS_URL: RESULTS_URL = '',
  ACTIONS_RUNTIME_TOKEN: RUNTIME_TOKEN = '',
  GITHUB_OUTPUT: OUTPUT = '',
  GITHUB_REPOSITORY: REPOSITORY = '',
  GITHUB_RUN_ID: RUN_ID = '',
  GITHUB_WORKSPACE: WORKSPACE = '',
  STAND_IN_REPOSITORIES: REPOSITORIES = '{}',
} = process.env;

/** @type {Record<string, (given: Record<string, string>) => Promise<void> | void>} */
export const BEHAVIOURS = {
  'actions/checkout': checkout,
  'actions/upload-artifact': upload,
  'actions/download-artifact': download,
};

/** @param {Record<string, string>} given */
function checkout({ repository = REPOSITORY, ref, path = '.' }) {
  const source = JSON.parse(REPOSITORIES)[repository];
  if (!source) throw new Error(`there is no repository ${repository}`);
  const target = join(WORKSPACE, path);
  cpSync(source, target, { recursive: true });
  if (repository === REPOSITORY && ref) execFileSync('git', ['checkout', '-q', ref], { cwd: target });
}

/** @param {Record<string, string>} given */
async function upload({ name = 'artifact', path = '' }) {
  const files = path
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .flatMap((line) => filesAt(resolve(WORKSPACE, line)));
  if (files.length === 0) return;
  const root = files.map((file) => dirname(file)).reduce((a, b) => (a.length <= b.length ? a : b));
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
  writeFileSync(OUTPUT, `artifact-id=${artifactId}\nartifact-url=${url}\n`, { flag: 'a' });
}

/** @param {Record<string, string>} given */
async function download({ pattern = '*', path = '.' }) {
  const { artifacts = [] } = await call('ListArtifacts', {});
  for (const { name } of artifacts) {
    if (!name.startsWith(pattern.replace(/\*$/, ''))) continue;
    const { signedUrl } = await call('GetSignedArtifactURL', { name });
    const archive = Buffer.from(await (await fetch(signedUrl)).arrayBuffer());
    const opened = await fromBufferPromise(archive);
    for await (const entry of opened.eachEntry()) {
      const file = join(WORKSPACE, path, name, entry.fileName);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, await buffer(await opened.openReadStreamPromise(entry)));
    }
  }
}

/**
 * @param {string} method
 * @param {Record<string, unknown>} request
 * @returns {Promise<any>}
 */
async function call(method, request) {
  const [, claims = ''] = RUNTIME_TOKEN.split('.');
  const { scp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const [, run, job] = /Actions\.Results:(\d+):(\d+)/.exec(scp) ?? [];
  const answer = await fetch(
    new URL(`twirp/github.actions.results.api.v1.ArtifactService/${method}`, RESULTS_URL),
    {
      method: 'POST',
      headers: { authorization: `Bearer ${RUNTIME_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ workflowRunBackendId: run, workflowJobRunBackendId: job, ...request }),
    },
  );
  if (!answer.ok) throw new Error(`${method}: ${answer.status}`);
  return answer.json();
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesAt(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());
}
