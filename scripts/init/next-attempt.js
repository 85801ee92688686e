/**
 * Chooses what to try of a server, first and then after what was found. Pure: others try it.
 * @import { Found, RouteAnswer } from '../types.js'
 * @import { Candidate } from './candidates.js'
 */

import { SERVICES } from '../deploy/services.js';
import { lackingIn } from './server-settings.js';

/** A file or folder that a start misses: ENOENT: no such file or directory, open '/tree/data/x.db'. */
const MISSING =
  /(?:ENOENT[^\n']*'|open |unable to open database file:? ?|^node: )(?:[^\s']*\/tree\/)?((?:[\w.-]+\/)*[\w.-]+)/m;
/** What npm, pnpm, Yarn, Bun, pipenv and uv say of a lock file that does not fit. */
const UNFIT = /from lock file|in sync|frozen|out of date|needs to be updated/i;
/** Installations by a lock file, and without it. @type {[lock: RegExp, free: string][]} */
const UNLOCKED = [
  [/^npm ci/, 'npm install'],
  [/ --(frozen(-lockfile)?|immutable|deploy)\b/, ''],
];

/**
 * A way to start it. anyNode: on the machine's; install: without a lock file that does not fit; option,
 * migration: places in the lists of what may be tried.
 * @typedef {{ command: number, option?: number, migration?: number, needs: string[], folders: string[],
 *   env: Record<string, string>, anyNode?: true, install?: string }} Choice
 */
/** @type {(candidate: Candidate) => Choice} */
export function firstAttempt({ env = {} }) {
  return { command: 0, needs: [], folders: [], env };
}

/**
 * Undefined where nothing is left.
 * @type {(candidate: Candidate, choice: Choice, found: Found, missing: string[]) => Choice | undefined}
 */
export function nextAttempt(
  { tries, node, install = '' },
  choice,
  { failure, fixedPort, answers, ...found },
  missing,
) {
  const unlocked = UNLOCKED.reduce((line, [lock, free]) => line.replace(lock, free), install);
  const isRefused = failure?.kind === 'install-failed';
  const isUnfit = isRefused && UNFIT.test(found.log.join('\n'));
  if (isUnfit && !choice.install && unlocked !== install) return { ...choice, install: unlocked };
  if (isRefused && node && !choice.anyNode) return { ...choice, anyNode: true };
  if (['install-failed', 'service-failed', 'cancelled'].includes(failure?.kind ?? '')) return undefined;
  // One that ends in silence may lack whatever its authors' example has.
  const log =
    failure?.kind === 'exited-at-start' && found.log.length === 0
      ? Object.keys(tries.settings.values).map((name) => `${name} is required`)
      : found.log;
  const text = log.join('\n');
  const isBroken =
    failure !== undefined ||
    !answers.some(({ status = 500, shape }) => status < 400 && shape !== 'error') ||
    answers.some((answer) => isSilent(answer) || (answer.status ?? 0) >= 500);
  const open = tries.services.filter(({ id }) => !choice.needs.includes(id) && !missing.includes(id));
  const wanted = open.filter(
    ({ id }) => ((isBroken && failure?.kind !== 'build-failed') || /refused/.test(text)) && isNamed(id, text),
  );
  if (wanted.length > 0) return withNeeds(choice, wanted);
  const lacking = lackingIn(log, tries.settings).filter(({ name, value }) => value && !(name in choice.env));
  if (isBroken && lacking.length > 0) {
    const added = lacking.map(({ name, value = '' }) => [name, value]);
    return { ...choice, env: { ...choice.env, ...Object.fromEntries(added) } };
  }
  const [, missed = ''] = MISSING.exec(text) ?? [];
  const above = missed.split('/').slice(0, -1).join('/');
  const isFolder = above !== '' && !/\.\w+$/.test(above);
  const folder = missed.startsWith('.env') ? touching(missed) : `mkdir -p ${above}`;
  const isMade = missed.startsWith('.env') || (isFolder && !/node_modules/.test(missed));
  if (failure && isMade && !choice.folders.includes(folder))
    return { ...choice, folders: [...choice.folders, folder] };
  const isTaken = fixedPort !== undefined || (failure && choice.option !== undefined);
  const option = (choice.option ?? -1) + 1;
  if (isTaken && option < tries.options.length) return { ...choice, option };
  const migration = (choice.migration ?? -1) + 1;
  if (isBroken && failure?.kind !== 'build-failed' && migration < tries.migrations.length)
    return { ...choice, migration };
  if (failure?.kind === 'build-failed' || !(failure || answers.some(isSilent))) return undefined;
  if (open.length > 0) return withNeeds(choice, open);
  const command = choice.command + 1;
  return failure && command < tries.commands.length ? { ...choice, command } : undefined;
}

/** No answer came, not even its head. @param {RouteAnswer} answer */
export function isSilent({ status, shape }) {
  return status === undefined && shape === 'stream';
}

/** @type {(choice: Choice, added: { id: string }[]) => Choice} */
function withNeeds(choice, added) {
  return { ...choice, needs: [...choice.needs, ...added.map(({ id }) => id)] };
}

/**
 * Whether a log names a service by its port, its variables or its name.
 * @type {(id: string, log: string) => boolean}
 */
export function isNamed(id, log) {
  const { port, variables = [] } = SERVICES[id] ?? {};
  return new RegExp(`\\b${port}\\b|${[id, ...variables].join('|')}`, 'i').test(log);
}

/** Makes an empty file of settings. @param {string} file */
export function touching(file) {
  return `touch ${file}`;
}
