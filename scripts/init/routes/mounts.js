/**
 * Where routers are mounted on others, in every language's way.
 * @import { Sources } from '../types.js'
 */

import { importsOf } from './imports.js';

/** Go: a group is a router below another one. */
const GROUP = /(?<target>\w+)\s*:?=\s*(?<on>\w+)\.Group\(\s*"(?<prefix>\/[\w./-]*)"/g;
/** Go: a function that gets a group declares its routes there. */
const REGISTER = /\b([A-Z]\w*)\(\s*(\w+)(?:\.Group\(\s*"([^"]*)"\s*\))?\s*[,)]/g;
const MOUNT = /(?:(?<on>[\w$]+)\s*)?\.(?:use|register|route|mount|include_router|register_blueprint)\(/g;
/** Tables of routers that a loop mounts: { path: '/users', route: users }. */
const ROW = /\bpath:\s*['"](\/[\w/-]*)['"]\s*,\s*(?:route|router|routes)\w*:\s*([\w$]+)/g;
const INCLUDE = /\bpath\(\s*["'](?<prefix>[\w./-]*)["']\s*,\s*include\(\s*["'](?<module>[\w.]+)["']/g;

/** on: the variable that a route or a router is mounted on. @typedef {{ file: string, on: string, index: number }} Place */
/** names, files: what is mounted; replaces: not added to the router's own prefix. @typedef {Place & { prefix: string, names: string[], files: string[], replaces: boolean }} Mount */

/** @param {string} file @param {string} text @param {Sources} sources @returns {Mount[]} */
export function mountsIn(file, text, sources) {
  const imports = importsOf(file, text, sources);
  const groups = [...text.matchAll(GROUP)].map(
    ({ index, groups: { on = '', target = '', prefix = '' } = {} }) => ({
      ...{ file, on, index, prefix },
      ...{ names: [target], files: [], replaces: false },
    }),
  );
  const includes = [...text.matchAll(INCLUDE)].map(
    ({ index, groups: { prefix = '', module = '' } = {} }) => ({
      ...{ file, on: '', index, prefix },
      ...{ names: [], files: imports.modules(module), replaces: false },
    }),
  );
  const uses = [...text.matchAll(MOUNT)].flatMap((match) => {
    const given = argumentsAt(text, match.index + match[0].length);
    // A function written in place is a block of its own, or no router.
    if (/=>|\bfunction\b/.test(given)) return [];
    const mounted = file.endsWith('.py') ? (given.split(',')[0] ?? '') : given;
    const words = mounted.replace(/['"`][^'"`]*['"`]/g, ' ').match(/[A-Za-z_$][\w$]*/g) ?? [];
    return {
      ...{ file, on: match.groups?.on ?? '', index: match.index, prefix: prefixIn(given, sources) },
      names: words.filter((word) => imports.names.get(word) === undefined),
      files: [...words.flatMap((word) => imports.names.get(word) ?? []), ...imports.inline(given)],
      replaces: /\burl_prefix\b/.test(given),
    };
  });
  const calls = file.endsWith('.go') ? [...text.matchAll(REGISTER)] : [];
  const registers = calls.map(({ index, 1: name = '', 2: on = '', 3: prefix = '' }) => ({
    ...{ file, on, index, prefix },
    ...{ names: [`func ${name}`], files: [], replaces: false },
  }));
  const rows = [...text.matchAll(ROW)].map(({ index, 1: prefix = '', 2: target = '' }) => ({
    ...{ file, on: '', index, prefix },
    ...{ names: [], files: imports.names.get(target) ?? [], replaces: false },
  }));
  return [...groups, ...includes, ...uses, ...registers, ...rows];
}

/**
 * @param {string} given to a mount
 * @param {Sources} sources
 * @returns {string} as it is written there, or in the constant that is named there
 */
function prefixIn(given, sources) {
  const literal =
    /^\s*['"`]([^'"`\s]*)['"`]/.exec(given) ?? /\b(?:url_)?prefix\s*[:=]\s*['"]([^'"]*)['"]/.exec(given);
  if (literal) return literal[1] ?? '';
  const [, named] =
    /\bprefix\s*[:=]\s*(?:[\w$]+\.)*([\w$]+)|^\s*(?:[\w$]+\.)*([A-Z][A-Z_]+|\w*[pP]refix)\s*,/
      .exec(given)
      ?.filter(Boolean) ?? [];
  if (named === undefined) return '';
  const constant = new RegExp(`\\b${named}\\b\\s*(?::\\s*[\\w.]+\\s*)?[:=]\\s*['"\`](/[^'"\`\\s]*)['"\`]`);
  return [...sources.values()].map((text) => constant.exec(text)?.[1]).find(Boolean) ?? '';
}

/**
 * @param {string} text
 * @param {number} from after the opening bracket
 * @returns {string} what is between the brackets
 */
function argumentsAt(text, from) {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return text.slice(from, at);
  }
  return '';
}
