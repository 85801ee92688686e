/** What a pull request's commit and artifacts may hold, in the job that joins the figures and may comment. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zip } from '../../test/e2e/actions/zip.js';
import { GOOD, QUICK, runCli, startStep, writeServer } from '../provoke.js';

const SEED = '5';

/**
 * A commit whose links lead where the action and the figures lie, and which would run wherever npm or Node is
 * called in it. Returns the repository.
 * @type {(scratch: string) => string}
 */
function commitTrap(scratch) {
  const folder = join(scratch, 'repository');
  mkdirSync(folder);
  writeServer(folder, 'app', { code: GOOD });
  const mark = `require('node:fs').writeFileSync(${JSON.stringify(join(scratch, 'ran'))}, process.argv.join(' '));`;
  writeFileSync(join(folder, 'evil.cjs'), mark);
  writeFileSync(join(folder, '.npmrc'), 'node-options=--require ./evil.cjs\n');
  writeFileSync(join(folder, 'package.json'), '{ "scripts": { "preinstall": "node evil.cjs" } }');
  for (const name of ['perf-results', 'perf-shards', 'measured'])
    symlinkSync('../.perf-action', join(folder, name));
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=octo', '-c', 'user.email=octo@example.com', ...args], {
      cwd: folder,
    });
  git('init', '-q');
  git('add', '-f', '.');
  git('commit', '-q', '-m', 'trap');
  return folder;
}

/**
 * The job's folder as perf.yml makes it: the action in `.perf-action`, the commit in `measured`.
 * @param {string} scratch
 * @param {(run: Buffer) => Buffer} archive of what the measuring job left
 */
async function joinShards(scratch, archive) {
  const repository = commitTrap(scratch);
  const measuring = ['run', '--servers=./app', ...QUICK, '--shard=1/1', `--seed=${SEED}`, '--out=../out'];
  await runCli(measuring, { scratch, cwd: repository });
  const workspace = join(scratch, 'workspace');
  const [action, shards, temp] = ['.perf-action', 'shards', 'temp'].map((name) => join(workspace, name));
  for (const folder of [action, shards, temp]) mkdirSync(String(folder), { recursive: true });
  writeFileSync(join(String(action), 'action.js'), 'ours');
  const clone = ['clone', '-q', '-c', 'core.symlinks=false', repository, join(workspace, 'measured')];
  execFileSync('git', clone);
  writeFileSync(join(String(shards), 'a.zip'), archive(readFileSync(join(scratch, 'out/run.json'))));
  const env = {
    PERF_INPUTS: JSON.stringify({ servers: './app', reference: 'off' }),
    PERF_SEED: SEED,
    PERF_COUNT: '1',
    PERF_SHARDS: shards,
    PERF_CHECKOUT: join(workspace, 'measured'),
    RUNNER_TEMP: temp,
  };
  const { code, stdout } = await startStep('merge', { scratch, cwd: workspace, env }).ended;
  const changed = [
    ...readdirSync(String(action)).filter((name) => name !== 'action.js'),
    ...(readFileSync(join(String(action), 'action.js'), 'utf8') === 'ours' ? [] : ['action.js']),
    ...(existsSync(join(scratch, 'ran')) ? ['it ran'] : []),
  ];
  const files = readdirSync(String(temp), { recursive: true, encoding: 'utf8' });
  const error = /::error[^:]*::(.*)/.exec(stdout)?.[1];
  return { code, error, changed, files };
}

/** @type {[what: string, entry: import('../../test/e2e/actions/zip.js').Entry][]} */
const HOSTILE = [
  ['a link by the name of the figures', { name: '1/run.json', data: '/etc/passwd', mode: 0o120777 }],
  ['a link to the action', { name: 'x', data: '../.perf-action', mode: 0o120777 }],
  ['a path into the action', { name: '../.perf-action/action.js', data: 'evil' }],
];

/** @type {import('../faults.js').Row[]} */
export const rows = [
  {
    fault: 'a pull request with committed links into .perf-action, an .npmrc and npm scripts',
    promised: 'the joining job joins its figures; it runs and writes nothing there',
    slow: true,
    async run(scratch) {
      const archive = (/** @type {Buffer} */ data) => zip([{ name: '1/run.json', data }]);
      const { code, error, changed, files } = await joinShards(scratch, archive);
      const joined = files.some((name) => name.endsWith('perf-results/run.json'));
      return {
        happened: `exit ${code}${error ? `: ${error}` : ''}; changed or run: ${changed.join(', ') || 'nothing'}`,
        lost: Number(!joined),
        holds: code === 0 && changed.length === 0,
      };
    },
  },
  ...HOSTILE.map(([what, entry]) => ({
    fault: `an artifact with ${what}`,
    promised: 'the joining job refuses it in one line, and nothing of it is on the disk',
    ...(entry.mode && { slow: /** @type {const} */ (true) }),
    async run(/** @type {string} */ scratch) {
      const archive = (/** @type {Buffer} */ data) =>
        zip(entry.name === '1/run.json' ? [entry] : [entry, { name: '1/run.json', data }]);
      const { code, error, changed, files } = await joinShards(scratch, archive);
      const written = files.filter((name) => name.includes('1/'));
      return {
        happened: `exit ${code}: ${error}; changed or run: ${changed.join(', ') || 'nothing'}`,
        holds:
          code !== 0 &&
          /^the artifact was rejected: /.test(error ?? '') &&
          [...changed, ...written].length === 0,
      };
    },
  })),
];
