/** Paths of a repository, the files in a folder of it, and the lines of a text. @import { Project, Sources } from './types.js' */

/** @param {Sources} sources @param {RegExp} manifests begin a project @returns {(Project & { manifest: string })[]} */
export function projectsIn(sources, manifests) {
  return foldersWith(sources, manifests).map((folder) => {
    const own = sourcesIn(sources, folder, manifests);
    return { sources, own, folder, manifest: joinedText(own, (file) => manifests.test(nameOf(file))) };
  });
}

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

/** The files with such a name. @type {(sources: Sources, names: RegExp) => Sources} */
export function filesNamed(sources, names) {
  return new Map([...sources].filter(([file]) => names.test(nameOf(file))));
}

/**
 * The folders with a file of such a name, each once.
 * @type {(sources: Sources, names: RegExp) => string[]}
 */
export function foldersWith(sources, names) {
  return [...new Set([...sources.keys()].filter((file) => names.test(nameOf(file))).map(folderOf))];
}

/** @param {string} file */
export function folderOf(file) {
  return file.split('/').slice(0, -1).join('/');
}

/** Those it lies in, the nearest first. @type {(folder: string) => string[]} */
export function foldersAbove(folder) {
  if (folder === '') return [];
  const above = folderOf(folder);
  return [above, ...foldersAbove(above)];
}

/** @param {string} file that marks a workspace @param {Project} project @returns {boolean} whether one lies in a folder above */
export function isBelow(file, { sources, folder }) {
  return foldersAbove(folder).some((above) => sources.has(`${above && `${above}/`}${file}`));
}

/** The glob of it alone, as in app/[id]. @type {(path: string) => string} */
export function globOf(path) {
  return path.replace(/[\\*?[\](){}!]/g, '\\$&');
}

/** @param {string} file */
export function nameOf(file) {
  return file.split('/').at(-1) ?? '';
}

/** @param {Sources} sources @param {(file: string) => boolean} [isWanted] @returns {string} their texts, one after the other */
export function joinedText(sources, isWanted = () => true) {
  return [...sources].flatMap(([file, text]) => (isWanted(file) ? text : [])).join('\n');
}

/** @param {string} name of a package, with or without its scope @returns {string} fit for an id */
export function idOf(name) {
  const plain = name
    .replace(/^@[^/]+\//, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return plain.toLowerCase() || 'app';
}

/** @param {string} text @returns {{ line: string, around: string[] }[]} around: the lines that it is nested in by its indentation, the outermost first */
export function nestedLines(text) {
  /** @type {string[]} */
  let above = [];
  return text.split('\n').map((line) => {
    const indent = line.search(/\S/);
    const around = above.filter((each) => each.search(/\S/) < indent);
    if (indent >= 0) above = [...around, line];
    return { line, around };
  });
}

/** @param {string} text @param {number} index @returns {number} counted from 1 */
export function lineOf(text, index) {
  return text.slice(0, index).split('\n').length;
}
