/** Runs many commands of perf-action in one child process, which loads the engine once. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';

const SELF = fileURLToPath(import.meta.url);
const SCRIPTS = fileURLToPath(new URL('../scripts/', import.meta.url));
/** After this long the child is ended, in milliseconds. */
const TIMEOUT_MS = 120_000;

/**
 * files: texts that are written before the command runs, by name.
 * @typedef {{ args: string[], cwd?: string, files?: Record<string, string> }} Command
 * @typedef {{ code: number, stdout: string, stderr: string }} Ended
 */

/**
 * @param {Command[]} commands one runs after the other
 * @param {{ cwd: string, scripts?: string, flags?: string[], env?: NodeJS.ProcessEnv }} options cwd: of
 *   commands that name none; scripts: the folder of the engine; flags: of Node
 * @returns {Promise<Ended[]>} how each command ended
 */
export async function runCommands(commands, { cwd, scripts = SCRIPTS, flags = [], env = process.env }) {
  const limits = { timeout: TIMEOUT_MS, killSignal: /** @type {const} */ ('SIGKILL') };
  const child = spawn(process.execPath, [...flags, SELF, scripts], { cwd, env, ...limits });
  child.stdin.end(JSON.stringify(commands));
  const [output, trouble] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.ok(output.endsWith(']'), `the commands did not end: ${trouble}`);
  return JSON.parse(output);
}

/** @type {(command: Command, scripts: string) => Promise<Ended>} */
async function runCommand({ args, cwd = process.cwd(), files = {} }, scripts) {
  process.chdir(cwd);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  const load = (/** @type {string} */ module) => import(pathToFileURL(join(scripts, module)).href);
  const [{ main }, { outputOn }] = [await load('main.js'), await load('system/terminal-output.js')];
  const printed = { stdout: '', stderr: '' };
  const outputs = Object.fromEntries(
    /** @type {const} */ (['stdout', 'stderr']).map((name) => [
      name,
      outputOn({ write: (/** @type {string} */ content) => (printed[name] += content) }),
    ]),
  );
  const { signal } = new AbortController();
  const code = await main(args, { cwd, env: process.env, ...outputs, signal });
  return { code, ...printed };
}

if (process.argv[1] === SELF) {
  const [, , scripts = SCRIPTS] = process.argv;
  const commands = JSON.parse(await text(process.stdin));
  const ended = [];
  for (const command of commands) ended.push(await runCommand(command, scripts));
  process.stdout.write(JSON.stringify(ended));
}
