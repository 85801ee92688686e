/**
 * `node tools/test.js`: runs every test file, as many at once as the machine bears, and prints one summary, as `node --test` does,
 * with what failed.
 * Without PERF_TEST_ALL=1, tests that take very long skip themselves.
 */

import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { run } from 'node:test';
import { spec, tap } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../test/', import.meta.url));

/** These end-to-end files start first, so that no long one is left alone at the end. */
const LONGEST = [
  'forks',
  'main',
  'across-runners',
  'action',
  'recipes',
  'faults',
  'load',
  'own-folder',
  'isolation',
];
/** End-to-end files whose verdicts or counts would suffer if more than one other file ran beside them. */
const MEASURING = [
  'against',
  'cli',
  'conduct',
  'load',
  'perf-yml',
  'pidstat',
  'presets',
  'scripts',
  'terminal',
];

/** A file that measures weighs 2, any other 1: it waits half of the time. The files that run at once weigh so much per core. */
const WEIGHT_PER_CORE = 2;

/** Lines of the summary, each with a count that is added up over all files. */
const SUMMARY = /^(tests|suites|pass|fail|cancelled|skipped|todo) (\d+)$/;

/** @typedef {{ path: string, weight: number }} TestFile */
/** @typedef {import('node:test/reporters').TestEvent} TestEvent */

/** @returns {TestFile[]} in the order in which they start */
function listFiles() {
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
  const longest = LONGEST.map((id) => `e2e/${id}.e2e.js`);
  const shorter = names.filter((name) => name.endsWith('.e2e.js') && !longest.includes(name));
  const measuring = MEASURING.map((id) => `e2e/${id}.e2e.js`);
  return [
    ...[...longest, ...shorter].map((name) => ({
      path: FOLDER + name,
      weight: measuring.includes(name) ? 2 : 1,
    })),
    ...names.filter((name) => name.endsWith('.test.js')).map((name) => ({ path: FOLDER + name, weight: 1 })),
  ];
}

/**
 * @param {TestFile[]} files
 * @returns {AsyncGenerator<TestEvent[]>} the events of one file after the other, as the files end
 */
async function* runFiles(files) {
  const waiting = [...files];
  let room = WEIGHT_PER_CORE * availableParallelism();
  /** @type {Map<TestFile, Promise<{ file: TestFile, events: TestEvent[] }>>} */
  const running = new Map();
  while (waiting.length > 0 || running.size > 0) {
    for (let file; (file = nextOf(waiting, room));) {
      waiting.splice(waiting.indexOf(file), 1);
      room -= file.weight;
      running.set(file, runFile(file));
    }
    const { file, events } = await Promise.race(running.values());
    running.delete(file);
    room += file.weight;
    yield events;
  }
}

/**
 * Unit tests wait for all end-to-end files: small files would take every gap, and the large ones would be left to the end.
 * @param {TestFile[]} waiting
 * @param {number} room
 */
function nextOf(waiting, room) {
  const endToEnd = waiting.filter(({ path }) => path.endsWith('.e2e.js'));
  return (endToEnd.length > 0 ? endToEnd : waiting).find(({ weight }) => weight <= room);
}

/** @param {TestFile} file */
async function runFile(file) {
  return { file, events: await Readable.from(run({ files: [file.path] })).toArray() };
}

/** @returns {AsyncGenerator<TestEvent>} what a reporter prints, with one summary for all files */
async function* report() {
  const started = performance.now();
  const totals = new Map();
  const failures = [];
  let count = 0;
  for await (const events of runFiles(listFiles()))
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
  totals.set('duration_ms', performance.now() - started);
  yield { type: 'test:plan', data: { nesting: 0, count } };
  // Of a long log, a CI service may show the end alone.
  const summary = [...failures, ...[...totals].map(([name, total]) => `${name} ${total}`)];
  for (const message of summary) yield { type: 'test:diagnostic', data: { nesting: 0, message } };
}

Readable.from(report())
  .compose(process.stdout.isTTY ? new spec() : tap)
  .pipe(process.stdout);
