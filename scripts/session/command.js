/** The command that repeats a run: what people copy into a shell. */

import { quoted } from '../shell.js';

/** A run's options, as they were given. @typedef {Record<string, string | boolean | (string | boolean)[] | undefined>} Asked */

/**
 * @param {Asked} values
 * @returns {string} each option once, with the value that counted; quoted for bash and zsh, on one line
 */
export function commandLine(values) {
  const given = Object.entries(values).flatMap(([name, value = '']) =>
    [value].flat().map((each) => (each === true ? `--${name}` : each === '' ? '' : `--${name}=${each}`)),
  );
  return ['perf-action', 'run', ...given.filter(Boolean).map(quoted)].join(' ');
}
