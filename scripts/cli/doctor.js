/**
 * `perf-action doctor`: says what this machine lacks and how to get it.
 * @import { Arguments } from './verbs.js'
 * @import { Io } from '../cli.js'
 */

import { readCatalog, readServer } from '../plan/catalog.js';
import { examine } from '../run/doctor.js';
import { ROOT } from './root.js';

/**
 * @param {Arguments} _args
 * @param {Io} io
 * @returns {Promise<number>}
 */
export async function doctor(_args, io) {
  const servers = [...readCatalog(ROOT).servers.values()].map(readServer);
  const findings = await examine(servers);
  const width = Math.max(...findings.map(({ what }) => what.length));
  for (const { what, found, mend } of findings) {
    io.stdout.write(
      `${found === undefined ? '✗' : '✓'} ${what.padEnd(width)}  ${found ?? `lacking: ${mend}`}\n`,
    );
  }
  return 0;
}
