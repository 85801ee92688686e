/**
 * Runs that are built of a few rates.
 * @import { Conditions, Run, RunCase, Window } from '../../scripts/types.js'
 */

import assert from 'node:assert/strict';
import { conditionsOf, splitConditions } from '../../scripts/model/dimensions.js';
import { summarize } from '../../scripts/samples/summary.js';
import { sampleRun } from './sample.js';

const SAMPLE = sampleRun();

/**
 * @typedef {object} Step
 * @property {number[]} rates requests a second, of a start each
 * @property {Partial<Conditions>} [conditions]
 * @property {Partial<RunCase> & { server?: string }} [facts]
 * @property {(round: number, requests: number) => Partial<Window>} [windowOf] what its window has beside
 *   requests
 */

/** A case each. @type {(steps: Step[], more?: Partial<Run>) => Run} */
export function runOf(steps, more) {
  const [{ reference: _, ...first } = assert.fail()] = SAMPLE.cases;
  const cases = steps.map(({ rates, conditions, facts = {}, windowOf }, place) => {
    const { load, deployment } = splitConditions({ ...conditionsOf(first), ...conditions });
    const trials = rates.map((requests, round) => ({
      round,
      failure: null,
      windows: [{ seconds: 1, requests, latencyMs: { p50: 1, p95: 2 }, ...windowOf?.(round, requests) }],
    }));
    const named = facts.server === undefined ? {} : { serverName: facts.server };
    const measured = { ...first, ...deployment, load, ...named, ...facts, id: `${place}`, trials };
    return { ...measured, summary: summarize(trials, measured) ?? assert.fail() };
  });
  return { ...SAMPLE, warnings: [], cases, ...more };
}

/**
 * @param {number[][]} rates of 20, 50, 100 and 200 connections
 * @param {Pick<Step, 'facts' | 'windowOf'>} [of]
 * @param {Partial<Run>} [more]
 */
export const ladder = (rates, of, more) =>
  runOf(
    rates.map((each, place) => ({
      rates: each,
      conditions: { connections: [20, 50, 100, 200][place] ?? 0 },
      ...of,
    })),
    more,
  );
