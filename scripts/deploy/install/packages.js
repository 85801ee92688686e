/** The packages that a package.json names, and other versions. @import { Server } from '../../types.js' */

import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { UserError } from '../../model/errors.js';
import { readIfThere } from '../../system/bounded-file.js';
import { upwards } from '../../system/folder.js';
import { ask } from '../../system/process/find-program.js';
import { readManifest, workspaceOf } from '../../system/workspaces.js';
import { serverEnvironment } from '../process/server-environment.js';
import { readLock } from './lock-file.js';
import { installIn } from '../source/with-install.js';

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** The registry answers within a second or two, or not at all. */
const ANSWER_MS = 60_000;

/**
 * Finds the nearest folder with a package.json, and the packages that it names with their locked versions,
 * where a lock file says so; lock: its text.
 * @type {(folder: string) =>
 *   { folder: string, versions: Map<string, string | undefined>, lock?: string } | undefined}
 */
export function dependenciesOf(folder) {
  const packageDir = manifestFolder(folder);
  if (packageDir === undefined) return undefined;
  const manifest = readManifest(packageDir, readIfThere);
  const names = KINDS.flatMap((kind) => Object.keys(manifest[kind] ?? {}));
  const top = workspaceOf(packageDir, readIfThere) ?? packageDir;
  const { lock } = installIn(packageDir) ?? {};
  const text = lock && readIfThere(join(top, lock));
  const versions = (text ? readLock(lock, text) : undefined)?.direct.get(relative(top, packageDir));
  return {
    folder: packageDir,
    versions: new Map(names.map((name) => [name, versions?.get(name)])),
    ...(text !== undefined && { lock: text }),
  };
}

/**
 * Installs the `packages` of a server in its build folder in place of the locked ones.
 * @type {(server: Server) => { command: string[], cwd: string } | undefined}
 */
export function otherPackages({ folder, buildDir, packages = {} }) {
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const cwd = manifestFolder(folder);
  if (wanted.length === 0 || buildDir === undefined || cwd === undefined) return undefined;
  const { add } = installIn(cwd) ?? {};
  return add === undefined ? undefined : { command: [...add.split(' '), ...wanted], cwd };
}

/**
 * Asks the registry through npm, which reads the project's .npmrc.
 * @param {string} name
 * @param {string} wanted a version, a range like 9 or ^9.1, or a tag like latest
 * @param {{ folder: string, env: NodeJS.ProcessEnv }} context folder: of the project
 * @returns {Promise<string>} the newest version that fits
 * @throws {UserError} where there is no such package or version
 */
export async function exactVersion(name, wanted, { folder, env: caller }) {
  const env = serverEnvironment(caller, { runtime: 'node', env: {} });
  const question = ['view', `${name}@${wanted}`, 'version', '--json'];
  const { error, stdout } = await ask('npm', question, { cwd: folder, env, timeout: ANSWER_MS });
  const answer = stdout.trim() ? JSON.parse(stdout) : { error: { summary: error?.message ?? 'no answer' } };
  const versions = typeof answer === 'string' ? [answer] : answer;
  if (Array.isArray(versions))
    return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  const { code, summary = '' } = answer.error ?? {};
  if (code !== 'E404') throw new UserError(`npm view ${name}@${wanted}: ${String(summary).split('\n')[0]}`);
  throw new UserError(
    /^No match/.test(summary)
      ? `the registry has no version "${wanted}" of ${name}; npm view ${name} versions lists them`
      : `the registry has no package "${name}"`,
  );
}

/** The nearest folder with a package.json. @type {(folder: string) => string | undefined} */
function manifestFolder(folder) {
  return upwards(folder).find((each) => existsSync(join(each, 'package.json')));
}
