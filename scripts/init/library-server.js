/**
 * What `init` writes for packages without a server: ours that depend on them, or a small one that uses one.
 * @import { Framework, Manifest, Sources } from './candidates.js'
 * @import { Package } from './languages/node-packages.js'
 * @import { Started } from './workflow.js'
 */

import { posix } from 'node:path';
import { TO_DO, withHead } from './files.js';
import { NODE } from './frameworks.js';
import { packagesIn } from './languages/node-packages.js';

/** The small server's, from the root of the repository. */
const FOLDER = 'perf/server';
/** More take too long to build. */
const MOST = 5;

const PLAIN = {
  what: 'a library',
  server: `import { createServer } from 'node:http';

const server = createServer((request, response) => response.end(typeof library));
server.listen(Number(process.env.PORT), process.env.HOST);
`,
};

/** @typedef {Package & { manifest: { name: string } }} Library */
/** @typedef {Library & { framework: Framework | undefined }} Use */

/** The published package at the top, else those of its workspace. @type {(sources: Sources) => Library[]} */
export function librariesIn(sources) {
  const published = packagesIn(sources, '', '').filter(
    /** @type {(pack: Package) => pack is Library} */
    ({ root, manifest: { name, private: isPrivate, main, exports, module, files } }) =>
      root === '' && !isPrivate && name !== undefined && (main ?? exports ?? module ?? files) !== undefined,
  );
  const top = published.filter(({ folder }) => folder === '');
  return top.length > 0 ? top : published;
}

/**
 * @param {Library[]} all at least one
 * @param {{ id: string, dependencies: string[] }[]} ours servers of ours that depend on some of them
 * @returns {{ found: string, files: Record<string, string>, started: Started, next?: string }} found: in
 *   words; files: texts by path from the root; next: the command that comes first
 */
export function libraryFiles(all, ours) {
  const used = all.filter(({ manifest }) =>
    ours.some(({ dependencies }) => dependencies.includes(manifest.name)),
  );
  const chosen = (used.length > 0 ? used : all).slice(0, MOST);
  const names = chosen.map(({ manifest }) => manifest.name);
  const folders = chosen.map(({ folder }) => folder || '.');
  const library = `library: ${folders.length > 1 ? `[${folders.join(', ')}]` : folders}`;
  const left = all.length - chosen.length;
  const rest =
    left > 0 ? `left out ${left} more packages: list those to measure under library in perf.yml\n` : '';
  const started = { folder: '', install: chosen[0]?.install.command ?? '' };
  if (ours.length > 0) {
    const ids = ours.map(({ id }) => id);
    return {
      started,
      found: `found ${names.join(', ')}: no server; ${ids.join(' and ')}, which we bring, will be measured with the package\n${rest}`,
      files: { 'perf.yml': withHead([...ids.map((id) => `  - ${id}`), library]) },
    };
  }
  // What extends a framework tells most; else what is built on the others.
  const [{ manifest, framework }] = /** @type {[Use, ...Use[]]} */ (
    chosen
      .map((pack) => ({ ...pack, framework: frameworkOf(pack.manifest) }))
      .toSorted(
        (a, b) => Number(!a.framework) - Number(!b.framework) || b.siblings.length - a.siblings.length,
      )
  );
  const { what, server } = framework?.library ?? PLAIN;
  const toDo = `import and call what you want measured of ${manifest.name}, with the options that it needs`;
  const file = `${FOLDER}/server.js`;
  // What a server needs beside the package: its peers, and the framework, as the package asks for it.
  const { peerDependencies = {}, devDependencies, peerDependenciesMeta = {} } = manifest;
  const asked = { ...devDependencies, ...peerDependencies };
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  const dependencies = Object.fromEntries([
    // A range like `workspace:*` or `catalog:` means something in its workspace only.
    ...[framework?.name.toLowerCase() ?? [], peers]
      .flat()
      .map((name) => [name, /^[^:]+$/.exec(asked[name] ?? '')?.[0] ?? '*']),
    ...chosen.map(({ folder, manifest: { name } }) => [name, `file:${posix.join('../..', folder)}`]),
  ]);
  return {
    started,
    // Without a lock file, the sides may get different packages.
    next: `npm install --package-lock-only --prefix ${FOLDER}; `,
    found: `found ${names.join(', ')}: no server; ${file} uses ${manifest.name} as ${what}\n      to do: ${toDo}\n${rest}`,
    files: {
      'perf.yml': withHead([`  ${TO_DO}${toDo}, in ${file}.`, `  - ./${FOLDER}`, library]),
      [file]: `import library from '${manifest.name}';\n${server}`,
      [`${FOLDER}/server.yml`]: `name: '${manifest.name}'\nstart: node server.js\nroutes: [{ path: / }]\n`,
      [`${FOLDER}/package.json`]: `${JSON.stringify({ private: true, type: 'module', dependencies }, null, 2)}\n`,
    },
  };
}

/** What it extends; its name says most, tests least. @type {(manifest: Manifest) => Framework | undefined} */
function frameworkOf({ name = '', keywords = [], peerDependencies, dependencies, devDependencies }) {
  const needed = [peerDependencies, dependencies, devDependencies].flatMap((each) => Object.keys(each ?? {}));
  const words = [...name.split(/[^a-z]+/), ...keywords, ...needed];
  // Middleware is often named after what it comes from.
  if (words.some((word) => /^(connect|middleware)$/.test(word))) words.push('express');
  const extended = NODE.filter(({ library }) => library);
  return words.flatMap((word) => extended.find(({ needs }) => needs.test(word)) ?? [])[0];
}
