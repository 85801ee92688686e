/** Which file of the repository a name in a source comes from. @import { Sources } from './candidates.js' */

import { posix } from 'node:path';
import { folderOf } from './source-tree.js';

/** import a, { b as c } from './x'; import * as a from './x'. */
const IMPORT = /\bimport\s+(?:type\s+)?([\w$*{},\s]+?)\s+from\s+['"]([^'"]+)['"]/g;
/** const { a } = require('./x'). */
const REQUIRE = /\b(?:const|let|var)\s+([\w$]+|\{[^}]*\})\s*=\s*require\(\s*['"]([^'"]+)['"]/g;
/** app.use(require('./x')), await import('./x'). */
const INLINE = /\b(?:require|import)\(\s*['"]([^'"]+)['"]/g;
/** from .routers import users, items as things. */
const FROM = /^\s*from\s+([\w.]+)\s+import\s+(?:\(([^)]*)\)|([^\n(]+))/gm;
const ENDINGS = ['', '.js', '.ts', '.mjs', '.mts', '.cjs', '.tsx', '/index.js', '/index.ts', '/index.mjs'];

/**
 * The files behind `names`, those that a piece of code imports itself, and Python's `modules` by name.
 * @type {(file: string, text: string, sources: Sources) => { names: Map<string, string[]>,
 *   inline: (code: string) => string[], modules: (dotted: string) => string[] }}
 */
export function importsOf(file, text, sources) {
  const inline = (/** @type {string} */ code) =>
    [...code.matchAll(INLINE)].flatMap((match) => scriptOf(file, match[1] ?? '', sources));
  const modules = (/** @type {string} */ dotted) => moduleOf(file, dotted, sources);
  if (file.endsWith('.py')) return { names: pythonNames(text, modules), inline, modules };
  const names = [...text.matchAll(IMPORT), ...text.matchAll(REQUIRE)].flatMap(([, given = '', from = '']) => {
    const files = scriptOf(file, from, sources);
    const words = given.replace(/[\w$]+\s+as\s+|[\w$]+\s*:\s*/g, '').match(/[\w$]+/g) ?? [];
    return files.length > 0 ? words.map((word) => /** @type {const} */ ([word, files])) : [];
  });
  return { names: new Map(names), inline, modules };
}

/** The entry's file, and all that it imports. @type {(entry: string, sources: Sources) => Sources} */
export function reachedFrom(entry, sources) {
  const reached = new Set([entry]);
  for (const file of reached) {
    const text = sources.get(file) ?? '';
    const { names, inline } = importsOf(file, text, sources);
    for (const imported of [...[...names.values()].flat(), ...inline(text)]) reached.add(imported);
  }
  return new Map([...sources].filter(([file]) => reached.has(file)));
}

/** Returns none for a package. @type {(file: string, specifier: string, sources: Sources) => string[]} */
function scriptOf(file, specifier, sources) {
  const isRelative = specifier.startsWith('.');
  // Aliases of the source folder: @/users, ~/users, #users.
  const alias = /^(?:[@~]\/|#\/?)(.+)$/.exec(specifier)?.[1];
  const target = isRelative ? posix.join(folderOf(file), specifier) : alias;
  if (target === undefined) return [];
  const candidates = [target, target.replace(/\.[cm]?js$/, '')].flatMap((path) =>
    ENDINGS.map((ending) => `${path}${ending}`),
  );
  const exact = candidates.find((path) => sources.has(path));
  if (exact !== undefined || isRelative) return exact === undefined ? [] : [exact];
  return endingIn(candidates, sources);
}

/**
 * The first file in any folder that ends in one of them.
 * @type {(paths: string[], sources: Sources) => string[]}
 */
function endingIn(paths, sources) {
  const file = [...sources.keys()].find((each) => paths.some((path) => `/${each}`.endsWith(`/${path}`)));
  return file === undefined ? [] : [file];
}

/** @type {(text: string, modules: (dotted: string) => string[]) => Map<string, string[]>} */
function pythonNames(text, modules) {
  return new Map(
    [...text.matchAll(FROM)].flatMap(([, from = '', many, few]) =>
      (many ?? few ?? '').split(',').flatMap((item) => {
        const [name = '', alias = name] = item.trim().split(/\s+as\s+/);
        const below = modules(`${from}${from.endsWith('.') ? '' : '.'}${name}`);
        const files = below.length > 0 ? below : modules(from);
        return name && files.length > 0 ? [/** @type {[string, string[]]} */ ([alias.trim(), files])] : [];
      }),
    ),
  );
}

/** @type {(file: string, dotted: string, sources: Sources) => string[]} */
function moduleOf(file, dotted, sources) {
  const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(dotted) ?? [];
  const path = rest.replaceAll('.', '/');
  const paths = [`${path}.py`, `${path}/__init__.py`, `${path}.rs`, `${path}/mod.rs`];
  if (dots === '') return endingIn(paths, sources);
  const from = posix.join(folderOf(file) || '.', '../'.repeat(dots.length - 1));
  return paths.map((each) => posix.join(from, each)).filter((each) => sources.has(each));
}
