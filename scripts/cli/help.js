/**
 * The help texts, from the verbs' own tables.
 * @import { Verb } from '../verbs.js'
 */

/**
 * @param {Record<string, Verb>} verbs
 * @returns {string} what `perf-action --help` prints
 */
export function overview(verbs) {
  const width = Math.max(...Object.values(verbs).map(({ usage }) => usage.length));
  const lines = Object.values(verbs).map(({ usage, does }) => `  ${usage.padEnd(width)}  ${does}`);
  return `Usage: perf-action COMMAND [options]

${lines.join('\n')}

  perf-action COMMAND --help explains a command's options.
Exit codes: 0 fine, 1 a gate failed, 2 wrong usage or configuration, 3 something could not be measured.
`;
}

/**
 * @param {string} name
 * @param {Verb} verb
 * @returns {string} what `perf-action VERB --help` prints
 */
export function helpOf(name, { usage, does, options }) {
  const rows = Object.entries(options).map(([flag, { type, help }]) => [
    `--${flag}${type === 'string' ? ' VALUE' : ''}`,
    help,
  ]);
  const width = Math.max(0, ...rows.map(([flag = '']) => flag.length));
  const lines = rows.map(([flag = '', help]) => `  ${flag.padEnd(width)}  ${help}`);
  const heading = `perf-action ${usage || name}: ${does}`;
  return `${[heading, '', ...lines].join('\n').trimEnd()}\n`;
}
