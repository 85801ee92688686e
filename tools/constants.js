/** The table of docs/constants.md: the constants that decide a verdict, with their values and the comments above them. */

import { readdirSync, readFileSync } from 'node:fs';

const SCRIPTS = new URL('../scripts/', import.meta.url);
const OTHERS = [
  'model/interference.js',
  'model/load-model-check.js',
  'run/next-action.js',
  'samples/interval.js',
  'samples/spreads.js',
];
/** A number, or a list or record of numbers. */
const CONSTANT = /^(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export const ([A-Z_]+) = ([\d[{][^'"`]*?);$/gm;

/** @returns {string[]} lines of Markdown */
export function constantRows() {
  const judge = readdirSync(new URL('judge/', SCRIPTS)).filter((file) => file.endsWith('.js'));
  const files = [...judge.map((file) => `judge/${file}`), ...OTHERS];
  return [
    '| constant | value | file | reason |',
    '| --- | --- | --- | --- |',
    ...files.flatMap((file) =>
      [...readFileSync(new URL(file, SCRIPTS), 'utf8').matchAll(CONSTANT)].map(
        ([, comment, name, value = '']) => {
          if (comment === undefined) throw new Error(`scripts/${file}: ${name} needs a comment`);
          const reason = comment.replaceAll(/\n \* ?/g, ' ').trim();
          return `| \`${name}\` | \`${value.replaceAll(/\s+/g, ' ')}\` | \`${file}\` | ${reason} |`;
        },
      ),
    ),
  ];
}
