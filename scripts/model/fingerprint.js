/** One short word for "absolute figures taken here and there may be compared". */

import { createHash } from 'node:crypto';

const GIB = 2 ** 30;

/**
 * In: what changes how fast the same program runs. The kernel by major.minor only, as its patches come weekly; memory in
 * whole GiB, as firmware keeps a little back. Out: host name, clock rate, load, which differ on like machines; and the
 * runtimes, since they are part of what is measured: a newer Node that makes a server faster is news, and a comparison
 * through the reference server, which gets faster with it, would hide it.
 * @param {{ cpu: string, cores: number, memoryBytes: number, os: string, kernel: string }} facts cpu: model, and family
 *   where the model is kept secret; os: distribution and release
 * @returns {string} 8 hexadecimal digits
 */
export function fingerprint({ cpu, cores, memoryBytes, os, kernel }) {
  const [version] = /^\d+\.\d+/.exec(kernel) ?? [kernel];
  const facts = [cpu, cores, Math.round(memoryBytes / GIB), os, version];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 8);
}
