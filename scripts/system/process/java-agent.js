/** Makes agents for JVMs with the JDK's own tools. */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Takes a source file of one class. Returns the variable by which JVMs load its agent.
 * @type {(source: string, place: { folder: string, env: NodeJS.ProcessEnv }) =>
 *   Promise<{ JAVA_TOOL_OPTIONS: string }>}
 * @throws {Error} of execFile, with the tool's `path`; its code is ENOENT where that is missing
 */
export async function buildAgent(source, { folder, env }) {
  const name = basename(source, '.java');
  const run = (/** @type {string} */ tool, /** @type {string[]} */ ...args) =>
    promisify(execFile)(env.JAVA_HOME ? join(env.JAVA_HOME, 'bin', tool) : tool, args, { cwd: folder, env });
  await writeFile(join(folder, 'manifest.txt'), `Premain-Class: ${name}\n`);
  // Every JVM in use loads classes of Java 8.
  await run('javac', '-d', '.', '--release', '8', source);
  await run('jar', 'cfm', 'agent.jar', 'manifest.txt', `${name}.class`);
  return { JAVA_TOOL_OPTIONS: `"-javaagent:${join(folder, 'agent.jar')}"` };
}
