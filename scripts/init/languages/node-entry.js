/**
 * How a package of Node starts: by its scripts, else by the file that listens.
 * @import { Sources } from '../candidates.js'
 * @import { Package } from './node-packages.js'
 */

import { posix } from 'node:path';
import { quoted } from '../../system/process/shell.js';
import { nameOf } from '../source-tree.js';
import { onOurPort } from '../server.js';

/** Commands that restart, compile on the fly or watch are for development. */
const FOR_WORK =
  /\b(nodemon|ts-node-dev|tsx watch|nest start|(next|nuxt|vite|astro|remix vite:|react-router|svelte-kit) dev|nuxi dev|vite|react-scripts|ng serve|pm2|concurrently|run-[ps]|npm-run-all|turbo|nx|lerna|docker(-compose)?)\b|--watch|--hot\b|\bvite$/;
/** Commands that serve the files of a client. */
export const CLIENT =
  /\b(ng serve|react-scripts|vite|vue-cli-service|webpack|parcel|gatsby|storybook|expo|electron|serve -s)\b/;
/** The build comes before the start anyway: npm run build && node dist. */
const BUILDS_FIRST = /^(?:npm|pnpm|yarn|bun)(?: run)? build\s*&&\s*/;
/** Such a command needs no package manager and no shell around the server. */
const PLAIN_COMMAND = /^(?:NODE_ENV=\w+ )?(?:node|bun|deno) [\w./ =@:$-]+$/;
/** app.listen(80), serve({ fetch }), createServer(handler), Bun.serve({ fetch }). */
const LISTENS =
  /\.listen\(|\bserve\(\s*[{\w]|\b(?:createServer|createSecureServer|startStandaloneServer|createHTTPServer)\s*\(|\b(?:Bun|Deno)\.serve\(/;
const ENDINGS = /\.([mc]?[jt]s)$/;
const USUAL = ['server', 'index', 'app', 'main', 'www', 'start', 'api'];
const BUILT = /^(\.\/)?(dist|build|lib|out)\//;
/** Programs that only Bun runs. */
const FOR_BUN = /\bBun\.|['"](?:bun|elysia)\b|\bexport default \{[^}]*\bfetch\b/;

/**
 * The framework's start command is `usual`. Of several commands, nobody knows which one starts the server.
 * @type {(pack: Package, usual?: string) => string[]}
 */
export function startOf(pack, usual) {
  const { scripts = {} } = pack.manifest;
  const script = ['start:prod', 'start:production', 'start'].find(
    (name) => scripts[name] && !FOR_WORK.test(scripts[name] ?? ''),
  );
  if (script === undefined) return usual ? [usual] : entriesOf(pack);
  const written = (scripts[script] ?? '').trim();
  const command = onOurPort(written);
  const plain = command.replace(BUILDS_FIRST, '');
  if (PLAIN_COMMAND.test(plain)) {
    const { own, folder } = pack;
    const [, file = ''] = /\b(?:\.\/)?([\w./-]+\.js)\b/.exec(plain) ?? [];
    const has = (/** @type {string} */ name) => own.has(posix.join(folder, name));
    // Only the build makes it.
    const isBuilt = scripts.build && !has(file) && has(file.replace(/js$/, 'ts'));
    return [isBuilt ? plain.replace(file, posix.join(outDirOf(pack), file)) : plain];
  }
  if (command === written) return [scriptLine(script, pack)];
  // The script sets a port of its own.
  return [plain.replace(/(^|&& *)(?!node|npm|npx|bun|sh )(?=[\w-]+ )/g, '$1npx ')];
}

/** @type {(script: string, pack: Package) => string} */
export function scriptLine(script, { install: { run } }) {
  return script === 'start' ? run.replace(/ run$/, ' start') : `${run} ${script}`;
}

/** The files that listen. @type {(own: Sources) => string[]} */
export function programsIn(own) {
  return [...own].filter(([file, text]) => ENDINGS.test(file) && LISTENS.test(text)).map(([file]) => file);
}

/** @param {Package} pack */
function outDirOf(pack) {
  const usual = pack.manifest.dependencies?.['@adonisjs/core'] === undefined ? 'dist' : 'build';
  return pathIn(pack, 'tsconfig.json', 'outDir') ?? usual;
}

/**
 * JSON with comments, so that no parser reads it.
 * @type {(pack: Package, file: string, key: string) => string | undefined}
 */
function pathIn({ own, folder }, file, key) {
  const text = own.get(posix.join(folder, file)) ?? '';
  return new RegExp(`"${key}"\\s*:\\s*"(?:\\.\\/)?([\\w./-]*?)[./]*"`).exec(text)?.[1];
}

/** @type {(pack: Package) => string[]} */
function entriesOf(pack) {
  const { manifest, own, folder, preferredFolder } = pack;
  const main = manifest.main?.replace(/^\.\//, '');
  if (main && BUILT.test(main) && manifest.scripts?.build) return [`node ${quoted(main)}`];
  const programs = programsIn(own);
  const here = programs.filter((file) => file.startsWith(`${preferredFolder}/`));
  const eligible = here.length > 0 ? here : programs;
  const rankOf = (/** @type {string} */ file) => {
    const usual = USUAL.indexOf(nameOf(file).replace(ENDINGS, ''));
    const isMain = main !== undefined && file === posix.join(folder, main);
    return (isMain ? -100 : 0) + 10 * file.split('/').length + (usual < 0 ? USUAL.length : usual);
  };
  const least = Math.min(...eligible.map(rankOf));
  const output = pathIn(pack, 'project.json', 'outputPath');
  const rootDir = pathIn(pack, 'tsconfig.json', 'rootDir') ?? 'src';
  const needed = { ...manifest.dependencies, ...manifest.devDependencies };
  const likely = eligible.filter((file) => rankOf(file) === least);
  return likely.map((file) => {
    const entry = posix.relative(folder, file);
    if (output) return `node ${output}/main.js`;
    const isTypeScript = /\.[mc]?ts$/.test(entry);
    if (isTypeScript && manifest.scripts?.build) {
      const inside = rootDir === '' ? entry : entry.replace(`${rootDir}/`, '');
      return `node ${quoted(posix.join(outDirOf(pack), inside).replace(/ts$/, 'js'))}`;
    }
    const runner = ['tsx', 'ts-node'].find((name) => isTypeScript && needed[name] !== undefined);
    if (runner) return `npx ${runner} ${quoted(entry)}`;
    return `${FOR_BUN.test(own.get(file) ?? '') ? 'bun' : 'node'} ${quoted(entry)}`;
  });
}
