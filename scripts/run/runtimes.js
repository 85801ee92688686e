/** Asks the runtimes that the measured servers use for their versions. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * @param {string[]} names the manifests' `runtime`s, which are their commands' names
 * @returns {Promise<Record<string, string>>} versions by name; one that does not answer is left out
 */
export async function runtimeVersions(names) {
  const found = await Promise.all([...new Set(names)].map(async (name) => [name, await versionOf(name)]));
  return Object.fromEntries(found.filter(([, version]) => version));
}

/**
 * Go alone of the usual runtimes knows no `--version`.
 * @param {string} name
 */
async function versionOf(name) {
  for (const argument of ['--version', 'version']) {
    try {
      const { stdout, stderr } = await promisify(execFile)(name, [argument]);
      const version = /\d+(\.\d+)+/.exec(stdout || stderr)?.[0];
      if (version) return version;
    } catch {
      // Not installed, or it does not know the argument: the next form, or no version.
    }
  }
  return undefined;
}
