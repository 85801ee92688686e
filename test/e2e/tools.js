/** Programs the tests run: from scripts/test's own folder, or from the machine. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { INPUTS, WORKFLOW_INPUTS } from '../../scripts/github/contract/inputs.js';

/** No program here may take longer, in milliseconds. */
const LONGEST_MS = 300_000;

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @returns {NodeJS.ProcessEnv} the caller's, with the installed tools first */
export function toolEnvironment() {
  const folders = [`${ROOT}.cache/bin`, `${ROOT}.cache/venv/bin`, process.env.PATH ?? ''];
  return { ...process.env, PATH: folders.join(delimiter) };
}

/**
 * @param {string[]} argv
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, stdin?: string }} [options]
 * @returns {Promise<{ code: number, output: string }>} output: standard output and error, one after the other
 * @throws where the program is not there
 */
export function runTool([program = '', ...args], { cwd = ROOT, env = toolEnvironment(), stdin = '' } = {}) {
  return new Promise((resolve, reject) => {
    const limits = { maxBuffer: 2 ** 26, timeout: LONGEST_MS };
    const child = execFile(program, args, { cwd, env, ...limits }, (error, stdout, stderr) => {
      const code = error ? error.code : 0;
      if (typeof code === 'number') resolve({ code, output: stdout + stderr });
      else reject(error);
    });
    // A program that reads none may have ended before it is given any.
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin);
  });
}

/**
 * @param {string[]} args of the command line
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export function runCli(args, options) {
  return new Promise((resolve) => {
    execFile(process.execPath, [`${ROOT}scripts/cli.js`, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/**
 * @param {string} cwd
 * @returns {(...args: string[]) => Promise<string>} git there, as somebody; what it printed
 */
export function gitIn(cwd) {
  return async (...args) => {
    const author = ['-c', 'user.name=octo', '-c', 'user.email=octo@example.com'];
    const { code, output } = await runTool(['git', ...author, ...args], { cwd });
    assert.equal(code, 0, output);
    return output.trim();
  };
}

/**
 * @param {Record<string, unknown>} asked options of a run and inputs of the action, by name
 * @returns {Record<string, unknown>} what a workflow writes under `with:` for them
 */
export function withOf(asked) {
  const names = [...INPUTS, ...WORKFLOW_INPUTS].map(({ name }) => name);
  const [inputs, options] = [true, false].map((isInput) =>
    Object.entries(asked).filter(([name]) => names.includes(name) === isInput),
  );
  return Object.fromEntries([
    ...(inputs ?? []),
    ...(options?.length ? [['options', JSON.stringify(Object.fromEntries(options))]] : []),
  ]);
}
