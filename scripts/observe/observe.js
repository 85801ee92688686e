/**
 * What server, load tool and the rest of the machine use while a window is measured.
 * @import { Cpu } from '../types.js'
 * @import { ProcessStat } from './proc.js'
 */

import { existsSync } from 'node:fs';
import { readFamily, readMachine, readResidentBytes, readSelf } from './proc.js';

const SAMPLE_MS = 200;

/** @typedef {{ cpu?: Cpu, rssBytes?: number, rssSamples?: [number, number][] }} Observation */

/**
 * Reads the counters now and again at `stop`. The load tool's CPU time is that of our own children reaped in between,
 * which is exact where sampling a process that ends would miss its last moments.
 * @param {number} group the server's process group
 * @returns {{ stop: () => Observation }} stop may be called again and then answers the same; nothing is known but on Linux
 */
export function startWindow(group) {
  if (!existsSync('/proc/self/stat')) return { stop: () => ({}) };
  const startedAt = performance.now();
  const before = snapshot(group);
  /** @type {[number, number][]} */
  const samples = [];
  const sample = () => samples.push([seconds(startedAt), residentBytes(before.family)]);
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  /** @type {Observation | undefined} */
  let observed;
  return {
    stop() {
      clearInterval(timer);
      observed ??= {
        cpu: between(before, snapshot(group)),
        rssBytes: Math.max(...samples.map(([, bytes]) => bytes)),
        rssSamples: samples,
      };
      return observed;
    },
  };
}

/** @param {number} group */
function snapshot(group) {
  return { family: readFamily(group), self: readSelf(), machine: readMachine() };
}

/**
 * @param {ReturnType<typeof snapshot>} before
 * @param {ReturnType<typeof snapshot>} after
 * @returns {Cpu}
 */
function between(before, after) {
  const serverSeconds = familySeconds(before.family, after.family);
  const clientSeconds = after.self.reapedSeconds - before.self.reapedSeconds;
  const ownSeconds = after.self.ownSeconds - before.self.ownSeconds;
  const total = after.machine.totalSeconds - before.machine.totalSeconds;
  const busy = after.machine.busySeconds - before.machine.busySeconds;
  const steal = after.machine.stealSeconds - before.machine.stealSeconds;
  const foreign = busy - serverSeconds - clientSeconds - ownSeconds;
  return {
    serverSeconds: round(serverSeconds),
    clientSeconds: round(clientSeconds),
    foreignShare: total > 0 ? round(Math.max(0, foreign / total)) : 0,
    stealShare: total > 0 ? round(Math.max(0, steal / total)) : 0,
  };
}

/**
 * A child that ended in between is told by its parent's reaped time; one whose parent is gone too is lost, never negative.
 * @param {ProcessStat[]} before
 * @param {ProcessStat[]} after
 */
function familySeconds(before, after) {
  const earlier = new Map(before.map((stat) => [stat.pid, stat]));
  return after.reduce((sum, { pid, ownSeconds, reapedSeconds }) => {
    const was = earlier.get(pid);
    const reaped = reapedSeconds - (was?.reapedSeconds ?? 0);
    // What a reaped child had used before the window is part of its parent's reaped time.
    const lost = before.filter((stat) => stat.ppid === pid && !after.some((still) => still.pid === stat.pid));
    const usedBefore = lost.reduce((used, stat) => used + stat.ownSeconds + stat.reapedSeconds, 0);
    return sum + ownSeconds - (was?.ownSeconds ?? 0) + Math.max(0, reaped - usedBefore);
  }, 0);
}

/** @param {ProcessStat[]} family */
function residentBytes(family) {
  return family.reduce((sum, { pid }) => sum + readResidentBytes(pid), 0);
}

/** @param {number} startedAt */
function seconds(startedAt) {
  return round((performance.now() - startedAt) / 1000);
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 1000) / 1000;
}
