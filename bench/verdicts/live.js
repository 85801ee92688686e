/**
 * Whole commands on this machine: `perf-action run --against HEAD~1` in scratch repositories, against a commit that costs a
 * known share more CPU per request, over and over.
 */

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { startBusy } from './busy.js';
import { bytesPerUs } from './work.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PRELOAD = fileURLToPath(new URL('./preload.js', import.meta.url));
const run = promisify(execFile);

/** more: the share of CPU per request that the head costs more; margin: as the command is given it; seconds: to be decided in. */
const ROWS = [
  { server: 'fastify', more: 0, margin: '5%', seconds: 60 },
  { server: 'express', more: 0, margin: '5%', seconds: 90 },
  { server: 'nest-fastify', more: 0, margin: '5%', seconds: 90 },
  { server: 'fastify', more: 0.05, margin: '5%', seconds: 60 },
  { server: 'express', more: 0.05, margin: '5%', seconds: 90 },
  { server: 'nest-fastify', more: 0.05, margin: '5%', seconds: 90 },
  { server: 'fastify', more: 0, margin: '2%', seconds: 180 },
  { server: 'fastify', more: 0.02, margin: '1%', seconds: 180 },
  { server: 'express', more: 0.02, margin: '1%', seconds: 300 },
  { server: 'nest-fastify', more: 0.02, margin: '1%', seconds: 300 },
  { server: 'fastify', more: 0.01, margin: '0.5%', seconds: 600 },
  { server: 'fastify', more: 0, margin: '5%', seconds: 180, busy: true },
  { server: 'fastify', more: 0.05, margin: '5%', seconds: 180, busy: true },
  { server: 'express', more: 0.05, margin: '5%', seconds: 180, busy: true },
];

/**
 * @param {{ repeats: number, only?: string | undefined }} options only: rows of this name, like "fastify", "express +5 %"
 */
export async function liveTable({ repeats, only }) {
  const rows = ROWS.filter((row) => !only || nameOf(row).includes(only));
  const perUs = bytesPerUs();
  console.log(
    '| server | change | machine | regressed | same | unsure | improved | in time | median s | most s | CPU per request, median |',
  );
  console.log('| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const row of rows) {
    const folder = mkdtempSync(join(tmpdir(), 'perf-live-'));
    const busy = row.busy ? startBusy() : undefined;
    try {
      await makeRepository(folder, row, perUs);
      /** @type {Outcome[]} */
      const outcomes = [];
      for (let i = 0; i < repeats; i++) {
        const outcome = await judgeOnce(folder, row);
        outcomes.push(outcome);
        console.error(`${nameOf(row)}: ${JSON.stringify(outcome)}`);
      }
      console.log(rowText(row, outcomes));
    } finally {
      busy?.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** @typedef {{ verdict: string, seconds: number, cpuPct: number }} Outcome seconds: from the first window's boot to the last window */

/** @param {typeof ROWS[number]} row */
function nameOf({ server, more, busy }) {
  return `${server} ${more === 0 ? 'unchanged' : `+${100 * more} %`}${busy ? ' busy' : ''}`;
}

/**
 * Base and head differ by an environment variable alone: how many bytes a request's extra work takes.
 * @param {string} folder
 * @param {typeof ROWS[number]} row
 * @param {number} perUs
 */
async function makeRepository(folder, { server, more }, perUs) {
  cpSync(join(ROOT, 'servers', server), join(folder, 'app'), {
    recursive: true,
    filter: (path) => !path.includes('node_modules') && !path.includes('/dist'),
  });
  const { id: _, routes, env, ...manifest } = parse(readFileSync(join(folder, 'app', 'server.yml'), 'utf8'));
  rmSync(join(folder, 'app', 'server.yml'));
  const config = (/** @type {number} */ bytes) => {
    const own = { ...env, NODE_OPTIONS: `--import=${PRELOAD}`, EXTRA_BYTES: String(bytes) };
    const app = { id: 'app', folder: 'app', ...manifest, routes: routes.slice(0, 1), env: own };
    return stringify({ reference: 'off', servers: [app] });
  };
  const commit = async (/** @type {number} */ bytes, /** @type {string} */ message) => {
    // A comment apart, or a head that changes nothing would be skipped.
    writeFileSync(join(folder, 'perf.yml'), `# ${message}\n${config(bytes)}`);
    writeFileSync(join(folder, '.gitignore'), 'node_modules\nperf-results\ndist\n');
    await run('git', ['add', '--all'], { cwd: folder });
    await run('git', [...AUTHOR, 'commit', '--quiet', '--message', message], {
      cwd: folder,
    });
  };
  await run('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder });
  await commit(0, 'base');
  const us = more === 0 ? 0 : await cpuPerRequest(folder);
  await commit(Math.round(us * more * perUs), 'head');
  // Prepared once, so that no run of the table installs anything.
  await measure(folder, ['--against', 'HEAD~1', '--rounds', '1']);
}

const AUTHOR = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];

/** @param {string} folder */
async function cpuPerRequest(folder) {
  await measure(folder, ['--rounds', '4']);
  const { cases } = JSON.parse(readFileSync(join(folder, 'perf-results', 'run.json'), 'utf8'));
  return Number(cases[0].summary.cpuPerRequestUs);
}

/**
 * @param {string} folder
 * @param {string[]} options
 */
async function measure(folder, options) {
  const command = [join(ROOT, 'scripts', 'cli.js'), 'run', '--fail-on', 'never', ...options];
  await run(process.execPath, command, { cwd: folder, maxBuffer: 2 ** 26 });
}

/**
 * @param {string} folder
 * @param {typeof ROWS[number]} row
 * @returns {Promise<Outcome>}
 */
async function judgeOnce(folder, { margin, seconds }) {
  await measure(folder, [
    '--against',
    'HEAD~1',
    '--margin',
    margin,
    '--budget',
    `${Math.max(300, seconds)}s`,
  ]);
  const read = (/** @type {string} */ file) =>
    JSON.parse(readFileSync(join(folder, 'perf-results', file), 'utf8'));
  const [comparison, head, base] = [read('comparison.json'), read('run.json'), read('base/run.json')];
  /** Windows that were loaded in turn began together. @type {Map<number, number>} */
  const ends = new Map();
  for (const { cases } of [head, base])
    for (const { at, seconds } of cases[0].trials.flatMap((/** @type {any} */ { windows }) => windows))
      ends.set(at, (ends.get(at) ?? at) + seconds);
  const cpu = comparison.cases[0].metrics.find((/** @type {any} */ { metric }) => metric === 'cpuPerRequest');
  return {
    verdict: comparison.verdict,
    seconds: Math.max(...ends.values()),
    cpuPct: cpu?.effectPct ?? Number.NaN,
  };
}

/**
 * @param {typeof ROWS[number]} row
 * @param {Outcome[]} outcomes
 */
function rowText({ server, more, margin, seconds, busy }, outcomes) {
  const count = (/** @type {string} */ verdict) => outcomes.filter((of) => of.verdict === verdict).length;
  const wanted = more === 0 ? 'same' : 'regressed';
  const inTime = outcomes.filter((of) => of.verdict === wanted && of.seconds <= seconds).length;
  const sorted = (/** @type {'seconds' | 'cpuPct'} */ key) =>
    outcomes.map((of) => of[key]).sort((a, b) => a - b);
  const middle = (/** @type {number[]} */ values) => values[Math.floor(values.length / 2)] ?? Number.NaN;
  const cells = [
    server,
    more === 0 ? `none (margin ${margin})` : `+${100 * more} % (margin ${margin})`,
    busy ? 'a third used' : 'quiet',
    ...['regressed', 'same', 'unsure', 'improved'].map(count),
    `${inTime} of ${outcomes.length} in ${seconds} s`,
    middle(sorted('seconds')).toFixed(0),
    (sorted('seconds').at(-1) ?? Number.NaN).toFixed(0),
    `${middle(sorted('cpuPct')).toFixed(1)} %`,
  ];
  return `| ${cells.join(' | ')} |`;
}
