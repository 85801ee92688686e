/**
 * What stands before a route's path: where its router is mounted, and what holds for all routes.
 * @import { Sources } from '../types.js'
 * @import { Mount, Place } from './mounts.js'
 */

import { mountsIn } from './mounts.js';

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
const FUNCTION =
  /^func\s+(?:\([^)]*\)\s*)?(\w+)\(\s*\w+\s+\*?[\w.]*(?:Router|Group|Engine|Echo|App|Mux)\w*/gm;
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

/** @param {string} file @param {string} text @returns {[key: string, prefix: string][]} */
function ownIn(file, text) {
  return OWN.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(
      ({ groups }) => /** @type {[string, string]} */ ([`${file} ${groups?.on}`, groups?.prefix ?? '']),
    ),
  );
}

/** @param {string} text @returns {{ from: number, to: number, prefix: string }[]} */
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

/** @param {string} text @param {number} from where its brace stands */
function endOfBlock(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return at;
  }
  return text.length;
}

/** @param {string} text */
function globalOf(text) {
  return GLOBAL.map((pattern) => pattern.exec(text)?.[1]).find(Boolean);
}

/** Fastify's autoload makes prefixes of the folders. @param {string} file */
function autoloaded(file) {
  return /(?:^|\/)routes\/(.+)\/[^/]+$/.exec(file)?.[1] ?? '';
}

/** Laravel serves this file's routes there. @param {string} file */
function conventional(file) {
  return /(^|\/)routes\/api\.php$/.test(file) ? 'api' : '';
}
