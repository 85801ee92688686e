/** Repositories for the tests of init, and what it makes of them by way of the real planner. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRunConfig } from '../../scripts/session/run-config.js';
import { sidesHere } from '../../scripts/session/sides.js';
import { perfYml } from '../../scripts/init/files.js';
import { foundServer } from '../../scripts/init/found-server.js';
import { findServers } from '../../scripts/init/init.js';
import { readRepository } from '../../scripts/init/repository.js';
import { planOf } from '../../scripts/plan/shard.js';
import { scratchFolder } from '../scratch.js';

const SCRATCH = scratchFolder();
let count = 0;

/** @param {Record<string, string | object>} files objects are written as JSON */
export function repository(files) {
  const root = join(SCRATCH, `shop-${++count}`);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return root;
}

/**
 * @param {Record<string, string | object>} files
 * @returns the servers that were found without a start, and those that the planner reads from the perf.yml
 *   made of them
 */
export function found(files) {
  const root = repository(files);
  const servers = written(findServers(readRepository(root), 'shop').servers);
  if (servers.length === 0) return { servers, planned: [], cases: [] };
  writeFileSync(join(root, 'perf.yml'), perfYml(servers));
  if (servers.some(({ start }) => start === undefined)) return { servers, planned: [], cases: [] };
  const config = readRunConfig({}, root);
  const cases = planOf(config, sidesHere(config)).cases.filter(({ reference }) => !reference);
  return { servers, planned: config.servers.filter(({ reference }) => !reference), cases };
}

/** Without a try. @param {import('../../scripts/init/candidates.js').Candidate[]} candidates */
export function written(candidates) {
  return candidates.map((candidate) => foundServer(candidate, [], []));
}
