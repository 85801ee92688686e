/**
 * Stands in for a third-party action: fails on inputs the real one does not have or misses, keeps a record of
 * what it was given, and does what later steps need of it.
 */

import { appendFileSync, readFileSync } from 'node:fs';

const recorded = JSON.parse(readFileSync(new URL('./recorded.json', import.meta.url), 'utf8'));
const { name } = recorded;
/** The environment has their names in capitals. */
const inputs = Object.fromEntries(
  Object.entries(recorded.inputs).map(([input, need]) => [input.toLowerCase(), need]),
);
const given = Object.fromEntries(
  Object.entries(process.env)
    .filter(([variable]) => variable.startsWith('INPUT_'))
    .map(([variable, value]) => [variable.slice('INPUT_'.length).toLowerCase().replaceAll(' ', '_'), value]),
);
const unknown = Object.keys(given).filter((input) => !(input in inputs));
const missing = Object.keys(inputs).filter((input) => inputs[input] === 'required' && !given[input]);
const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
appendFileSync(
  String(process.env.STAND_IN_LOG),
  `${JSON.stringify({ name, given: filled, unknown, missing })}\n`,
);
if (unknown.length + missing.length > 0) {
  process.stdout.write(`::error::${name}: unknown ${unknown}, missing ${missing}\n`);
  process.exitCode = 1;
}

const { behave } = await import(String(process.env.STAND_IN_BEHAVIOURS));
try {
  if (!process.exitCode) await behave(name, filled);
} catch (error) {
  // What @actions/core's setFailed does.
  process.stdout.write(`::error::${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}
