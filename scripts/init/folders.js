/**
 * Paths of a repository, and the files in a folder of it.
 * @import { Sources } from './types.js'
 */

/** The files of a project, without projects below it. @param {Sources} sources @param {string} folder @param {RegExp} manifests begin a project @returns {Sources} */
export function sourcesIn(sources, folder, manifests = /^package\.json$/) {
  const prefix = folder && `${folder}/`;
  const inner = foldersWith(sources, manifests).filter((each) => each !== folder && each.startsWith(prefix));
  return new Map(
    [...sources].filter(
      ([file]) => file.startsWith(prefix) && !inner.some((each) => file.startsWith(`${each}/`)),
    ),
  );
}

/** @param {Sources} sources @param {RegExp} names @returns {string[]} the folders with a file of such a name, each once */
export function foldersWith(sources, names) {
  return [...new Set([...sources.keys()].filter((file) => names.test(nameOf(file))).map(folderOf))];
}

/** @param {string} file */
export function folderOf(file) {
  return file.split('/').slice(0, -1).join('/');
}

/** @param {string} folder @returns {string[]} those it lies in, the nearest first */
export function foldersAbove(folder) {
  if (folder === '') return [];
  const above = folderOf(folder);
  return [above, ...foldersAbove(above)];
}

/** @param {string} path @returns {string} the glob of it alone, as in app/[id] */
export function globOf(path) {
  return path.replace(/[\\*?[\](){}!]/g, '\\$&');
}

/** @param {string} file */
export function nameOf(file) {
  return file.split('/').at(-1) ?? '';
}

/** @param {Sources} sources @returns {string} all texts, one after the other */
export function textOf(sources) {
  return [...sources.values()].join('\n');
}

/** @param {string} name of a package, with or without its scope @returns {string} fit for an id */
export function idOf(name) {
  const plain = name
    .replace(/^@[^/]+\//, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return plain.toLowerCase() || 'app';
}

/** @template T @param {string | undefined} text @param {T} otherwise @returns {T} otherwise also if the text is not JSON */
export function jsonOf(text, otherwise) {
  try {
    return JSON.parse(text ?? '') ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} text @param {number} index @returns {number} counted from 1 */
export function lineOf(text, index) {
  return text.slice(0, index).split('\n').length;
}
