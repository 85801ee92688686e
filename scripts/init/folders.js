/**
 * Paths of a repository, and what lies in a folder of it.
 * @import { Sources } from './types.js'
 */

/**
 * @param {Sources} sources
 * @param {string} folder
 * @param {RegExp} manifests the names of files that begin a project of its own
 * @returns {Sources} without projects that lie further down
 */
export function sourcesIn(sources, folder, manifests = /^package\.json$/) {
  const below = [...sources.keys()]
    .filter((file) => manifests.test(nameOf(file)))
    .map((file) => `${folderOf(file)}/`)
    .filter((each) => each.length > folder.length + 1 && each.startsWith(folder && `${folder}/`));
  return new Map(
    [...sources].filter(
      ([file]) => file.startsWith(folder && `${folder}/`) && !below.some((each) => file.startsWith(each)),
    ),
  );
}

/**
 * @param {string} folder
 * @param {string} file
 */
export function inside(folder, file) {
  return folder ? `${folder}/${file}` : file;
}

/** @param {string} file */
export function folderOf(file) {
  return file.split('/').slice(0, -1).join('/');
}

/** @param {string} file */
export function nameOf(file) {
  return file.split('/').at(-1) ?? '';
}

/**
 * @param {Sources} sources
 * @returns {string} all of them, one after the other
 */
export function textOf(sources) {
  return [...sources.values()].join('\n');
}

/**
 * @param {string} name a package's, with its scope or not
 * @returns {string} fit for an id
 */
export function idOf(name) {
  const plain = name
    .replace(/^@[^/]+\//, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return plain.toLowerCase() || 'app';
}

/**
 * @param {string} text
 * @param {number} index
 */
export function lineOf(text, index) {
  return text.slice(0, index).split('\n').length;
}
