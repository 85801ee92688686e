/** Cache folders for what every run can use again. */

import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** In the user's cache (XDG Base Directory). @type {(env: NodeJS.ProcessEnv, ...path: string[]) => string} */
export function cacheFolder(env, ...path) {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'perf-action', ...path);
}

/**
 * The folder whose `bin` goes first on its servers' PATH. The version is as configured: "24", "24.9",
 * "24.9.0".
 * @type {(env: NodeJS.ProcessEnv, runtime: string, version: string) => string}
 */
export function runtimeHome(env, runtime, version) {
  return cacheFolder(env, runtime, `${version}-${process.platform}-${process.arch}`);
}

/**
 * Fills a cache folder in one step, so that an interrupted download leaves nothing behind. It asks `isFilled`
 * afterwards: another run may have filled it meanwhile, and use it by now.
 * @type {(target: string, fill: (folder: string) => Promise<unknown>, isFilled: () => unknown) =>
 *   Promise<void>}
 */
export async function fillFolder(target, fill, isFilled) {
  mkdirSync(dirname(target), { recursive: true });
  const scratch = mkdtempSync(`${target}-`);
  try {
    await fill(scratch);
    if (await isFilled()) return;
    rmSync(target, { recursive: true, force: true });
    renameSync(scratch, target);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
