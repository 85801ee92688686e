/** Machines with equal fingerprints give absolute figures that can be compared. */

import { createHash } from 'node:crypto';

const GIB = 2 ** 30;

/**
 * Covers what changes how fast the same program runs: the kernel by major.minor only, as its patches come
 * weekly, and memory in whole GiB, as firmware keeps a little back. It leaves out host name, clock rate and
 * load, which differ on like machines, and the runtimes, which are part of what is measured: a comparison
 * through the reference would hide that a newer Node is faster.
 * @param {{ cpu: string, cores: number, memoryBytes: number, os: string, kernel: string }} facts cpu: the
 *   model, or the family where the model is not known; os: distribution and release
 * @returns {string} 8 hexadecimal digits
 */
export function fingerprint({ cpu, cores, memoryBytes, os, kernel }) {
  const [version] = /^\d+\.\d+/.exec(kernel) ?? [kernel];
  const facts = [cpu, cores, Math.round(memoryBytes / GIB), os, version];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 8);
}
