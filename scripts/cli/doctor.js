/**
 * `perf-action doctor`: says what this machine lacks and how to get it, and checks perf.yml and the workflow.
 * @import { Io } from '../main.js'
 * @import { Finding } from '../run/prepare/doctor.js'
 * @import { Server } from '../types.js'
 */

import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readBounded } from '../system/bounded-file.js';
import { UserError } from '../model/errors.js';
import { toDosIn } from '../init/files.js';
import { unknownInputs } from '../init/workflow.js';
import { catalogServers } from '../catalog/catalog.js';
import { findConfig, STANDARD_CONFIG } from '../config/layers.js';
import { nearest } from '../model/nearest.js';
import { OPTIONS } from '../config/options.js';
import { planOf } from '../plan/shard.js';
import { examine } from '../run/prepare/doctor.js';
import { thisProcess } from '../system/caller.js';
import { wrapped } from '../report/render/terminal-table.js';
import { ROOT } from '../system/repository.js';
import { harmlessJson } from '../system/sanitize.js';
import { readRunConfig } from '../session/config.js';
import { sidesHere } from '../session/sides.js';

const WORKFLOW = '.github/workflows/perf.yml';

/**
 * @param {import('../verbs.js').Arguments} args
 * @param {Io} io
 * @param {readonly { name: string }[]} inputs of the action
 * @returns {Promise<number>} 0; 2 where perf.yml is missing, or it or the workflow has a mistake; 3 where the servers lack something
 */
export async function doctor({ values }, { cwd, env, stdout }, inputs) {
  const config = findConfig(cwd);
  const workflow = join(config === undefined ? cwd : dirname(config), WORKFLOW);
  const { servers, finding } = examineConfig(cwd, config);
  const files = [finding, ...(existsSync(workflow) ? [examineWorkflow(workflow, inputs)] : [])];
  const catalogue = catalogServers(ROOT, thisProcess());
  const machine = await examine(servers, catalogue, env);
  const findings = [...files, ...machine];
  // What `init` could not know fails nothing, since it may be right.
  const toDos =
    config === undefined
      ? []
      : toDosIn(readBounded(config).toString()).map((toDo) => ({ file: relative(cwd, config), ...toDo }));
  if (values.json) stdout.write(harmlessJson({ findings, toDos }));
  else print(findings, toDos, stdout);
  if (files.some(({ found }) => found === undefined)) return 2;
  return machine.some(({ found, needed }) => needed && found === undefined) ? 3 : 0;
}

/** @param {Finding[]} findings @param {{ file: string, line: number, what: string }[]} toDos @param {Io['stdout']} stdout */
function print(findings, toDos, stdout) {
  const width = stdout.screen?.().width ?? Number.POSITIVE_INFINITY;
  const longest = Math.min(Math.floor(width / 3), Math.max(...findings.map(({ what }) => what.length)));
  const indent = ' '.repeat(longest + 4);
  for (const { what, found, mend } of findings) {
    const [first, ...others] = (found ?? mend).split('\n');
    const lines = [
      `${found === undefined ? '✗' : '✓'} ${what.padEnd(longest)}  ${first}`,
      ...others.map((line) => indent + line),
    ];
    for (const line of lines) stdout.write(`${wrapped(line, width, indent)}\n`);
  }
  for (const { file, line, what } of toDos)
    stdout.write(`${wrapped(`! ${file}:${line}: to do: ${what}`, width, '  ')}\n`);
}

/** @param {string} cwd @param {string | undefined} file @returns {{ servers: Server[], finding: Finding }} no servers where the configuration has a mistake */
function examineConfig(cwd, file) {
  const what = file === undefined ? STANDARD_CONFIG : relative(cwd, file);
  try {
    const config = readRunConfig({}, cwd);
    const { cases } = planOf(config, sidesHere(config));
    const found = `${cases.length} cases: ${config.servers.map(({ id }) => id).join(', ')}`;
    return { servers: config.servers, finding: { what, found, mend: '' } };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { servers: [], finding: { what, found: undefined, mend: error.message } };
  }
}

/** @param {string} file @param {readonly { name: string }[]} inputs of the action @returns {Finding} */
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
