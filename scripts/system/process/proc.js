/** What Linux tells in /proc of its processes and of the machine; see proc(5). */

import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

/** USER_HZ: an ABI constant of Linux, 100 on every architecture that Node runs on. */
export const TICKS_PER_SECOND = 100;

/** What each file of a process is read into, and fits into. */
const PAGE = Buffer.alloc(8192);

/**
 * name: the program's, of 15 characters at most; state: one letter, Z or X of what is dead and not yet reaped; systemTicks: of its own, those in the kernel; childTicks: what its ended and reaped children had used, and theirs in turn;
 * threads: nanoseconds on a CPU of each living thread by its id, where they were asked for and the kernel tells.
 * @typedef {{ pid: number, name: string, state: string, ppid: number, pgrp: number, session: number, startTime: number, ownTicks: number, systemTicks: number, childTicks: number,
 *   threads?: Map<number, number> }} Process
 * @typedef {Map<number, Process>} Processes by pid
 * @typedef {{ cores: number, processTicks: number, interruptTicks: number, stealTicks: number }} Machine
 */

/** @returns {number[]} of all processes; none where there is no /proc */
export function listPids() {
  return listIfAlive('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/**
 * @param {(pid: number) => boolean} [isWanted] default: all
 * @returns {Processes}
 */
export function readProcesses(isWanted = () => true) {
  const found = listPids()
    .filter(isWanted)
    .flatMap((pid) => readProcess(pid) ?? []);
  return new Map(found.map((process) => [process.pid, process]));
}

/**
 * @param {number | 'self'} pid
 * @returns {Process | undefined} undefined where it ended since it was listed
 */
export function readProcess(pid) {
  const text = readIfAlive(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseProcess(text);
}

/**
 * @param {number} group the process group's id
 * @param {number} [session] where the group may have ended, and its id be somebody else's
 * @returns {number[]} its members that run
 */
export function runningInGroup(group, session) {
  return [...readProcesses().values()]
    .filter((each) => each.pgrp === group && [undefined, each.session].includes(session) && !isDead(each))
    .map(({ pid }) => pid);
}

/**
 * @param {number} pid
 * @returns {boolean} false of what is dead and not yet reaped
 */
export function isRunning(pid) {
  const found = readProcess(pid);
  return found !== undefined && !isDead(found);
}

/** @param {Process} process */
function isDead({ state }) {
  return 'ZX'.includes(state);
}

/**
 * A hundred thousand times finer than ticks, which are 1 % of a window of a second.
 * @param {number} pid
 * @returns {Map<number, number> | undefined} nanoseconds by thread; undefined where the process is gone, or the kernel was
 *   built without the account (CONFIG_SCHED_INFO)
 */
export function readThreads(pid) {
  const folder = `/proc/${pid}/task`;
  const ids = listIfAlive(folder);
  const known = ids.flatMap((id) => {
    const nanoseconds = Number.parseInt(readIfAlive(`${folder}/${id}/schedstat`) ?? '', 10);
    return Number.isNaN(nanoseconds) ? [] : [/** @type {[number, number]} */ ([Number(id), nanoseconds])];
  });
  return known.length > 0 ? new Map(known) : undefined;
}

/**
 * @param {number} pid
 * @returns {number} seconds for which its threads ran, or waited for a processor; 0 where the process is gone
 */
export function readRunTimes(pid) {
  const folder = `/proc/${pid}/task`;
  return listIfAlive(folder).reduce((sum, id) => {
    const [ran = 0, waited = 0] = (readIfAlive(`${folder}/${id}/schedstat`) ?? '').split(' ').map(Number);
    return sum + (ran + waited || 0) / 1e9;
  }, 0);
}

/** @returns {Machine} */
export function readMachine() {
  return parseMachine(readFileSync('/proc/stat', 'latin1'));
}

/**
 * From `status` and not `statm`, whose unit is the machine's page size.
 * @param {number} pid
 * @returns {number | undefined} resident bytes; undefined where the process is gone
 */
export function readResidentBytes(pid) {
  return parseResidentBytes(readIfAlive(`/proc/${pid}/status`) ?? '');
}

/**
 * @param {string} stat the text of /proc/PID/stat
 * @returns {Process}
 */
export function parseProcess(stat) {
  // The second field is the command's name in parentheses, and may itself hold spaces and parentheses.
  const end = stat.lastIndexOf(')');
  const fields = stat
    .slice(end + 2)
    .split(' ')
    .map(Number);
  /** @param {number} number as proc(5) counts the fields, from 1 */
  const field = (number) => /** @type {number} */ (fields[number - 3]);
  return {
    pid: Number.parseInt(stat, 10),
    name: stat.slice(stat.indexOf('(') + 1, end),
    state: stat.charAt(end + 2),
    ppid: field(4),
    pgrp: field(5),
    session: field(6),
    startTime: field(22),
    ownTicks: field(14) + field(15),
    systemTicks: field(15),
    childTicks: field(16) + field(17),
  };
}

/**
 * @param {string} stat the text of /proc/stat
 * @returns {Machine} guest time is left out: it is inside user and nice already
 */
export function parseMachine(stat) {
  const [, ...times] = (/^cpu .*$/m.exec(stat)?.[0] ?? '').split(/ +/).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = times;
  return {
    cores: stat.match(/^cpu\d+ /gm)?.length ?? 0,
    processTicks: user + nice + system,
    interruptTicks: irq + softirq,
    stealTicks: steal,
  };
}

/**
 * @param {string} status the text of /proc/PID/status
 * @returns {number | undefined} undefined for a dead process and for one of the kernel
 */
export function parseResidentBytes(status) {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? undefined : Number(kib) * 1024;
}

/**
 * Files of a process, which are short. Node's own reading takes a buffer of 64 KB for each file whose length the system does not
 * tell: 20 MB for one look at a busy machine, many times a second.
 * @param {string} path
 */
function readIfAlive(path) {
  try {
    const file = openSync(path, 'r');
    try {
      return PAGE.toString('latin1', 0, readSync(file, PAGE));
    } finally {
      closeSync(file);
    }
  } catch {
    // It ended between the listing and now.
    return undefined;
  }
}

/** @param {string} path */
function listIfAlive(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
