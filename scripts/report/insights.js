/**
 * What the figures of a run say together, as sentences made by rules: never more than their intervals carry.
 * @import { Run, RunCase } from '../types.js'
 * @import { Words } from './words.js'
 */

import { NEGLIGIBLE, quotientOf } from '../judge/ratio.js';
import { escaped } from './escape.js';
import { alikeBut, loadText } from './load.js';

/** Two points have no knee. */
const LEAST_STEPS = 3;
const WORTH = 1 + NEGLIGIBLE;

/**
 * @param {Run} run
 * @param {Words} words
 * @returns {string[]} a sentence each
 */
export function insightsOf(run, words) {
  return [...knees(run, words), ...keptAlive(run, words)];
}

/**
 * Where throughput stops growing with the connections: at the first step that none further is faster than. An interval of
 * steps, as comparisons may stay open; what limits the load tool and not the server tells no knee.
 * @param {Run} run
 * @param {Words} words
 */
function knees(run, words) {
  return alikeBut(run.cases, 'connections').flatMap((cases) => {
    const steps = cases
      .filter(({ summary }) => summary && !summary.clientBound)
      .toSorted((a, b) => connectionsOf(a) - connectionsOf(b));
    const [first] = steps;
    if (!first || steps.length < LEAST_STEPS) return [];
    const gains = steps.map((step, place) => steps.slice(place + 1).map((later) => quotientOf(later, step)));
    const from = gains.findIndex((after) => !after.some((gain) => gain && gain.low > WORTH));
    const to = gains.findIndex((after) => !after.some((gain) => !gain || gain.high > WORTH));
    const high = /** @type {RunCase} */ (steps[to]);
    return words.insights.knee({
      name: nameOf(first, 'connections', words),
      connections: steps.map(connectionsOf),
      ...{ from, to },
      gained: to > 0 ? quotientOf(high, first) : undefined,
      further: gains[to]?.toSorted((a, b) => (b?.high ?? 0) - (a?.high ?? 0))[0],
    });
  });
}

/**
 * What a new connection for every request costs.
 * @param {Run} run
 * @param {Words} words
 */
function keptAlive(run, words) {
  return alikeBut(run.cases, 'keepAlive').flatMap((cases) => {
    const [on, off] = [true, false].map((kept) => cases.find(({ load }) => load.keepAlive === kept));
    if (!on?.summary || !off?.summary) return [];
    return words.insights.keepAlive({
      name: nameOf(on, 'keepAlive', words),
      ...{ on: on.summary.throughput, off: off.summary.throughput },
      limited: [on, off].map(({ summary }) => summary?.clientBound === true),
      factor: quotientOf(on, off),
    });
  });
}

/**
 * @param {RunCase} of
 * @param {'connections' | 'keepAlive'} field that the sentence tells itself
 * @param {Words} words
 */
function nameOf({ serverName, route, load }, field, words) {
  return escaped(`${serverName} ${route}, ${loadText(load, words, { without: [field] })}`, 200);
}

/** @param {RunCase} of */
function connectionsOf({ load }) {
  return load.connections;
}
