/** Linux' /proc as numbers: pure parsers, and the reading of the files. */

import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ, the unit of CPU times in /proc: 100 on every Linux whatever its kernel's own tick (proc(5), time(7)). */
const TICKS_PER_SECOND = 100;

/**
 * cpuSeconds: user + system of the process and of the children it has waited for.
 * @typedef {{ pid: number, ppid: number, pgrp: number, ownSeconds: number, reapedSeconds: number }} ProcessStat
 * @typedef {{ busySeconds: number, stealSeconds: number, totalSeconds: number }} MachineStat
 */

/**
 * @param {string} text the content of /proc/PID/stat
 * @returns {ProcessStat}
 */
export function parseProcessStat(text) {
  // The name in parentheses may hold blanks and parentheses itself, so the fields begin behind the last one.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [ppid = 0, pgrp = 0] = [fields[1], fields[2]];
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15);
  return {
    pid: Number.parseInt(text, 10),
    ppid,
    pgrp,
    ownSeconds: (utime + stime) / TICKS_PER_SECOND,
    reapedSeconds: (cutime + cstime) / TICKS_PER_SECOND,
  };
}

/**
 * @param {string} text the content of /proc/stat
 * @returns {MachineStat} over all processors; guest time is inside user time already
 */
export function parseMachineStat(text) {
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] =
    /^cpu +(.*)$/m.exec(text)?.[1]?.split(' ').map(Number) ?? [];
  const busy = user + nice + system + irq + softirq;
  return {
    busySeconds: busy / TICKS_PER_SECOND,
    stealSeconds: steal / TICKS_PER_SECOND,
    totalSeconds: (busy + idle + iowait + steal) / TICKS_PER_SECOND,
  };
}

/** @returns {MachineStat} */
export function readMachine() {
  return parseMachineStat(readFileSync('/proc/stat', 'utf8'));
}

/** @returns {ProcessStat} our own process */
export function readSelf() {
  return parseProcessStat(readFileSync('/proc/self/stat', 'utf8'));
}

/**
 * @param {number} group a process group's id
 * @returns {ProcessStat[]} its processes, and whatever they started that left the group
 */
export function readFamily(group) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const text = readIfThere(`/proc/${name}/stat`);
      return text === undefined ? [] : [parseProcessStat(text)];
    });
  const family = new Set(all.filter(({ pgrp }) => pgrp === group).map(({ pid }) => pid));
  for (let size = -1; size !== family.size; ) {
    size = family.size;
    for (const { pid, ppid } of all) if (family.has(ppid)) family.add(pid);
  }
  return all.filter(({ pid }) => family.has(pid));
}

/**
 * @param {number} pid
 * @returns {number} resident bytes, 0 where the process is gone
 */
export function readResidentBytes(pid) {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readIfThere(`/proc/${pid}/status`) ?? '')?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/**
 * @param {string} file
 * @returns {string | undefined} undefined where the process has ended meanwhile
 */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
