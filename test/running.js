import { readProcess } from '../scripts/system/process/proc.js';

/** False for a dead process that is not reaped yet. @type {(pid: number) => boolean} */
export function isRunning(pid) {
  const process = readProcess(pid);
  return process !== undefined && !'ZX'.includes(process.state);
}
