/**
 * `perf-action run`: measures, compares where there is something to compare with, leaves the result folder.
 * @import { Run } from '../types.js'
 * @import { Arguments } from '../verbs.js'
 * @import { Io } from '../cli.js'
 */

import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { windowsPerBoot } from '../judge/allocation.js';
import { compare } from '../judge/compare.js';
import { decidedCases, LEAST_ROUNDS, LOOKS, riskOfPart, spending } from '../judge/looks.js';
import { describeMachine } from '../observe/machine.js';
import { makePlan } from '../plan/plan.js';
import { measure } from '../run/measure.js';
import { progressOn } from '../run/progress.js';
import { readBaseline } from '../session/base.js';
import { knownBoots } from '../session/boots.js';
import { commandLine } from '../session/command.js';
import { clear, conclude, writeRuns } from '../session/conclude.js';
import { readRunConfig } from '../session/config.js';
import { casesOf, hasNothingToDo, planOf } from '../session/plan.js';
import { sidesHere, sidesOf } from '../session/sides.js';
import { skippedRun } from '../session/skip.js';

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
