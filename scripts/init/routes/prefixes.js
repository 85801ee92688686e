/**
 * The prefix of a route's path: where its router is mounted, and what applies to all routes.
 * @import { Sources } from '../candidates.js'
 */

import { nestedLines } from '../source-tree.js';
import { importsOf } from '../imports.js';
import { BLOCKS, MOUNTS, ROUTERS } from './syntax.js';

/** app.register(async (items) => { ... }, { prefix: '/items' }): what comes behind the block. */
const AFTER_BLOCK = /^\s*,\s*\{[^}]*\bprefix:\s*['"](\/[\w./-]*)['"]/;
/** Nest: app.setGlobalPrefix('api'), app.setGlobalPrefix(settings.prefix ?? 'api'). */
const GLOBAL =
  /\.setGlobalPrefix\(\s*(?:[^;\n]*?(?:\|\||\?\?)\s*)?(?:['"`](?<prefix>[\w/.-]+)['"`]|(?<name>[\w$.]+)(?:\([^)]*\))?)\s*[,)]/;
/** Of Spring, Micronaut and Quarkus: server.servlet.context-path=/api. */
const SETTINGS = /(?:^|\/)application[\w-]*\.(?:properties|ya?ml)$/;
const CONTEXT_PATH =
  /^(server\.servlet\.context-path|micronaut\.server\.context-path|spring\.webflux\.base-path|quarkus\.http\.root-path)$/;
/** app.use('/x', x), app.register(x, { prefix: '/x' }), app.include_router(x, prefix="/x"). */
const MOUNT = /(?:(?<on>[\w$]+)\s*)?\.(?:use|register|route|mount|include_router|register_blueprint)\(/g;
const GIVEN_PREFIX =
  /^\s*['"`](?<first>[^'"`\s]*)['"`]|\b(?:url_)?prefix\s*[:=]\s*(?:['"](?<named>[^'"]*)['"]|(?<held>[A-Za-z_$][\w$.]*))/;
const FIRST_NAME = /^\s*([A-Za-z_$][\w$.]*)\s*,/;

/** Routes and routers are mounted on `on`. @typedef {{ file: string, on: string, index: number }} Place */
/**
 * The mounted routers have `names` and `files`; a prefix that `replaces` is not added to the router's own.
 * @typedef {Place & { prefix: string, names: string[], files: string[], replaces: boolean }} Mount
 */

/** The prefix of what is declared there, or ''. @type {(sources: Sources) => (place: Place) => string} */
export function prefixesOf(sources) {
  const files = [...sources];
  /** @param {Record<string, string | undefined>} groups */
  const written = ({ prefix, name }) => prefix ?? (name && (valueOf(name, sources) ?? `<<${name}>>`)) ?? '';
  const mounts = files.flatMap(([file, text]) => mountsIn(file, text, sources));
  const own = new Map(
    files.flatMap(([file, text]) =>
      matchesIn(text, ROUTERS).map(({ groups }) => [`${file} ${groups.on}`, written(groups)]),
    ),
  );
  const blocks = new Map(files.map(([file, text]) => [file, blocksIn(text)]));
  const all = files
    .map(([file, text]) =>
      SETTINGS.test(file) ? contextPathIn(text) : written(GLOBAL.exec(text)?.groups ?? {}),
    )
    .find(Boolean);
  const isLaravel = sources.has('artisan');
  const isAutoloaded = files.some(([, text]) => /['"]@fastify\/autoload['"]/.test(text));

  /** @type {(place: Place, seen: Mount[]) => string} */
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
    // Fastify's autoload makes prefixes of the folders: routes/items/index.js.
    const folders = isAutoloaded ? /(?:^|\/)routes\/(.+)\/[^/]+$/.exec(place.file)?.[1] : '';
    const ofFile = isLaravel && place.file === 'routes/api.php' ? 'api' : '';
    return [all, folders, ofFile, mounted(place, [])].join('/').replace(/\/+/g, '/').replace(/^\//, '');
  };
}

/**
 * @type {(text: string, rows: import('./syntax.js').Syntax[]) =>
 *   { index: number, end: number, groups: Record<string, string | undefined> }[]}
 */
function matchesIn(text, rows) {
  return rows
    .flatMap(([, pattern]) => [...text.matchAll(pattern)])
    .map(({ index, 0: { length }, groups = {} }) => ({ index, end: index + length, groups }));
}

/** Finds them in every language's way. @type {(file: string, text: string, sources: Sources) => Mount[]} */
function mountsIn(file, text, sources) {
  const imports = importsOf(file, text, sources);
  const written = matchesIn(text, MOUNTS).map(
    ({ index, groups: { on = '', router, module, prefix = '' } }) => ({
      ...{ file, on, index, prefix, replaces: false },
      names: router?.match(/\w+/g) ?? [],
      files: module ? imports.modules(module) : [],
    }),
  );
  const called = [...text.matchAll(MOUNT)].flatMap(({ index, 0: { length }, groups }) => {
    const from = index + length - 1;
    const given = text.slice(from + 1, endOf(text, from, '()'));
    // A function written in place is a block, or no router.
    if (/=>|\bfunction\b/.test(given)) return [];
    const router = file.endsWith('.py') ? (given.split(',')[0] ?? '') : given;
    const words = router.replace(/['"`][^'"`]*['"`]/g, ' ').match(/[A-Za-z_$][\w$]*/g) ?? [];
    const { first, named, held } = GIVEN_PREFIX.exec(given)?.groups ?? {};
    const value = valueOf(held ?? FIRST_NAME.exec(given)?.[1] ?? '', sources);
    // Anything may come before a router, so that only a path is its prefix.
    const found = held ? (value ?? `<<${held}>>`) : value?.startsWith('/') ? value : '';
    return {
      ...{ file, on: groups?.on ?? '', index, prefix: first ?? named ?? found },
      names: words.filter((word) => imports.names.get(word) === undefined),
      files: [...words.flatMap((word) => imports.names.get(word) ?? []), ...imports.inline(given)],
      replaces: /\burl_prefix\b/.test(given),
    };
  });
  return [...written, ...called];
}

/** The text of PREFIX in a.PREFIX. @type {(expression: string, sources: Sources) => string | undefined} */
function valueOf(expression, sources) {
  const name = expression.split('.').at(-1) ?? '';
  if (!/^[A-Za-z_$]\w{2,}$/.test(name)) return undefined;
  // API_PREFIX: str = "/api"; const PREFIX = process.env.PREFIX || '/api'; prefix: getenv("PREFIX", "/api").
  const given = new RegExp(
    `\\b${name}\\b['"]?\\s*(?::\\s*[\\w.]+\\s*)?[:=]\\s*(?:[^\\n;=]*?(?:\\|\\||\\?\\?|\\bor\\b|,)\\s*)?['"\`]([^'"\`\\s$]*)['"\`]`,
  );
  return [...sources.values()].flatMap((text) => given.exec(text)?.[1] ?? [])[0];
}

/** Reads properties, and YAML, in which names are nested. @type {(text: string) => string | undefined} */
function contextPathIn(text) {
  const read = (/** @type {string} */ line) => /^\s*([\w.-]+)\s*[=:]\s*["']?(\/[\w/.-]+)?/.exec(line) ?? [];
  const setting = nestedLines(text).find(
    ({ line, around }) =>
      read(line)[2] && CONTEXT_PATH.test([...around, line].map((each) => read(each)[1]).join('.')),
  );
  return setting && read(setting.line)[2];
}

/** @param {string} text */
function blocksIn(text) {
  return matchesIn(text, BLOCKS).flatMap(({ end, groups }) => {
    const from = text.indexOf('{', end);
    if (from < 0) return [];
    const to = endOf(text, from, '{}');
    const prefix = groups.prefix ?? AFTER_BLOCK.exec(text.slice(to + 1))?.[1];
    return prefix === undefined ? [] : [{ from, to, prefix }];
  });
}

/** Where the bracket at `from` closes. @type {(text: string, from: number, brackets: string) => number} */
function endOf(text, from, [open, close]) {
  let depth = 0;
  for (let index = from; index < text.length; index++) {
    if (text[index] === open) depth++;
    if (text[index] === close && --depth === 0) return index;
  }
  return text.length;
}
