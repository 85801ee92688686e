/** The command line of this checkout, as benches call it. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CLI = fileURLToPath(new URL('../scripts/cli.js', import.meta.url));

/** What it printed. @type {(folder: string, command: string[]) => Promise<string>} */
export async function perfAction(folder, command) {
  const options = { cwd: folder, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...command], options);
  return stdout;
}
