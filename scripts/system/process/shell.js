/** Commands as a person types them. @import { Command } from '../../types.js' */

/** Words that need no program of that name, since a shell executes them itself. */
export const SHELL_WORDS = (
  '. : [ { ( ! alias break case cd command echo eval exec exit export false for hash if kill printf pwd ' +
  'read return set shift test times trap true type ulimit umask unalias unset until wait while'
).split(' ');

/**
 * A line as it is, the words of an argument vector quoted if they need it.
 * @type {(command: Command) => string}
 */
export function shellLine(command) {
  return typeof command === 'string' ? command : command.map(quoted).join(' ');
}

/** One word for bash and zsh, on one line. @type {(arg: string) => string} */
export function quoted(arg) {
  // A tilde inside a word, as in HEAD~1, does not name a home folder.
  if (/^(?:[\w./:,=@%+-]|(?<=\w)~)+$/.test(arg)) return arg;
  if (!/[\u0000-\u001f\u007f]/.test(arg)) return `'${arg.replaceAll("'", "'\\''")}'`;
  const escaped = arg
    .replace(/['\\]/g, '\\$&')
    .replace(/[\u0000-\u001f\u007f]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `$'${escaped}'`;
}
