/**
 * `doctor` says what this machine lacks and how to get it, checks perf.yml and workflow, and starts servers.
 * @import { Io } from '../main.js'
 * @import { Finding } from '../run/prepare/doctor.js'
 * @import { FirstStart } from '../session/first-start.js'
 * @import { Config } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readBounded } from '../system/bounded-file.js';
import { UserError } from '../model/errors.js';
import { toDosIn } from '../init/files.js';
import { unknownInputs } from '../init/workflow.js';
import { findConfig, STANDARD_CONFIG } from '../config/layers.js';
import { nearest } from '../model/nearest.js';
import { OPTIONS } from '../config/options.js';
import { planOf } from '../plan/shard.js';
import { examine } from '../run/prepare/doctor.js';
import { failureText } from '../run/record/progress.js';
import { doctorBlocks } from '../report/document/doctor-answer.js';
import { blocksTerminal } from '../report/render/terminal.js';
import { en, some } from '../report/text/en.js';
import { paint } from '../system/terminal-output.js';
import { harmlessJson } from '../system/sanitize.js';
import { readRunConfig } from '../session/run-config.js';
import { startOnce } from '../session/first-start.js';
import { sidesHere } from '../session/sides.js';

const WORKFLOW = '.github/workflows/perf.yml';
/** An installation may take long. */
const MOST_MINUTES = 10;

/**
 * Returns 0; 2 without perf.yml, or for a mistake in it or the workflow; 3 where the servers lack something.
 * @type {(args: import('../verbs.js').Arguments, io: Io, inputs: readonly { name: string }[]) =>
 *   Promise<number>}
 */
export async function doctor({ values }, io, inputs) {
  const { cwd, env, stdout } = io;
  const file = findConfig(cwd);
  const workflow = join(file === undefined ? cwd : dirname(file), WORKFLOW);
  const { config, finding } = examineConfig(cwd, file);
  const files = [finding, ...(existsSync(workflow) ? [examineWorkflow(workflow, inputs)] : [])];
  const machine = await examine(config ?? { servers: [], cases: [] }, env);
  const mayStart = config && values.start !== 'false' && !machine.some(isLacking);
  if (mayStart) {
    const names = config.servers.map(({ id }) => id).join(', ');
    const bound = `at most ${MOST_MINUTES} min (not with --no-start)`;
    io.stderr.write(`starting ${names} and checking answers: ${bound}\n`);
  }
  const started = mayStart ? await startOnce(config, io, MOST_MINUTES * 60) : [];
  const findings = [...files, ...machine, ...started.map(findingOf)];
  // What `init` could not know fails nothing, since it may be right.
  const written = file === undefined ? [] : toDosIn(readBounded(file).toString());
  const toDos = written.map(({ line, what }) => ({ file: relative(cwd, file ?? ''), line, what }));
  if (values.json) stdout.write(harmlessJson({ findings, toDos }));
  else paint(stdout, (screen) => blocksTerminal(doctorBlocks(findings, toDos), en, screen));
  if (files.some(({ found }) => found === undefined)) return 2;
  return findings.some(isLacking) ? 3 : 0;
}

/** @param {Finding} finding */
function isLacking({ found, needed }) {
  return needed === true && found === undefined;
}

/** @type {(start: FirstStart) => Finding} */
function findingOf({ server, startupMs = 0, failure, routes }) {
  const started = [`started in ${en.duration(startupMs / 1000)}`, ...routes.map(answerText)].join('\n');
  const [found, mend] = failure ? [undefined, failureText(failure)] : [started, ''];
  return { what: `start of ${server}`, found, mend, needed: true };
}

/** @param {FirstStart['routes'][number]} answered */
function answerText({ id, answer, seconds, queue }) {
  const time = seconds === undefined ? '' : ` in ${en.about(1000 * seconds)} ms`;
  const wait = queue
    ? `, so ${some(queue.connections, 'connection')} would wait ${en.duration(queue.waitSeconds)}: set load.connections to ${queue.enough}`
    : '';
  const size = answer?.bytes === undefined ? 'a stream' : some(answer.bytes, 'byte');
  return `${id} answered ${answer?.status}, ${size}${time}${wait}`;
}

/** No config if it is wrong. @type {(cwd: string, file?: string) => { config?: Config, finding: Finding }} */
function examineConfig(cwd, file) {
  const what = file === undefined ? STANDARD_CONFIG : relative(cwd, file);
  try {
    const config = readRunConfig({}, cwd);
    const { cases } = planOf(config, sidesHere(config));
    const ids = config.servers.map(({ id }) => id);
    const own = cases.filter(({ server }) => ids.includes(server));
    const found = `${some(own.length, 'case')}: ${ids.join(', ')}`;
    return { config: { ...config, cases }, finding: { what, found, mend: '' } };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { finding: { what, found: undefined, mend: error.message } };
  }
}

/** Takes the action's inputs. @type {(file: string, inputs: readonly { name: string }[]) => Finding} */
function examineWorkflow(file, inputs) {
  const known = inputs.map(({ name }) => name);
  const [unknown] = unknownInputs(readBounded(file).toString(), known);
  const key = OPTIONS.find(({ name }) => name === unknown)?.key;
  const hint = key
    ? `; write ${key} in ${STANDARD_CONFIG}, or give the input options: '{"${unknown}": ...}'`
    : nearest(unknown ?? '', known);
  return {
    what: WORKFLOW,
    found: unknown === undefined ? 'its inputs are known' : undefined,
    mend: `the action has no input "${unknown}"${hint}`,
  };
}
