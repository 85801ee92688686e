/**
 * What machine this is.
 * @import { Environment } from '../types.js'
 */

import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { fingerprint } from '../store/fingerprint.js';

/**
 * @param {{ runtimes: Record<string, string>, tools: Record<string, string>, runner?: string }} known versions by name;
 *   runner: what kind of place it is, "local" where nobody says
 * @returns {Environment}
 */
export function describeMachine({ runtimes, tools, runner = 'local' }) {
  const facts = {
    cpuModel: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    os: osName(),
    kernel: release(),
    runner,
    runtimes,
    tools,
  };
  return { ...facts, fingerprint: fingerprint(facts) };
}

function osName() {
  const file = '/etc/os-release';
  const name = existsSync(file)
    ? /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(readFileSync(file, 'utf8'))?.[1]
    : undefined;
  return name ?? platform();
}
