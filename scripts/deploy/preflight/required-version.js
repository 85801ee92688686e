/** @import { Server } from '../../types.js' */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isInRange } from '../../model/version-range.js';
import { readIfThere } from '../../system/bounded-file.js';
import { upwards } from '../../system/folder.js';
import { ask } from '../../system/process/programs.js';
import { shellLine } from '../../system/process/shell.js';
import { RUNTIMES } from '../runtimes.js';

/**
 * @param {Server} server @param {string} version the machine's @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | undefined>} what its manifest asks for instead, like "go.mod asks for 1.27"
 */
export async function whyNotVersion({ folder, runtime, version: own, install, build, start }, version, env) {
  const { requires, fetchedBy, asksWhetherLocal } = RUNTIMES[runtime] ?? {};
  const commands = [install, build, start].flatMap((command) => (command ? shellLine(command) : []));
  if (!requires || own !== undefined || commands.some((line) => fetchedBy?.test(line))) return undefined;
  const asked = requires.flatMap(({ file, says, isLeast }) => {
    const [, range] = says.exec(nearest(file, folder)) ?? [];
    return range && !isInRange(version, isLeast ? `>=${range}` : range) ? `${file} asks for ${range}` : [];
  });
  if (asked.length === 0 || !asksWhetherLocal) return asked[0];
  const { stdout } = await ask(runtime, asksWhetherLocal, { env });
  return stdout.trim() === 'local' ? asked[0] : undefined;
}

/**
 * @param {string} file @param {string} folder
 * @returns {string} the text of the nearest one in its repository; empty without one
 */
function nearest(file, folder) {
  const folders = upwards(folder);
  const top = folders.findIndex((each) => existsSync(join(each, '.git')));
  const inside = folders.slice(0, top + 1 || 1);
  return readIfThere(inside.map((each) => join(each, file)).find(existsSync) ?? '') ?? '';
}
