/** `compare` judges two stored runs; exit code 1: the gate fails, 3: a case could not be measured. @import { Run } from '../types.js' */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../model/errors.js';
import { harmlessJson } from '../system/sanitize.js';
import { compare } from '../judge/compare.js';
import { gateFails } from '../judge/gate.js';
import { failWrongAnswers } from '../judge/wrong-answers.js';
import { readRules } from '../config/rules.js';
import { paint } from '../system/output.js';
import { renderTerminal } from '../report/render/terminal.js';
import { readRun } from '../store/run-file.js';
import { readBaseline } from '../session/base.js';
import { configNotice } from '../session/config.js';
import { thisProcess } from '../system/caller.js';
import { isFolder } from '../system/folder.js';
import { ROOT } from '../system/repository.js';
import { isSkipped } from '../store/skipped.js';

/** @type {import('../verbs.js').Command} */
export async function compareRuns({ values, positionals }, io) {
  const { base, head } = values;
  if (typeof base !== 'string' || typeof head !== 'string' || positionals.length > 0) {
    throw new UserError(
      `compare needs a base and a head: perf-action compare --base RUN|FOLDER --head RUN${suggestion(positionals, io.cwd)}`,
    );
  }
  const { base: _base, head: _head, json, ...options } = values;
  const rules = readRules({ options, cwd: io.cwd, root: ROOT, caller: thisProcess() });
  io.stderr.write(configNotice(rules, options, io.cwd));
  const headRun = await readMeasured(head, io.cwd);
  const baseRun = await readBase(base, headRun, io.cwd);
  const comparison = compare(baseRun, headRun, rules);
  const { head: judgedHead } = failWrongAnswers({ base: baseRun, head: headRun }, rules);
  if (json) io.stdout.write(harmlessJson(comparison));
  else paint(io.stdout, (screen) => renderTerminal(judgedHead, { base: baseRun, comparison, ...screen }));
  if (gateFails(comparison, rules)) return 1;
  return comparison.verdict === 'failed' ? 3 : 0;
}

/** @param {string[]} words @param {string} cwd */
function suggestion([base, head = 'RUN'], cwd) {
  if (base === undefined) return '';
  return existsSync(resolve(cwd, base))
    ? `; did you mean --base ${base} --head ${head}?`
    : `; to compare commits: perf-action run --against ${base}`;
}

/** @param {string} name a run file, or a folder of stored runs @param {Run} head @param {string} cwd */
async function readBase(name, { id, preset, cases, environment: { fingerprint } }, cwd) {
  if (!isFolder(resolve(cwd, name))) return readMeasured(name, cwd);
  const stored = { baseline: name, preset };
  const { base } = await readBaseline(stored, { cwd, id, cases, fingerprint });
  if (base) return base;
  throw new UserError(
    `${name}: no stored run in this folder has the cases of ${id}; give a run file or another folder`,
  );
}

/** @param {string} name @param {string} cwd @throws {UserError} for a run that was skipped */
async function readMeasured(name, cwd) {
  const run = await readRun(resolve(cwd, name));
  if (isSkipped(run))
    throw new UserError(`${name}: the run was skipped and measured nothing; use another one`);
  return run;
}
