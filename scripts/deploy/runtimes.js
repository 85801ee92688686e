/**
 * What servers run on: a row for each, under the name of its command, which is a manifest's `runtime`. One that has no row can
 * be measured too; then only its version is asked for. Planning, `init`, `doctor` and the action read these rows.
 */

import { go } from './runtimes/go.js';
import { java } from './runtimes/java.js';
import { node } from './runtimes/node.js';
import { bun, cargo, deno, dotnet, ruby } from './runtimes/others.js';
import { php } from './runtimes/php.js';
import { python3 } from './runtimes/python.js';

/**
 * run: how a script of the project is run; says: what the lock file says then, or the manifest where there is none.
 * @typedef {{ command: string, run: string, lock?: string, says?: RegExp }} Install
 * locked: by lock file, the first that fits; unlocked: a project without one.
 * @typedef {{ manifest: string, locked: (Install & { lock: string })[], unlocked: Install & { says: RegExp } }} Packages
 *
 * preload: a module of ours that its servers load before their own code (NODE_OPTIONS); cores: how many one of its processes can keep busy, absent for as many as there are; programs: its own and those that come with it, and how a machine gets each; setup: a step of the action installs it; compiles: its
 * programs are compiled, and grow faster, while they work;
 * manifests: files without one of which nothing can be installed or built; roots: files that mark a folder that everything
 * below is built with; packages: how a project's dependencies are installed; made: folders that an installation makes, which
 * are no sources at any depth; versionArgument: absent for --version; variables: of the environment, that set
 * it and its tools up (homes, caches, registries, options), a `*` for any rest of a name; version: where other versions than the machine's can
 * be brought; beside: what its builders need beside themselves, on the PATH or below the variable's folder; failure: what explains that
 * an installation failed, in what it printed; heap, processors: how one of
 * its programs is told its limits, as one more option in a variable.
 * @typedef {{
 *   label: string,
 *   cores?: number,
 *   preload?: string,
 *   programs?: Record<string, string>,
 *   setup?: true,
 *   compiles?: true,
 *   manifests?: string[],
 *   roots?: string[],
 *   packages?: Packages,
 *   made?: string[],
 *   versionArgument?: string,
 *   variables?: string[],
 *   version?: Bring,
 *   beside?: { program: string, usedBy: RegExp, home?: string },
 *   failure?: Failure,
 *   heap?: { variable: string, option: (bytes: number) => string },
 *   processors?: { variable: string, option: (count: number) => string },
 * }} Runtime
 *
 * @typedef {{ command: RegExp, explain: (printed: string) => string | undefined }} Failure
 *
 * describe: arguments that make it print its version and its program, as JSON; bring: the command that brings a version into
 * the working directory; program: where it is then.
 * @typedef {{ describe: string[], bring: (version: string) => string[], program: string }} Bring
 */

/** @type {Record<string, Runtime>} */
export const RUNTIMES = { node, java, go, php, python3, ruby, bun, deno, cargo, dotnet };

/** What a server runs on whose manifest does not say. */
export const DEFAULT_RUNTIME = 'node';

const ALL = Object.values(RUNTIMES);

/** Folders that an installation makes. */
export const MADE = ALL.flatMap(({ made = [] }) => made);

/** Files without one of which nothing can be installed or built. */
export const PROJECT_FILES = ALL.flatMap(({ manifests = [] }) => manifests);

/** Files that mark a folder that everything below is installed or built with. */
export const ROOTS = ALL.flatMap(({ packages, roots = [] }) => [
  ...(packages?.locked ?? []).map(({ lock }) => lock),
  ...roots,
]);

/** How dependencies are installed, of those runtimes where the files tell. */
export const PACKAGES = ALL.flatMap(({ packages = [] }) => packages);

/** A server of one is often built with another: all of them get these. */
export const VARIABLES = ALL.flatMap(({ variables = [] }) => variables);

/** Variables that list options for a runtime: one more stands after those that are there. */
export const OPTION_LISTS = [...new Set(ALL.flatMap(({ heap }) => heap?.variable ?? []))];

/** How installations explain that they failed. */
export const FAILURES = ALL.flatMap(({ failure = [] }) => failure);

/** By program. @type {Record<string, string>} */
export const PROGRAMS = Object.assign({}, ...ALL.map(({ programs }) => programs));

/**
 * @param {Packages} packages
 * @param {(file: string) => string | undefined} read the text of a project's file, where it has one
 * @returns {Install} what installs it
 */
export function installOf({ locked, unlocked }, read) {
  const found = locked.find(({ lock, says }) => {
    const text = read(lock);
    return text !== undefined && (!says || says.test(text));
  });
  return found ?? unlocked;
}
