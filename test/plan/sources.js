/**
 * What the tests of plan/ read: a catalogue of their own, and a working directory with or without a perf.yml.
 * @import { Asked, Config, Load } from '../../scripts/types.js'
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../scripts/config/config.js';
import { scratchFolder } from '../scratch.js';

export const DATA = fileURLToPath(new URL('../data/plan/', import.meta.url));

export const ROOT = join(DATA, 'root');

/** The process that reads; no variable but HOME is set. */
export const CALLER = { environment: { HOME: '/home/me' }, folder: process.cwd(), cores: 2 };

/**
 * Where neither says what is measured, the catalogue's preset quick is.
 * @param {Asked} options
 * @param {string} [perfYml] the text of the working directory's perf.yml
 */
export function configOf(options, perfYml = '') {
  const named = 'servers' in options || /^(servers|preset):/m.test(perfYml);
  const asked = named ? options : { preset: 'quick', ...options };
  return inFolder(perfYml, (cwd) => readIn(cwd, asked));
}

/**
 * @param {string} cwd
 * @param {Asked} [options]
 */
export function readIn(cwd, options = {}) {
  return readConfig({ options, cwd, root: ROOT, seed: 7, caller: CALLER });
}

/**
 * @param {Config} config
 * @returns {Load[]} of its cases, each once, in their order
 */
export function loadsOf({ cases }) {
  return [...new Map(cases.map(({ load }) => [JSON.stringify(load), load])).values()];
}

/**
 * @param {Config} config
 * @returns {string[]} of its cases, the reference aside
 */
export function routesOf({ cases }) {
  return [...new Set(cases.filter(({ reference }) => !reference).map(({ route }) => route))];
}

/**
 * @template T
 * @param {string | undefined} perfYml
 * @param {(cwd: string) => T} use
 * @returns {T}
 */
export function inFolder(perfYml, use) {
  const cwd = scratchFolder();
  if (perfYml !== undefined) writeFileSync(join(cwd, 'perf.yml'), perfYml);
  return use(cwd);
}
