/**
 * What a job has to bring before the run can start: for the chosen servers and tools, and no others.
 * @import { Config } from '../types.js'
 */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findTool } from '../load/tools.js';
import { findProgram, SERVICES, servicesToStart } from '../plan/services.js';

/**
 * @param {Config} config
 * @param {NodeJS.ProcessEnv} env its PATH is where a tool's program has the tool's name
 * @returns {{ java: boolean, packages: string[] }} packages: Debian's names of the tools and services that are lacking
 */
export function needsOf({ servers, reference, loads }, env) {
  const all = [...(reference ? [reference] : []), ...servers];
  const tools = [...new Set(loads.map(({ tool }) => tool))];
  const services = servicesToStart(all, env).filter((id) => findProgram(id, env) === undefined);
  return {
    java: all.some(({ runtime }) => runtime === 'java'),
    packages: [
      ...tools.filter((tool) => !isOn(env.PATH ?? '', tool)).map((tool) => findTool(tool).package),
      ...services.map((id) => SERVICES[id]?.package),
    ].filter((name) => name !== undefined),
  };
}

/**
 * @param {string} path
 * @param {string} program
 */
function isOn(path, program) {
  return path.split(delimiter).some((folder) => isExecutable(join(folder, program)));
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
