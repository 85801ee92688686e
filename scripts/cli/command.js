/** The command that repeats a run: what people copy into a shell. */

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

/** @param {string} arg */
function quoted(arg) {
  // A tilde inside a word, as in HEAD~1, is no home folder.
  if (/^(?:[\w./:,=@%+-]|(?<=\w)~)+$/.test(arg)) return arg;
  if (!/[\u0000-\u001f\u007f]/.test(arg)) return `'${arg.replaceAll("'", "'\\''")}'`;
  const escaped = arg
    .replace(/['\\]/g, '\\$&')
    .replace(/[\u0000-\u001f\u007f]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `$'${escaped}'`;
}
