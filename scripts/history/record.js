/**
 * Reduces a run to the line that its trend needs.
 * @import { PastRun, Run } from '../types.js'
 */

import { differencesOf, estimate } from '../judge/mean-estimate.js';
import { SPEEDS } from '../samples/figures.js';
import { answeringStarts, samplesOf } from '../samples/samples.js';
import { summarize } from '../samples/summary.js';

/**
 * @param {Run} run
 * @returns {PastRun | undefined} undefined where nothing was measured beside a reference: without one, days cannot be compared
 */
export function pastOf({ id, startedAt, revision: { sha }, environment: { fingerprint, cpuModel }, cases }) {
  const gauge = cases.find(({ reference }) => reference);
  if (!gauge) return undefined;
  const references = samplesOf(gauge.trials);
  const past = cases.flatMap((runCase) => {
    const samples = samplesOf(runCase.trials);
    const summary = summarize(answeringStarts(runCase.trials), runCase);
    if (runCase.reference || !summary) return [];
    const neighbours = references.filter(({ shard }) => shard === samples[0]?.shard);
    const beside = SPEEDS.flatMap(({ id: speed }) => {
      const located = estimate(differencesOf(neighbours, samples, speed));
      return located ? [[speed, { log: located.effect, error: located.error }]] : [];
    });
    if (beside.length === 0) return [];
    const { throughput } = summary;
    return [{ id: runCase.id, server: runCase.server, throughput, beside: Object.fromEntries(beside) }];
  });
  if (past.length === 0) return undefined;
  return {
    schema: 'perf-action/past-run@1',
    id,
    startedAt,
    fingerprint,
    cpuModel,
    cases: past,
    ...(sha !== undefined && { sha }),
  };
}
