/**
 * Reads what tells of a repository's servers: manifests and sources, and no more than that.
 * @import { Sources } from './types.js'
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readStart } from '../system/bounded-file.js';
import { codeOf } from './routes/code.js';

/** Folders with what others wrote, tools made, or nobody serves. */
const FOREIGN =
  /^(node_modules|vendor|dist|build|target|out|coverage|venv|env|__pycache__|site-packages|tests?|__tests__|e2e|spec|cypress|fixtures|docs?|migrations)$/;
const MANIFESTS =
  /^(package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|\.yarnrc\.yml|pnpm-lock\.yaml|pnpm-workspace\.yaml|bun\.lockb?|tsconfig(\.build)?\.json|pom\.xml|mvnw|build\.gradle(\.kts)?|settings\.gradle(\.kts)?|gradlew|go\.mod|composer\.json|Gemfile|requirements[\w-]*\.txt|pyproject\.toml|poetry\.lock|uv\.lock|Pipfile|Pipfile\.lock|Procfile|Dockerfile|(docker-)?compose\.ya?ml|application[\w-]*\.ya?ml|\.nvmrc|\.node-version|\.env(\.(example|sample|dist|template))?|(example|sample)\.env|www)$/;
const SOURCES = /\.([mc]?[jt]s|[jt]sx|vue|svelte|astro|java|kt|go|php|py|rb|properties|prisma|graphql|gql)$/;
/** They open servers of their own. */
const TESTS = /[._](test|spec)\.\w+$|^test_.*\.py$|Tests?\.(java|kt)$|\.d\.ts$|^conftest\.py$/;
/** Nobody writes longer files by hand. */
const LONGEST_BYTES = 300_000;
/** Tells which tool wrote a lock file, and which version of it. */
const GLIMPSE = 500;
/** In a larger repository what comes later is not looked at; manifests lie near the top. */
const MOST_FILES = 3000;

/**
 * @param {string} root
 * @returns {Sources} the upper folders first, without comments; of a long file only how it begins
 */
export function readRepository(root) {
  /** @type {Sources} */
  const sources = new Map();
  const folders = [''];
  for (const folder of folders) {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isDirectory() && !FOREIGN.test(entry.name) && !entry.name.startsWith('.')) folders.push(path);
      if (entry.isFile() && sources.size < MOST_FILES && isTelling(entry.name)) {
        const content = readStart(join(root, path), LONGEST_BYTES + 1);
        const text = content.toString();
        sources.set(path, content.length > LONGEST_BYTES ? text.slice(0, GLIMPSE) : codeOf(path, text));
      }
    }
  }
  return sources;
}

/** @param {string} name */
function isTelling(name) {
  return MANIFESTS.test(name) || (SOURCES.test(name) && !TESTS.test(name));
}
