import { readProcess } from '../scripts/system/process/proc.js';

/** @param {number} pid @returns {boolean} false for a dead process that is not reaped yet */
export function isRunning(pid) {
  const process = readProcess(pid);
  return process !== undefined && !'ZX'.includes(process.state);
}
