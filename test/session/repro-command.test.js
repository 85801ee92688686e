/** The command that repeats a run survives a shell and the command line. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { parseArgs } from 'node:util';
import { commandLine } from '../../scripts/session/repro-command.js';
import { VERBS } from '../../scripts/verbs.js';
import { conditionBlocks } from '../../scripts/report/document/conditions.js';
import { blocksMarkdown } from '../../scripts/report/render/markdown.js';
import { wordsIn } from '../../scripts/report/text/words.js';
import { sampleRun } from '../report/sample.js';

const WORDS = wordsIn();

/** @param {string[]} args */
function parsed(args) {
  const { values } = parseArgs({ args, options: VERBS.run?.options ?? {} });
  return { ...values };
}

/** Its arguments, as a shell gives them. @type {(command: string) => string[]} */
function givenByShell(command) {
  const script = `perf-action() { printf '%s\\0' "$@"; }; ${command}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

/**
 * @param {string} command
 * @returns {string} as a report shows it
 */
function shown(command) {
  const text = blocksMarkdown(conditionBlocks({ ...sampleRun(), command }, WORDS));
  return /To repeat it locally:\n\n`{3,}text\n(.*)\n/.exec(text)?.[1] ?? '';
}

test('each option appears once with its final value; an empty one is left out', () => {
  const values = parsed([
    '--against=base',
    '--seed=7',
    '--servers',
    'a,b',
    '--baseline=',
    '--against=HEAD~2',
  ]);
  assert.equal(commandLine(values), 'perf-action run --against=HEAD~2 --seed=7 --servers=a,b');
  assert.equal(commandLine({ ...values, against: '' }), 'perf-action run --seed=7 --servers=a,b');
});

test('a shell reads the command back exactly, whatever its values', () => {
  const odd = [
    '--title=It\'s a "test" of $HOME & `more`',
    `--routes=${JSON.stringify({ text: 'ünï \t 日本', long: 'x'.repeat(900) })}`,
    '--servers=two  spaces\nand: a line\\n',
    '--json',
  ];
  const values = parsed(odd);
  const [verb, ...args] = givenByShell(shown(commandLine(values)));
  assert.equal(verb, 'run');
  assert.deepEqual(parsed(args), values);
});

test('an experiment is repeated by its own command', () => {
  assert.equal(commandLine({ servers: 'a', for: '3m' }, 'soak'), 'perf-action soak --servers=a --for=3m');
});
