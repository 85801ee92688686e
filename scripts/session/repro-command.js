/** The command that repeats a run, ready to paste into a shell. @import { Asked } from '../types.js' */
import { OPTIONS } from '../config/options.js';
import { withoutPasswords } from '../secrets/secrets.js';
import { quoted } from '../system/process/shell.js';

const SWITCHES = new Set(OPTIONS.filter(({ kind }) => kind === 'switch').map(({ name }) => name));

/** One line, quoted for bash and zsh. @type {(values: Asked, verb?: string) => string} */
export function commandLine(values, verb = 'run') {
  const options = Object.entries(values).flatMap(([name, value = '']) =>
    [value].flat().map((given) => {
      if (given === '') return '';
      if (SWITCHES.has(name)) return String(given) === 'true' ? `--${name}` : `--no-${name}`;
      return given === true ? `--${name}` : `--${name}=${withoutPasswords(String(given))}`;
    }),
  );
  return ['perf-action', verb, ...options.filter(Boolean).map(quoted)].join(' ');
}
