/**
 * What a manifest says of environment variables, checked before anything is started. Values are looked up only when a
 * process is started, so that no plan and no message holds one.
 */

import { OF_SITE } from '../system/process/environment.js';
import { UserError } from '../model/errors.js';
import { texts } from '../model/units.js';

/** Another variable inside a value. */
export const REFERENCE = /\$\{([A-Za-z_]\w*)\}/g;

/** The engine gives these, anew for every boot. */
const GIVEN = ['HOST', 'PORT'];

/**
 * @param {{ env?: Record<string, unknown>, passEnv?: string[] }} manifest valid by the schema
 * @param {{ where: (key: string) => string, environment: NodeJS.ProcessEnv }} context
 * @returns {{ env: Record<string, string>, passEnv?: string[] }}
 * @throws {UserError} for what cannot be given, one a line
 */
export function readVariables({ env: written = {}, passEnv }, { where, environment }) {
  const env = texts(written);
  const lines = Object.entries(env).flatMap(([name, value]) => [
    ...(GIVEN.includes(name)
      ? [`${where(`env.${name}`)}: ${name} is set for every boot; remove it here and use $${name} in start`]
      : []),
    ...[...value.matchAll(REFERENCE)].flatMap(([, other = '']) =>
      refused(other, environment).map((why) => `${where(`env.${name}`)}: ${why}`),
    ),
  ]);
  lines.push(
    ...(passEnv ?? [])
      .filter((name) => OF_SITE.test(name))
      .map((name) => `${where('passEnv')}: ${ofSite(name)}`),
  );
  if (lines.length > 0) throw new UserError(lines.join('\n'));
  return { env, ...(passEnv && { passEnv }) };
}

/**
 * @param {string} name
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string[]} why it cannot be passed; empty where it can
 */
export function refused(name, environment) {
  if (OF_SITE.test(name)) return [ofSite(name)];
  return environment[name] === undefined ? [`${name} is not set here; set it, or write the value out`] : [];
}

/** @param {string} name */
function ofSite(name) {
  return `${name} belongs to the site and is never passed; give the value another name`;
}
