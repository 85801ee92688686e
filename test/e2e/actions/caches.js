/** Caches as the real action keys, finds and unpacks them, in a folder that several runs share. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';

const {
  GITHUB_EVENT_PATH: EVENT = '',
  GITHUB_REF: REF = '',
  GITHUB_WORKSPACE: WORKSPACE = '',
  STAND_IN_CACHES: CACHES = '',
} = process.env;

/** @typedef {import('./behaviours.js').Values} Values */
/** @typedef {{ key: string, version: string, ref: string, archive: string }} Entry */

/** @type {(given: Values) => Values} */
export function restore({ path = '', key = '', 'restore-keys': more = '' }) {
  const keys = [key, ...linesOf(more)];
  keys.forEach(requireKey);
  const main = JSON.parse(readFileSync(EVENT, 'utf8')).repository?.default_branch;
  const refs = [REF, `refs/heads/${main}`];
  const all = entries().filter((entry) => entry.version === versionOf(path) && refs.includes(entry.ref));
  const found =
    all.find((entry) => entry.key === key) ??
    keys.flatMap((prefix) => all.filter((entry) => entry.key.startsWith(prefix)).toReversed())[0];
  if (!found) return {};
  execFileSync('tar', ['-xPf', found.archive, '-C', WORKSPACE]);
  return { 'cache-hit': String(found.key === key), 'cache-primary-key': key, 'cache-matched-key': found.key };
}

/** @param {Values} given */
export function save({ path = '', key = '' }) {
  requireKey(key);
  const folders = linesOf(path)
    .map((line) => relative(WORKSPACE, resolve(WORKSPACE, line.replace(/^~/, homedir()))))
    .filter((folder) => existsSync(join(WORKSPACE, folder)));
  const version = versionOf(path);
  const isTaken = entries().some((entry) => entry.key === key && entry.version === version);
  if (isTaken || folders.length === 0) {
    process.stdout.write(`::warning::Cache save failed: ${isTaken ? `${key} exists` : `no ${path}`}\n`);
    return;
  }
  mkdirSync(CACHES, { recursive: true });
  const place = join(CACHES, String(entries().length).padStart(4, '0'));
  execFileSync('tar', ['-cPf', `${place}.tar`, '-C', WORKSPACE, ...folders]);
  writeFileSync(`${place}.json`, JSON.stringify({ key, version, ref: REF, archive: `${place}.tar` }));
}

/** @returns {Entry[]} the oldest first */
function entries() {
  if (!existsSync(CACHES)) return [];
  const files = readdirSync(CACHES).filter((name) => name.endsWith('.json'));
  return files.sort().map((name) => JSON.parse(readFileSync(join(CACHES, name), 'utf8')));
}

/** @param {string} key */
function requireKey(key) {
  if (key.length > 512 || key.includes(',')) throw new Error(`Key Validation Error: ${key}`);
}

/** @param {string} path as it was given, whatever it stands for on this machine */
function versionOf(path) {
  return createHash('sha256')
    .update([...linesOf(path), 'zstd', '1.0'].join('|'))
    .digest('hex');
}

/** @param {string} text */
function linesOf(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
