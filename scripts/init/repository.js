/** Reads the manifests and sources of a repository. @import { Sources } from './candidates.js' */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readStart } from '../system/bounded-file.js';
import { EXAMPLE } from './server-settings.js';

/** Folders that others wrote, tools made, or nobody serves: .git, node_modules, dist, tests. */
const SKIPPED =
  /^(\..*|node_modules|vendor|dist|build|target|out|coverage|venv|env|__pycache__|site-packages|tests?|__tests__|e2e|spec|cypress|fixtures|docs?|obj)$/;
/** package.json, pom.xml, requirements-prod.txt, docker-compose.yml, bin/www. */
const MANIFESTS =
  /^(package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|\.yarnrc\.yml|pnpm-lock\.yaml|pnpm-workspace\.yaml|bun\.lockb?|tsconfig(\.build)?\.json|project\.json|pom\.xml|mvnw|build\.gradle(\.kts)?|settings\.gradle(\.kts)?|gradlew|go\.(mod|work)|composer\.json|Gemfile|artisan|requirements[\w-]*\.txt|pyproject\.toml|poetry\.lock|uv\.lock|Pipfile|Pipfile\.lock|Procfile|Dockerfile|Cargo\.toml|deno\.jsonc?|[\w.-]+\.[cf]sproj|(docker-)?compose\.ya?ml|application[\w-]*\.ya?ml|\.nvmrc|\.node-version|\.env(\.prod\w*)?|www)$/;
/** server.mts, page.vue, application.properties. */
const SOURCES =
  /\.([mc]?[jt]s|[jt]sx|vue|svelte|astro|java|kt|go|php|py|rb|properties|prisma|graphql|gql|rs|cs|sql)$/;
/** Tests open servers, too: items.spec.ts, test.js, test_items.py, ItemsTest.java. Types serve nothing. */
const TESTS =
  /[._](test|spec)\.\w+$|^tests?\.[jt]s$|^test_.*\.py$|Tests?\.(java|kt)$|\.d\.ts$|^conftest\.py$/;
/** Nobody writes longer files by hand. */
const LONGEST_BYTES = 300_000;
/** Enough to tell which tool wrote a lock file, and which version of it. */
const GLIMPSE = 500;
/** Manifests lie near the top: in a larger repository the files further down are not read. */
const MOST_FILES = 3000;

/** Its files, upper folders first, long ones cut short. @type {(root: string) => Sources} */
export function readRepository(root) {
  /** @type {Sources} */
  const sources = new Map();
  const folders = [''];
  for (const folder of folders) {
    const entries = ifAllowed(() => readdirSync(join(root, folder), { withFileTypes: true })) ?? [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isDirectory() && !SKIPPED.test(entry.name)) folders.push(path);
      const { name } = entry;
      const isRead = MANIFESTS.test(name) || EXAMPLE.test(name) || (SOURCES.test(name) && !TESTS.test(name));
      if (entry.isFile() && sources.size < MOST_FILES && isRead) {
        const content = ifAllowed(() => readStart(join(root, path), LONGEST_BYTES + 1));
        const isLong = content && content.length > LONGEST_BYTES;
        if (content) sources.set(path, content.toString().slice(0, isLong ? GLIMPSE : undefined));
      }
    }
  }
  return sources;
}

/** A folder of a database may belong to another user. @type {<T>(read: () => T) => T | undefined} */
function ifAllowed(read) {
  try {
    return read();
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(Object(error).code)) throw error;
    return undefined;
  }
}
