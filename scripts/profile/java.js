/**
 * Where the time of a Java server goes, method by method: the flight recorder of its JVM, read with the tools beside it, in boots
 * that are not judged.
 * @import { Profile } from '../types.js'
 * @import { Process } from '../system/process/proc.js'
 * @import { Inside } from '../observe/observers.js'
 * @import { Span } from '../observe/cpu-accounting.js'
 */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { TICKS_PER_SECOND } from '../system/process/proc.js';
import { profileOf, samplesOf } from './flight-recording.js';

const NAME = 'perf-action';
/** Between two looks at the stacks; that of the recorder's own settings, 10 ms and more, takes too long to tell a twentieth. */
const SETTINGS = `<configuration version="2.0"><event name="jdk.ExecutionSample">
<setting name="enabled">true</setting><setting name="period">1 ms</setting></event></configuration>
`;
/** Of calls: what stands before a framework's handlers alone has fifty. */
const DEPTH = 256;
/** A busy machine starts a JVM in seconds, and two of them read one recording. */
const PATIENT_MS = 30_000;

/**
 * The JVM's own threads, as the kernel has their names: what they do is no method's.
 * @type {[RegExp, string | undefined][]} undefined: no part of a request; compilers rest once a server is warm
 */
const THREADS = [
  [/^(GC Thread|G1 |VM Thread|[XZ](Worker|Driver|Director)|Shenandoah)/, '(garbage collector)'],
  [/^(JFR |C[12] Compiler)/, undefined],
];
const SYSTEM = '(operating system)';

/** Where builds of Java projects look for sources, and what they are written in. */
const FOLDERS = ['', 'src', ...['java', 'kotlin', 'scala', 'groovy'].map((each) => `src/main/${each}`)];
const LANGUAGES = ['java', 'kt', 'scala', 'groovy'];

/** @returns {Promise<Inside>} windows then have `profiles`, one a JVM */
export async function enterJava() {
  const scratch = await mkdtemp(join(tmpdir(), 'perf-inside-'));
  const [settings, repository] = [join(scratch, 'samples.jfc'), join(scratch, 'recordings')];
  await writeFile(settings, SETTINGS);
  const options = [
    '-XX:+IgnoreUnrecognizedVMOptions',
    // Or what was compiled into its caller is counted as that.
    ...['-XX:+UnlockDiagnosticVMOptions', '-XX:+DebugNonSafepoints'],
    `"-XX:FlightRecorderOptions=repository=${repository},stackdepth=${DEPTH}"`,
    `"-XX:StartFlightRecording=name=${NAME},settings=${settings}"`,
  ];
  const start = () => {
    const from = Date.now();
    return {
      async stop(/** @type {Span} */ span) {
        const window = { from, to: Date.now() };
        const pids = recording(repository).filter((pid) => span.end.server.has(pid));
        // What has no such tools, or lets nobody ask, is not explained.
        const found = pids.map((pid) => profiled(pid, { span, window, scratch }).catch(() => []));
        return { profiles: (await Promise.all(found)).filter(({ length }) => length > 0) };
      },
    };
  };
  const stop = () => rm(scratch, { recursive: true, force: true });
  return { env: { JAVA_TOOL_OPTIONS: options.join(' ') }, scratch, start, stop };
}

/**
 * @param {string} repository where each JVM has a folder, whose name ends with its pid
 * @returns {number[]}
 */
function recording(repository) {
  return existsSync(repository)
    ? readdirSync(repository).map((name) => Number(name.slice(name.lastIndexOf('_') + 1)))
    : [];
}

/**
 * The recorder tells where methods are, the kernel how long threads ran: what they did in the kernel is told from the rest by the
 * process's ticks.
 * @param {number} pid
 * @param {{ span: Span, window: { from: number, to: number }, scratch: string }} of
 * @returns {Promise<Profile>}
 */
async function profiled(pid, { span, window, scratch }) {
  const [before, after] = [span.start.server.get(pid), span.end.server.get(pid)];
  if (!before?.threads || !after?.threads) return [];
  const { methodsUs, othersUs } = timesOf(before, after);
  const home = dirname(readlinkSync(`/proc/${pid}/exe`));
  const folder = readlinkSync(`/proc/${pid}/cwd`);
  const samples = await read(pid, { home, window, file: join(scratch, `${pid}.jfr`) });
  if (samples.length === 0) return [];
  const others = [...othersUs].map(([name, us]) => ({ parent: -1, name, file: '', line: 0, us }));
  return [...profileOf(samples, { us: methodsUs / samples.length, fileOf: sourcesIn(folder) }), ...others];
}

/** @param {Process} before @param {Process} after */
function timesOf(before, after) {
  /** @type {Map<string, number>} */
  const othersUs = new Map();
  let methodsUs = 0;
  for (const [id, nanoseconds] of after.threads ?? []) {
    const us = (nanoseconds - (before.threads?.get(id) ?? 0)) / 1000;
    const kind = THREADS.find(([pattern]) => pattern.test(threadName(after.pid, id)));
    if (!kind) methodsUs += us;
    else if (kind[1] !== undefined) othersUs.set(kind[1], (othersUs.get(kind[1]) ?? 0) + us);
  }
  const systemUs = (1e6 * (after.systemTicks - before.systemTicks)) / TICKS_PER_SECOND;
  othersUs.set(SYSTEM, Math.min(systemUs, methodsUs));
  return { methodsUs: Math.max(0, methodsUs - systemUs), othersUs };
}

/** @param {number} pid @param {number} thread */
function threadName(pid, thread) {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * @param {number} pid
 * @param {{ home: string, window: { from: number, to: number }, file: string }} how home: where the JVM's program is, and its tools
 */
async function read(pid, { home, window, file }) {
  const bounds = { env: { TZ: 'UTC', LC_ALL: 'C' }, timeout: PATIENT_MS };
  const dump = [String(pid), 'JFR.dump', `name=${NAME}`, `filename=${file}`];
  await promisify(execFile)(join(home, 'jcmd'), dump, bounds);
  const print = ['print', '--events', 'jdk.ExecutionSample', '--stack-depth', String(DEPTH), file];
  const printing = spawn(join(home, 'jfr'), print, { ...bounds, stdio: ['ignore', 'pipe', 'ignore'] });
  const [samples] = await Promise.all([
    samplesOf(createInterface(printing.stdout), window),
    once(printing, 'close'),
  ]);
  return samples;
}

/**
 * @param {string} folder the server's
 * @returns {(type: string) => string} where a class was written, from there; of others their names
 */
function sourcesIn(folder) {
  /** @type {Map<string, string>} */
  const known = new Map();
  const find = (/** @type {string} */ type) => {
    const path = type.replaceAll('.', '/');
    // Kotlin puts functions that stand outside of classes into one named after the file.
    const names = [path, path.replace(/Kt$/, '')];
    const files = names.flatMap((name) => LANGUAGES.map((language) => `${name}.${language}`));
    const all = FOLDERS.flatMap((each) => files.map((file) => join(each, file)));
    return all.find((file) => existsSync(join(folder, file))) ?? type;
  };
  return (type) => {
    const outermost = type.replace(/\$.*/, '');
    const file = known.get(outermost) ?? find(outermost);
    known.set(outermost, file);
    return file;
  };
}
