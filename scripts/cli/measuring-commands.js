/**
 * The commands that measure: each reads its configuration and prints the answer.
 * @import { Command } from '../verbs.js'
 * @import { Io } from '../main.js'
 * @import { Asked } from '../types.js'
 * @import { Answer } from '../session/experiments/experiment.js'
 */

import { resolve } from 'node:path';
import { UserError } from '../model/errors.js';
import { parseDuration, parsePercent } from '../model/units.js';
import { bisectionAnswer, stepText } from '../report/document/bisection-answer.js';
import { placedPlan } from '../plan/plan.js';
import { touchedBlocks } from '../report/document/touched-answer.js';
import { answerTerminal, blocksTerminal } from '../report/render/terminal.js';
import { wordsIn } from '../report/text/words.js';
import { scheduleOf } from '../run/soaking.js';
import { configNotice, readRunConfig } from '../session/run-config.js';
import { bisect as search, readSearch } from '../session/experiments/bisect.js';
import { searchCapacity } from '../session/experiments/capacity-search.js';
import { askedExperiment } from '../session/experiments/count-only.js';
import { ALONE } from '../session/experiments/experiment.js';
import { prove as plant, PROVE_OPTIONS } from '../session/experiments/prove.js';
import { soak as soaking, SOAK_OPTIONS } from '../session/experiments/soak.js';
import { previewSession } from '../session/preview.js';
import { tryReadHead } from '../session/results.js';
import { runSession } from '../session/session.js';
import { routesTouched } from '../session/touched-routes.js';
import { paint } from '../system/terminal-output.js';
import { harmlessJson } from '../system/sanitize.js';

const LENGTH = '10m';
const SHORTEST_SECONDS = 120;
const BY = '5%';

/** @type {Command} */
export async function run({ values }, io) {
  if (values.capacity)
    return print(await runSession(searchCapacity(read(values, io, ALONE), io), io), values, io);
  const experiment = askedExperiment(values, io.cwd);
  io.stderr.write(configNotice(experiment.config, values, io.cwd));
  return print(await runSession(experiment, io), values, io);
}

/** @type {Command} */
export async function plan({ values }, io) {
  const config = read(values, io);
  const { plan: planned, foretold, lacking, text } = await previewSession(config, io.cwd, io.env);
  const json = { ...placedPlan(planned), foretold, lacking };
  if (!values.touched) return print({ code: 0, json, text }, values, io);
  const touched = await routesTouched(config, io);
  const words = wordsIn(config.language);
  const both = (/** @type {Parameters<Answer['text']>[0]} */ screen) =>
    `${text(screen)}\n${blocksTerminal(touchedBlocks(touched, words), words, screen)}`;
  return print({ code: 0, json: { ...json, touched }, text: both }, values, io);
}

/** @type {Command} */
export async function soak({ values }, io) {
  const { for: length = LENGTH } = values;
  const seconds = parseDuration(String(length), '--for');
  if (seconds < SHORTEST_SECONDS)
    throw new UserError(`--for: "${length}" is too short to tell a leak from a warm-up; use at least 2m`);
  const experiment = soaking(read(values, io, SOAK_OPTIONS), scheduleOf(seconds), io);
  return print(await runSession(experiment, io), values, io);
}

/** @type {Command} */
export async function prove({ values }, io) {
  const by = parsePercent(String(values.by ?? BY), '--by');
  return print(await plant(read(values, io, PROVE_OPTIONS), by, io), values, io);
}

/** @type {Command} */
export async function bisect({ values: { json, ...options }, positionals: [good, bad, ...others] }, io) {
  if (others.length > 0)
    throw new UserError('bisect: too many commits; perf-action bisect GOOD BAD [options of run]');
  const asked = await readSearch({ good, bad, options }, io.cwd);
  io.stderr.write(configNotice(asked.config, options, io.cwd));
  const onStep = (/** @type {Parameters<typeof stepText>} */ ...step) =>
    io.stderr.write(`${stepText(...step)}\n`);
  const bisection = await search(asked, { ...io, onStep });
  const head = await tryReadHead(resolve(io.cwd, bisection.out));
  const code = bisection.outcome.code === 'found' ? 0 : 3;
  const text = (/** @type {Parameters<Answer['text']>[0]} */ screen) =>
    answerTerminal(bisectionAnswer(bisection, head), screen);
  return print({ code, json: bisection, text }, { json }, io);
}

/**
 * The experiment sets the options in `own`.
 * @type {(values: Asked, io: Io, own?: Asked) => ReturnType<typeof readRunConfig> & { asked: Asked }}
 */
function read(values, io, own) {
  const config = readRunConfig(values, io.cwd, own);
  io.stderr.write(configNotice(config, values, io.cwd));
  return config;
}

/** The exit code. @type {(answer: Answer, values: Asked, io: Io) => number} */
function print({ code, json, text }, values, { stdout }) {
  if (values.json) stdout.write(harmlessJson(json));
  else paint(stdout, text);
  return code;
}
