/**
 * @import { Arguments } from '../verbs.js'
 * @import { Io } from '../main.js'
 */

import { relative, resolve } from 'node:path';
import { markdownTable } from 'markdown-table';
import { UserError } from '../model/errors.js';
import { harmlessJson } from '../system/sanitize.js';
import { parseCount } from '../model/units.js';
import { isCounted } from '../report/document/counted.js';
import { renderTerminal } from '../report/render/terminal.js';
import { keepOnBranch, keepRun, whyUnusable } from '../history/past-runs.js';
import { KEPT, readBaselines } from '../history/baselines.js';
import { remoteOf, withBranch } from '../history/branch.js';
import { readRun } from '../store/run-file.js';

const USAGE = 'baseline needs an action: perf-action baseline save RUN | list | show FILE';

/** @type {import('../verbs.js').Command} */
export async function baseline({ values, positionals }, io) {
  const [action, file, ...rest] = positionals;
  if (rest.length > 0 || !(action === 'list' ? file === undefined : file !== undefined))
    throw new UserError(USAGE);
  const print = (/** @type {unknown} */ json, /** @type {() => string} */ text) =>
    io.stdout.write(values.json ? harmlessJson(json) : text());
  if (action === 'save') {
    const { file: saved, remote } = await save(resolve(io.cwd, String(file)), values, io);
    const where = remote === undefined ? '' : `, which is pushed to ${remote.replace(/\/\/[^/@]*@/, '//')}`;
    print({ file: saved }, () => `stored in ${saved}${where}\n`);
  } else if (action === 'show') {
    const run = await readFrom({ ...values, dir: '.' }, io, (dir) => readRun(resolve(dir, String(file))));
    print(run, () => renderTerminal(run, {}));
  } else if (action === 'list') {
    await readFrom(values, io, async (dir, top) => {
      const { baselines, broken } = await readBaselines(dir);
      for (const line of broken) io.stderr.write(`perf-action: skipped: ${line}\n`);
      const rows = baselines.map(({ file: path, run }) => describe(relative(top, path), run));
      print(rows, () => table(rows));
    });
  } else {
    throw new UserError(USAGE);
  }
  return 0;
}

/**
 * Its new place.
 * @type {(file: string, values: Arguments['values'], io: Io) => Promise<{ file: string, remote?: string }>}
 */
async function save(file, { dir, branch, keep }, io) {
  const run = await readRun(file);
  if (isCounted(run))
    throw new UserError(`run ${run.id} is not stored: it has no times; store one without --counts`);
  const count = keep === undefined ? KEPT : parseCount(String(keep), '--keep');
  const why = whyUnusable([run]);
  if (why && run.against === undefined) io.stderr.write(`perf-action: no trend can use it: ${why}\n`);
  if (branch === undefined) {
    const saved = await keepRun(run, resolve(io.cwd, String(dir ?? 'baselines')), count);
    return { file: relative(io.cwd, saved) };
  }
  const remote = await remoteOf(io.cwd);
  return { file: await keepOnBranch(run, { branch: String(branch), remote, env: io.env }, count), remote };
}

/**
 * @template T
 * @param {Arguments['values']} values
 * @param {Io} io
 * @param {(dir: string, top: string) => Promise<T>} read top: printed paths are relative to it
 */
async function readFrom({ dir, branch }, io, read) {
  if (branch === undefined) return read(resolve(io.cwd, String(dir ?? 'baselines')), io.cwd);
  const place = { branch: String(branch), remote: await remoteOf(io.cwd), env: io.env };
  return withBranch(place, (top) => read(top, top));
}

/**
 * @param {string} file
 * @param {import('../types.js').Run} run
 */
function describe(file, { startedAt, revision: { label, sha }, environment, cases, gate }) {
  return {
    ...{ file, startedAt, label, sha },
    fingerprint: environment.fingerprint,
    servers: [...new Set(cases.map(({ server }) => server))],
    cpuModel: environment.cpuModel,
    ...(gate && { gate }),
  };
}

/** @param {ReturnType<typeof describe>[]} baselines */
function table(baselines) {
  if (baselines.length === 0)
    return 'no baselines yet; perf-action baseline save perf-results/run.json stores one\n';
  const rows = baselines.map(({ file, startedAt, sha, cpuModel, servers, gate }) => [
    file,
    startedAt,
    sha?.slice(0, 7) ?? '',
    cpuModel,
    servers.join(', '),
    !gate ? '' : gate.failed.length === 0 ? 'passed' : gate.accepted ? 'accepted' : 'failed',
  ]);
  return `${markdownTable([['File', 'Measured', 'Commit', 'CPU', 'Servers', 'Gate'], ...rows])}\n`;
}
