/** Paths, files and lines of a repository. @import { Project, Sources } from './candidates.js' */

/** One per manifest. @type {(sources: Sources, manifests: RegExp) => (Project & { manifest: string })[]} */
export function projectsIn(sources, manifests) {
  return foldersWith(sources, manifests).map((folder) => {
    const own = sourcesIn(sources, folder, manifests);
    return { sources, own, folder, manifest: joinedText(own, (file) => manifests.test(nameOf(file))) };
  });
}

/** Leaves out projects below it. @type {(sources: Sources, folder: string, manifests?: RegExp) => Sources} */
export function sourcesIn(sources, folder, manifests = /^package\.json$/) {
  const prefix = folder && `${folder}/`;
  const inner = foldersWith(sources, manifests).filter((each) => each !== folder && each.startsWith(prefix));
  return new Map(
    [...sources].filter(
      ([file]) => file.startsWith(prefix) && !inner.some((each) => file.startsWith(`${each}/`)),
    ),
  );
}

/** The folders with a file of such a name. @type {(sources: Sources, names: RegExp) => string[]} */
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

/** Whether a workspace's file lies in a folder above. @type {(file: string, project: Project) => boolean} */
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

/** Joins their texts. @type {(sources: Sources, isWanted?: (file: string) => boolean) => string} */
export function joinedText(sources, isWanted = () => true) {
  return [...sources].flatMap(([file, text]) => (isWanted(file) ? text : [])).join('\n');
}

/** Makes an id of a package's name, with or without its scope. @type {(name: string) => string} */
export function idOf(name) {
  const plain = name
    .replace(/^@[^/]+\//, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return plain.toLowerCase() || 'app';
}
