/**
 * `perf-action run`: measures, compares where there is something to compare with, leaves the result folder.
 * @import { Comparison, Config, Plan, Run, Side } from '../types.js'
 * @import { Arguments } from './verbs.js'
 * @import { Io } from '../cli.js'
 */

import { randomInt, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UserError } from '../errors.js';
import { compare } from '../judge/compare.js';
import { windowsPerBoot } from '../judge/allocation.js';
import { decidedCases, LEAST_ROUNDS, LOOKS, riskOfPart, spending } from '../judge/looks.js';
import { gateFails } from '../judge/gate.js';
import { describeMachine } from '../observe/machine.js';
import { readConfig } from '../plan/config.js';
import { STANDARD_CONFIG } from '../plan/layers.js';
import { makePlan, withBoots } from '../plan/plan.js';
import { shardCount, shardPlan } from '../plan/shard.js';
import { renderJson } from '../report/json.js';
import { renderReport } from '../report/markdown.js';
import { hasGaps } from '../report/notes.js';
import { renderTerminal } from '../report/terminal.js';
import { measure } from '../run/measure.js';
import { progressOn } from '../run/progress.js';
import { writeComparison } from '../store/comparison-file.js';
import { writeRun } from '../store/run-file.js';
import { isSkipped } from '../store/skipped.js';
import { readBaseline } from './base.js';
import { knownBoots } from './boots.js';
import { commandLine } from './command.js';
import { ROOT } from './root.js';
import { sidesHere, sidesOf } from './sides.js';
import { setAside, skippedRun } from './skip.js';

/** Warnings of a run that has not measured all it was asked for. */
const INCOMPLETE = new Set(['cancelled', 'shards-missing']);

/**
 * @param {Arguments} args
 * @param {Io} io
 * @returns {Promise<number>}
 */
export async function run({ values }, io) {
  const asked = readRunConfig(values, io.cwd);
  const { base: stored, warnings: passedOver } = await readBaseline(asked, {
    cwd: io.cwd,
    fingerprint: describeMachine({ runtimes: {}, tools: {} }).fingerprint,
    cases: makePlan(asked, sidesHere(asked)).cases,
  });
  const {
    config,
    sides,
    warnings: ofSides,
  } = await sidesOf(asked, {
    cwd: io.cwd,
    env: io.env,
    readConfig: (cwd) => readRunConfig(values, cwd),
  });
  const to = { out: resolve(io.cwd, config.out), stdout: io.stdout, json: !!values.json };
  const session = randomUUID();
  const command = commandLine({ ...values, ...io.told?.options });
  if (hasNothingToDo(config, asked, sides)) {
    const facts = { session, command, runner: io.runner, head: io.told?.revision };
    const cases = casesOf(config, sides);
    return conclude({ head: skippedRun({ config, sides, cases }, facts) }, config, to);
  }
  const plan = planOf(config, sides, await knownBoots(config.out, { cwd: io.cwd, stored }));
  await clear(to.out);

  const progress = progressOn(
    io.stderr,
    sides.map(({ label }) => label),
  );
  /** @param {Run[]} runs one a side */
  const pairOf = ([first, second]) =>
    /** @type {{ base: Run, head: Run }} */ (
      second ? { base: first, head: second } : { base: stored, head: first }
    );
  const endsEarly = (stored !== undefined || sides.length > 1) && config.budgetSeconds !== undefined;
  const riskOf = spending(riskOfPart(plan));
  const runs = await measure(
    {
      plan,
      config,
      session,
      command,
      cwd: io.cwd,
      runner: io.runner,
      head: io.told?.revision,
      warnings: [...passedOver, ...ofSides],
    },
    {
      signal: io.signal,
      onProgress: progress.show,
      onRuns: (sofar) => writeRuns(to.out, sofar),
      ...(endsEarly && {
        looks: LOOKS,
        leastRounds: LEAST_ROUNDS,
        onLook: (sofar, { share, costOf }) => {
          const pair = pairOf(sofar);
          const comparison = compare(pair.base, pair.head, { ...config, alpha: riskOf(share) });
          return {
            decided: decidedCases(comparison),
            // Boots of other days are no neighbours to learn from.
            ...(stored === undefined && { windows: windowsPerBoot(pair, costOf) }),
          };
        },
      }),
    },
  );
  progress.end();
  return conclude(pairOf(runs), config, to);
}

/**
 * Judges, leaves the result folder whole and prints the report.
 * @param {{ head: Run, base?: Run }} measured
 * @param {Config} config
 * @param {{ out: string, stdout: NodeJS.WritableStream, json?: boolean }} to out: absolute
 * @returns {Promise<number>} the exit code
 */
export async function conclude({ head: measured, base }, config, { out, stdout, json = false }) {
  const earlier = isSkipped(measured) ? await setAside(out) : undefined;
  await clear(out);
  const comparison = base && compare(base, measured, config);
  const head = comparison ? { ...measured, gate: { failed: failedCases(comparison, config) } } : measured;
  await writeRuns(out, base ? [base, head] : [head]);
  if (comparison) await writeComparison(out, comparison);
  const hint = baselineHint(config);
  const options = { ...(comparison && { comparison }), ...(hint !== undefined && { baselineHint: hint }) };
  await writeFile(join(out, 'report.md'), renderReport(head, options));
  stdout.write(json ? renderJson(head, options) : renderTerminal(head, options));
  if (earlier !== undefined && !json) stdout.write(`\nWhat was measured last is in ${earlier}.\n`);
  return exitCode(head, comparison, config);
}

/**
 * @param {Comparison} comparison
 * @param {Config} config
 * @returns {string[]} ids of the cases that fail the check, each for itself
 */
function failedCases(comparison, config) {
  const { cases } = comparison;
  return cases.filter((of) => gateFails({ ...comparison, cases: [of] }, config)).map(({ id }) => id);
}

/**
 * Nothing relevant changed; or machines were asked for before it was known how little a change can matter to.
 * @param {Config} config
 * @param {Config} asked
 * @param {Side[]} sides
 */
function hasNothingToDo({ shard, ...config }, asked, sides) {
  if (config.servers.length === 0) return true;
  if (!shard || config.servers.length === asked.servers.length) return false;
  return shard.index > shardCount(makePlan(config, sides), shard.of);
}

/**
 * @param {Config} config
 * @param {Side[]} sides
 * @returns {string[]} ids of what all machines together measure
 */
function casesOf({ shard: _part, ...config }, sides) {
  return config.servers.length === 0 ? [] : makePlan(config, sides).cases.map(({ id }) => id);
}

/**
 * What an earlier run compared must not be taken for this one's.
 * @param {string} out made where it is missing
 */
async function clear(out) {
  await mkdir(out, { recursive: true });
  await rm(join(out, 'comparison.json'), { force: true });
  await rm(join(out, 'base', 'run.json'), { force: true });
}

/**
 * @param {Config} config
 * @param {Side[]} sides
 * @param {Record<string, number>} [bootSeconds] by server's id
 * @returns {Plan} of this machine, where several measure
 */
export function planOf(config, sides, bootSeconds = {}) {
  const plan = makePlan(config, sides);
  return withBoots(config.shard ? shardPlan(plan, config.shard) : plan, bootSeconds);
}

/**
 * The servers of the catalogue are a demonstration: whoever names none would take their figures for his own.
 * @param {Arguments['values']} options
 * @param {string} cwd
 * @returns {Config}
 * @throws {UserError} with every mistake, one a line; where nothing says what is measured
 */
export function readRunConfig(options, cwd) {
  const config = readConfig({ options, cwd, root: ROOT, seed: randomInt(2 ** 31) });
  if (config.servers.length > 0) return config;
  const file = options.config || STANDARD_CONFIG;
  throw new UserError(
    existsSync(resolve(cwd, String(file)))
      ? `${file} names neither servers nor a profile; \`perf-action init\` finds a repository's servers, \`profile: quick\` is the demo`
      : `there is no ${STANDARD_CONFIG} here; \`perf-action init\` writes one for this repository, \`--profile quick\` measures the demo servers`,
  );
}

/**
 * @param {string} out
 * @param {Run[]} runs
 */
async function writeRuns(out, runs) {
  await writeRun(out, /** @type {Run} */ (runs.at(-1)));
  if (runs.length > 1) await writeRun(join(out, 'base'), /** @type {Run} */ (runs[0]));
}

/**
 * @param {Config} config
 * @returns {string | undefined}
 */
function baselineHint({ baseline, against, out }) {
  if (against !== undefined) return undefined;
  const make = `\`perf-action baseline save ${join(out, 'run.json')}\` makes one of this run`;
  return baseline === undefined
    ? `No baseline to compare with: ${make}.`
    : `There is no baseline at ${baseline} yet: ${make}.`;
}

/**
 * @param {Run} head
 * @param {Comparison | undefined} comparison
 * @param {Config} config
 * @returns {number}
 */
function exitCode(head, comparison, config) {
  if (comparison && gateFails(comparison, config)) return 1;
  const failed = comparison?.cases.some(({ verdict }) => verdict === 'failed') || hasGaps(head);
  return failed || head.warnings?.some(({ code }) => INCOMPLETE.has(code)) ? 3 : 0;
}
