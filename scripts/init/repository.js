/**
 * Reads what tells of a repository's servers: manifests and sources, and no more than that.
 * @import { Sources } from './types.js'
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Folders with what others wrote, or tools made. */
const FOREIGN = new Set(['node_modules', 'vendor', 'dist', 'build', 'target', 'coverage', 'test', 'tests']);
const MANIFESTS =
  /^(package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|pnpm-workspace\.yaml|pom\.xml|mvnw|build\.gradle(\.kts)?|settings\.gradle(\.kts)?|gradlew|go\.mod|composer\.json|Dockerfile|\.nvmrc|\.node-version|www)$/;
const SOURCES = /\.(m?[jt]s|cjs|cts|mts|java|kt|go|php|properties)$/;
/** Nobody writes longer files by hand. */
const LONGEST_BYTES = 300_000;
/** In a larger repository what comes later is not looked at; manifests lie near the top. */
const MOST_FILES = 3000;

/**
 * @param {string} root
 * @returns {Sources} the upper folders first; of a lock file only that it is there
 */
export function readRepository(root) {
  /** @type {Sources} */
  const sources = new Map();
  const folders = [''];
  for (const folder of folders) {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isDirectory() && !FOREIGN.has(entry.name) && !entry.name.startsWith('.')) folders.push(path);
      if (entry.isFile() && sources.size < MOST_FILES) {
        const text = textOf(join(root, path), entry.name);
        if (text !== undefined) sources.set(path, text);
      }
    }
  }
  return sources;
}

/**
 * @param {string} file
 * @param {string} name
 */
function textOf(file, name) {
  if (!MANIFESTS.test(name) && !SOURCES.test(name)) return undefined;
  return statSync(file).size > LONGEST_BYTES ? '' : readFileSync(file, 'utf8');
}
