/**
 * `perf-action baseline`: keeps, lists and shows stored runs.
 * @import { Arguments } from './verbs.js'
 * @import { Io } from '../cli.js'
 */

import { relative, resolve } from 'node:path';
import { markdownTable } from 'markdown-table';
import { UserError } from '../errors.js';
import { renderTerminal } from '../report/terminal.js';
import { listBaselines, saveBaseline } from '../store/baselines.js';
import { readRun } from '../store/run-file.js';

/**
 * @param {Arguments} args
 * @param {Io} io
 * @returns {Promise<number>}
 */
export async function baseline({ values, positionals }, io) {
  const [action, file] = positionals;
  const dir = resolve(io.cwd, String(values.dir ?? 'baselines'));
  if (action === 'save' && file !== undefined) {
    const saved = await saveBaseline(await readRun(resolve(io.cwd, file)), dir);
    io.stdout.write(`${relative(io.cwd, saved)}\n`);
  } else if (action === 'show' && file !== undefined) {
    const run = await readRun(resolve(io.cwd, file));
    io.stdout.write(values.json ? `${JSON.stringify(run, null, 2)}\n` : renderTerminal(run, {}));
  } else if (action === 'list') {
    const found = await listBaselines(dir);
    io.stdout.write(values.json ? `${JSON.stringify(found, null, 2)}\n` : table(found, io.cwd));
  } else {
    throw new UserError('baseline takes an action: perf-action baseline save RUN | list | show FILE');
  }
  return 0;
}

/**
 * @param {Awaited<ReturnType<typeof listBaselines>>} found
 * @param {string} cwd
 */
function table(found, cwd) {
  if (found.length === 0)
    return 'no baselines yet: perf-action baseline save perf-results/run.json makes one\n';
  const rows = found.map(({ file, startedAt, sha, cpuModel, servers }) => [
    relative(cwd, file),
    startedAt,
    sha?.slice(0, 7) ?? '',
    cpuModel,
    servers.join(', '),
  ]);
  return `${markdownTable([['File', 'Measured', 'Commit', 'CPU', 'Servers'], ...rows])}\n`;
}
