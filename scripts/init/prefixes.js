/**
 * What stands before a route's path: where its router is mounted, and what holds for all routes.
 * @import { Sources } from './types.js'
 */

import { importsOf } from './imports.js';

const LITERAL = `['"\`](?<prefix>[^'"\`\\s]*)['"\`]`;
/** A router's own prefix, at its making. */
const OWN = [
  new RegExp(
    `(?<on>[\\w$]+)\\s*=\\s*(?:new\\s+)?\\w*(?:Router|Elysia)\\w*\\([^()]*?\\bprefix:\\s*${LITERAL}`,
    'g',
  ),
  new RegExp(
    `(?<on>[\\w$]+)\\s*=\\s*new\\s+\\w*Hono\\w*(?:<[^>]*>)?\\(\\)\\s*\\.basePath\\(\\s*${LITERAL}`,
    'g',
  ),
  new RegExp(
    `(?<on>\\w+)\\s*=\\s*(?:Blueprint|APIRouter)\\([^()]*?\\b(?:url_)?prefix\\s*=\\s*${LITERAL}`,
    'g',
  ),
];
/** Go: a group is a router below another one. */
const GROUP = /(?<target>\w+)\s*:?=\s*(?<on>\w+)\.Group\(\s*"(?<prefix>\/[\w./-]*)"/g;
/** Go: a function that gets a group declares its routes there. */
const REGISTER = /\b([A-Z]\w*)\(\s*(\w+)(?:\.Group\(\s*"([^"]*)"\s*\))?\s*[,)]/g;
const FUNCTION =
  /^func\s+(?:\([^)]*\)\s*)?(\w+)\(\s*\w+\s+\*?[\w.]*(?:Router|Group|Engine|Echo|App|Mux)\w*/gm;
const MOUNT = /(?:(?<on>[\w$]+)\s*)?\.(?:use|register|route|mount|include_router|register_blueprint)\(/g;
/** Tables of routers that a loop mounts: { path: '/users', route: users }. */
const ROW = /\bpath:\s*['"](\/[\w/-]*)['"]\s*,\s*(?:route|router|routes)\w*:\s*([\w$]+)/g;
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
      others.find((each) => each.names.includes(functionAround(sources.get(file) ?? '', file, index))) ??
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
 * @param {string} file
 * @param {number} index
 * @returns {string} of Go's functions that get a router
 */
function functionAround(text, file, index) {
  if (!file.endsWith('.go')) return '';
  const before = [...text.slice(0, index).matchAll(FUNCTION)].at(-1);
  return before ? `func ${before[1]}` : '';
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
