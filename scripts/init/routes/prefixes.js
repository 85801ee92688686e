/**
 * The prefix of a route's path: where its router is mounted, and what applies to all routes.
 * @import { Sources } from '../types.js'
 */

import { importsOf } from './imports.js';

const LITERAL = `['"\`](?<prefix>[^'"\`\\s]*)['"\`]`;
/** The prefix that a router gets when it is created. */
const OWN = [
  `(?<on>[\\w$]+)\\s*=\\s*(?:new\\s+)?\\w*Router\\w*\\([^()]*?\\bprefix:\\s*${LITERAL}`,
  `(?<on>[\\w$]+)\\s*=\\s*new\\s+\\w*Hono\\w*(?:<[^>]*>)?\\(\\)\\s*\\.basePath\\(\\s*${LITERAL}`,
  `(?<on>\\w+)\\s*=\\s*(?:Blueprint|APIRouter)\\([^()]*?\\b(?:url_)?prefix\\s*=\\s*${LITERAL}`,
].map((pattern) => new RegExp(pattern, 'g'));
/** A block whose routes all get a prefix: of chi, and a plugin of Fastify. */
const BLOCKS = [
  /\.Route\(\s*"(?<prefix>\/[\w./-]*)"\s*,\s*func\b/g,
  /\.register\(\s*(?:async\s*)?(?:function\b|\()/g,
];
const AFTER_BLOCK = /^\s*,\s*\{[^}]*\bprefix:\s*['"](\/[\w./-]*)['"]/;
/** For all routes of a server: Nest's, and settings of Spring, Micronaut and Quarkus. */
const GLOBAL = /\.setGlobalPrefix\(\s*['"]([\w/.-]+)['"]/;
const SETTINGS = /(?:^|\/)application[\w-]*\.(?:properties|ya?ml)$/;
const CONTEXT_PATH =
  /^(server\.servlet\.context-path|micronaut\.server\.context-path|spring\.webflux\.base-path|quarkus\.http\.root-path)$/;
/** Go: a group is a router below another one. */
const GROUP = /(?<target>\w+)\s*:?=\s*(?<on>\w+)\.Group\(\s*"(?<prefix>\/[\w./-]*)"/g;
/** Django. */
const INCLUDE = /\bpath\(\s*["'](?<prefix>[\w./-]*)["']\s*,\s*include\(\s*["'](?<module>[\w.]+)["']/g;
const MOUNT = /(?:(?<on>[\w$]+)\s*)?\.(?:use|register|route|mount|include_router|register_blueprint)\(/g;

/** on: the variable that a route or a router is mounted on. @typedef {{ file: string, on: string, index: number }} Place */
/** names, files: what is mounted; replaces: not added to the router's own prefix. @typedef {Place & { prefix: string, names: string[], files: string[], replaces: boolean }} Mount */

/** @param {Sources} sources those of the server @returns {(place: Place) => string} the prefix of what is declared there, or '' */
export function prefixesOf(sources) {
  const files = [...sources];
  const mounts = files.flatMap(([file, text]) => mountsIn(file, text, sources));
  const own = new Map(files.flatMap(([file, text]) => ownIn(file, text)));
  const blocks = new Map(files.map(([file, text]) => [file, blocksIn(text)]));
  const all = files
    .map(([file, text]) => (SETTINGS.test(file) ? contextPathIn(text) : GLOBAL.exec(text)?.[1]))
    .find(Boolean);
  const isLaravel = sources.has('artisan');
  const isAutoloaded = files.some(([, text]) => /['"]@fastify\/autoload['"]/.test(text));

  /** @param {Place} place @param {Mount[]} seen @returns {string} */
  const mounted = ({ file, on, index }, seen) => {
    const around = (blocks.get(file) ?? []).filter(({ from, to }) => from < index && index < to);
    const others = mounts.filter((mount) => !seen.includes(mount));
    const mount =
      others.find((each) => each.file === file && each.names.includes(on) && each.on !== on) ??
      others.find((each) => each.file !== file && each.files.includes(file));
    return [
      mount ? `${mounted(mount, [...seen, mount])}/${mount.prefix}` : '',
      ...around.map(({ prefix }) => prefix),
      mount?.replaces ? '' : own.get(`${file} ${on}`),
    ].join('/');
  };
  return (place) => {
    // Fastify's autoload makes prefixes of the folders.
    const folders = isAutoloaded ? /(?:^|\/)routes\/(.+)\/[^/]+$/.exec(place.file)?.[1] : '';
    const ofFile = isLaravel && place.file === 'routes/api.php' ? 'api' : '';
    return [all, folders, ofFile, mounted(place, [])].join('/').replace(/\/+/g, '/').replace(/^\//, '');
  };
}

/** @param {string} file @param {string} text @param {Sources} sources @returns {Mount[]} in every language's way */
function mountsIn(file, text, sources) {
  const imports = importsOf(file, text, sources);
  const nothing = { file, on: '', names: [], files: [], replaces: false };
  const groups = [...text.matchAll(GROUP)].map(
    ({ index, groups: { on = '', target = '', prefix = '' } = {} }) => ({
      ...nothing,
      on,
      index,
      prefix,
      names: [target],
    }),
  );
  const includes = [...text.matchAll(INCLUDE)].map(
    ({ index, groups: { prefix = '', module = '' } = {} }) => ({
      ...nothing,
      index,
      prefix,
      files: imports.modules(module),
    }),
  );
  const uses = [...text.matchAll(MOUNT)].flatMap((match) => {
    const from = match.index + match[0].length - 1;
    const given = text.slice(from + 1, endOf(text, from, '()'));
    // A function written in place is a block, or no router.
    if (/=>|\bfunction\b/.test(given)) return [];
    const router = file.endsWith('.py') ? (given.split(',')[0] ?? '') : given;
    const words = router.replace(/['"`][^'"`]*['"`]/g, ' ').match(/[A-Za-z_$][\w$]*/g) ?? [];
    const [, first, named] =
      /^\s*['"`]([^'"`\s]*)['"`]|\b(?:url_)?prefix\s*[:=]\s*['"]([^'"]*)['"]/.exec(given) ?? [];
    return {
      ...nothing,
      on: match.groups?.on ?? '',
      index: match.index,
      prefix: first ?? named ?? '',
      names: words.filter((word) => imports.names.get(word) === undefined),
      files: [...words.flatMap((word) => imports.names.get(word) ?? []), ...imports.inline(given)],
      replaces: /\burl_prefix\b/.test(given),
    };
  });
  return [...groups, ...includes, ...uses];
}

/** @param {string} file @param {string} text @returns {[key: string, prefix: string][]} */
function ownIn(file, text) {
  return OWN.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(
      ({ groups }) => /** @type {[string, string]} */ ([`${file} ${groups?.on}`, groups?.prefix ?? '']),
    ),
  );
}

/** @param {string} text of properties or YAML, in which names are nested by their indentation @returns {string | undefined} */
function contextPathIn(text) {
  /** @type {{ indent: number, name: string }[]} */
  const around = [];
  for (const line of text.split('\n')) {
    const [, space = '', name, path] = /^( *)([\w.-]+)\s*[=:]\s*["']?(\/[\w/.-]+)?/.exec(line) ?? [];
    if (name === undefined) continue;
    while ((around.at(-1)?.indent ?? -1) >= space.length) around.pop();
    around.push({ indent: space.length, name });
    if (path && CONTEXT_PATH.test(around.map((each) => each.name).join('.'))) return path;
  }
  return undefined;
}

/** @param {string} text */
function blocksIn(text) {
  return BLOCKS.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const from = text.indexOf('{', match.index + match[0].length);
      if (from < 0) return [];
      const to = endOf(text, from, '{}');
      const prefix = match.groups?.prefix ?? AFTER_BLOCK.exec(text.slice(to + 1))?.[1];
      return prefix === undefined ? [] : [{ from, to, prefix }];
    }),
  );
}

/** @param {string} text @param {number} from the place of the opening bracket @param {string} brackets @returns {number} of the closing one */
function endOf(text, from, [open, close]) {
  let depth = 0;
  for (let index = from; index < text.length; index++) {
    if (text[index] === open) depth++;
    if (text[index] === close && --depth === 0) return index;
  }
  return text.length;
}
