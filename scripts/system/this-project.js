/**
 * This process, and this project's folder, name and version. `npm run name` copies package.json's name to
 * where it is read.
 * @import { Caller } from '../types.js'
 */

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The folder with servers, presets and scripts. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** OWNER/REPO */
export const REPOSITORY = readRepositoryName(ROOT);

/** The documentation of this version's line. */
export const DOCS = `https://github.com/${REPOSITORY}/blob/v1/docs`;

/** @type {string} */
export const VERSION = readManifest(ROOT).version;

/** OWNER/REPO of a checkout. @type {(root: string) => string} */
export function readRepositoryName(root) {
  return readManifest(root).repository.replace(/^github:/, '');
}

/** @param {string} root */
function readManifest(root) {
  return JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
}

/** @returns {Caller} this process; only entry points ask for it, and pass it on */
export function thisProcess() {
  return { environment: process.env, folder: process.cwd(), cores: availableParallelism() };
}
