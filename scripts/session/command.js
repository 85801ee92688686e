/** The command that repeats a run: what people copy into a shell. */

import { quoted } from '../shell.js';

/**
 * @param {Record<string, string | boolean | (string | boolean)[] | undefined>} values a run's options, as they were parsed
 * @returns {string} each option once, with the value that counted; quoted for bash and zsh, on one line
 */
export function commandLine(values) {
  const given = Object.entries(values).flatMap(([name, value = '']) =>
    [value].flat().map((each) => (each === true ? `--${name}` : each === '' ? '' : `--${name}=${each}`)),
  );
  return ['perf-action', 'run', ...given.filter(Boolean).map(quoted)].join(' ');
}
