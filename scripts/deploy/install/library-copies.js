/** Where a server has its packages, at any depth: in folders, or as links of pnpm, Yarn or a workspace. */

import { cpSync, existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { isFolder, placeInside, upwards } from '../../system/folder.js';

const MODULES = 'node_modules';

/** tree: a checkout; nothing outside of it changes. @typedef {{ folder: string, tree: string }} Place */

/**
 * Counts the replaced copies. packages: folders by name, with their dependencies inside.
 * @type {(packages: Map<string, string>, server: Place) => number}
 */
export function replaceCopies(packages, { folder, tree }) {
  const copies = copiesOf([...packages.keys()], { folder, tree });
  for (const [place, name] of copies) {
    rmSync(place, { recursive: true, force: true });
    cpSync(packages.get(name) ?? '', place, { recursive: true, verbatimSymlinks: true });
  }
  // Packages that find one another beside themselves share one copy.
  for (const [place] of copies)
    for (const other of packages.keys())
      if (modulesAbove(dirname(place), tree).some((modules) => existsSync(join(modules, other))))
        rmSync(join(place, MODULES, other), { recursive: true, force: true });
  return copies.size;
}

/**
 * Names by place: a folder, or a link to the sources of a workspace.
 * @type {(names: string[], server: Place) => Map<string, string>}
 */
function copiesOf(names, { folder, tree }) {
  /** @type {Map<string, string>} */
  const copies = new Map();
  const seen = new Set();
  const visit = (/** @type {string} */ modules) => {
    if (seen.has(modules) || !isFolder(modules)) return;
    seen.add(modules);
    for (const [name, place] of packagesIn(modules)) {
      const real = realpathSync(place);
      const isInside = placeInside(tree, real) !== undefined;
      const end = isInside ? real.lastIndexOf(`${sep}${MODULES}${sep}`) : -1;
      if (names.includes(name)) copies.set(end < 0 ? place : real, name);
      else if (isInside) visit(join(real, MODULES));
      // What a link leads to finds its dependencies beside itself.
      if (end >= 0) visit(real.slice(0, end + 1 + MODULES.length));
    }
  };
  modulesAbove(realpathSync(folder), tree).forEach(visit);
  return copies;
}

/** Where packages are looked for, within the tree. @type {(folder: string, tree: string) => string[]} */
function modulesAbove(folder, tree) {
  const inside = upwards(folder).filter((above) => placeInside(tree, above) !== undefined);
  return inside.map((above) => join(above, MODULES));
}

/** Leaves out links to nothing. @type {(modules: string) => [name: string, place: string][]} */
function packagesIn(modules) {
  const names = readdirSync(modules).flatMap((entry) =>
    entry.startsWith('@') ? readdirSync(join(modules, entry)).map((each) => `${entry}/${each}`) : entry,
  );
  return names
    .map((name) => /** @type {[string, string]} */ ([name, join(modules, name)]))
    .filter(([name, place]) => !name.startsWith('.') && isFolder(place));
}
