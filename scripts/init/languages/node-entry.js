/**
 * How a package of Node is started: its scripts first, as their author knows; then the file that listens.
 * @import { Sources } from '../types.js'
 * @import { Manifest } from './node-packages.js'
 */

import { inside, nameOf } from '../folders.js';

/** What restarts, compiles on the fly or watches is for people at work, not for a measurement. */
const FOR_WORK =
  /\b(nodemon|ts-node-dev|tsx watch|nest start|(next|nuxt|vite|astro|remix vite:|react-router|svelte-kit) dev|nuxi dev|vite|react-scripts|ng serve|pm2|concurrently|turbo|nx|lerna|docker(-compose)?)\b|--watch|\bvite$/;
/** A script that is one plain command can do without npm and a shell around the server. */
const PLAIN_COMMAND = /^node [\w./ =@:-]+$/;
export const LISTENS =
  /\.listen\(|\bserve\(\s*[{\w]|\b(?:createServer|createSecureServer|startStandaloneServer|createHTTPServer)\s*\(|\b(?:Bun|Deno)\.serve\(/;
const ENDINGS = /\.([mc]?[jt]s)$/;
const USUAL = ['server', 'index', 'app', 'main', 'www', 'start', 'api'];
const BUILT = /^(\.\/)?(dist|build|lib|out)\//;

/**
 * @param {{ manifest: Manifest, own: Sources, folder: string, run: string, usual?: string | undefined }} of run: of a script;
 *   usual: the framework's own start
 * @returns {string | undefined}
 */
export function startOf({ manifest, own, folder, run, usual }) {
  const { scripts = {} } = manifest;
  const script = ['start:prod', 'start:production', 'start'].find(
    (each) => scripts[each] && !FOR_WORK.test(scripts[each] ?? ''),
  );
  const command = script && withoutEnvFile(scripts[script]?.trim() ?? '', own, folder);
  if (command && PLAIN_COMMAND.test(command)) return builtCommand(command, { manifest, own, folder });
  if (script) return script === 'start' ? run.replace(/ run$/, ' start') : `${run} ${script}`;
  return usual ?? entryOf({ manifest, own, folder });
}

/**
 * @param {string} start a command
 * @param {Sources} own
 * @param {string} folder
 * @returns {string | undefined} the source file that it runs, if that can be seen
 */
export function entryIn(start, own, folder) {
  const [, file] =
    /\b(?:node|bun|tsx|ts-node)\s+(?:\S+\s+)*?(?:\.\/)?([\w./-]+\.[mc]?[jt]s)\b/.exec(start) ?? [];
  return file !== undefined && own.has(inside(folder, file)) ? inside(folder, file) : undefined;
}

/**
 * A command that names a file which only the build makes, as if it were run in the build's folder.
 * @param {string} command
 * @param {{ manifest: Manifest, own: Sources, folder: string }} of
 */
function builtCommand(command, { manifest, own, folder }) {
  const [, file = ''] = /\b(?:\.\/)?([\w./-]+\.js)\b/.exec(command) ?? [];
  const isMade = !own.has(inside(folder, file)) && own.has(inside(folder, file.replace(/js$/, 'ts')));
  if (!manifest.scripts?.build || !isMade) return command;
  return command.replace(file, `${outDirOf(own, folder, manifest)}/${file}`);
}

/**
 * @param {Sources} own
 * @param {string} folder
 * @param {Manifest} manifest
 */
function outDirOf(own, folder, { dependencies = {} }) {
  const config = own.get(inside(folder, 'tsconfig.json')) ?? '';
  const usual = dependencies['@adonisjs/core'] === undefined ? 'dist' : 'build';
  return /"outDir"\s*:\s*"(?:\.\/)?([\w./-]+?)\/?"/.exec(config)?.[1] ?? usual;
}

/**
 * Node ends where the file is not there, and git ignores it.
 * @param {string} command
 * @param {Sources} own
 * @param {string} folder
 */
function withoutEnvFile(command, own, folder) {
  return command.replace(/ --env-file=(\S+)/, (all, file) => (own.has(inside(folder, file)) ? all : ''));
}

/**
 * @param {{ manifest: Manifest, own: Sources, folder: string }} of
 * @returns {string | undefined}
 */
function entryOf({ manifest, own, folder }) {
  const main = manifest.main?.replace(/^\.\//, '');
  if (main && BUILT.test(main) && manifest.scripts?.build) return `node ${main}`;
  const listening = [...own]
    .filter(([file, text]) => ENDINGS.test(file) && LISTENS.test(text))
    .map(([file]) => file);
  const [file] = listening.sort((a, b) => rankOf(a) - rankOf(b));
  const entry = file?.slice(folder ? folder.length + 1 : 0);
  if (entry === undefined) return undefined;
  return /\.[mc]?ts$/.test(entry) ? startOfTypeScript(entry, { manifest, own, folder }) : `node ${entry}`;

  /** @param {string} each */
  function rankOf(each) {
    const name = nameOf(each).replace(ENDINGS, '');
    const known = USUAL.indexOf(name);
    const isMain = each === inside(folder, main ?? '');
    return (isMain ? -100 : 0) + 10 * each.split('/').length + (known < 0 ? USUAL.length : known);
  }
}

/**
 * @param {string} entry
 * @param {{ manifest: Manifest, own: Sources, folder: string }} of
 */
function startOfTypeScript(entry, { manifest, own, folder }) {
  const needed = { ...manifest.dependencies, ...manifest.devDependencies };
  const config = own.get(inside(folder, 'tsconfig.json')) ?? '';
  if (manifest.scripts?.build) {
    const outDir = outDirOf(own, folder, manifest);
    const rootDir = /"rootDir"\s*:\s*"(?:\.\/)?([\w/-]*?)[./]*"/.exec(config)?.[1] ?? 'src';
    const below = rootDir && entry.startsWith(`${rootDir}/`) ? entry.slice(rootDir.length + 1) : entry;
    return `node ${outDir}/${below.replace(/ts$/, 'js')}`;
  }
  const runner = ['tsx', 'ts-node'].find((each) => needed[each] !== undefined);
  if (runner) return `npx ${runner} ${entry}`;
  return `${/\bBun\./.test(own.get(inside(folder, entry)) ?? '') ? 'bun' : 'node'} ${entry}`;
}
