/** `compare` judges stored runs by the folder's rules, as sessions do. @import { Run } from '../types.js' */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../model/errors.js';
import { harmlessJson } from '../system/sanitize.js';
import { outcomeOf } from '../judge/gate.js';
import { readRules } from '../config/rules.js';
import { paint } from '../system/terminal-output.js';
import { renderTerminal } from '../report/render/terminal.js';
import { readRun } from '../store/run-file.js';
import { readBaseline } from '../session/base.js';
import { configNotice } from '../session/run-config.js';
import { judge } from '../session/finish.js';
import { isFolder } from '../system/folder.js';
import { ROOT, thisProcess } from '../system/this-project.js';
import { isSkipped } from '../store/skipped.js';

/** @type {import('../verbs.js').Command} */
export async function compareRuns({ values, positionals }, io) {
  const { base, head, json, ...options } = values;
  if (typeof base !== 'string' || typeof head !== 'string' || positionals.length > 0) {
    throw new UserError(
      `compare needs a base and a head: perf-action compare --base RUN|FOLDER --head RUN${suggestion(positionals, io.cwd)}`,
    );
  }
  const rules = readRules({ options, cwd: io.cwd, root: ROOT, caller: thisProcess() });
  io.stderr.write(configNotice(rules, options, io.cwd));
  const headRun = await readMeasured(head, io.cwd);
  const baseRun = await readBase(base, headRun, io.cwd);
  const { run, ...compared } = judge({ base: baseRun, head: headRun }, rules);
  if (json) io.stdout.write(harmlessJson(compared.comparison));
  else paint(io.stdout, (screen) => renderTerminal(run, { ...compared, ...screen }));
  return outcomeOf({ run, ...compared }, rules);
}

/** @type {(words: string[], cwd: string) => string} */
function suggestion([base, head = 'RUN'], cwd) {
  if (base === undefined) return '';
  return existsSync(resolve(cwd, base))
    ? `; did you mean --base ${base} --head ${head}?`
    : `; to compare commits: perf-action run --against ${base}`;
}

/** Reads a run file, or a folder of them. @type {(name: string, head: Run, cwd: string) => Promise<Run>} */
async function readBase(name, { id, preset, cases, environment: { fingerprint } }, cwd) {
  if (!isFolder(resolve(cwd, name))) return readMeasured(name, cwd);
  const stored = { baseline: name, preset };
  const { base } = await readBaseline(stored, { cwd, id, cases, fingerprint });
  if (base) return base;
  throw new UserError(
    `${name}: no stored run in this folder has the cases of ${id}; give a run file or another folder`,
  );
}

/** Throws a UserError for a skipped run. @type {(name: string, cwd: string) => Promise<Run>} */
async function readMeasured(name, cwd) {
  const run = await readRun(resolve(cwd, name));
  if (isSkipped(run))
    throw new UserError(`${name}: the run was skipped and measured nothing; use another one`);
  return run;
}
