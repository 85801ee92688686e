/**
 * What a job has to bring before the run can start: for the chosen servers and tools, and no others.
 * @import { Config } from '../types.js'
 */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CAPABILITIES } from '../plan/capabilities.js';

/**
 * @param {Config} config
 * @param {string} path the variable PATH, on which a tool's program has the tool's name
 * @returns {{ java: boolean, packages: string[] }} packages: Debian's names of the tools that are lacking
 */
export function needsOf({ servers, reference, loads }, path) {
  const all = [...(reference ? [reference] : []), ...servers];
  const tools = [...new Set(loads.map(({ tool }) => tool))];
  return {
    java: all.some(({ runtime }) => runtime === 'java'),
    packages: tools.filter((tool) => !isOn(path, tool)).flatMap((tool) => CAPABILITIES[tool]?.package ?? []),
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
