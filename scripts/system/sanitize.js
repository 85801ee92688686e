/**
 * Makes text of others safe for terminals and logs of jobs: a server's log line, a key of a YAML file, a name
 * from an artifact. It reads the same and does nothing.
 */

/** Control sequences, and commands to the terminal (ECMA-48, 5.4 and 5.6). */
const SEQUENCES =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c\u009d\n]*(?:\u0007|\u001b\\|\u009c)/g;
/** Control characters other than tab and line feed, and marks that change the direction of reading. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A runner executes a line that begins with `::`, also after spaces, and `##[` anywhere (ActionCommand.cs in
 * https://github.com/actions/runner). A mark of no width in between prevents it. `::stop-commands::` would
 * not: a log is two streams, and the runner may read either one first.
 */
const COMMANDS = /^(?:(?!\n)[\s\p{Cf}])*:(?=:)|##(?=\[)/gmu;

/**
 * @param {string} text
 * @returns {string} without control characters but tabs and line ends, and without a workflow command
 */
export function harmless(text) {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(SEQUENCES, '')
    .replaceAll(CONTROLS, '')
    .replaceAll(COMMANDS, '$&\u200b');
}

/** Indented JSON and a line feed, which `harmless` leaves as it is. @type {(value: unknown) => string} */
export function harmlessJson(value) {
  const escapes = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|(?<=##)\[/g;
  return `${JSON.stringify(value, null, 2)}\n`.replaceAll(
    escapes,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
