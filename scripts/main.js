/** The command line: finds the verb, calls it, and turns errors into one line and an exit code. */

import { hint, readArguments } from './cli/arguments.js';
import { helpOf, overview } from './cli/help.js';
import { VERBS } from './verbs.js';
import { cancelOnSignals, endingOf, endOnBugs } from './system/exit.js';
import { UserError } from './model/errors.js';
import { outputOn } from './system/terminal-output.js';
import { harmlessJson } from './system/sanitize.js';
import { nearest } from './model/nearest.js';
import { VERSION } from './system/this-project.js';

/**
 * A verb's surroundings.
 * @typedef {{ stdout: import('./system/terminal-output.js').Output } &
 *   Pick<import('./session/experiments/experiment.js').Surroundings, 'cwd' | 'env' | 'stderr' | 'signal'>} Io
 */

/**
 * Returns 0 fine, 1 a gate failed, 2 wrong usage or configuration, 3 something could not be measured.
 * @param {string[]} argv without the interpreter and the script
 * @param {Io} io
 */
export async function main(argv, io) {
  try {
    const [name, ...rest] = argv;
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
      io.stdout.write(overview(VERBS));
      return name === undefined ? 2 : 0;
    }
    if (['version', '--version', '-v'].includes(name)) {
      io.stdout.write(`${VERSION}\n`);
      return 0;
    }
    const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
    if (!verb)
      throw new UserError(
        `unknown command "${name}"${hint(name, () => nearest(name, Object.keys(VERBS)))}; see perf-action --help`,
      );
    const args = readArguments(name, verb, rest);
    if (args.values.help) {
      io.stdout.write(helpOf(name, verb));
      return 0;
    }
    return await verb.run(args, io);
  } catch (error) {
    const ending = endingOf(error);
    if (argv.includes('--json'))
      io.stdout.write(harmlessJson({ error: { code: ending.reason, message: ending.lines.join('\n') } }));
    return report(ending, io);
  }
}

/** @type {(ending: ReturnType<typeof endingOf>, io: Pick<Io, 'stderr'>) => number} */
function report({ lines, code }, { stderr }) {
  for (const line of lines) stderr.write(`perf-action: ${line}\n`);
  return code;
}

/** Runs this process's command line. */
export async function runMain() {
  const stdout = outputOn(process.stdout);
  const stderr = outputOn(process.stderr);
  endOnBugs((ending) => report(ending, { stderr }));
  process.exitCode = await main(process.argv.slice(2), {
    cwd: process.cwd(),
    env: process.env,
    stdout,
    stderr,
    signal: cancelOnSignals(),
  });
}
