/**
 * A session's plan, without starting anything.
 * @import { Config, Plan, Run } from '../types.js'
 * @import { Answer } from './experiments/experiment.js'
 * @import { Lack } from '../run/prepare/preflight.js'
 */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { foretell } from '../judge/power.js';
import { onlyServers } from '../plan/relevant.js';
import { planOf } from '../plan/shard.js';
import { serversById } from '../plan/side-servers.js';
import { shortBudget } from '../plan/timetable.js';
import { list, text } from '../report/document/blocks.js';
import { planAnswer } from '../report/document/plan-answer.js';
import { powerBlocks } from '../report/document/power-answer.js';
import { answerTerminal } from '../report/render/terminal.js';
import { wordsIn } from '../report/text/words.js';
import { requireForPlan } from '../run/prepare/preflight.js';
import { readRun } from '../store/run-file.js';
import { readStored } from './base.js';
import { knownBesideSeconds } from './results.js';
import { otherPackage } from './library-sides.js';
import { sidesWithVersions } from './other-versions.js';
import { requireOther, sidesHere } from './sides.js';

/**
 * @param {Config} asked
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env] of this machine; absent where missing programs are installed first
 * @returns {Promise<{ plan: Plan, lacking: Lack[], foretold: ReturnType<typeof foretell>,
 *   text: Answer['text'] }>} foretold: the changes that its rounds can find; lacking: the servers that are
 *   left out; text: both, for a terminal
 * @throws {import('../model/errors.js').UserError} with every mistake
 */
export async function previewSession(asked, cwd, env) {
  await requireOther(asked, cwd);
  const versions = otherPackage(asked)
    ? undefined
    : await sidesWithVersions(asked, { cwd, env: env ?? process.env });
  // No other commit is checked out.
  const { config, sides } = versions ?? { config: asked, sides: sidesHere(asked) };
  const { base: stored } = await readStored(config, cwd);
  const known = await knownBesideSeconds(config, { cwd, stored });
  const lacking = env ? await requireForPlan(planOf(config, sides, known), env) : [];
  const isAble = (/** @type {{ id: string }} */ { id }) => lacking.every(({ server }) => server !== id);
  const able = sides.map((side) => {
    const servers = Object.values(side.servers).filter(isAble);
    return { ...side, servers: serversById({ servers }) };
  });
  const plan = planOf(onlyServers(config, config.servers.filter(isAble)), able, known);
  const power = await foretold(config, plan, { cwd, stored });
  const short = shortBudget(plan);
  const words = wordsIn(config.language);
  const answer = planAnswer(plan, words, { lacking, ...config });
  const blocks = [
    ...answer.blocks,
    ...(short ? [text(short)] : []),
    ...(config.counts ? [] : power.blocks),
    ...(plan.sides.length > 1 && !config.counts ? [text(words.power.prove)] : []),
  ];
  return {
    plan,
    lacking,
    foretold: power.cases,
    text: (screen) => answerTerminal({ ...answer, blocks }, screen),
  };
}

/**
 * From the noise of the last run or of the baseline, if there is one.
 * @param {Config} config
 * @param {Plan} plan
 * @param {{ cwd: string, stored: Run | undefined }} sources stored: the baseline
 */
async function foretold({ baseline, out, margin, language }, { sides, cases, rounds }, { cwd, stored }) {
  const readRunIfThere = async (/** @type {string} */ file) => (existsSync(file) ? readRun(file) : undefined);
  const head = stored ?? (await readRunIfThere(resolve(cwd, out, 'run.json')));
  const base = stored ? undefined : await readRunIfThere(resolve(cwd, out, 'base', 'run.json'));
  const ids = cases.filter(({ reference }) => !reference).map(({ id }) => id);
  const known = head ? foretell({ head, base }, { ids, rounds, margin }) : [];
  const isAssumed = known.length === 0 && sides.length > 1;
  const effects = isAssumed ? foretell(undefined, { ids, rounds, margin }) : known;
  const source = isAssumed ? undefined : stored && baseline !== undefined ? baseline : join(out, 'run.json');
  const words = wordsIn(language);
  const waits = (head?.warnings ?? []).flatMap((each) =>
    each.code === 'long-queue' && ids.includes(each.case ?? '') ? `${each.case}: ${words.warning(each)}` : [],
  );
  const blocks = [...powerBlocks(effects, { rounds, margin, source }, words), ...list(waits)];
  return { cases: effects, blocks };
}
