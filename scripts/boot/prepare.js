/**
 * Installs and builds a server, once for the same files.
 * @import { Command, FailureKind, Server } from '../types.js'
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MeasureError } from '../errors.js';
import { serverEnvironment } from './environment.js';
import { commandLine, startGroup } from './process.js';

/** What installs and builds leave behind at the top of a server's folder. */
const PRODUCED = ['node_modules', 'dist', 'build', 'target', 'vendor', 'bin'];
/** Those of them that many projects write by hand: ours to pass over only where the build made them. */
const PERHAPS_SOURCES = ['build', 'vendor', 'bin'];
/** What is no source at any depth. */
const NO_SOURCES = ['node_modules', '.git', '.cache', 'perf-results'];

/** Lies inside each produced folder, so that it is thrown away together with what it vouches for. */
const STAMP = '.perf-action-stamp';

/**
 * @param {Server} server
 * @param {{ signal: AbortSignal, stamps?: string }} options stamps: where the folder is a checkout of ours whose sources
 *   never change, the folder that notes what was made in it
 * @returns {Promise<void>}
 * @throws {MeasureError} install-failed or build-failed with the command, how it ended and its last lines
 */
export async function prepare(server, { signal, stamps }) {
  if (server.install === undefined && server.build === undefined) return;
  if (stamps !== undefined) {
    const stamp = join(stamps, hashOfCommands(server).update(server.folder).digest('hex'));
    if (existsSync(stamp)) return;
    await installAndBuild(server, signal);
    writeFileSync(stamp, '');
    return;
  }
  const fingerprint = fingerprintOf(server);
  if (isPrepared(server.folder, fingerprint)) return;
  const made = PRODUCED.filter((name) => !isSource(server.folder, name));
  await installAndBuild(server, signal);
  const produced = made.filter((name) =>
    statSync(join(server.folder, name), { throwIfNoEntry: false })?.isDirectory(),
  );
  for (const name of produced)
    writeFileSync(join(server.folder, name, STAMP), [fingerprint, ...produced].join('\n'));
}

/**
 * @param {Server} server
 * @param {AbortSignal} signal
 */
async function installAndBuild(server, signal) {
  if (server.install !== undefined) await runStep(server, server.install, { kind: 'install-failed', signal });
  if (server.build !== undefined) await runStep(server, server.build, { kind: 'build-failed', signal });
}

/**
 * @param {string} folder
 * @param {string} fingerprint
 * @returns {boolean} whether every folder produced for these very sources is still there
 */
function isPrepared(folder, fingerprint) {
  const stamps = PRODUCED.map((name) => join(folder, name, STAMP)).filter(existsSync);
  if (stamps.length === 0) return false;
  const texts = stamps.map((stamp) => readFileSync(stamp, 'utf8'));
  const [found, ...produced] = texts[0]?.split('\n') ?? [];
  return (
    found === fingerprint && texts.length === produced.length && texts.every((text) => text === texts[0])
  );
}

/**
 * @param {Server} server
 * @param {Command} command
 * @param {{ kind: FailureKind, signal: AbortSignal }} options
 */
async function runStep(server, command, { kind, signal }) {
  const line = commandLine(command);
  const env = serverEnvironment(process.env, server.env);
  const group = await startGroup(command, { cwd: server.folder, env }).catch((error) => {
    throw new MeasureError(kind, `\`${line}\` could not be started: ${error.message}`);
  });
  const stop = () => void group.stop();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const { code, signal: ended } = await group.exited;
  signal.removeEventListener('abort', stop);
  await group.stop();
  if (signal.aborted) throw new MeasureError('cancelled', `cancelled during \`${line}\``);
  if (code !== 0) throw new MeasureError(kind, `\`${line}\` ended with ${code ?? ended}`, group.logTail());
}

/**
 * Over the names and contents of the folder's sources and over the commands; times of change say nothing after a checkout.
 * @param {Server} server
 */
function fingerprintOf(server) {
  const { folder } = server;
  const hash = hashOfCommands(server);
  for (const file of sourcesOf(folder)) hash.update(`\0${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

/** @param {Server} server */
function hashOfCommands({ install, build, env }) {
  return createHash('sha256').update(JSON.stringify([install, build, env, process.version, process.arch]));
}

/**
 * @param {string} folder
 * @param {string} [below]
 * @returns {string[]} relative paths, sorted
 */
function sourcesOf(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .filter(({ name }) => !NO_SOURCES.includes(name))
    .filter(({ name }) => below !== '' || !PRODUCED.includes(name) || isSource(folder, name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(below, entry.name);
      if (entry.isDirectory()) return sourcesOf(folder, path);
      return isReadAsFile(entry, join(folder, path)) ? [path] : [];
    });
}

/**
 * @param {string} folder
 * @param {string} name one of PRODUCED
 * @returns {boolean} whether it was there before any build of ours
 */
function isSource(folder, name) {
  return (
    PERHAPS_SOURCES.includes(name) && existsSync(join(folder, name)) && !existsSync(join(folder, name, STAMP))
  );
}

/**
 * @param {import('node:fs').Dirent} entry
 * @param {string} path
 */
function isReadAsFile(entry, path) {
  return (
    entry.isFile() || (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile() === true)
  );
}
