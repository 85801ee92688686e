/**
 * What later steps of the action run and read, recorded just before measured code starts. The runner keeps
 * the record as outputs, where measured code cannot reach it.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { isFolder } from '../../system/folder.js';
import { quoted } from '../../system/process/shell.js';
import { warning } from '../step-log.js';
import digest from './digest.cjs';
import { readInputs } from '../contract/inputs.js';

/** The text that a later step runs in place of the file. */
const DIGEST = readFileSync(new URL('./digest.cjs', import.meta.url), 'utf8');
const CHANGED = `${DIGEST}
const before = Object.entries(JSON.parse(process.argv[1]));
console.log(before.flatMap(([path, digest]) => (digestOf(path) === digest ? [] : path)).join(', '));`;

/** Of the action's folder; measured code may write elsewhere in a workspace that is the action itself. */
const OURS = ['action.yml', 'package.json', 'scripts', 'presets', 'servers', 'node_modules'];

/** Variables that name files which a program trusts. */
const AUTHORITIES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO'];

/** The variables that steps with a token keep, as a pattern of bash. Many others name files to load. */
const KEPT = [
  ...['HOME', 'TMPDIR', 'GITHUB_*', 'RUNNER_*', 'PERF_*', '*_proxy', '*_PROXY'],
  ...['GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_*', 'GIT_CONFIG_VALUE_*', ...AUTHORITIES],
].join('|');

/** The system's programs, which only root can write; their messages are in /usr/share, which anybody can. */
const FIXED = 'PATH=/usr/bin:/bin LC_ALL=C GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1';

/** What actions/cache looks for on the PATH to save. */
const ARCHIVERS = ['tar', 'gzip', 'zstd', 'zstdmt'];

/** @type {import('../contract/outputs.js').Step<'guard'>} */
export async function guard({ env }) {
  const actions = env.RUNNER_WORKSPACE ? resolve(env.RUNNER_WORKSPACE, '../_actions') : '';
  if (!isFolder(actions)) cannotFind("the job's actions");
  const nodes = [join(runnerFolder(), 'externals'), '/__e'].filter(isFolder).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.startsWith('node'))
      .map((name) => join(folder, name, 'bin/node'))
      .filter((file) => existsSync(file)),
  );
  if (nodes.length === 0) cannotFind('its own Node.js');
  const savesCache = readInputs(env)['baseline-store'] === 'cache';
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((dir) => ARCHIVERS.map((name) => join(dir, name)));
  const paths = [
    ...OURS.map((name) => join(env.GITHUB_ACTION_PATH ?? '', name)),
    ...['GITHUB_EVENT_PATH', ...AUTHORITIES].map((name) => env[name] ?? ''),
    ...[actions, ...nodes, ...moduleFolders(actions, [process.execPath, ...nodes], env.HOME ?? '')],
    ...(savesCache ? onPath : []),
  ];
  const isInside = (/** @type {string} */ path) =>
    paths.some((other) => other && path.startsWith(`${other}/`));
  const recorded = paths
    .filter((path) => path && !isInside(path))
    .map((path) => [path, digest.digestOf(path)]);
  return {
    environment:
      `for name in $(compgen -e); do case $name in ${KEPT}) ;; *) export -n "$name" ;; esac; done; ` +
      `export ${FIXED}; node=${quoted(process.execPath)}`,
    // The files that this process runs from.
    node: [...new Set(readFileSync('/proc/self/maps', 'utf8').match(/(?<= )\/.+(?<! )$/gm))]
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
      .map((file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${file}`)
      .join('\n'),
    files: JSON.stringify(Object.fromEntries(recorded)),
    changed: CHANGED,
  };
}

/** The runner's program started the shell that this process replaced; a container has its Node.js in /__e. */
function runnerFolder() {
  try {
    return dirname(dirname(readlinkSync(`/proc/${process.ppid}/exe`)));
  } catch {
    return '/nowhere';
  }
}

/**
 * Where a Node.js looks for a module that an action lacks:
 * https://nodejs.org/api/modules.html#loading-from-the-global-folders.
 * @type {(actions: string, nodes: string[], home: string) => string[]}
 */
function moduleFolders(actions, nodes, home) {
  const above = actions
    .split('/')
    .map((_, depth, parts) => `${parts.slice(0, depth).join('/')}/node_modules`);
  return [
    ...above,
    ...['.node_modules', '.node_libraries'].map((name) => join(home, name)),
    ...nodes.map((node) => resolve(node, '../../lib/node')),
  ];
}

/** @param {string} what */
function cannotFind(what) {
  warning(
    `the action cannot find where this runner keeps ${what}, so it would not notice if measured code changed them, and a later step would run the change`,
  );
}
