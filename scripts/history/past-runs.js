/**
 * The history of stored runs, a line each. It stays when newer runs replace the run files, and thousands of lines are read in a
 * moment.
 * @import { PastRun } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readBounded } from '../system/bounded-file.js';
import { mistakeText } from '../model/schema.js';
import { readSchema } from '../store/schema.js';

const NAME = 'history.jsonl';

/** @type {import('../model/schema.js').Check<PastRun>} */
const check = readSchema('past-run.schema.json');

/** @param {string} dir made where it is missing @param {PastRun} past */
export async function appendPast(dir, past) {
  await mkdir(dir, { recursive: true });
  await appendFile(join(dir, NAME), `${JSON.stringify(past)}\n`);
}

/**
 * @param {string} dir
 * @returns {Promise<{ past: PastRun[], broken: string[] }>} in the order of the file, each run once; broken: what is wrong with
 *   each line that cannot be read
 */
export async function readPast(dir) {
  const file = join(dir, NAME);
  if (!existsSync(file)) return { past: [], broken: [] };
  /** @type {Map<string, PastRun>} */
  const past = new Map();
  /** @type {string[]} */
  const broken = [];
  const text = readBounded(file).toString();
  text.split('\n').forEach((line, place) => {
    if (line.trim() === '') return;
    const value = parse(line);
    if (check(value)) past.set(value.id, value);
    else broken.push(`${NAME}:${place + 1}: ${check.errors[0] ? mistakeText(check.errors[0]) : 'is no run'}`);
  });
  return { past: [...past.values()], broken };
}

/** @param {string} line @returns {unknown} the line itself where it is no JSON */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
