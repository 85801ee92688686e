/**
 * The rules that runs are judged by: margins, gates and limits.
 * @import { Asked, Caller, Config } from '../types.js'
 * @import { Layer } from './layers.js'
 * @import { Settings } from './settings.js'
 */

import { everyMistake } from '../model/attempt.js';
import { defined } from '../model/defined.js';
import { parsePercent } from '../model/units.js';
import { readLimits } from './limits.js';
import { readLayers, writtenIn } from './layers.js';
import { readSettings, settingOf } from './settings.js';

/** @typedef {Pick<Config, 'margin' | 'margins' | 'failOn' | 'gates' | 'limits'>} Rules */

/**
 * Reads the rules alone, for commands that judge stored runs: the servers need not exist.
 * @param {{ options: Asked, cwd: string, root: string, caller: Caller }} sources as readConfig takes them
 * @returns {Rules & { file?: string, written: Partial<Rules> }} file: perf.yml, absolute; written: those set
 * @throws {import('../model/errors.js').UserError} with every mistake, one a line
 */
export function readRules({ caller, ...sources }) {
  return everyMistake((attempt) => {
    const { layers, file } = readLayers(sources, attempt);
    const rulesOf = (/** @type {Layer[]} */ some) =>
      attempt(() => rulesIn(some, readSettings(some, { attempt, caller })));
    const written = rulesOf(layers.filter(({ isDefault }) => !isDefault));
    return { .../** @type {Rules} */ (rulesOf(layers)), written: written ?? {}, ...defined({ file }) };
  });
}

/**
 * @type {(layers: Layer[], settings: Settings) => Rules}
 * @throws {import('../model/errors.js').UserError} for an invalid margin or limit
 */
export function rulesIn(layers, settings) {
  const margins = writtenIn(layers, 'margins');
  const shares = Object.entries(margins?.value ?? {}).map(([id, percent]) => [
    id,
    parsePercent(percent, margins?.layer.where('margins', id) ?? id),
  ]);
  const limits = readLimits(layers).map(({ where: _, ...rule }) => rule);
  return defined({
    margin: settingOf(settings, 'margin'),
    margins: margins && Object.fromEntries(shares),
    failOn: settingOf(settings, 'failOn'),
    /** @type {Rules['gates']} */
    gates: writtenIn(layers, 'gates')?.value,
    limits: limits.length > 0 ? limits : undefined,
  });
}
