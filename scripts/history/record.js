/**
 * What of a run its trend needs.
 * @import { PastRun, Run } from '../types.js'
 */

import { SPEEDS } from '../samples/metrics.js';
import { summarize } from '../samples/summary.js';
import { goodTrials } from '../judge/effects.js';
import { locate } from '../judge/mean-estimate.js';
import { differencesOf, neighboursOf } from '../judge/paired-windows.js';

/**
 * @param {Run} run
 * @returns {PastRun | undefined} undefined where nothing was measured beside a reference: days can be told apart through it
 *   alone
 */
export function pastOf({ id, startedAt, revision: { sha }, environment: { fingerprint, cpuModel }, cases }) {
  const gauge = cases.find(({ reference }) => reference);
  const found = cases.flatMap((of) => {
    const trials = goodTrials(of.trials);
    const summary = summarize(trials, of);
    if (of.reference || !gauge || !summary) return [];
    const [{ shard } = { shard: undefined }] = trials;
    const besides = neighboursOf(
      goodTrials(gauge.trials).filter((trial) => trial.shard === shard),
      trials,
    );
    const beside = SPEEDS.flatMap(({ id: metric }) => {
      const place = locate(differencesOf(besides, metric));
      return place ? [[metric, { log: place.effect, error: place.error }]] : [];
    });
    if (beside.length === 0) return [];
    const { throughput } = summary;
    return [{ id: of.id, server: of.server, throughput, beside: Object.fromEntries(beside) }];
  });
  if (found.length === 0) return undefined;
  return {
    schema: 'perf-action/past-run@1',
    ...{ id, startedAt, fingerprint, cpuModel, cases: found },
    ...(sha !== undefined && { sha }),
  };
}
