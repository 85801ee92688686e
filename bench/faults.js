/**
 * What goes wrong around a load test, caused for real: what is promised, what happened, and what was left or
 * lost. `npm run bench:faults -- [--only clock]`; exits with 1 where a row does not hold.
 */

import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { killLeft, leftBy } from './provoke.js';

/**
 * @typedef {object} Happened
 * @property {string} happened
 * @property {number} left processes that outlive the run
 * @property {number} lost measured data that is gone
 * @property {boolean} holds whether everything promised happened
 *
 * @typedef {object} Row
 * @property {string} fault
 * @property {string} promised
 * @property {true} [slow] left to `scripts/test --all`, since it takes long or another row shows the same
 *   kind of failure
 * @property {(scratch: string) => Promise<Pick<Happened, 'happened' | 'holds'> & Partial<Happened>>} run gets
 *   an empty folder, which is removed afterwards; left is counted, and lost 0, where it is absent
 */

const FOLDER = new URL('./faults/', import.meta.url);

/** @returns {Promise<Row[]>} of every file in faults/ */
export async function readRows() {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.js'));
  const modules = await Promise.all(files.map((name) => import(new URL(name, FOLDER).href)));
  return modules.flatMap(({ rows }) => rows);
}

/**
 * @param {Row} row
 * @returns {Promise<Happened>} if the row itself broke, that is what happened
 */
export async function provoke({ run }) {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'perf-fault-')));
  for (const name of ['tmp', 'cache']) mkdirSync(join(scratch, name));
  try {
    const { happened, holds, left = (await leftBy(scratch)).length, lost = 0 } = await run(scratch);
    return { happened, left, lost, holds: holds && left === 0 && lost === 0 };
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    return { happened: `the row broke: ${message}`, left: 0, lost: 0, holds: false };
  } finally {
    await killLeft(scratch);
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { only = '' } = parseArgs({ options: { only: { type: 'string' } } }).values;
  const rows = (await readRows()).filter(({ fault }) => fault.includes(only));
  if (rows.length === 0) {
    console.error(`--only: no fault contains "${only}"`);
    process.exit(2);
  }
  console.log('| row | fault | promised | happened | left (processes) | lost (data) |');
  console.log('| --- | --- | --- | --- | --: | --: |');
  for (const row of rows) {
    const { happened, left, lost, holds } = await provoke(row);
    const cells = [holds ? 'holds' : '**fails**', row.fault, row.promised, happened, left, lost];
    console.log(
      `| ${cells.map((cell) => String(cell).replace(/\s+/g, ' ').replaceAll('|', '/')).join(' | ')} |`,
    );
    if (!holds) process.exitCode = 1;
  }
}
