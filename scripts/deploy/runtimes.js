/**
 * Runtimes, a row for each, by the name of the command, which is a manifest's `runtime`. Servers on other
 * runtimes can be measured, too. Planning, `init`, `doctor` and the action read these rows.
 */

import { java } from './runtimes/java.js';
import { node } from './runtimes/node.js';
import { OTHERS } from './runtimes/others.js';
import { php } from './runtimes/php.js';

/**
 * @typedef {object} Install
 * @property {string} command
 * @property {string} run how a script of the project is run
 * @property {string} add installs the packages appended to it, like name@1.2.3, in place of the locked ones
 * @property {string} pack puts the project's tarball into the folder that replaces `{}`
 * @property {string} [lock] the lock file
 * @property {RegExp} [says] text of the lock file, or of the manifest of a project without one
 *
 * @typedef {object} Packages How a project's dependencies are installed.
 * @property {string} manifest
 * @property {(Install & { lock: string })[]} locked by lock file; the first that fits is used
 * @property {Install & { says: RegExp }} unlocked for a project without a lock file
 *
 * @typedef {object} Bring Versions other than the machine's.
 * @property {string[]} describe arguments that make it print its version and its program's path, a line each
 * @property {(version: string) => string[]} bring the command that downloads it into the working directory
 * @property {string} program its path there
 *
 * @typedef {object} Requires Where a project says on which versions it runs.
 * @property {string} file
 * @property {RegExp} says its group is a version or a range
 * @property {true} [isLeast] newer versions fit, too
 *
 * Variables of a server that works more, by a share of a request's CPU time, or us (microseconds) a request.
 * @typedef {(planted: { share: number, us: number }) => Record<string, string>} Plant
 *
 * @typedef {object} Runtime
 * @property {string} label
 * @property {number} [cores] that one of its processes can keep busy; absent: all
 * @property {(env: NodeJS.ProcessEnv) => Promise<Plant>} [plant] makes its servers do more work, without
 *   a change of their files; env: a server's
 * @property {string} [preload] a module that its servers load before their own code (NODE_OPTIONS)
 * @property {true} [movesPort] its preloaded module moves a server from a port of its own to PORT
 * @property {Record<string, string>} [programs] its programs, and how to install each
 * @property {true} [setup] a step of the action installs it
 * @property {true} [compiles] its programs are compiled, and get faster, while they work
 * @property {string[]} [manifests] files without one of which nothing can be installed or built
 * @property {Requires[]} [requires]
 * @property {RegExp} [fetchedBy] commands that download the version that the project needs
 * @property {string[]} [asksWhetherLocal] make it print "local" unless it downloads that version itself
 * @property {string[]} [roots] files that mark a folder with which everything below is built
 * @property {Packages} [packages]
 * @property {string[]} [made] folders that an installation makes, at any depth
 * @property {string} [versionArgument] absent: --version
 * @property {string[]} [variables] that configure it and its tools; a `*` stands for any rest of a name
 * @property {Bring} [version]
 * @property {{ program: string, usedBy: RegExp, home?: string }} [beside] a program that its builders need,
 *   on the PATH or below the folder of the variable `home`
 * @property {{ command: RegExp, explain: (printed: string) => string | undefined }} [failure] why an
 *   installation failed
 * @property {{ variable: string, option: (bytes: number) => string }} [heap] the option that limits its heap
 * @property {{ variable: string, option: (count: number) => string }} [processors] what limits its processors
 */

/** @type {Record<string, Runtime>} */
export const RUNTIMES = { node, java, php, ...OTHERS };

/** Of a manifest without one. */
export const DEFAULT_RUNTIME = 'node';

const ALL = Object.values(RUNTIMES);

export const MADE = ALL.flatMap(({ made = [] }) => made);

export const PROJECT_FILES = ALL.flatMap(({ manifests = [] }) => manifests);

/** Of folders with which everything below is installed or built. */
export const ROOTS = ALL.flatMap(({ packages, roots = [] }) => [
  ...(packages?.locked ?? []).map(({ lock }) => lock),
  ...roots,
]);

export const PACKAGES = ALL.flatMap(({ packages = [] }) => packages);

/** Every server gets them all, since a server of one runtime is often built with another. */
export const VARIABLES = ALL.flatMap(({ variables = [] }) => variables);

/** Variables that list options for a runtime; further options are appended. */
export const OPTION_LISTS = [...new Set(ALL.flatMap(({ heap }) => heap?.variable ?? []))];

export const FAILURES = ALL.flatMap(({ failure = [] }) => failure);

/** By program. @type {Record<string, string>} */
export const PROGRAMS = Object.assign({}, ...ALL.map(({ programs }) => programs));

/**
 * `read` returns the text of a project's file, if it exists.
 * @type {(packages: Packages, read: (file: string) => string | undefined) => Install}
 */
export function installOf({ locked, unlocked }, read) {
  const fits = (/** @type {Install & { lock: string }} */ { lock, says }) => {
    const text = read(lock);
    return text !== undefined && (!says || says.test(text));
  };
  return locked.find(fits) ?? unlocked;
}
