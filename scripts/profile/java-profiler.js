/**
 * Profiles a Java server by method with its JVM's flight recorder, which the tools beside that JVM read.
 * @import { Profile } from '../types.js'
 * @import { Process } from '../system/process/proc.js'
 * @import { Inside } from '../observe/observers.js'
 * @import { Span } from '../observe/cpu-accounting.js'
 */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { readEntry, TICKS_PER_SECOND } from '../system/process/proc.js';
import { profileOf, samplesOf } from './flight-recording.js';

const NAME = 'perf-action';
/** The recorder's own period, 10 ms and more, would take too long to show a twentieth. */
const SETTINGS = `<configuration version="2.0"><event name="jdk.ExecutionSample">
<setting name="enabled">true</setting><setting name="period">1 ms</setting></event></configuration>
`;
/** Calls; those that lead to a framework's handlers alone are fifty. */
const DEPTH = 256;
/** A busy machine starts a JVM in seconds, and two of them read one recording. */
const PATIENT_MS = 30_000;

/**
 * The JVM's own threads, by the kernel's names for them; their work belongs to no method.
 * @type {[RegExp, string | undefined][]} undefined: no part of requests; compilers rest once a server is warm
 */
const THREADS = [
  [/^(GC Thread|G1 |VM Thread|[XZ](Worker|Driver|Director)|Shenandoah)/, '(garbage collector)'],
  [/^(JFR |C[12] Compiler)/, undefined],
];
const SYSTEM = '(operating system)';

/** Where builds of Java projects look for sources, and their languages. */
const FOLDERS = ['', 'src', 'src/main/java', 'src/main/kotlin', 'src/main/scala', 'src/main/groovy'];
const LANGUAGES = ['java', 'kt', 'scala', 'groovy'];

/** @returns {Promise<Inside>} */
export async function enterJava() {
  const scratch = await mkdtemp(join(tmpdir(), 'perf-inside-'));
  const settings = join(scratch, 'samples.jfc');
  const repository = join(scratch, 'recordings');
  await writeFile(settings, SETTINGS);
  const options = [
    '-XX:+IgnoreUnrecognizedVMOptions',
    // Otherwise a method that was compiled into its caller counts as its caller.
    '-XX:+UnlockDiagnosticVMOptions',
    '-XX:+DebugNonSafepoints',
    `"-XX:FlightRecorderOptions=repository=${repository},stackdepth=${DEPTH}"`,
    `"-XX:StartFlightRecording=name=${NAME},settings=${settings}"`,
  ];
  const start = () => {
    const from = Date.now();
    return {
      async stop(/** @type {Span} */ span) {
        const window = { from, to: Date.now() };
        // Each JVM has a folder there, whose name ends with its pid.
        const folders = existsSync(repository) ? readdirSync(repository) : [];
        const all = folders.map((name) => Number(name.slice(name.lastIndexOf('_') + 1)));
        const pids = all.filter((pid) => span.end.server.has(pid));
        // A JVM without these tools, or one that refuses them, has no profile.
        const profiles = pids.map((pid) => profile(pid, { span, window, scratch }).catch(() => []));
        return { profiles: (await Promise.all(profiles)).filter(({ length }) => length > 0) };
      },
    };
  };
  const stop = () => rm(scratch, { recursive: true, force: true });
  return { env: { JAVA_TOOL_OPTIONS: options.join(' ') }, scratch, start, stop };
}

/**
 * The recorder says in which methods threads were, the kernel how long; ticks separate time in the kernel.
 * @type {(pid: number, context: { span: Span, window: { from: number, to: number }, scratch: string }) =>
 *   Promise<Profile>}
 */
async function profile(pid, { span, window, scratch }) {
  const [before, after] = [span.start.server.get(pid), span.end.server.get(pid)];
  if (!before?.threads || !after?.threads) return [];
  const { methodsUs, othersUs } = timesOf(before, after);
  const tools = dirname(readlinkSync(`/proc/${pid}/exe`));
  const folder = readlinkSync(`/proc/${pid}/cwd`);
  const samples = await read(pid, { tools, window, file: join(scratch, `${pid}.jfr`) });
  if (samples.length === 0) return [];
  const others = [...othersUs].map(([name, us]) => ({ parent: -1, name, file: '', line: 0, us }));
  return [...profileOf(samples, { us: methodsUs / samples.length, fileOf: sourcesIn(folder) }), ...others];
}

/** @type {(before: Process, after: Process) => { methodsUs: number, othersUs: Map<string, number> }} */
function timesOf(before, after) {
  /** @type {Map<string, number>} */
  const othersUs = new Map();
  let methodsUs = 0;
  for (const [id, nanoseconds] of after.threads ?? []) {
    const us = (nanoseconds - (before.threads?.get(id) ?? 0)) / 1000;
    const threadName = readEntry(`/proc/${after.pid}/task/${id}/comm`);
    const kind = THREADS.find(([pattern]) => pattern.test(threadName));
    if (!kind) methodsUs += us;
    else if (kind[1] !== undefined) othersUs.set(kind[1], (othersUs.get(kind[1]) ?? 0) + us);
  }
  const systemUs = (1e6 * (after.systemTicks - before.systemTicks)) / TICKS_PER_SECOND;
  othersUs.set(SYSTEM, Math.min(systemUs, methodsUs));
  return { methodsUs: Math.max(0, methodsUs - systemUs), othersUs };
}

/**
 * @param {number} pid
 * @param {{ tools: string, window: { from: number, to: number }, file: string }} options tools: their folder
 */
async function read(pid, { tools, window, file }) {
  const bounds = { env: { TZ: 'UTC', LC_ALL: 'C' }, timeout: PATIENT_MS };
  const dump = [`${pid}`, 'JFR.dump', `name=${NAME}`, `filename=${file}`];
  await promisify(execFile)(join(tools, 'jcmd'), dump, bounds);
  const args = ['print', '--events', 'jdk.ExecutionSample', '--stack-depth', `${DEPTH}`, file];
  const printing = spawn(join(tools, 'jfr'), args, { ...bounds, stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface(printing.stdout);
  const [samples] = await Promise.all([samplesOf(lines, window), once(printing, 'close')]);
  return samples;
}

/** A class's source file in the folder, or its name. @type {(folder: string) => (type: string) => string} */
function sourcesIn(folder) {
  /** @type {Map<string, string>} */
  const known = new Map();
  const find = (/** @type {string} */ type) => {
    const path = type.replaceAll('.', '/');
    // Kotlin puts functions outside of classes into a class named after the file.
    const names = [path, path.replace(/Kt$/, '')];
    const files = names.flatMap((name) => LANGUAGES.map((language) => `${name}.${language}`));
    const candidates = FOLDERS.flatMap((sources) => files.map((file) => join(sources, file)));
    return candidates.find((file) => existsSync(join(folder, file))) ?? type;
  };
  return (type) => {
    const outermost = type.replace(/\$.*/, '');
    const file = known.get(outermost) ?? find(outermost);
    known.set(outermost, file);
    return file;
  };
}
