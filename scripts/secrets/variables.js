/** A manifest's variables, checked before any start; a start reads values, no plan or message has one. */

import { UserError } from '../model/errors.js';
import { texts } from '../model/units.js';
import { OF_GITHUB } from '../system/process/allowed-environment.js';

/** What the answer to a login gives. */
export const TOKEN = 'token';

/** Another variable inside a value. */
export const REFERENCE = /\$\{([A-Za-z_]\w*)\}/g;

/**
 * @param {{ env?: Record<string, unknown>, passEnv?: string[] }} manifest valid by the schema
 * @param {{ where: (key: string) => string, environment: NodeJS.ProcessEnv }} context
 * @returns {{ env: Record<string, string>, passEnv?: string[] }}
 * @throws {UserError} for what cannot be given, one a line
 */
export function readVariables({ env: written = {}, passEnv }, { where, environment }) {
  const env = texts(written);
  const lines = Object.entries(env).flatMap(([name, value]) => {
    const place = where(`env.${name}`);
    const given = `${place}: ${name} is set for every start; remove it here and use $${name} in start`;
    const references = [...value.matchAll(REFERENCE)].flatMap(([, reference = '']) =>
      whyRefused(reference, environment),
    );
    return [
      ...(['HOST', 'PORT'].includes(name) ? [given] : []),
      ...references.map((why) => `${place}: ${why}`),
    ];
  });
  for (const name of passEnv ?? [])
    if (OF_GITHUB.test(name)) lines.push(`${where('passEnv')}: ${whyRefused(name, environment)}`);
  if (lines.length > 0) throw new UserError(lines.join('\n'));
  return { env, ...(passEnv && { passEnv }) };
}

/** Why it cannot be passed, or none. @type {(name: string, environment: NodeJS.ProcessEnv) => string[]} */
export function whyRefused(name, environment) {
  if (OF_GITHUB.test(name))
    return [`${name} belongs to GitHub and is never passed; give the value another name`];
  if (environment[name] !== undefined) return [];
  const more = name === TOKEN ? ', or give the server a login with `before`' : '';
  return [`${name} is not set here; set it, or write the value out${more}`];
}
