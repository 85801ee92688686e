/** Reads a workflow for what it gives the action. */

import { parse } from 'yaml';
import { REPOSITORY } from '../system/repository.js';

/**
 * @param {string} text the workflow file
 * @param {string[]} known the action's inputs
 * @returns {string[]} those it gives the action that the action does not know; empty where it is no workflow
 */
export function unknownInputs(text, known) {
  const steps = Object.values(readJobs(text)).flatMap((job) => job?.steps ?? []);
  return steps
    .filter((step) => String(step?.uses ?? '').startsWith(`${REPOSITORY}@`))
    .flatMap((step) => Object.keys(step.with ?? {}))
    .filter((name) => !known.includes(name));
}

/**
 * @param {string} text
 * @returns {Record<string, { steps?: { uses?: unknown, with?: object }[] } | null>}
 */
function readJobs(text) {
  try {
    return parse(text)?.jobs ?? {};
  } catch {
    return {};
  }
}
