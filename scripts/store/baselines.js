/**
 * Stored runs to compare with, one a profile and kind of machine.
 * @import { Run } from '../types.js'
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRun, writeRun } from './run-file.js';

/**
 * Replaces the one that was stored for the same profile and kind of machine.
 * @param {Run} run
 * @param {string} dir
 * @returns {Promise<string>} the file
 */
export async function saveBaseline(run, dir) {
  const name = `${run.profile ?? 'run'}-${run.environment.fingerprint}.json`;
  await writeRun(dir, run, name);
  return join(dir, name);
}

/**
 * @param {string} dir
 * @returns {Promise<{ file: string, startedAt: string, sha?: string, fingerprint: string, cpuModel: string, servers: string[] }[]>}
 */
export async function listBaselines(dir) {
  const files = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith('.json')) : [];
  return Promise.all(
    files.sort().map(async (name) => {
      const file = join(dir, name);
      const { startedAt, revision, environment, cases } = await readRun(file);
      return {
        file,
        startedAt,
        ...(revision?.sha !== undefined && { sha: revision.sha }),
        fingerprint: environment.fingerprint,
        cpuModel: environment.cpuModel,
        servers: [...new Set(cases.map(({ server }) => server))],
      };
    }),
  );
}
