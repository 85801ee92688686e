/**
 * `npm run coverage [FILE...]` runs the unit tests and each end-to-end test file, or those named alone, one
 * after the other, and notes their seconds and which functions of scripts/ they call. From the notes it
 * writes coverage.json: what each end-to-end file covers alone, and which ones run only with `scripts/test
 * --all`. A program that a signal ends leaves no coverage.
 */

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { least, sum } from 'd3-array';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NOTES = join(ROOT, '.cache/coverage');
const STORED = new URL('./coverage.json', import.meta.url);

/** The unit tests, which always run, in place of a file. */
const UNIT = 'unit';

/** Files whose verdicts or counts suffer from many others beside them. Each counts for two. */
const MEASURING = 'e2e/measuring/';

/** What the end-to-end files of a default run may take: six run at once on two cores, for five minutes. */
export const GOAL_SECONDS = 6 * 300;

/**
 * They run by default, whatever they cover: a job, workflows (no functions), verdicts of two commits, a
 * library, a database.
 */
export const KEPT = [
  'e2e/act/action.e2e.js',
  'e2e/lint.e2e.js',
  'e2e/measuring/against.e2e.js',
  'e2e/measuring/library.e2e.js',
  'e2e/services.e2e.js',
];

/** So many names of what a file covers alone are stored. */
const MOST_NAMES = 6;

/**
 * @typedef {{ seconds: number, cpuSeconds: number, called: string[] }} Note cpuSeconds: of the file and all
 *   that it starts, a quarter of them for the coverage; called: functions, as
 *   `session/session.js#runSession:1234`
 * @typedef {{ onlyWithAll?: true, alone: string[] }} Choice alone: what no other file that runs by default
 *   calls
 * @typedef {{ seconds: number, cpuSeconds: number, onlyWithAll?: true, alone: number, names?: string[] }}
 *   Covered alone: how many functions; names: of some of them, or of their files
 */

/**
 * @param {string} name of a test file, by its path below test/
 * @returns {number} of how many it takes the place
 */
export const weightOf = (name) => (name.startsWith(MEASURING) ? 2 : 1);

/** @returns {Record<string, Covered>} by the path of an end-to-end file below test/ */
export const readCovered = () => JSON.parse(readFileSync(STORED, 'utf8'));

/** Seconds, as if one ran after the other. @type {(files: Record<string, { seconds: number }>) => number} */
export const costOf = (files) =>
  sum(Object.entries(files), ([name, { seconds }]) => seconds * weightOf(name));

/**
 * While the sum is over the goal, the file that covers least alone for its seconds goes. What two files cover
 * is the other's alone once one of them is gone.
 * @param {Record<string, Note>} notes by file
 * @param {{ always: string[], kept: string[], goal: number }} rules always: functions that are called in any
 *   case
 * @returns {Record<string, Choice>}
 */
export function chooseFiles(notes, { always, kept, goal }) {
  const rest = { ...notes };
  const isCalled = new Set(always);
  /** @type {Map<string, number>} how many of the rest call a function */
  const callers = new Map();
  const count = (/** @type {Note} */ { called }, /** @type {number} */ by) => {
    for (const name of called) callers.set(name, (callers.get(name) ?? 0) + by);
  };
  const aloneIn = (/** @type {Note} */ { called }) =>
    called.filter((name) => callers.get(name) === 1 && !isCalled.has(name));
  for (const note of Object.values(notes)) count(note, 1);
  /** @type {Record<string, Choice>} */
  const choices = {};
  while (costOf(rest) > goal) {
    const candidates = Object.entries(rest)
      .filter(([name]) => !kept.includes(name))
      .map(([name, note]) => ({ name, note, cost: costOf({ [name]: note }), alone: aloneIn(note) }));
    const next = least(
      candidates,
      (a, b) => a.alone.length / a.cost - b.alone.length / b.cost || b.cost - a.cost,
    );
    if (!next) break;
    choices[next.name] = { onlyWithAll: true, alone: next.alone };
    count(next.note, -1);
    delete rest[next.name];
  }
  for (const [name, note] of Object.entries(rest)) choices[name] = { alone: aloneIn(note) };
  return choices;
}

/** @returns {string[]} end-to-end test files, by their path below test/ */
export function listFiles() {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
  return files.filter((name) => name.endsWith('.e2e.js')).sort();
}

/** @param {string} name of a file, or UNIT */
const noteOf = (name) => join(NOTES, `${name}.json`);

/** @param {string} name of a file, or UNIT */
function measure(name) {
  const raw = join(NOTES, `raw-${process.pid}`);
  mkdirSync(raw, { recursive: true });
  // Some programs run as another user.
  chmodSync(raw, 0o777);
  const argv = name === UNIT ? ['tools/test.js', UNIT] : ['--test', `test/${name}`];
  // "times" tells the CPU time of all programs that were waited for.
  const timed = ['-c', '"$@"; code=$?; times; exit $code', '-', process.execPath, ...argv];
  const startedAt = performance.now();
  const { stdout, status } = spawnSync('bash', timed, {
    cwd: ROOT,
    env: { ...process.env, NODE_V8_COVERAGE: raw },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const times = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  const cpuSeconds = sum(times, ([, minutes, rest]) => 60 * Number(minutes) + Number(rest));
  const called = new Set(readdirSync(raw).flatMap((file) => calledIn(join(raw, file))));
  rmSync(raw, { recursive: true, force: true });
  const [rounded, cpu] = [seconds, cpuSeconds].map(Math.round);
  mkdirSync(dirname(noteOf(name)), { recursive: true });
  writeFileSync(
    noteOf(name),
    JSON.stringify({ seconds: rounded, cpuSeconds: cpu, called: [...called].sort() }),
  );
  process.stdout.write(
    `${name}: ${rounded} s, ${called.size} functions${status === 0 ? '' : '; it FAILED'}\n`,
  );
}

/**
 * A copy of the engine, as in a workflow, counts as the engine.
 * @param {string} file that V8 wrote
 * @returns {string[]} the functions of scripts/ that were called
 */
export function calledIn(file) {
  let result;
  try {
    ({ result } = JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Of a program that was ended while it wrote.
    return [];
  }
  return result.flatMap((/** @type {any} */ { url, functions }) => {
    const [, path] = /\/scripts\/(.+\.c?js)$/.exec(url) ?? [];
    if (!path || !existsSync(join(ROOT, 'scripts', path))) return [];
    return functions
      .filter((/** @type {any} */ { ranges }) => ranges[0].count > 0)
      .map(
        (/** @type {any} */ { functionName, ranges }) => `${path}#${functionName}:${ranges[0].startOffset}`,
      );
  });
}

/** Writes coverage.json from the notes of the files that there are. */
function writeCovered() {
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(noteOf(name), 'utf8'));
  /** @type {Record<string, Note>} */
  const notes = Object.fromEntries(listFiles().map((name) => [name, read(name)]));
  const choices = chooseFiles(notes, { always: read(UNIT).called, kept: KEPT, goal: GOAL_SECONDS });
  const rows = Object.entries(notes).map(([file, { seconds, cpuSeconds }]) => {
    const { alone = [], ...choice } = choices[file] ?? {};
    const names = [...new Set(alone.map((name) => name.replace(/#?:\d+$/, '')))].slice(0, MOST_NAMES);
    const row = { seconds, cpuSeconds, ...choice, alone: alone.length, ...(names.length > 0 && { names }) };
    return `  ${JSON.stringify(file)}: ${JSON.stringify(row)}`;
  });
  writeFileSync(STORED, `{\n${rows.join(',\n')}\n}\n`);
  spawnSync('npx', ['prettier', '--write', fileURLToPath(STORED)], { cwd: ROOT, stdio: 'inherit' });
}

if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) {
  const [, , ...asked] = process.argv;
  for (const name of asked.length > 0 ? asked : [UNIT, ...listFiles()]) measure(name);
  writeCovered();
}
