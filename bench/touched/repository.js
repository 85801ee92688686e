/** Repositories whose last two commits differ by one change. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commitAll, copyRepository, initRepository } from '../copy-repository.js';
import { perfAction } from '../perf-action.js';
import { CHANGES, REPOSITORY, versionsOf } from './changes.js';
import { shopFiles } from './shops.js';

/** @import { Change } from './changes.js' */
/** @import { Version } from './shops.js' */

const KNOWN = fileURLToPath(new URL(`../../test/repositories/${REPOSITORY.name}`, import.meta.url));
/** A commit that every change begins with, so that it is built once. */
export const FIRST = 'first';

/**
 * changes: those that can be planted; plant: leaves the head checked out, and the base as the commit before.
 * @typedef {{ top: string, changes: Change[], plant: (change: Change) => void }} Subject
 */

/** top: a folder that holds nothing yet. @type {(top: string, framework: string) => Subject} */
export function makeShop(top, framework) {
  const write = (/** @type {Version} */ version) => {
    for (const folder of ['src', 'migrations']) rmSync(join(top, folder), { recursive: true, force: true });
    for (const [file, text] of Object.entries(shopFiles(framework, version))) {
      mkdirSync(dirname(join(top, file)), { recursive: true });
      writeFileSync(join(top, file), text);
    }
    const lock = ['install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund'];
    execFileSync('npm', lock, { cwd: top, stdio: 'ignore' });
  };
  write({});
  initRepository(top);
  const changes = CHANGES.filter(({ only = framework }) => only === framework);
  return planting({ top, changes, write });
}

/** Measured as `init` suggests, with one more route. @type {(scratch: string) => Promise<Subject>} */
export async function makeKnown(scratch) {
  const top = copyRepository(KNOWN, join(scratch, 'known'));
  const write = (/** @type {Version} */ { texts = [] }) => {
    for (const [file, from, to] of texts) {
      const text = readFileSync(join(top, file), 'utf8');
      if (!text.includes(from)) throw new Error(`${file} has no "${from}"`);
      writeFileSync(
        join(top, file),
        text.replace(from, () => to),
      );
    }
  };
  await perfAction(top, ['init']);
  write(REPOSITORY.first);
  commitAll(top);
  return planting({ top, changes: REPOSITORY.changes, write });
}

/** @type {(subject: Omit<Subject, 'plant'> & { write: (version: Version) => void }) => Subject} */
function planting({ top, changes, write }) {
  execFileSync('git', ['tag', FIRST], { cwd: top });
  return {
    ...{ top, changes },
    plant(change) {
      const [before, after] = versionsOf(change);
      execFileSync('git', ['checkout', '--quiet', '--detach', FIRST], { cwd: top });
      if (change.before) {
        write(before);
        commitAll(top);
      }
      write(after);
      commitAll(top);
    },
  };
}
