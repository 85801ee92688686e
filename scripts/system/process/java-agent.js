/** Makes agents for JVMs with the JDK's own tools. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fillFolder } from '../cache-folder.js';

/**
 * Takes a source file of one class, and compiles it once. Returns the variable by which JVMs load its agent.
 * @type {(source: string, env: NodeJS.ProcessEnv) => Promise<{ JAVA_TOOL_OPTIONS: string }>}
 * @throws {Error} of execFile, with the tool's `path`; its code is ENOENT where that is missing
 */
export async function buildAgent(source, env) {
  const name = basename(source, '.java');
  const code = await readFile(source);
  const folder = cacheFolder(env, 'agents', createHash('sha256').update(code).digest('hex'));
  const agent = join(folder, 'agent.jar');
  const isBuilt = () => existsSync(agent);
  const build = async (/** @type {string} */ cwd) => {
    const run = (/** @type {string} */ tool, /** @type {string[]} */ ...args) =>
      promisify(execFile)(env.JAVA_HOME ? join(env.JAVA_HOME, 'bin', tool) : tool, args, { cwd, env });
    await writeFile(join(cwd, 'manifest.txt'), `Premain-Class: ${name}\n`);
    // Every JVM in use loads classes of Java 8.
    await run('javac', '-d', '.', '--release', '8', source);
    await run('jar', 'cfm', 'agent.jar', 'manifest.txt', `${name}.class`);
  };
  if (!isBuilt()) await fillFolder(folder, build, isBuilt);
  return { JAVA_TOOL_OPTIONS: `"-javaagent:${agent}"` };
}
