/** The command that repeats a run: what people copy into a shell. */

import { OPTIONS } from '../config/options.js';
import { tellHeader, withoutPasswords } from '../secrets/secrets.js';
import { quoted } from '../system/process/shell.js';

const SWITCHES = new Set(OPTIONS.filter(({ kind }) => kind === 'switch').map(({ name }) => name));

/** A run's options, as they were given. @typedef {Record<string, string | boolean | (string | boolean)[] | undefined>} Asked */

/**
 * @param {Asked} values
 * @param {string[]} [marked] names of secret headers beside the known
 * @returns {string} each option once, with the value that counted; quoted for bash and zsh, on one line; a secret header by a variable of
 *   its name, which whoever repeats the run has to set
 */
export function commandLine(values, marked) {
  const tell = (/** @type {string} */ name, /** @type {string | boolean} */ value) =>
    name === 'header'
      ? String(value)
          .split('\n')
          .map((line) => tellLine(line, marked))
          .join('\n')
      : withoutPasswords(String(value));
  const given = Object.entries(values).flatMap(([name, value = '']) =>
    [value].flat().map((each) => {
      if (each === '') return '';
      if (SWITCHES.has(name)) return String(each) === 'true' ? `--${name}` : `--no-${name}`;
      return each === true ? `--${name}` : `--${name}=${tell(name, each)}`;
    }),
  );
  return ['perf-action', 'run', ...given.filter(Boolean).map(quoted)].join(' ');
}

/**
 * @param {string} line "name: value"
 * @param {string[]} [marked]
 */
function tellLine(line, marked) {
  const [, name = '', between = '', value = ''] = /^\s*([^\s:]+)(:\s*)(.*)$/.exec(line) ?? [];
  const variable = `\${${name.replaceAll(/\W+/g, '_').toUpperCase()}}`;
  return name === '' ? line : `${name}${between}${tellHeader(name, value, { marked, hide: () => variable })}`;
}
