/** Makes a repository with servers of the catalogue, whose commits make the first one cost a known share more CPU a request, or a start. */

import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { bytesPerUs } from './work.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PRELOAD = fileURLToPath(new URL('./preload.js', import.meta.url));
/** The share planted to learn its cost: so little that caches treat it like the final one. */
const TRIED = 0.1;
const CALIBRATED = ['--rounds', '12', '--no-explain'];
const AUTHOR = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
const run = promisify(execFile);

/** What a commit costs more: the variable that the preload reads, and how much of it costs as much as the whole. */
const PLANTS = {
  request: { variable: 'EXTRA_BYTES', whole: bytesOfRequest },
  start: { variable: 'EXTRA_START_MS', whole: msOfStart },
};

/**
 * Commits differ by an environment variable alone.
 * @param {string} folder
 * @param {[string, ...string[]]} servers of the catalogue
 * @param {number[]} more of each commit: the share that the first server costs more than in the first commit, which costs 0 more
 * @param {keyof typeof PLANTS} [what] each request, or each start
 */
export async function makeSlowed(folder, servers, [, ...more], what = 'request') {
  const { variable, whole } = PLANTS[what];
  const [slowed] = servers;
  const manifests = servers.map((server) => copyServer(folder, server));
  const config = (/** @type {number} */ amount) => {
    const none = { EXTRA_BYTES: '0', EXTRA_START_MS: '0' };
    const planted = { NODE_OPTIONS: `--import=${PRELOAD}`, ...none, [variable]: String(amount) };
    const [first, ...others] = manifests;
    const apps = [{ ...first, env: { ...first?.env, ...planted } }, ...others];
    return stringify({ reference: 'off', servers: apps });
  };
  const write = (/** @type {number} */ amount, about = 'tried') =>
    writeFileSync(join(folder, 'perf.yml'), `# ${about}\n${config(amount)}`);
  let commits = 0;
  const commit = async (/** @type {number} */ amount) => {
    // Commits differ at least by a comment, or a head that changes nothing would be skipped.
    write(amount, `commit ${(commits += 1)}`);
    writeFileSync(join(folder, '.gitignore'), 'node_modules\nperf-results\ndist\n');
    await run('git', ['add', '--all'], { cwd: folder });
    await run('git', [...AUTHOR, 'commit', '--quiet', '--message', `commit ${commits}`], { cwd: folder });
  };
  await run('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder });
  await commit(0);
  const amount = more.every((share) => share === 0) ? 0 : await whole(folder, slowed, write);
  for (const share of more) await commit(Math.round(amount * share));
  // Installs everything, so that no timed command has to.
  await perfAction(folder, ['run', '--fail-on', 'never', '--against', 'HEAD~1', '--rounds', '1']);
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

/** @param {string} folder @param {string[]} command */
export async function perfAction(folder, command) {
  await run(process.execPath, [join(ROOT, 'scripts', 'cli.js'), ...command], {
    cwd: folder,
    maxBuffer: 2 ** 26,
  });
}

/**
 * Under load a byte costs more than in a loop of nothing else, and how much more is up to the machine's moments.
 * @param {string} folder
 * @param {string} server
 * @param {(bytes: number) => void} plant them, without a commit
 * @returns {Promise<number>} as many bytes as cost as much CPU as a request
 */
async function bytesOfRequest(folder, server, plant) {
  const alone = ['run', '--fail-on', 'never', '--servers', server];
  const tried = Math.round((await cpuPerRequest(folder, alone)) * bytesPerUs() * TRIED);
  plant(tried);
  await perfAction(folder, [...alone, '--against', 'HEAD', ...CALIBRATED]);
  const { cases } = JSON.parse(readFileSync(join(folder, 'perf-results', 'comparison.json'), 'utf8'));
  const cpu = cases[0].metrics.find((/** @type {any} */ { metric }) => metric === 'cpuPerRequest');
  return (100 * tried) / cpu.effectPct;
}

/** @param {string} folder @param {string} server @returns {Promise<number>} milliseconds of CPU that a start takes */
async function msOfStart(folder, server) {
  await perfAction(folder, [
    'run',
    '--servers',
    server,
    '--against',
    'self',
    '--rounds',
    '3',
    '--fail-on',
    'never',
  ]);
  const { cases } = JSON.parse(readFileSync(join(folder, 'perf-results', 'run.json'), 'utf8'));
  const starts = cases.flatMap((/** @type {any} */ { trials }) =>
    trials.flatMap((/** @type {any} */ { startups }) => startups),
  );
  return (
    starts.reduce((/** @type {number} */ total, /** @type {any} */ { cpuMs }) => total + cpuMs, 0) /
    starts.length
  );
}

/** @param {string} folder @param {string[]} command */
async function cpuPerRequest(folder, command) {
  await perfAction(folder, [...command, '--rounds', '4']);
  const { cases } = JSON.parse(readFileSync(join(folder, 'perf-results', 'run.json'), 'utf8'));
  return Number(cases[0].summary.cpuPerRequestUs);
}
