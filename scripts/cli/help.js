/** The help texts, from the verbs' own tables. @import { Verb } from '../verbs.js' */

import { wrapped } from '../report/render/terminal-table.js';

const WIDTH = 80;
const INDENT = ' '.repeat(6);

/** In the order they are printed. @type {Record<string, string>} */
const HEADINGS = {
  everyday: 'Every day',
  what: 'What to measure',
  load: 'Load',
  time: 'How long',
  compare: 'Compare with',
  output: 'Output',
};

/** What `perf-action --help` prints. @type {(verbs: Record<string, Verb>) => string} */
export function overview(verbs) {
  const rows = Object.values(verbs).map(({ usage, does }) => /** @type {const} */ ([usage, does]));
  return `Usage: perf-action COMMAND [options]

${table(rows)}

  perf-action COMMAND --help explains a command's options; --version prints the version.
Exit codes: 0 fine, 1 a gate failed, 2 wrong usage or configuration, 3 something could not be measured.
`;
}

/** What `perf-action VERB --help` prints. @type {(name: string, verb: Verb) => string} */
export function helpOf(name, { usage, does, examples = [], options }) {
  const rows = Object.entries(options).map(([flag, { type, negatable, help, group = '' }]) => ({
    group,
    row: /** @type {const} */ ([
      `--${negatable ? '[no-]' : ''}${flag}${type === 'string' ? ' VALUE' : ''}`,
      help,
    ]),
  }));
  const sections = ['', ...Object.keys(HEADINGS)].map((group) => {
    const lines = table(rows.filter((entry) => entry.group === group).map(({ row }) => row));
    return lines && HEADINGS[group] ? `${HEADINGS[group]}:\n${lines}` : lines;
  });
  const heading = wrapped(`perf-action ${usage}: ${does}`, WIDTH);
  const lines = examples.map((example) => `  perf-action ${name} ${example}`).join('\n');
  return `${[heading, lines, ...sections].filter(Boolean).join('\n\n')}\n`;
}

/** Each name with its text below it. @type {(rows: (readonly [name: string, text: string])[]) => string} */
function table(rows) {
  return rows.map(([name, text]) => `  ${name}\n${INDENT}${wrapped(text, WIDTH, INDENT)}`).join('\n');
}
