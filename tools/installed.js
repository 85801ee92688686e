/**
 * `node tools/installed.js [--omit=dev]`: exits with 0 where node_modules has every package of
 * package-lock.json in its version. The age of files shows nothing: a checkout makes all of them new.
 */

import { readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const isForRunning = process.argv.includes('--omit=dev');

/** @type {(file: string) => Record<string, { version?: string, dev?: true, optional?: true }>} */
const packagesOf = (file) => JSON.parse(readFileSync(new URL(file, root), 'utf8')).packages;

/** @returns {boolean} */
function isInstalled() {
  try {
    const installed = packagesOf('node_modules/.package-lock.json');
    return Object.entries(packagesOf('package-lock.json')).every(
      ([path, { version, dev, optional }]) =>
        path === '' || optional || (dev && isForRunning) || installed[path]?.version === version,
    );
  } catch {
    // Nothing was installed, or only in part.
    return false;
  }
}

process.exitCode = isInstalled() ? 0 : 1;
