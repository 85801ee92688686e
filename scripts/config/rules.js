/**
 * The rules of a comparison: margins and gates.
 * @import { Config } from '../types.js'
 * @import { Flags, Layer } from './layers.js'
 * @import { Settings } from './settings.js'
 */

import { UserError } from '../model/errors.js';
import { collectMistakes } from '../model/attempt.js';
import { inFiles, readLayers } from './layers.js';
import { readSettings, settingOf } from './settings.js';
import { parsePercent } from '../model/units.js';

/** @typedef {Pick<Config, 'margin' | 'margins' | 'failOn' | 'gates'>} Rules */

/**
 * Reads the rules alone, for commands that judge stored runs: the servers need not exist.
 * @param {{ options: Flags, cwd: string, root: string }} sources as readConfig takes them
 * @returns {Rules}
 * @throws {UserError} with every mistake, one a line
 */
export function readRules(sources) {
  const { attempt, problems } = collectMistakes();
  const { layers } = readLayers(sources, attempt);
  const settings = readSettings(layers, attempt);
  const rules = attempt(() => rulesIn(layers, settings));
  if (!rules || problems.length > 0) throw new UserError(problems.join('\n'));
  return rules;
}

/**
 * @param {Layer[]} layers
 * @param {Settings} settings
 * @returns {Rules}
 * @throws {UserError} for a margin that is none
 */
export function rulesIn(layers, settings) {
  const gates = inFiles(layers, 'gates')?.value;
  const margins = readMargins(layers);
  return {
    margin: settingOf(settings, 'margin'),
    ...(margins && { margins }),
    failOn: settingOf(settings, 'failOn'),
    ...(gates && { gates }),
  };
}

/** @param {Layer[]} layers @returns {Config['margins']} */
function readMargins(layers) {
  const { value, layer } = inFiles(layers, 'margins') ?? {};
  if (!layer) return undefined;
  const shares = Object.entries(value).map(([id, percent]) => [
    id,
    parsePercent(percent, layer.where('margins', id)),
  ]);
  return Object.fromEntries(shares);
}
