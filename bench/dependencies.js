/**
 * What each dependency is and weighs, as docs/dependencies.md has it: `node bench/dependencies.js`. Its
 * weight is what it and all it needs take up once installed, and how many packages that is; several
 * dependencies may need the same one.
 */

import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (/** @type {string} */ file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

/**
 * kib: of it and all it needs, installed
 * @typedef {{ name: string, packages: string[], kib: number, isDev: boolean }} Dependency
 */

/** @returns {Dependency[]} those of package.json, as installed */
export function readDependencies() {
  const { dependencies, devDependencies } = read('package.json');
  /** @type {Record<string, any>} */
  const locked = read('package-lock.json').packages;
  return [...Object.keys(dependencies), ...Object.keys(devDependencies)].map((name) => {
    const packages = [...closureOf(`node_modules/${name}`, locked)];
    const bytes = packages.reduce((sum, place) => sum + sizeOf(join(ROOT, place)), 0);
    return { name, packages, kib: Math.round(bytes / 1024), isDev: name in devDependencies };
  });
}

/**
 * @param {string} place
 * @param {Record<string, any>} locked
 * @param {Set<string>} [found]
 * @returns {Set<string>} the places of it and all it needs, found as Node resolves them
 */
function closureOf(place, locked, found = new Set()) {
  if (found.has(place)) return found;
  found.add(place);
  for (const name of Object.keys({
    ...locked[place]?.dependencies,
    ...locked[place]?.optionalDependencies,
  })) {
    const folders = place
      .split('/node_modules/')
      .map((_, depth, parts) => parts.slice(0, depth + 1).join('/node_modules/'));
    const nearest = [
      ...folders.reverse().map((folder) => `${folder}/node_modules/${name}`),
      `node_modules/${name}`,
    ].find((each) => each in locked);
    if (nearest) closureOf(nearest, locked, found);
  }
  return found;
}

/**
 * @param {string} path
 * @returns {number} in bytes, without its nested packages
 */
function sizeOf(path) {
  const about = lstatSync(path, { throwIfNoEntry: false });
  if (!about?.isDirectory()) return about?.size ?? 0;
  const names = readdirSync(path).filter((name) => name !== 'node_modules');
  return names.reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log('| dependency | packages | KiB |\n| --- | --: | --: |');
  for (const { name, packages, kib } of readDependencies())
    console.log(`| \`${name}\` | ${packages.length} | ${kib.toLocaleString('en')} |`);
}
