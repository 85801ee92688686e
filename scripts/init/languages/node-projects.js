/**
 * Node and Bun: packages that use a server framework, or whose sources open an HTTP server.
 * @import { Candidate, Framework, Project, Recognize } from '../candidates.js'
 * @import { Package } from './node-packages.js'
 */

import { posix } from 'node:path';
import { quoted } from '../../system/process/shell.js';
import { folderOf, idOf, joinedText, nameOf, sourcesIn } from '../source-tree.js';
import { NODE } from '../frameworks.js';
import { completed, runtimeOf } from '../server.js';
import { EXAMPLE } from '../server-settings.js';
import { CLIENT, programsIn, scriptLine, startOf } from './node-entry.js';
import { packagesIn, pathsOf, startedByYarn } from './node-packages.js';
import { ownNode } from '../workflow.js';

/** http.createServer(handler), Bun.serve({ fetch }). */
const OPENS = /\b(?:createServer|createSecureServer|Bun\.serve|Deno\.serve)\s*\(/;
const SCRIPT = /\.([mc]?[jt]sx?|vue|svelte|astro)$/;

/** @type {Recognize} */
export function findNode(sources, name, preferredFolder = '') {
  return packagesIn(sources, name, preferredFolder).flatMap((pack) => {
    const { manifest, own, folder } = pack;
    const framework = frameworkOf(pack, Object.keys(manifest.dependencies ?? {}));
    if (!framework && !OPENS.test(joinedText(own))) return [];
    // A library for servers starts none, and a package that is published without a start is a library, unless
    // what others would import of it listens.
    const isLibrary = manifest.private !== true && manifest.files !== undefined && !manifest.scripts?.start;
    const [, main] = /([^/]+)\.\w+$/.exec(manifest.main ?? '') ?? [];
    const listens = framework && programsIn(own).some((file) => nameOf(file).startsWith(`${main}.`));
    if (isLibrary && !framework?.start && !listens) return [];
    const hasStart = framework?.start || manifest.scripts?.start || own.has(posix.join(folder, 'bin/www'));
    const commands = hasStart || programsIn(own).length > 0 ? startOf(pack, framework?.start) : [];
    const what = framework?.name ?? 'an HTTP server';
    return commands.length > 0 ? [candidateOf(pack, { what, commands })] : [];
  });
}

/** Any package with a start script that does not serve a client only. @type {Recognize} */
export function findStartScript(sources, name, preferredFolder = '') {
  const pack = packagesIn(sources, name, preferredFolder).find(
    ({ manifest: { scripts } }) => scripts?.start && !CLIENT.test(scripts.start),
  );
  if (!pack) return [];
  const toDo =
    'no server framework recognized: check that `start` starts an HTTP server, and which routes it has';
  const commands = [scriptLine('start', pack)];
  return [candidateOf(pack, { what: 'the start script', commands, toDos: [toDo] })];
}

/** Helpers depend on one, too. @type {(pack: Package, needed: string[]) => Partial<Framework> | undefined} */
function frameworkOf({ manifest, own }, needed) {
  const scripts = Object.values(manifest.scripts ?? {}).join('\n');
  const code = joinedText(own, (file) => SCRIPT.test(file));
  return NODE.flatMap(({ needs, start, tool, ...framework }) => {
    const names = needed.filter((name) => needs.test(name));
    const isImported = names.some((name) => code.includes(`'${name}`) || code.includes(`"${name}`));
    const isUsed = names.length > 0 && (start === undefined || isImported || tool?.test(scripts));
    return isUsed ? { name: framework.name || `${names[0]}`, ...(start && { start }) } : [];
  })[0];
}

/** @type {(pack: Package, program: { what: string, commands: string[], toDos?: string[] }) => Candidate} */
function candidateOf(pack, { what, commands, toDos = [] }) {
  const { sources, folder, manifest, install } = pack;
  const build = buildOf(pack);
  const hasDependencies = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).length > 0;
  const runtime = commands.every((command) => runtimeOf(command) === 'bun') ? 'bun' : 'node';
  return completed(projectOf(pack), {
    id: idOf(manifest.name ?? (nameOf(folder) || pack.name)),
    evidence: `${what} in ${posix.join(folder, 'package.json')}`,
    folder,
    runtime,
    ...(runtime === 'node' && ownNode(sources, folder)),
    ...(hasDependencies && { install: install.command }),
    ...(build && { build }),
    commands: commands.map((command) => startedByYarn(pack, command)),
    env: { NODE_ENV: 'production' },
    paths: pathsOf(pack),
    toDos,
  });
}

/** With its libraries, and the workspace's examples of settings. @type {(pack: Package) => Project} */
function projectOf(pack) {
  const { sources, own, folder, root, manifest, siblings, install } = pack;
  const libraries = siblings.flatMap((sibling) => [...sourcesIn(sources, sibling.folder)]);
  const examples = [...sources].filter(([file]) => folderOf(file) === root && EXAMPLE.test(nameOf(file)));
  return {
    sources,
    own: new Map([...own, ...libraries, ...examples]),
    folder,
    dependencies: [pack, ...siblings].flatMap((each) => Object.keys(each.manifest.dependencies ?? {})),
    node: { manifest, run: install.run },
  };
}

/** Builds the libraries that it imports, then itself. @param {Package} pack */
function buildOf({ folder, siblings, manifest: { scripts = {} }, install: { run } }) {
  const builds = siblings
    .filter((sibling) => sibling.manifest.scripts?.build !== undefined)
    .map((sibling) => `(cd ${quoted(posix.relative(folder, sibling.folder))} && ${run} build)`);
  const script = ['build', 'prestart:prod', 'prestart'].find((each) => scripts[each] !== undefined);
  return [...builds, ...(script ? [`${run} ${script}`] : [])].join(' && ');
}
