/**
 * The addresses under which people use this project, in every tracked file: `npm run name -- OWNER/REPO`
 * writes them all, `npm run name -- --check` finds those that do not say what package.json says.
 */

import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../scripts/model/errors.js';
import { git } from '../scripts/system/git.js';
import { readRepositoryName } from '../scripts/system/this-project.js';

const NAME = /[\w.-]+\/[\w.-]+/.source;

/** What an address of this project looks like, whatever the name in it. */
const ADDRESSES = [
  `\\buses: (${NAME}?)(?:/\\.github/workflows/perf[\\w-]*\\.yml)?@v1\\b`,
  `\\bnpx (?:--yes |-y )?github:(${NAME})`,
  `"github:(${NAME})"`,
  `\\braw\\.githubusercontent\\.com/(${NAME})/v1/`,
  `\\bgithub\\.com/(${NAME})/blob/v1/`,
  `\\bjob\\.workflow_repository \\|\\| '([^']+)'`,
  `^ +(${NAME})/\\*: ref-pin$`,
].map((source) => new RegExp(source, 'gm'));

/**
 * @param {string} root of a checkout
 * @returns {Promise<string[]>} a line for each address that names another repository than package.json does
 */
export async function wrongAddresses(root) {
  const name = readRepositoryName(root);
  return (await readTracked(root)).flatMap(({ file, text }) =>
    ADDRESSES.flatMap((address) => [...text.matchAll(address)])
      .filter(([, named]) => named !== name)
      .map(({ index, 1: named }) => {
        const line = text.slice(0, index).split('\n').length;
        return `${file}:${line}: has ${named}, but package.json says ${name}; change it`;
      }),
  );
}

/**
 * @param {string} root of a checkout
 * @param {string} name OWNER/REPO
 * @returns {Promise<string[]>} the files that were changed
 * @throws {UserError} where that is not a name
 */
export async function writeName(root, name) {
  if (!/^[A-Za-z\d][A-Za-z\d-]{0,38}\/[\w.-]{1,100}$/.test(name))
    throw new UserError(`"${name}" is not a repository like OWNER/REPO; npm run name -- OWNER/REPO`);
  const old = readRepositoryName(root).replaceAll('.', '\\.');
  const whole = new RegExp(`(?<![\\w.-])${old}(?![\\w-])`, 'g');
  const changed = (await readTracked(root)).filter(({ text }) => text.search(whole) >= 0);
  for (const { file, text } of changed) writeFileSync(join(root, file), text.replace(whole, name));
  return changed.map(({ file }) => file);
}

/** @type {(root: string) => Promise<{ file: string, text: string }[]>} */
async function readTracked(root) {
  const files = (await git(root, ['ls-files', '-z'])).split('\0').filter(Boolean);
  return files
    .filter((file) => existsSync(join(root, file)))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const root = process.cwd();
  const [asked = ''] = process.argv.slice(2);
  try {
    if (asked !== '--check') console.log((await writeName(root, asked)).join('\n'));
    const wrong = await wrongAddresses(root);
    if (wrong.length > 0) throw new UserError(wrong.join('\n'));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(`name: ${error.message}`);
    process.exitCode = 2;
  }
}
