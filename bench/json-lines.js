import { readFileSync } from 'node:fs';

/** The values of a JSON Lines file, one a line. @type {(file: string | URL) => any[]} */
export function readJsonLines(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
