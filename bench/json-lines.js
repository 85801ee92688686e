import { readFileSync } from 'node:fs';

/** @param {string | URL} file @returns {any[]} the values of a JSON Lines file, one a line */
export function readJsonLines(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
