/**
 * Checks what this machine has for measuring, and how to get what is missing.
 * @import { Case, Server } from '../../types.js'
 */

import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { SERVICES, findService, howToGet, runningService } from '../../deploy/services.js';
import { howToInstall, programOf, whyNotBuilt, whyNotVersion } from '../../deploy/process/programs.js';
import { topologyRows } from '../../deploy/preflight/install-topology.js';
import { runtimeVersions } from '../../deploy/source/versions.js';
import { versionOf } from '../../load/load.js';
import { TOOLS, toolsOf } from '../../load/tools.js';
import { findProgram } from '../../system/process/find-program.js';
import { SHELL_WORDS } from '../../system/process/shell.js';
import { findSupervisor } from '../../system/process/supervisor.js';

/**
 * @typedef {object} Finding
 * @property {string} what
 * @property {string | undefined} found undefined if it is missing
 * @property {string} mend how to get it
 * @property {boolean} [needed] whether the servers cannot be measured without it
 *
 * @param {{ servers: Server[], cases: Case[] }} measured nothing is missing that they do not need
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Finding[]>}
 */
export async function examine({ servers, cases }, env) {
  const cores = availableParallelism();
  const runtimes = [...new Set(servers.map(({ runtime }) => runtime))];
  const versions = await runtimeVersions(runtimes);
  // Without cases, those that are there.
  const needed = cases.length > 0;
  const tools = await Promise.all((needed ? toolsOf(cases) : TOOLS).map(toolRow));
  return [
    ...nodeRows(process.versions.node),
    ...tools.filter(({ found }) => needed || found !== undefined).map((row) => ({ ...row, needed })),
    ...topologyRows(cases, env).map((row) => ({ ...row, needed: true })),
    ...(await Promise.all(
      runtimes.map((runtime) => runtimeFinding(runtime, versions[runtime], { servers, env })),
    )),
    ...[...new Set(servers.flatMap(({ needs }) => needs))].map((id) => serviceFinding(id, env)),
    ...commandsOf(servers, env).filter(
      ({ what }) => !runtimes.some((runtime) => what.endsWith(` ${runtime}`)),
    ),
    ...notBuilt(servers, env),
    {
      what: 'two cores or more',
      found: cores >= 2 ? `${cores} cores` : undefined,
      mend: 'with one core the load tool takes the server’s time: use a larger machine',
    },
    {
      what: 'processes end with the run',
      found: findSupervisor(),
      mend: 'needs Linux and perl (apt-get install perl-base): without it, daemons and the servers of a killed run stay alive',
    },
    ...(process.platform === 'linux'
      ? []
      : [{ what: 'figures of servers', found: undefined, mend: 'run on Linux' }]),
  ];
}

/** None for a Node that is still supported. @type {(version: string) => Finding[]} */
export function nodeRows(version) {
  const found = `Node ${version}, whose support ended in April 2026: prefer 22, 24 or 26`;
  return version.startsWith('20.') ? [{ what: 'perf-action runs on', found, mend: '' }] : [];
}

/** @type {(tool: import('../../load/tools.js').LoadTool) => Promise<Finding>} */
export async function toolRow(tool) {
  return { what: `load tool ${tool.label}`, found: await versionOf(tool), mend: tool.install };
}

/**
 * @param {string} runtime
 * @param {string | undefined} version the machine's
 * @param {{ servers: Server[], env: NodeJS.ProcessEnv }} context
 * @returns {Promise<Finding>} missing, too, where a server needs another version
 */
async function runtimeFinding(runtime, version, { servers, env }) {
  const finding = { what: `runtime ${runtime}`, found: version, mend: howToInstall(runtime), needed: true };
  if (version === undefined) return finding;
  const users = servers.filter((server) => server.runtime === runtime);
  const [why] = (await Promise.all(users.map((server) => whyNotVersion(server, version, env)))).flatMap(
    (each) => each ?? [],
  );
  return why
    ? { ...finding, found: undefined, mend: `${why}, this is ${version}: install that version` }
    : finding;
}

/** @type {(id: string, env: NodeJS.ProcessEnv) => Finding} */
function serviceFinding(id, env) {
  const running = runningService(id, env);
  return {
    what: `service ${SERVICES[id]?.label}`,
    found: running ? `the one in ${running.variable}` : findService(id, env),
    mend: howToGet(id),
    needed: true,
  };
}

/** One a server that lacks a program. @type {(servers: Server[], env: NodeJS.ProcessEnv) => Finding[]} */
function notBuilt(servers, env) {
  return servers.flatMap((server) => {
    const why = whyNotBuilt(server, env);
    const finding = { what: `server ${server.id}`, found: undefined, needed: true };
    return why === undefined ? [] : { ...finding, mend: `cannot be built here: ${why}` };
  });
}

/** What installs, builds or starts them. @type {(servers: Server[], env: NodeJS.ProcessEnv) => Finding[]} */
function commandsOf(servers, env) {
  /** @type {Map<string, Finding>} */
  const findings = new Map();
  for (const { folder: cwd, install, build, setup, start } of servers) {
    const steps = [install, build, setup, start].filter((command) => command !== undefined);
    for (const [index, command] of steps.entries()) {
      const program = programOf(command);
      if (program === undefined || SHELL_WORDS.includes(program)) continue;
      // An earlier step may bring it.
      if (index > 0 && (command === start || program.includes('/'))) continue;
      findings.set(program, {
        what: `command ${program}`,
        found: findProgram(program, { cwd, env }),
        mend: program.includes('/') ? `there is no ${resolve(cwd, program)}` : howToInstall(program),
        needed: true,
      });
    }
  }
  return [...findings.values()];
}
