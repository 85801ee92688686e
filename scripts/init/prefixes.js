/**
 * What stands before a route's path: where its router is mounted, and what holds for all routes.
 * @import { Sources } from './types.js'
 */

import { importsOf } from './imports.js';

const LITERAL = `['"\`](?<prefix>/?[\\w./-]*)['"\`]`;
/** A router's own prefix, at its making. */
const OWN = [
  new RegExp(
    `(?<on>[\\w$]+)\\s*=\\s*(?:new\\s+)?\\w*(?:Router|Elysia|Hono)\\w*(?:<[^>]*>)?\\([^;]{0,120}?\\b(?:prefix|basePath)\\s*[:=(]\\s*${LITERAL}`,
    'g',
  ),
  new RegExp(
    `(?<on>\\w+)\\s*=\\s*(?:Blueprint|APIRouter)\\([^)]*?\\b(?:url_)?prefix\\s*=\\s*${LITERAL}`,
    'g',
  ),
];
/** Go: a group is a router below another one. */
const GROUP = /(?<target>\w+)\s*:?=\s*(?<on>\w+)\.Group\(\s*"(?<prefix>\/[\w./-]*)"/g;
const MOUNT = /(?:(?<on>[\w$]+)\s*)?\.(?:use|register|route|mount|include_router|register_blueprint)\(/g;
const INCLUDE = /\bpath\(\s*["'](?<prefix>[\w./-]*)["']\s*,\s*include\(\s*["'](?<module>[\w.]+)["']/g;
/** A function or block whose routes all get a prefix. */
const BLOCKS = [
  /\.Route\(\s*"(?<prefix>\/[\w./-]*)"\s*,\s*func\b/g,
  /\bRoute::prefix\(\s*['"](?<prefix>[\w./-]*)['"]\s*\)[^;{]*->group\(\s*function\b/g,
  /\.register\(\s*(?:async\s*)?(?:function\b|\()/g,
];
const AFTER_BLOCK = /^\s*,\s*\{[^}]*\bprefix:\s*['"](\/[\w./-]*)['"]/;
/** For all routes of a server. */
const GLOBAL = [
  /\.setGlobalPrefix\(\s*['"]([\w/.-]+)['"]/,
  /(?:servlet\.|server\.)?(?:context-path|base-path|root-path)\s*[=:]\s*["']?(\/[\w/.-]+)/,
];

/** on: the variable that a route or a router is mounted on. @typedef {{ file: string, on: string, index: number }} Place */
/** names, files: what is mounted; replaces: not added to the router's own prefix. @typedef {Place & { prefix: string, names: string[], files: string[], replaces: boolean }} Mount */

/**
 * @param {Sources} sources those of the server
 * @returns {(place: Place) => string} the prefix of what is declared there; '' where there is none
 */
export function prefixesOf(sources) {
  const mounts = [...sources].flatMap(([file, text]) => mountsIn(file, text, sources));
  const own = new Map([...sources].flatMap(([file, text]) => ownIn(file, text)));
  const blocks = new Map([...sources].map(([file, text]) => [file, blocksIn(text)]));
  const all = [...sources.values()].map(globalOf).find(Boolean) ?? '';
  const autoloads = [...sources.values()].some((text) => /['"]@fastify\/autoload['"]/.test(text));

  /** @param {Place} place @param {Set<Mount>} seen @returns {string} */
  const mounted = ({ file, on, index }, seen) => {
    const around = (blocks.get(file) ?? []).filter(({ from, to }) => from < index && index < to);
    const here = around.map(({ prefix }) => prefix).join('/');
    const others = mounts.filter((each) => !seen.has(each));
    const mount =
      others.find((each) => each.file === file && each.names.includes(on) && each.on !== on) ??
      others.find((each) => each.file !== file && each.files.includes(file));
    const mine = mount?.replaces ? '' : (own.get(`${file} ${on}`) ?? '');
    if (!mount) return `${here}/${mine}`;
    return `${mounted(mount, new Set([...seen, mount]))}/${mount.prefix}/${here}/${mine}`;
  };
  return (place) =>
    `${all}/${autoloads ? autoloaded(place.file) : ''}/${conventional(place.file)}/${mounted(place, new Set())}`
      .replace(/\/+/g, '/')
      .replace(/^\//, '');
}

/**
 * @param {string} file
 * @param {string} text
 * @param {Sources} sources
 * @returns {Mount[]}
 */
function mountsIn(file, text, sources) {
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
    const words = given.replace(/['"`][^'"`]*['"`]/g, ' ').match(/[A-Za-z_$][\w$]*/g) ?? [];
    const literal =
      /^\s*['"`](\/[\w./-]*)['"`]/.exec(given) ?? /\b(?:url_)?prefix\s*[:=]\s*['"](\/[\w./-]*)/.exec(given);
    return {
      ...{ file, on: match.groups?.on ?? '', index: match.index, prefix: literal?.[1] ?? '' },
      names: words.filter((word) => imports.names.get(word) === undefined),
      files: [...words.flatMap((word) => imports.names.get(word) ?? []), ...imports.inline(given)],
      replaces: /\burl_prefix\b/.test(given),
    };
  });
  return [...groups, ...includes, ...uses];
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {[key: string, prefix: string][]}
 */
function ownIn(file, text) {
  return OWN.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(
      ({ groups }) => /** @type {[string, string]} */ ([`${file} ${groups?.on}`, groups?.prefix ?? '']),
    ),
  );
}

/**
 * @param {string} text
 * @returns {{ from: number, to: number, prefix: string }[]}
 */
function blocksIn(text) {
  return BLOCKS.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const from = text.indexOf('{', match.index + match[0].length);
      if (from < 0) return [];
      const to = endOfBlock(text, from);
      const prefix = match.groups?.prefix ?? AFTER_BLOCK.exec(text.slice(to + 1))?.[1];
      return prefix === undefined ? [] : [{ from, to, prefix }];
    }),
  );
}

/**
 * @param {string} text
 * @param {number} from where its brace stands
 */
function endOfBlock(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return at;
  }
  return text.length;
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

/** @param {string} text */
function globalOf(text) {
  return GLOBAL.map((pattern) => pattern.exec(text)?.[1]).find(Boolean);
}

/**
 * Fastify's autoload makes prefixes of the folders.
 * @param {string} file
 */
function autoloaded(file) {
  return /(?:^|\/)routes\/(.+)\/[^/]+$/.exec(file)?.[1] ?? '';
}

/**
 * Laravel serves this file's routes there.
 * @param {string} file
 */
function conventional(file) {
  return /(^|\/)routes\/api\.php$/.test(file) ? 'api' : '';
}
