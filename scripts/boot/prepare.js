/**
 * Installs and builds a server, once for the same files.
 * @import { Server } from '../types.js'
 */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { byHand } from './by-hand.js';
import { serverEnvironment } from './environment.js';
import { provideNode } from './node.js';
import { isSource, PRODUCED, sourcesOf, STAMP } from './sources.js';
import { runStep } from './step.js';

/**
 * @param {Server} server
 * @param {{ signal: AbortSignal, stamps?: string }} options stamps: where the folder is a checkout of ours whose sources
 *   never change, the folder that notes what was made in it
 * @returns {Promise<void>}
 * @throws {import('../errors.js').MeasureError} install-failed or build-failed with the command, how it ended and its last lines
 */
export async function prepare(server, { signal, stamps }) {
  if (server.node !== undefined) await provideNode(server.node, { env: process.env, signal });
  if (server.install === undefined && server.build === undefined) return;
  // A copy for a version of Node comes and goes apart from the checkout, and bears its own stamps.
  if (stamps !== undefined && server.node === undefined) {
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
  const { folder: cwd, install, build } = server;
  const env = serverEnvironment(process.env, server);
  for (const [kind, command] of /** @type {const} */ ([
    ['install-failed', install],
    ['build-failed', build],
  ])) {
    if (command === undefined) continue;
    await runStep(command, { cwd, env, kind, signal }).catch((error) => {
      throw Object.assign(error, { command: byHand(server, command) });
    });
  }
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
function hashOfCommands({ install, build, env, node = process.version }) {
  return createHash('sha256').update(JSON.stringify([install, build, env, node, process.arch]));
}
