/**
 * Expressions of workflows, by the evaluator of GitHub's own language server: what a runner would start,
 * without a runner.
 */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/**
 * What has happened to the jobs or steps before:
 * https://docs.github.com/actions/reference/evaluate-expressions-in-workflows-and-actions
 */
const STATUS = ['success', 'failure', 'cancelled', 'always'];

/** @typedef {Record<string, unknown>} Contexts `github`, `inputs`, `needs`, `steps`, ... */

/**
 * @param {string} file below the project's folder
 * @returns {any}
 */
export const readYaml = (file) => parse(readFileSync(ROOT + file, 'utf8'));

/**
 * @param {string} expression without its braces
 * @param {Contexts} contexts
 * @param {'success' | 'failure' | 'cancelled'} [status] of what came before
 */
export function evaluate(expression, contexts, status = 'success') {
  const functions = new Map(
    STATUS.map((name) => [
      name,
      {
        name,
        minArgs: 0,
        maxArgs: 0,
        call: () => new data.BooleanData(name === 'always' || name === status),
      },
    ]),
  );
  const { tokens } = new Lexer(expression).lex();
  const tree = new Parser(tokens, Object.keys(contexts), [...functions.values()]).parse();
  return new Evaluator(tree, JSON.parse(JSON.stringify(contexts), data.reviver), functions).evaluate();
}

/**
 * @param {{ if?: string }} job or step
 * @param {Contexts} contexts
 * @param {'success' | 'failure' | 'cancelled'} [status]
 * @returns {boolean} whether a runner would start it
 */
export function starts({ if: condition = 'success()' }, contexts, status = 'success') {
  const expression = String(condition).replace(/^\$\{\{(.*)\}\}$/, '$1');
  // A condition that asks for no status needs success.
  const isOpen = STATUS.some((name) => expression.includes(`${name}()`));
  const isTrue = evaluate(`!!(${expression})`, contexts, status).coerceString() === 'true';
  return isTrue && (isOpen || status === 'success');
}

/**
 * @param {string} text with expressions in braces
 * @param {Contexts} contexts
 */
export const fill = (text, contexts) =>
  text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression) => evaluate(expression, contexts).coerceString());
