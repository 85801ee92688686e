/** Whether anything of a process group still runs. */

import { readdirSync, readFileSync } from 'node:fs';

/**
 * A process that is dead but not yet reaped keeps its group's id in use, for ever where the first process of a
 * container reaps nobody (the job containers of CI); it holds nothing else, so it does not count.
 * @param {number} group the process group's id
 * @returns {boolean}
 */
export function isGroupAlive(group) {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isMember(name, group));
}

/**
 * @param {string} pid
 * @param {number} group
 * @returns {boolean} whether it runs, and in that group
 */
export function isMember(pid, group) {
  const { state, group: its } = statOf(pid);
  return its === group && !isDead(state);
}

/**
 * @param {number} pid
 * @returns {boolean} false of what is dead and only not yet reaped
 */
export function isRunning(pid) {
  return !isDead(statOf(pid).state);
}

/** @param {string} state */
function isDead(state) {
  return state === '' || 'ZX'.includes(state);
}

/**
 * @param {string | number} pid
 * @returns {{ state: string, group?: number }} the state is empty where the process ended since it was listed
 */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name comes before, in parentheses, and may hold blanks and parentheses: proc_pid_stat(5).
    const [state = '', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state, group: Number(group) };
  } catch {
    return { state: '' };
  }
}
