/** Compares with a golden file; on a mismatch the text got lies beside it as `.got`. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @param {string} name a file under test/data/report
 * @param {string} text
 */
export function assertGolden(name, text) {
  const file = fileURLToPath(new URL(`../data/report/${name}`, import.meta.url));
  const got = `${file}.got`;
  const expected = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (text === expected) return rmSync(got, { force: true });
  mkdirSync(dirname(got), { recursive: true });
  writeFileSync(got, text);
  assert.equal(text, expected, `${name} differs; look at ${name}.got and take it over if it is right`);
}
