/** Makes a repository of a folder, as its user would have it. */

import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';

const AUTHOR = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];
/** Left by installing, building and measuring. */
const MADE = /(^|\/)(node_modules|dist|bin|target|perf-results|\.venv|__pycache__)$/;

/**
 * @param {string} from the folder
 * @param {string} scratch where the repository is made
 * @returns {string} the repository
 */
export function copyRepository(from, scratch) {
  const top = join(scratch, basename(from));
  cpSync(from, top, { recursive: true, filter: (path) => !MADE.test(path.slice(from.length)) });
  initRepository(top);
  return top;
}

/** With all that the folder holds as its first commit. @param {string} top */
export function initRepository(top) {
  execFileSync('git', ['init', '--quiet', '--initial-branch', 'main'], { cwd: top });
  commitAll(top);
}

/** @param {string} top */
export function commitAll(top) {
  execFileSync('git', ['add', '--all'], { cwd: top });
  execFileSync('git', [...AUTHOR, 'commit', '--quiet', '--message', 'a change'], { cwd: top });
}
