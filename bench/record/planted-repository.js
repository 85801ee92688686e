/**
 * A repository with servers of the catalogue, whose commits make the first one cost a known share more CPU a
 * request, or a start.
 */

import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { mean } from 'd3-array';
import { parse, stringify } from 'yaml';
import { git } from '../../scripts/system/git.js';
import { preloading } from '../../scripts/system/process/allowed-environment.js';
import { perfAction } from '../perf-action.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The command line's `prove` plants the same work. */
const PRELOADS = ['../../scripts/deploy/runtimes/planted-work.cjs', './start-preload.cjs'].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
);
/** As many rounds as it takes to plant a share to about a tenth of it, where rounds differ by 3 %. */
const CORRECTING_ROUNDS = 40;
/** What a request or a start costs scatters less than what two sides differ by. */
const ABSOLUTE_ROUNDS = 6;
const AUTHOR = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
const run = promisify(execFile);

/**
 * What a commit costs more: the variable that the preload reads, how much of it costs as much as the whole,
 * and the figure that shows it.
 */
const PLANTS = {
  request: { variable: 'PLANTED_US', whole: usOfRequest, metric: 'cpuPerRequest' },
  start: { variable: 'EXTRA_START_MS', whole: msOfStart, metric: 'startupCpu' },
};

/**
 * Commits differ by an environment variable alone.
 * @param {string} folder
 * @param {[string, ...string[]]} servers of the catalogue
 * @param {number[]} more of each commit after the first: the share that the first server costs more than in
 *   that
 * @param {keyof typeof PLANTS} [what] each request, or each start
 * @returns {Promise<string[]>} the commits, one more than shares
 */
export async function makePlanted(folder, servers, more, what = 'request') {
  const { variable, whole, metric } = PLANTS[what];
  const [slowed] = servers;
  const manifests = servers.map((server) => copyServer(folder, server));
  const config = (/** @type {number} */ amount) => {
    const none = { PLANTED_US: '0', EXTRA_START_MS: '0' };
    const planted = { ...preloading(PRELOADS), ...none, [variable]: String(amount) };
    const [first, ...others] = manifests;
    const apps = [{ ...first, env: { ...first?.env, ...planted } }, ...others];
    return stringify({ reference: 'off', servers: apps });
  };
  let written = 0;
  /** @type {string[]} */
  const commits = [];
  const write = (/** @type {number} */ amount) =>
    // Commits differ at least by a comment, or a head that changes nothing would be skipped.
    writeFileSync(join(folder, 'perf.yml'), `# commit ${(written += 1)}\n${config(amount)}`);
  const commit = async (/** @type {number} */ amount) => {
    write(amount);
    writeFileSync(join(folder, '.gitignore'), 'node_modules\nperf-results\ndist\n');
    await run('git', ['add', '--all'], { cwd: folder });
    await run('git', [...AUTHOR, 'commit', '--quiet', '--message', `commit ${written}`], { cwd: folder });
    commits.push(await git(folder, ['rev-parse', 'HEAD']));
  };
  await run('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder });
  await commit(0);
  const most = Math.max(...more);
  let amount = 0;
  if (most > 0) {
    amount = await whole(folder, slowed);
    // Work costs other CPU than its own: a Fastify that is kept busy for 3 µs more a request uses 4 µs more.
    write(amount * most);
    amount *= most / (await costOf(folder, slowed, metric));
  }
  for (const share of more) await commit(amount * share);
  // Installs everything, so that no timed command has to.
  await perfAction(folder, ['run', '--fail-on', 'never', '--against', 'HEAD~1', '--rounds', '1']);
  return commits;
}

/**
 * @param {string} folder
 * @param {string} server
 * @returns {{ env?: Record<string, string> }} as perf.yml describes it, with its first route
 */
function copyServer(folder, server) {
  cpSync(join(ROOT, 'servers', server), join(folder, server), {
    recursive: true,
    filter: (path) => !path.includes('node_modules') && !path.includes('/dist'),
  });
  const file = join(folder, server, 'server.yml');
  const { routes, ...manifest } = parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return { ...manifest, id: server, folder: server, routes: routes.slice(0, 1) };
}

/**
 * What is planted, as a share.
 * @type {(folder: string, server: string, metric: string) => Promise<number>}
 */
async function costOf(folder, server, metric) {
  await compare(folder, server, 'HEAD', CORRECTING_ROUNDS);
  const { cases } = JSON.parse(readFileSync(join(folder, 'perf-results', 'comparison.json'), 'utf8'));
  const change = cases[0].metrics.find((/** @type {any} */ each) => each.metric === metric);
  return change.effectPct / 100;
}

/**
 * Measured beside itself, as it is compared. Returns the trials of both sides.
 * @type {(folder: string, server: string) => Promise<any[]>}
 */
async function trialsOf(folder, server) {
  await compare(folder, server, 'self', ABSOLUTE_ROUNDS);
  return ['run.json', 'base/run.json'].flatMap(
    (file) => JSON.parse(readFileSync(join(folder, 'perf-results', file), 'utf8')).cases[0].trials,
  );
}

/** @type {(folder: string, server: string, against: string, rounds: number) => Promise<void>} */
async function compare(folder, server, against, rounds) {
  const options = ['--against', against, '--rounds', String(rounds), '--no-explain', '--fail-on', 'never'];
  await perfAction(folder, ['run', '--servers', server, ...options]);
}

/**
 * @param {string} folder
 * @param {string} server
 * @returns {Promise<number>} microseconds of CPU that a request takes
 */
async function usOfRequest(folder, server) {
  const windows = (await trialsOf(folder, server)).flatMap(({ windows }) => windows);
  return mean(windows, ({ cpu, requests }) => (1e6 * cpu.serverSeconds) / requests) ?? Number.NaN;
}

/**
 * @param {string} folder
 * @param {string} server
 * @returns {Promise<number>} milliseconds of CPU that a start takes
 */
async function msOfStart(folder, server) {
  const starts = (await trialsOf(folder, server)).flatMap(({ startups }) =>
    startups.filter((/** @type {any} */ { sharesCore }) => sharesCore),
  );
  return mean(starts, ({ cpuMs }) => cpuMs) ?? Number.NaN;
}
