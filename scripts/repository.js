/** Where this project lies, and where it is published: package.json says it, and `npm run name` writes it wherever people read it. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of this program's own servers, profiles and scripts. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** OWNER/REPO */
export const REPOSITORY = readRepositoryName(ROOT);

/**
 * @param {string} root of a checkout of this project
 * @returns {string} OWNER/REPO
 */
export function readRepositoryName(root) {
  return JSON.parse(readFileSync(`${root}/package.json`, 'utf8')).repository.replace(/^github:/, '');
}
