/** Reads /proc of Linux: processes and the machine; see proc(5). */

import { sum } from 'd3-array';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../model/errors.js';

/** USER_HZ, an ABI constant of Linux. */
export const TICKS_PER_SECOND = 100;

/** Any file of a process fits. readFileSync would allocate 64 KB each, 20 MB to read a busy machine. */
const PAGE = Buffer.alloc(8192);

/**
 * @typedef {object} Process
 * @property {number} pid
 * @property {string} name the program's, at most 15 characters
 * @property {string} state one letter; Z and X: dead, but not reaped yet
 * @property {number} ppid
 * @property {number} pgrp
 * @property {number} session
 * @property {number} startTime
 * @property {number} ownTicks
 * @property {number} systemTicks the part of ownTicks in the kernel
 * @property {number} childTicks of its reaped children, and of theirs
 * @property {Map<number, number>} [threads] nanoseconds on a CPU by thread, if they were read
 *
 * @typedef {Map<number, Process>} Processes by pid
 * @typedef {{ cores: number, processTicks: number, interruptTicks: number, stealTicks: number }} Machine
 */

/** Throws a UserError where Linux hides it: nothing could be measured. @type {(folder?: string) => void} */
export function requireProc(folder = '/proc') {
  if (process.platform !== 'linux' || existsSync(join(folder, 'self/stat'))) return;
  throw new UserError(
    `${folder} is not mounted here, and it says what processes use; mount it (mount -t proc proc /proc), or measure outside of this container`,
  );
}

/** @returns {number[]} of all processes; none without /proc */
export function listPids() {
  return list('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
}

/** This user's processes (name, id) that may gain no rights; none loses the flag. @type {() => string[]} */
export function listContained() {
  const isContained = new RegExp(`^State:\t[^ZX][^]*^Uid:\t${process.getuid?.()}\t[^]*^NoNewPrivs:\t1$`, 'm');
  return listPids().flatMap((pid) => {
    const status = readEntry(`/proc/${pid}/status`);
    return isContained.test(status) ? `${/^Name:\t(.*)/.exec(status)?.[1]} ${pid}` : [];
  });
}

/** @type {(isWanted?: (pid: number) => boolean) => Processes} */
export function readProcesses(isWanted = () => true) {
  const pids = listPids().filter(isWanted);
  return new Map(pids.flatMap((pid) => readProcess(pid) ?? []).map((process) => [process.pid, process]));
}

/** Undefined if it has ended. @type {(pid: number | 'self') => Process | undefined} */
export function readProcess(pid) {
  const text = readEntry(`/proc/${pid}/stat`);
  return text === '' ? undefined : parseProcess(text);
}

/** Undefined if the kernel lacks CONFIG_PROC_CHILDREN. @type {(pid: number) => number[] | undefined} */
export function readDescendants(pid) {
  if (!existsSync('/proc/thread-self/children')) return undefined;
  const childrenOf = (/** @type {string} */ id) =>
    readEntry(`/proc/${pid}/task/${id}/children`).match(/\d+/g) ?? [];
  const children = list(`/proc/${pid}/task`).flatMap(childrenOf).map(Number);
  return children.flatMap((child) => [child, ...(readDescendants(child) ?? [])]);
}

/** Pids; `session` tells a group from a later one. @type {(group: number, session?: number) => number[]} */
export function runningInGroup(group, session) {
  const isMember = (/** @type {Process} */ process) =>
    process.pgrp === group && [undefined, process.session].includes(session) && !'ZX'.includes(process.state);
  return [...readProcesses().values()].filter(isMember).map(({ pid }) => pid);
}

/**
 * Nanoseconds by thread, more precise than ticks, each 1 % of a window of a second. Undefined if the process
 * has ended, or the kernel does not count them (CONFIG_SCHED_INFO).
 * @type {(pid: number) => Map<number, number> | undefined}
 */
export function readThreads(pid) {
  const threads = readSchedules(pid);
  return threads.length > 0 ? new Map(threads.map(({ id, ran }) => [id, ran])) : undefined;
}

/**
 * ran: nanoseconds of threads not named so; isAtWork: one has a processor, or waits for it or for a disk.
 * @type {(pid: number, but: RegExp) => { ran: number, isAtWork: boolean }}
 */
export function readWork(pid, but) {
  const threads = readSchedules(pid).map(({ id, ran }) => {
    const text = readEntry(`/proc/${pid}/task/${id}/stat`);
    return { ran, ...(text === '' ? { state: 'X', name: '' } : parseProcess(text)) };
  });
  const counted = threads.filter(({ name }) => !but.test(name));
  return { ran: sum(counted, ({ ran }) => ran), isAtWork: counted.some(({ state }) => 'RD'.includes(state)) };
}

/**
 * Seconds for which its threads ran or waited for a processor; 0 if it has ended.
 * @type {(pid: number) => number}
 */
export function readRunTimes(pid) {
  return sum(readSchedules(pid), ({ ran, waited }) => ran + waited) / 1e9;
}

/**
 * @param {number} group its id
 * @param {{ firstThreads: boolean }} of firstThreads: each process counts with its first thread alone
 * @returns {{ cpuMs: number, rssBytes: number }} what its processes have used so far
 */
export function readUseOfGroup(group, { firstThreads }) {
  const pids = runningInGroup(group);
  const ranOf = (/** @type {number} */ pid) =>
    sum(readSchedules(pid), ({ id, ran }) => (firstThreads && id !== pid ? 0 : ran));
  return { cpuMs: sum(pids, ranOf) / 1e6, rssBytes: sum(pids, (pid) => readResidentBytes(pid) ?? 0) };
}

/** Its threads, in nanoseconds. @type {(pid: number) => { id: number, ran: number, waited: number }[]} */
function readSchedules(pid) {
  const folder = `/proc/${pid}/task`;
  return list(folder).flatMap((id) => {
    const [ran = Number.NaN, waited = 0] = readEntry(`${folder}/${id}/schedstat`)
      .split(' ')
      .map(Number.parseFloat);
    return Number.isNaN(ran) ? [] : [{ id: Number(id), ran, waited }];
  });
}

/** Undefined if it ended, and for a kernel's. @type {(pid: number, status?: string) => number | undefined} */
export function readResidentBytes(pid, status = readEntry(`/proc/${pid}/status`)) {
  // The unit of `statm` would be the machine's page size.
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? undefined : Number(kib) * 1024;
}

/** Reads the text of /proc/PID/stat. @type {(stat: string) => Process} */
export function parseProcess(stat) {
  // The second field, the name in parentheses, may contain spaces and parentheses.
  const end = stat.lastIndexOf(')');
  const fields = Array.from(stat.slice(end + 2).split(' '), Number);
  /** @param {number} number as in proc(5), which counts the fields from 1 */
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

/** Reads the text of /proc/stat; user and nice include guest time. @type {(stat?: string) => Machine} */
export function readMachine(stat = readFileSync('/proc/stat', 'latin1')) {
  const [, ...times] = (/^cpu .*$/m.exec(stat)?.[0] ?? '').split(/ +/).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = times;
  return {
    cores: stat.match(/^cpu\d+ /gm)?.length ?? 0,
    processTicks: user + nice + system,
    interruptTicks: irq + softirq,
    stealTicks: steal,
  };
}

/** Returns '' if the process has ended. @type {(path: string) => string} */
export function readEntry(path) {
  try {
    const file = openSync(path, 'r');
    try {
      return PAGE.toString('latin1', 0, readSync(file, PAGE));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** Returns none if the process has ended. @type {(path: string) => string[]} */
function list(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
