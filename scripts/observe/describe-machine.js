/** Describes the machine, as far as it matters to speed. @import { Environment } from '../types.js' */

import { existsSync, readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { fingerprint } from '../model/fingerprint.js';

/**
 * @param {{ runtimes: Record<string, string>, tools: Record<string, string>, runner?: string }} known
 *   versions by name; runner: "github-hosted" or "self-hosted"; absent: "local"
 * @returns {Environment}
 */
export function describeMachine({ runtimes, tools, runner = 'local' }) {
  const cpu = parseCpu(textOf('/proc/cpuinfo'));
  const os = parseOs(textOf('/etc/os-release'));
  const cpuModel = cpu.model ?? cpus()[0]?.model.trim() ?? `unknown ${arch()}`;
  const kernel = release();
  const facts = { cores: availableParallelism(), memoryBytes: totalmem() };
  return {
    ...{ cpuModel, ...facts, kernel, runner, runtimes, tools },
    os: os.name ?? type(),
    fingerprint: fingerprint({ ...facts, cpu: `${cpuModel} ${cpu.kind}`, os: os.release ?? type(), kernel }),
  };
}

/**
 * The text is /proc/cpuinfo's. The kind is the numbers behind the name, since some machines hide the name.
 * @type {(cpuinfo: string) => { model?: string, kind: string }}
 */
export function parseCpu(cpuinfo) {
  const value = (/** @type {string} */ key) =>
    new RegExp(`^${key}\\s*: (.+)$`, 'm').exec(cpuinfo)?.[1]?.trim();
  // On ARM the kernel gives no name, only numbers for manufacturer and model.
  const [implementer, part] = [value('CPU implementer'), value('CPU part')];
  const model = value('model name') ?? (implementer && part ? `ARM ${implementer} ${part}` : undefined);
  const kind = [value('cpu family'), value('model'), value('stepping')].filter(Boolean).join('/');
  return { model, kind };
}

/**
 * The text is /etc/os-release's. The release is without the point release, which the name may contain.
 * @type {(osRelease: string) => { name?: string, release?: string }}
 */
export function parseOs(osRelease) {
  const value = (/** @type {string} */ key) =>
    new RegExp(`^${key}="?([^"\\n]*)"?$`, 'm').exec(osRelease)?.[1];
  const [name, id] = [value('PRETTY_NAME'), value('ID')];
  const release = id && [id, value('VERSION_ID')].filter(Boolean).join(' ');
  return { name: name || undefined, release: release || undefined };
}

/** Returns '' where the system has no such file. @type {(file: string) => string} */
function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
