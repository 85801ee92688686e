/**
 * `node tools/test.js [unit|e2e|act]`: runs every test file, or a part of them, as many at once as the
 * machine bears, and prints one summary, as `node --test` does, with what failed. act: those that run
 * workflows. Without PERF_TEST_ALL=1, files are left out that cover little alone for their seconds
 * (coverage.json), and tests that take very long skip themselves.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { run } from 'node:test';
import { spec, tap } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { readCovered, weightOf } from './coverage.js';

const FOLDER = fileURLToPath(new URL('../test/', import.meta.url));

/** Seconds that each file took on this machine; before its first run, those of coverage.json. */
const DURATIONS = new URL('../.cache/durations.json', import.meta.url);
const COVERED = readCovered();

/** @type {Record<string, (name: string) => boolean>} the parts, each by a file's path below test/ */
const PARTS = {
  unit: (name) => name.endsWith('.test.js'),
  e2e: (name) => name.endsWith('.e2e.js') && !PARTS.act?.(name),
  act: (name) => name.startsWith('e2e/act/'),
};

/** So many files run at once per core: each waits most of the time. */
const FILES_PER_CORE = 3;

/** Lines of the summary, each with a count that is added up over all files. */
const SUMMARY = /^(tests|suites|pass|fail|cancelled|skipped|todo) (\d+)$/;

/** @typedef {{ name: string, weight: number }} TestFile name: its path below test/ */
/** @typedef {import('node:test/reporters').TestEvent} TestEvent */

/**
 * Unit tests first, as their failures show soonest; then end-to-end tests; each the longest first, so that
 * none is left alone at the end.
 * @param {Record<string, number>} durations
 * @returns {TestFile[]} in the order in which they start
 */
function listFiles(durations) {
  const isAsked = PARTS[process.argv[2] ?? ''] ?? (() => true);
  const isUnit = (/** @type {string} */ name) => Number(name.endsWith('.test.js'));
  const isDue = (/** @type {string} */ name) => process.env.PERF_TEST_ALL || !COVERED[name]?.onlyWithAll;
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(test|e2e)\.js$/.test(name) && isAsked(name) && isDue(name))
    .sort(
      (a, b) => isUnit(b) - isUnit(a) || (durations[b] ?? 0) - (durations[a] ?? 0) || sizeOf(b) - sizeOf(a),
    )
    .map((name) => ({ name, weight: weightOf(name) }));
}

/** @param {string} name */
const sizeOf = (name) => statSync(FOLDER + name).size;

/** @returns {Record<string, number>} */
function readDurations() {
  const known = Object.entries(COVERED).map(([name, { seconds }]) => [name, seconds]);
  return {
    ...Object.fromEntries(known),
    ...(existsSync(DURATIONS) && JSON.parse(readFileSync(DURATIONS, 'utf8'))),
  };
}

/**
 * @param {Record<string, number>} durations updated as files end
 * @returns {AsyncGenerator<TestEvent[]>} the events of one file after the other, as the files end
 */
async function* runFiles(durations) {
  const waiting = listFiles(durations);
  let room = FILES_PER_CORE * availableParallelism();
  /** @type {Map<TestFile, ReturnType<typeof runFile>>} */
  const running = new Map();
  while (waiting.length > 0 || running.size > 0) {
    for (let file; (file = waiting.find(({ weight }) => weight <= room));) {
      waiting.splice(waiting.indexOf(file), 1);
      room -= file.weight;
      running.set(file, runFile(file));
    }
    const { file, events, seconds } = await Promise.race(running.values());
    durations[file.name] = seconds;
    running.delete(file);
    room += file.weight;
    yield events;
  }
}

/** @param {TestFile} file */
async function runFile(file) {
  const startedAt = performance.now();
  const events = await Readable.from(run({ files: [FOLDER + file.name] })).toArray();
  return { file, events, seconds: Math.round((performance.now() - startedAt) / 1000) };
}

/** @returns {AsyncGenerator<TestEvent>} what a reporter prints, with one summary for all files */
async function* report() {
  const started = performance.now();
  const totals = new Map();
  const failures = [];
  let count = 0;
  const durations = readDurations();
  for await (const events of runFiles(durations))
    for (const event of events) {
      const { data } = /** @type {{ data: any }} */ (event);
      const [, name, number] = event.type === 'test:diagnostic' ? (SUMMARY.exec(data.message) ?? []) : [];
      const isOuter = data.nesting === 0;
      if (isOuter && (event.type === 'test:pass' || event.type === 'test:fail')) data.testNumber = ++count;
      if (event.type === 'test:fail') {
        process.exitCode = 1;
        const { cause, message } = data.details.error;
        failures.push(
          `not ok: ${data.name} (${data.file}:${data.line})`,
          ...String(cause?.stack ?? cause ?? message).split('\n'),
        );
      }
      if (isOuter && name) totals.set(name, (totals.get(name) ?? 0) + Number(number));
      else if (
        !isOuter ||
        (!/^(test:plan|test:summary)$/.test(event.type) && !/^duration_ms /.test(data.message))
      )
        yield event;
    }
  mkdirSync(new URL('.', DURATIONS), { recursive: true });
  writeFileSync(DURATIONS, JSON.stringify(durations));
  totals.set('duration_ms', performance.now() - started);
  yield { type: 'test:plan', data: { nesting: 0, count } };
  // Of a long log, a CI service may show the end alone.
  const summary = [...failures, ...[...totals].map(([name, total]) => `${name} ${total}`)];
  for (const message of summary) yield { type: 'test:diagnostic', data: { nesting: 0, message } };
}

Readable.from(report())
  .compose(process.stdout.isTTY ? new spec() : tap)
  .pipe(process.stdout);
