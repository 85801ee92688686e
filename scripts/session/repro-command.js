/**
 * The command that repeats a run, ready to paste into a shell.
 * @import { Asked } from '../types.js'
 * @import { Experiment, Surroundings } from './experiments/experiment.js'
 */

import { randomUUID } from 'node:crypto';
import { OPTIONS } from '../config/options.js';
import { redactedHeader, withoutPasswords } from '../secrets/secrets.js';
import { quoted } from '../system/process/shell.js';

const SWITCHES = new Set(OPTIONS.filter(({ kind }) => kind === 'switch').map(({ name }) => name));

/** What the run files say of a new session. @param {Experiment<any>} experiment @param {Surroundings} surroundings */
export function factsOf({ verb, config: { asked, request } }, { runner, revision }) {
  const command = commandLine(asked, { verb, marked: request.secretHeaders });
  return { session: randomUUID(), command, runner, head: revision };
}

/**
 * @param {Asked} values
 * @param {{ verb?: string | undefined, marked?: string[] | undefined }} [context] marked: names of more secret headers
 * @returns {string} one line, quoted for bash and zsh; a secret header becomes a variable of its name, which the reader must set
 */
export function commandLine(values, { verb = 'run', marked } = {}) {
  const textOf = (/** @type {string} */ name, /** @type {string} */ value) =>
    name === 'header'
      ? value
          .split('\n')
          .map((line) => headerLine(line, marked))
          .join('\n')
      : withoutPasswords(value);
  const options = Object.entries(values).flatMap(([name, value = '']) =>
    [value].flat().map((given) => {
      if (given === '') return '';
      if (SWITCHES.has(name)) return String(given) === 'true' ? `--${name}` : `--no-${name}`;
      return given === true ? `--${name}` : `--${name}=${textOf(name, String(given))}`;
    }),
  );
  return ['perf-action', verb, ...options.filter(Boolean).map(quoted)].join(' ');
}

/** @param {string} line "name: value" @param {string[]} [marked] */
function headerLine(line, marked) {
  const [, name = '', between = '', value = ''] = /^\s*([^\s:]+)(:\s*)(.*)$/.exec(line) ?? [];
  const variable = `\${${name.replaceAll(/\W+/g, '_').toUpperCase()}}`;
  return name === ''
    ? line
    : `${name}${between}${redactedHeader(name, value, { marked, hide: () => variable })}`;
}
