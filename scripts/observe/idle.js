/** Waits until servers have worked off what a load left: requests that nobody waits for any more. */

import { setTimeout as sleep } from 'node:timers/promises';
import { sum } from 'd3-array';
import { readDescendants, readProcess, readProcesses, readWork } from '../system/process/proc.js';
import { membersOf } from './process-tree.js';

const STEP_MS = 3;
/** Of a core: timers and collectors of a server without requests use less. */
const IDLE = 0.05;
/** JIT compilers of HotSpot, Graal and .NET have work for seconds after the last request. */
const COMPILERS = /^(C[12] Compiler|JVMCI|\.NET Tiered)/;

/**
 * Whether all groups (servers, and proxies and services that work for them) are idle: no thread runs or wants
 * to, and they used next to nothing since the last look. True where processes cannot be read.
 * @type {(groups: number[], bounds: { leastMs: number, mostMs: number, signal: AbortSignal }) =>
 *   Promise<boolean>}
 */
export async function untilIdle(groups, { leastMs, mostMs, signal }) {
  const startedAt = performance.now();
  const look = () => {
    const work = membersIn(groups).map((pid) => readWork(pid, COMPILERS));
    const isAtWork = work.some((each) => each.isAtWork);
    return { atMs: performance.now(), ranMs: sum(work, ({ ran }) => ran) / 1e6, isAtWork };
  };
  for (let last = look(); ;) {
    await sleep(STEP_MS);
    const now = look();
    const share = (now.ranMs - last.ranMs) / (now.atMs - last.atMs);
    const waitedMs = now.atMs - startedAt;
    if (waitedMs >= leastMs && !now.isAtWork && share < IDLE) return true;
    if (waitedMs >= mostMs || signal.aborted) return false;
    last = now;
  }
}

/**
 * Reads only the pids that descend from the groups, or from their supervisors, which adopt daemons: reading
 * all processes takes 80 ms on a busy machine.
 * @type {(groups: number[]) => number[]}
 */
function membersIn(groups) {
  const roots = groups.flatMap((group) => {
    const { ppid = process.pid } = readProcess(group) ?? {};
    return ppid === process.pid ? group : ppid;
  });
  const found = roots.map((root) => readDescendants(root));
  if (found.includes(undefined)) return [...membersOf(readProcesses(), groups).keys()];
  return [...new Set([...roots, ...found.flatMap((pids) => pids ?? [])])];
}
