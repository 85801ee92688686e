/** A user's configuration of a run, read for this process. @import { Asked, Config } from '../types.js' */

import { randomInt } from 'node:crypto';
import { relative } from 'node:path';
import { UserError } from '../model/errors.js';
import { readConfig } from '../config/config.js';
import { findConfig, STANDARD_CONFIG } from '../config/layers.js';
import { LANGUAGES } from '../report/text/words.js';
import { ROOT, thisProcess } from '../system/this-project.js';

/**
 * A line that names a configuration elsewhere than in cwd, or nothing; options: those that it was read from.
 * @type {(read: { file?: string }, options: Asked, cwd: string) => string}
 */
export function configNotice({ file }, options, cwd) {
  const path = options.config || file === undefined ? STANDARD_CONFIG : relative(cwd, file);
  return path === STANDARD_CONFIG ? '' : `configuration: ${path}\n`;
}

/**
 * Reads perf.yml, the preset and the flags. Without named servers it fails: users would take the figures of
 * the catalogue's servers for their own. own: overrides, which the command that repeats the run lacks.
 * @type {(options: Asked, cwd: string, own?: Asked) => Config}
 * @throws {UserError} with every mistake, one per line; where no server is named
 */
export function readRunConfig(options, cwd, own) {
  const sources = { cwd, root: ROOT, seed: randomInt(2 ** 31), caller: thisProcess() };
  const config = { ...readConfig({ ...sources, options: { ...options, ...own } }), asked: options };
  if (config.language !== undefined && !Object.hasOwn(LANGUAGES, config.language))
    throw new UserError(
      `language: there is no "${config.language}"; use one of ${Object.keys(LANGUAGES).join(', ')}`,
    );
  if (config.servers.length > 0) return config;
  const standard = findConfig(cwd);
  const file = options.config || (standard && relative(cwd, standard));
  throw new UserError(
    file
      ? `${file} names neither servers nor a preset; \`perf-action init\` finds this repository's servers, \`preset: quick\` is a demo`
      : `there is no ${STANDARD_CONFIG} here; \`perf-action init\` writes one for this repository, \`--preset quick\` runs a demo`,
  );
}
