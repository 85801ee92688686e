/**
 * How a package of Node starts: by its scripts, else by the file that listens.
 * @import { Sources } from '../types.js'
 * @import { Package } from './node-packages.js'
 */

import { posix } from 'node:path';
import { nameOf } from '../folders.js';
import { reachedFrom } from '../routes/imports.js';
import { findRoute } from '../routes/routes.js';

/** Commands that restart, compile on the fly or watch are for development. */
const FOR_WORK =
  /\b(nodemon|ts-node-dev|tsx watch|nest start|(next|nuxt|vite|astro|remix vite:|react-router|svelte-kit) dev|nuxi dev|vite|react-scripts|ng serve|pm2|concurrently|turbo|nx|lerna|docker(-compose)?)\b|--watch|\bvite$/;
/** The build comes before the start anyway. */
const BUILDS_FIRST = /^(?:npm|pnpm|yarn|bun)(?: run)? build\s*&&\s*/;
/** Such a command needs no package manager and no shell around the server. */
const PLAIN_COMMAND = /^node [\w./ =@:-]+$/;
const LISTENS =
  /\.listen\(|\bserve\(\s*[{\w]|\b(?:createServer|createSecureServer|startStandaloneServer|createHTTPServer)\s*\(|\b(?:Bun|Deno)\.serve\(/;
const ENDINGS = /\.([mc]?[jt]s)$/;
const USUAL = ['server', 'index', 'app', 'main', 'www', 'start', 'api'];
const BUILT = /^(\.\/)?(dist|build|lib|out)\//;
const NAMED_PROGRAMS = 3;

/**
 * @param {Package} pack
 * @param {string | undefined} usual the framework's start command
 * @returns {{ start: string, toDos?: string[] } | undefined}
 */
export function startOf(pack, usual) {
  const { scripts = {} } = pack.manifest;
  const script = ['start:prod', 'start:production', 'start'].find(
    (name) => scripts[name] && !FOR_WORK.test(scripts[name] ?? ''),
  );
  if (script) {
    const command = withoutEnvFile((scripts[script] ?? '').trim().replace(BUILDS_FIRST, ''), pack);
    return { start: PLAIN_COMMAND.test(command) ? builtCommand(command, pack) : scriptLine(script, pack) };
  }
  return usual ? { start: usual } : entryOf(pack);
}

/** @param {string} script @param {Package} pack @returns {string} */
export function scriptLine(script, { install: { run } }) {
  return script === 'start' ? run.replace(/ run$/, ' start') : `${run} ${script}`;
}

/** @param {Sources} own @returns {string[]} the files that listen */
export function programsIn(own) {
  return [...own].filter(([file, text]) => ENDINGS.test(file) && LISTENS.test(text)).map(([file]) => file);
}

/**
 * @param {string} start a command
 * @param {Package} pack
 * @returns {string | undefined} the source file that it runs, if that can be seen
 */
export function entryIn(start, { own, folder, manifest }) {
  const [, named] =
    /\b(?:node|bun|tsx|ts-node)\s+(?:\S+\s+)*?(?:\.\/)?([\w./-]+\.[mc]?[jt]s)\b/.exec(start) ?? [];
  if (named === undefined) return undefined;
  const outDir = outDirOf(own, folder, manifest);
  const source = named.replace(`${outDir}/`, '').replace(/js$/, 'ts');
  return [named, source, `src/${source}`]
    .map((file) => posix.join(folder, file))
    .find((file) => own.has(file));
}

/** @param {string} command @param {Package} pack @returns {string} run in the build's folder, if only the build makes its file */
function builtCommand(command, { manifest, own, folder }) {
  const [, file = ''] = /\b(?:\.\/)?([\w./-]+\.js)\b/.exec(command) ?? [];
  const has = (/** @type {string} */ name) => own.has(posix.join(folder, name));
  if (!manifest.scripts?.build || has(file) || !has(file.replace(/js$/, 'ts'))) return command;
  return command.replace(file, `${outDirOf(own, folder, manifest)}/${file}`);
}

/** @param {Sources} own @param {string} folder @param {Package['manifest']} manifest @returns {string} */
function outDirOf(own, folder, { dependencies = {} }) {
  const typescript = own.get(posix.join(folder, 'tsconfig.json')) ?? '';
  const usual = dependencies['@adonisjs/core'] === undefined ? 'dist' : 'build';
  return /"outDir"\s*:\s*"(?:\.\/)?([\w./-]+?)\/?"/.exec(typescript)?.[1] ?? usual;
}

/** @param {Sources} own @param {string} folder @returns {string | undefined} where Nx builds */
function nxOutput(own, folder) {
  const project = own.get(posix.join(folder, 'project.json')) ?? '';
  return /"outputPath"\s*:\s*"(?:\.\/)?([\w./-]+?)\/?"/.exec(project)?.[1];
}

/** Node ends if the file is missing, and git ignores it. @param {string} command @param {Package} pack */
function withoutEnvFile(command, { own, folder }) {
  return command.replace(/ --env-file=(\S+)/, (option, file) =>
    own.has(posix.join(folder, file)) ? option : '',
  );
}

/** @param {Package} pack @returns {{ start: string, toDos: string[] } | undefined} */
function entryOf(pack) {
  const { manifest, own, folder, below } = pack;
  const main = manifest.main?.replace(/^\.\//, '');
  if (main && BUILT.test(main) && manifest.scripts?.build) return { start: `node ${main}`, toDos: [] };
  const programs = programsIn(own);
  const here = programs.filter((file) => file.startsWith(`${below}/`));
  const eligible = here.length > 0 ? here : programs;
  const rankOf = (/** @type {string} */ file) => {
    const usual = USUAL.indexOf(nameOf(file).replace(ENDINGS, ''));
    const isMain = main !== undefined && file === posix.join(folder, main);
    return (isMain ? -100 : 0) + 10 * file.split('/').length + (usual < 0 ? USUAL.length : usual);
  };
  const least = Math.min(...eligible.map(rankOf));
  const best = eligible.filter((file) => rankOf(file) === least);
  const entry = best.find((file) => findRoute(reachedFrom(file, own)).declaredAt) ?? best[0];
  if (entry === undefined) return undefined;
  const others = best.filter((file) => file !== entry);
  const names = others.slice(0, NAMED_PROGRAMS).join(', ');
  const more = others.length > NAMED_PROGRAMS ? ` and ${others.length - NAMED_PROGRAMS} more` : '';
  return {
    start: commandFor(posix.relative(folder, entry), pack),
    toDos:
      others.length > 0 ? [`${entry} is one of several programs here: ${names}${more} could be meant`] : [],
  };
}

/** @param {string} entry from the package's folder @param {Package} pack @returns {string} */
function commandFor(entry, { manifest, own, folder }) {
  const text = own.get(posix.join(folder, entry)) ?? '';
  const output = nxOutput(own, folder);
  if (output) return `node ${output}/main.js`;
  if (!/\.[mc]?ts$/.test(entry)) return `${/\bBun\./.test(text) ? 'bun' : 'node'} ${entry}`;
  if (manifest.scripts?.build) {
    const config = own.get(posix.join(folder, 'tsconfig.json')) ?? '';
    const rootDir = /"rootDir"\s*:\s*"(?:\.\/)?([\w/-]*?)[./]*"/.exec(config)?.[1] ?? 'src';
    const built = posix.join(
      outDirOf(own, folder, manifest),
      rootDir === '' ? entry : entry.replace(`${rootDir}/`, ''),
    );
    return `node ${built.replace(/ts$/, 'js')}`;
  }
  const needed = { ...manifest.dependencies, ...manifest.devDependencies };
  const runner = ['tsx', 'ts-node'].find((name) => needed[name] !== undefined);
  if (runner) return `npx ${runner} ${entry}`;
  return `${/\bBun\./.test(text) ? 'bun' : 'node'} ${entry}`;
}
