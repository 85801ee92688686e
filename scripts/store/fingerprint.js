/**
 * Which machines' absolute figures may be compared.
 * @import { Environment } from '../types.js'
 */

import { createHash } from 'node:crypto';

const GIBIBYTE = 2 ** 30;

/**
 * Processor, number of cores, memory and kind of place decide the speed. Memory is rounded, since the firmware of equal
 * machines keeps different amounts for itself; kernel and runtimes are left out: an update of them is a change a user
 * wants to see, not another machine.
 * @param {Pick<Environment, 'cpuModel' | 'cores' | 'memoryBytes' | 'runner'>} environment
 * @returns {string} 12 hexadecimal digits
 */
export function fingerprint({ cpuModel, cores, memoryBytes, runner }) {
  const facts = [cpuModel, cores, Math.round(memoryBytes / GIBIBYTE), runner];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 12);
}
