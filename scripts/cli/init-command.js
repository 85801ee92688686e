/**
 * `init` reads a repository, tries its servers, and writes what it found.
 * @import { Io } from '../main.js'
 * @import { Candidate, Sources, Written } from '../init/candidates.js'
 */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative } from 'node:path';
import { catalogServers } from '../catalog/catalog.js';
import { STANDARD_CONFIG } from '../config/layers.js';
import { readIfThere } from '../system/bounded-file.js';
import { REPOSITORY, ROOT, thisProcess } from '../system/this-project.js';
import { readManifest } from '../system/workspaces.js';
import { UserError } from '../model/errors.js';
import { tryGit } from '../system/git.js';
import { gitignore, HELP, perfYml, withServers } from '../init/files.js';
import { workflowYml } from '../init/workflow.js';
import { harmlessJson } from '../system/sanitize.js';
import { findServers } from '../init/init.js';
import { foundServer, chosen } from '../init/found-server.js';
import { firstAttempt, nextAttempt } from '../init/next-attempt.js';
import { harmless } from '../init/server-settings.js';
import { missingServices } from '../deploy/services.js';
import { canBeAlone, tryServer } from '../session/experiments/try-server.js';
import { librariesIn, libraryFiles } from '../init/library-server.js';
import { readRepository } from '../init/repository.js';

/** For all servers. */
const MOST_MINUTES = 3;

/** @type {import('../verbs.js').Command} */
export async function init({ values, positionals }, io) {
  const { cwd, env, stdout } = io;
  const root = (await tryGit(cwd, 'rev-parse', '--show-toplevel')) ?? cwd;
  const sources = readRepository(root);
  const here = relative(root, cwd);
  const { servers: candidates, more } = findServers(sources, basename(root), positionals, here);
  const library = positionals.length === 0 ? libraryWithout(candidates, sources) : undefined;
  const unknown = positionals.filter((id) => !candidates.some((server) => server.id === id));
  if (candidates.length === 0 && more.length === 0 && !library)
    throw new UserError(
      `nothing in ${root} looks like a server: no package.json with a framework or a start script, no deno.json, pom.xml, build.gradle, go.mod, Cargo.toml, .csproj, requirements.txt, pyproject.toml, Gemfile, composer.json, Procfile or Dockerfile that starts one; write perf.yml by hand, for a library with a small server that uses it: ${HELP}`,
    );
  if (unknown.length > 0)
    throw new UserError(
      `init: no server ${unknown.join(' or ')} was found; there are ${more.map(({ id }) => id).join(', ')}`,
    );
  const isNamed = positionals.length > 0;
  // What exists is kept, so that nothing found would be written.
  const isKept = library !== undefined || (!isNamed && existsSync(join(root, STANDARD_CONFIG)));
  const tracked = (await tryGit(root, 'ls-files', '--', '.'))?.split('\n').filter(Boolean) ?? [];
  const isInGit = tracked.length > 0;
  for (const { folder, tries } of candidates)
    tries.settings.files = tries.settings.files.filter((file) => !tracked.includes(posix.join(folder, file)));
  const isTried = !isKept && isInGit && values.start !== 'false';
  const servers = isTried
    ? await tryAll(candidates, root, io)
    : candidates.map((candidate) => foundServer(candidate, [], []));
  const written = library?.files ?? { 'perf.yml': perfYml(servers) };
  const workflow = workflowYml(sources, library ? [library.started] : servers);
  const files = Object.entries({ ...written, '.github/workflows/perf.yml': workflow })
    .map(([place, text]) =>
      change(join(root, place), (before) => {
        // Servers named on the command line are added to a file that exists.
        const isAdded = before !== undefined && isNamed && place === 'perf.yml';
        return isAdded ? withServers(before, servers) : (before ?? text);
      }),
    )
    .map(({ file, done }) => ({ file: relative(cwd, file), done }));
  const ignored = change(join(root, '.gitignore'), (before = '') => gitignore(before));
  const left = isNamed || library ? [] : more.map(({ tries: _, ...server }) => server);
  const others = left.map(({ id, evidence }) => `      ${id}: ${evidence}\n`).join('');
  // npx leaves no command of this name behind.
  const program = env.npm_command === 'exec' ? `npx github:${REPOSITORY}` : 'perf-action';
  const texts = [
    ...(library
      ? [library.found]
      : servers.map(({ id, evidence, start, routes, tried, toDos }) => {
          const started = start === undefined ? 'its start line to do' : `started with ${start}`;
          const measured = routes.map(({ method, path }) => `${method ?? ''} ${path}`.trim()).join(', ');
          const found = `found ${id}: ${evidence}, ${started}${tried ? `, measured at ${measured}` : ''}`;
          return [found, ...toDos.map((toDo) => `      to do: ${toDo}`), ''].join('\n');
        })),
    others &&
      `left out, since a run of all would take too long; to choose yourself, name the ids: perf-action init ID ID\n${others}`,
    ...files.map(({ file, done }) => {
      if (done === 'added') return `added ${positionals.join(', ')} to ${file}\n`;
      return done === 'wrote' ? `wrote ${file}\n` : `kept  ${file}, which already exists\n`;
    }),
    ignored.done === 'kept' ? '' : 'added perf-results/ to .gitignore\n',
    isInGit
      ? ''
      : 'nothing was tried, since nothing here is in git: git add it, remove perf.yml, init again\n',
    `next: ${library?.next ?? ''}${program} doctor; commit these files; then, on a branch with a change, ${program} run --against main\n`,
    ...servers.flatMap(({ tried }) => (tried ? `tried: ${tried}; ${program} run --against main\n` : [])),
  ];
  const shown = library ? [] : servers.map(({ tries: _, ...server }) => server);
  stdout.write(values.json ? harmlessJson({ servers: shown, leftOut: left, files }) : texts.join(''));
  return 0;
}

/**
 * Undefined unless the repository has Node libraries that servers of ours use, or that have no server.
 * @type {(servers: Candidate[], sources: Sources) => ReturnType<typeof libraryFiles> | undefined}
 */
function libraryWithout(servers, sources) {
  const libraries = librariesIn(sources);
  const names = libraries.map(({ manifest }) => manifest.name);
  const ours = catalogServers(ROOT, thisProcess()).flatMap(({ id, folder }) => {
    const dependencies = Object.keys(readManifest(folder, readIfThere).dependencies ?? {});
    return names.some((name) => dependencies.includes(name)) ? { id, dependencies } : [];
  });
  if (libraries.length === 0 || (ours.length === 0 && servers.length > 0)) return undefined;
  return libraryFiles(libraries, ours);
}

/** @type {(file: string, textOf: (before?: string) => string) => { file: string, done: string }} */
function change(file, textOf) {
  const before = readIfThere(file);
  const after = textOf(before);
  if (after !== before) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, after);
  }
  return { file, done: before === undefined ? 'wrote' : after === before ? 'kept' : 'added' };
}

/** Tries them in turn. @type {(candidates: Candidate[], root: string, io: Io) => Promise<Written[]>} */
async function tryAll(candidates, root, { cwd, env, stderr, signal }) {
  const end = performance.now() + MOST_MINUTES * 60_000;
  const secondsLeft = () => Math.max(1, (end - performance.now()) / 1000);
  const isAlone = canBeAlone();
  const none = '`unshare --net --mount` gives no network of its own here';
  if (!isAlone) stderr.write(`${none}: programs other than Node could reach others\n`);
  /** @type {Written[]} */
  const servers = [];
  for (const candidate of candidates) {
    const { tries, id } = candidate;
    const services = tries.services.map((service) => service.id);
    const missing = missingServices(services, { PATH: env.PATH });
    const isRefused = !isAlone && candidate.runtime !== 'node';
    const how = isRefused ? 'not tried' : `trying, at most ${MOST_MINUTES} min for all (not with --no-start)`;
    stderr.write(`${id}: ${how}\n`);
    const steps = {
      harmless,
      isAlone,
      attemptOf: (/** @type {ReturnType<typeof firstAttempt>} */ choice) => ({
        text: perfYml([chosen(candidate, choice)]),
        ...tries,
      }),
      /** @type {Parameters<typeof tryServer<ReturnType<typeof firstAttempt>>>[2]['next']} */
      next: (choice, found) => nextAttempt(candidate, choice, found, missing),
    };
    const tried = isRefused
      ? []
      : await tryServer(root, firstAttempt(candidate), steps, { cwd, env, stderr, signal, secondsLeft });
    servers.push(foundServer(candidate, tried, missing));
  }
  return servers;
}
