/** Versions of Node beside the one on the PATH, from npm's package `node`, brought once and kept. */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MeasureError } from '../errors.js';
import { nodeHome } from './cache.js';
import { serverEnvironment } from './environment.js';
import { runStep } from './step.js';

/**
 * The Node on the PATH serves where it is such a version. Else npm brings the newest; what was brought stays, so that
 * runs of different days measure the same one, until its folder is removed.
 * @param {string} version as it was asked for: "24", "24.9", "24.9.0"
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<string>} the exact version, like "24.9.0"
 * @throws {MeasureError} install-failed, cancelled
 */
export async function provideNode(version, { env, signal }) {
  const home = nodeHome(env, version);
  const kept = await describeNode(join(home, 'bin', 'node'));
  if (kept && isSuch(kept.version, version)) return kept.version;
  mkdirSync(join(home, '..'), { recursive: true });
  const scratch = mkdtempSync(`${home}-`);
  try {
    mkdirSync(join(scratch, 'bin'));
    const own = await describeNode('node');
    const program =
      own && isSuch(own.version, version) ? own.program : await download(version, scratch, { env, signal });
    symlinkSync(program, join(scratch, 'bin', 'node'));
    const found = await describeNode(join(scratch, 'bin', 'node'));
    if (!found || !isSuch(found.version, version)) {
      throw new MeasureError(
        'install-failed',
        `npm's package node@${version} holds no program that runs here`,
      );
    }
    const sooner = await describeNode(join(home, 'bin', 'node'));
    // Another run may have brought it meanwhile, and use it by now.
    if (sooner && isSuch(sooner.version, version)) return sooner.version;
    rmSync(home, { recursive: true, force: true });
    renameSync(scratch, home);
    return found.version;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * @param {string} version
 * @param {string} folder
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<string>} the program, relative to the folder's bin
 */
async function download(version, folder, { env, signal }) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--save-exact', '--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error'];
  await runStep(['npm', 'install', ...options, `node@${version}`], {
    cwd: folder,
    env: serverEnvironment(env, { env: {} }),
    kind: 'install-failed',
    signal,
  }).catch(({ kind, message, logTail }) => {
    throw new MeasureError(kind, `Node ${version} could not be had: ${message}`, logTail);
  });
  return join('..', 'node_modules', 'node', 'bin', 'node');
}

/**
 * @param {string} program
 * @returns {Promise<{ version: string, program: string } | undefined>} undefined where it does not run
 */
async function describeNode(program) {
  try {
    const script =
      'console.log(JSON.stringify({ version: process.versions.node, program: process.execPath }))';
    const { stdout } = await promisify(execFile)(program, ['-e', script]);
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}

/**
 * @param {string} found
 * @param {string} asked
 */
function isSuch(found, asked) {
  return found === asked || found.startsWith(`${asked}.`);
}
