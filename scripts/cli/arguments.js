/**
 * A command's arguments, checked. Those of other load testers get a line on how to write them here.
 * @import { Arguments, Verb } from '../verbs.js'
 */

import { parseArgs } from 'node:util';
import { UserError } from '../model/errors.js';
import { nearest } from '../model/nearest.js';

/** Other load testers take the address of a running server. */
const ADDRESS = /^(--url$|https?:|localhost\b)/;

const STARTED_HERE = 'perf-action starts the server itself; perf-action init finds it and writes perf.yml';

/** Throws a UserError. @type {(name: string, verb: Verb, args: string[]) => Arguments} */
export function readArguments(name, { options: verbOptions, words }, args) {
  const flag = { type: /** @type {const} */ ('boolean'), help: '' };
  const negatable = Object.keys(verbOptions).filter((option) => verbOptions[option]?.negatable);
  const negations = Object.fromEntries(negatable.map((option) => [`no-${option}`, flag]));
  const options = { ...verbOptions, ...negations, help: { ...flag, short: 'h' } };
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option' && !Object.hasOwn(options, token.name))
      throw new UserError(
        `unknown option ${token.rawName} of ${name}${hint(token.rawName, () => nearest(token.name, Object.keys(options), '--'))}; see perf-action ${name} --help`,
      );
    if (token.kind === 'positional' && !words)
      throw new UserError(
        `${name} takes no "${token.value}"${hint(token.value, () => suggestion(token.value, options))}`,
      );
  }
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true });
    /** @type {Arguments['values']} */
    const values = { ...parsed.values };
    for (const option of negatable) {
      if (values[`no-${option}`]) values[option] = 'false';
      delete values[`no-${option}`];
    }
    return { values, positionals: parsed.positionals };
  } catch (error) {
    throw new UserError(
      `${name}: ${/** @type {Error} */ (error).message.split('\n')[0]}; see perf-action ${name} --help`,
    );
  }
}

/** Says how to measure an address's server. @type {(written: string, otherwise: () => string) => string} */
export function hint(written, otherwise) {
  return ADDRESS.test(written) ? `: ${STARTED_HERE}` : otherwise();
}

/** @type {(word: string, options: Verb['options']) => string} */
function suggestion(word, { against }) {
  if (!against) return '; remove it';
  return /\.ya?ml$/.test(word)
    ? `; did you mean --config ${word}?`
    : `; did you mean --against ${word}? (--servers ${word} names a server)`;
}
