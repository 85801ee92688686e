/**
 * An artifact that a stranger's code may have written: fetched and read as untrusted data. Nothing is
 * unpacked to a path from it, and everything that is read is bounded.
 * @import { Octokit } from '../api.js'
 */

import { constants, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { UserError } from '../../model/errors.js';

/** A run of a hundred cases with many starts has some megabytes, and packs to a tenth. */
const LARGEST_ARCHIVE = 16 * 2 ** 20;
const LARGEST_FILE = 16 * 2 ** 20;
/** Reading and judging a run must not exhaust the machine's memory. */
export const BOUNDS = { bytes: LARGEST_FILE, values: 1_000_000, depth: 50 };
/** Results hold a handful. */
const MOST_FILES = 100;

const { S_IFDIR, S_IFMT, S_IFREG } = constants;

/**
 * The latest artifact of that name; undefined: the run left none.
 * @type {(octokit: Octokit, which: { owner: string, repo: string, runId: number, name: string }) =>
 *   Promise<{ id: number, archive: Buffer } | undefined>}
 * @throws {UserError} where it is larger than any result
 */
export async function fetchArtifact(octokit, { owner, repo, runId, name }) {
  const { data } = await octokit.rest.actions.listWorkflowRunArtifacts({ owner, repo, run_id: runId, name });
  const [artifact] = data.artifacts
    .filter(
      (candidate) => candidate.name === name && !candidate.expired && candidate.workflow_run?.id === runId,
    )
    .sort((a, b) => b.id - a.id);
  if (!artifact) return undefined;
  requireSmall(artifact.size_in_bytes);
  // Follow the redirect by hand: the storage must not get the token.
  const { headers } = await octokit.rest.actions.downloadArtifact({
    owner,
    repo,
    artifact_id: artifact.id,
    archive_format: 'zip',
    request: { redirect: 'manual' },
  });
  const response = await fetch(String(headers.location), { signal: AbortSignal.timeout(60_000) });
  if (!response.ok || !response.body)
    throw new Error(`the storage responded with ${response.status} for artifact ${artifact.id}`);
  return { id: artifact.id, archive: await readSmall(response.body) };
}

/** @param {number} bytes */
function requireSmall(bytes) {
  if (bytes <= LARGEST_ARCHIVE) return;
  throw rejected(`it has ${bytes} bytes, more than ${LARGEST_ARCHIVE}`);
}

/**
 * The wanted files in a zip file, by name; others are skipped.
 * @type {(archive: Buffer, names: readonly string[]) => Promise<Map<string, Buffer>>}
 * @throws {UserError} for what no honest run leaves: links, paths that lead out, duplicates, excessive sizes
 */
export async function readFiles(archive, names) {
  /** @type {Map<string, Buffer>} */
  const files = new Map();
  try {
    const opened = await fromBufferPromise(archive);
    if (opened.entryCount > MOST_FILES) throw rejected(`it has ${opened.entryCount} files`);
    for await (const entry of opened.eachEntry()) {
      requirePlain(entry);
      if (!names.includes(entry.fileName)) continue;
      if (files.has(entry.fileName)) throw rejected(`it has ${entry.fileName} twice`);
      // The library ends a stream that is longer than its entry declares.
      files.set(entry.fileName, await buffer(await opened.openReadStreamPromise(entry)));
    }
    return files;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw rejected(`it is not a readable zip file: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * @param {string} folder holds archives as they were downloaded, at any depth; it may be missing
 * @param {readonly string[]} names the wanted files; others are skipped
 * @param {string} part of the names of the archives that are read
 * @yields {[name: string, content: Buffer]} holding one archive at a time
 * @returns {AsyncGenerator<[name: string, content: Buffer]>}
 * @throws {UserError} as readFiles does, and where two archives have the same file
 */
export async function* readArchives(folder, names, part) {
  const seen = new Set();
  const paths = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  for (const file of paths.filter((path) => path.includes(part)).map((path) => join(folder, path))) {
    const stats = lstatSync(file);
    if (!stats.isFile()) continue;
    requireSmall(stats.size);
    for (const [name, content] of await readFiles(readFileSync(file), names)) {
      if (seen.has(name)) throw rejected(`another one has ${name} as well`);
      seen.add(name);
      yield [name, content];
    }
  }
}

/** The library has already refused names that lead out of a folder. @param {import('yauzl').Entry} entry */
function requirePlain({ fileName, externalFileAttributes, uncompressedSize }) {
  const type = (externalFileAttributes >>> 16) & S_IFMT;
  if (![0, S_IFREG, S_IFDIR].includes(type)) throw rejected(`${quoted(fileName)} is not a regular file`);
  if (uncompressedSize > LARGEST_FILE)
    throw rejected(`${quoted(fileName)} has ${uncompressedSize} bytes or more once unpacked`);
}

/**
 * The archive may be larger than the API says.
 * @type {(stream: AsyncIterable<Uint8Array>) => Promise<Buffer>}
 */
async function readSmall(stream) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    requireSmall(bytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @param {string} why */
export function rejected(why) {
  return new UserError(`the artifact was rejected: ${why}; none of it was used`);
}

/** @param {string} name */
function quoted(name) {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}
