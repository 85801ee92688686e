/**
 * Whether the job fails, in the words of its annotation.
 * @import { Comparison, Run } from '../types.js'
 */

/**
 * @param {number} code the exit code of `run`
 * @param {{ run: Run, comparison?: Comparison } | undefined} results absent where the run left none
 * @returns {string | undefined} one line for each reason; undefined: the job is fine
 */
export function failureOf(code, results) {
  if (code === 0) return undefined;
  if (code === 1 && results?.comparison) return verdictLines(results.comparison).join('\n');
  const failures = results ? failureLines(results.run) : [];
  return failures.length > 0 ? failures.join('\n') : 'the run ended before everything was measured';
}

/** @param {Comparison} comparison */
function verdictLines({ cases, warnings = [] }) {
  const told = cases
    .filter(({ verdict }) => !['same', 'improved'].includes(verdict))
    .map(({ id, verdict, metrics }) => {
      const whys = metrics.filter((metric) => metric.verdict === verdict).map(({ why }) => why);
      return `${id}: ${[verdict, ...whys].join('; ')}`;
    });
  const closed = warnings.filter(({ code }) => code === 'gate-closed');
  return [...told, ...closed.map(({ case: of, message }) => `${of}: ${message}`)];
}

/** @param {Run} run */
function failureLines({ cases, warnings = [] }) {
  const lines = cases.flatMap(({ id, trials }) =>
    trials.flatMap(({ failure }) => (failure ? [`${id}: ${failure.kind}: ${failure.message}`] : [])),
  );
  const lost = warnings.flatMap(({ code, message }) => (code === 'shards-missing' ? [message] : []));
  return [...new Set([...lines, ...lost])];
}
