/** @import { Command } from '../../types.js' */

import { placeFrom } from '../../system/folder.js';
import { quoted, shellLine } from '../../system/process/shell.js';

/** Separates several commands of a line; assignments in front of it reach only the first. */
const SEVERAL = /[;&|\n]/;

/**
 * The command that repeats a failure by hand, like `cd services/api && HOST=127.0.0.1 PORT=3000 node x.js #
 * with its env: JWT_KEY`. It contains only the names of the manifest's variables, as values may be secret.
 * @param {{ folder: string, env: Record<string, unknown> }} server
 * @param {Command} command
 * @param {Record<string, string | number>} [given] variables that the engine sets for it
 * @returns {string}
 */
export function byHand({ folder, env }, command, given = {}) {
  const place = placeFrom(process.cwd(), folder);
  const words = Object.entries(given).map(([name, value]) => `${name}=${quoted(String(value))} `);
  const isSeveral = typeof command === 'string' && words.length > 0 && SEVERAL.test(command);
  const line = isSeveral ? `sh -c ${quoted(command)}` : shellLine(command);
  const names = Object.keys(env);
  const comment = names.length > 0 ? ` # with its env: ${names.join(', ')}` : '';
  return `${place && `cd ${shellLine([place])} && `}${words.join('')}${line}${comment}`;
}
