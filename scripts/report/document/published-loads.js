/**
 * What others published of one server under several loads, beside what was measured here: every load against the one that was
 * fastest there.
 * @import { Published, Run, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block } from './blocks.js'
 */

import { conditionsOf } from '../../model/dimensions.js';
import { conclusionOf, quotientOf } from '../../judge/ratio.js';
import { plain } from '../text/inline.js';
import { column, names, table } from './blocks.js';
import { ifKnown } from '../text/format.js';
import { alikeBut, fieldsText, loadText } from '../text/load.js';

/** @typedef {NonNullable<Published['loads']>[number]} Theirs */
/** @typedef {{ theirs: Theirs, of: RunCase }} Pair */

/**
 * @param {Run} run
 * @param {Theirs[]} loads
 * @param {Words} words
 * @returns {Block[]} a table for each server, route and rest of the load
 */
export function loadTables({ cases }, loads, words) {
  const fields = /** @type {(keyof Theirs['load'])[]} */ (Object.keys(loads[0]?.load ?? {}));
  const [field] = fields;
  if (!field) return [];
  return alikeBut(cases, field).flatMap((group) => {
    const pairs = loads.flatMap((theirs) => {
      const of = group.find(
        (measured) =>
          measured.summary && fields.every((each) => conditionsOf(measured)[each] === theirs.load[each]),
      );
      return of ? [{ theirs, of }] : [];
    });
    const [first] = pairs;
    if (!first || pairs.length < 2) return [];
    const { serverName, route } = first.of;
    const title = `${serverName} ${route}, ${loadText(conditionsOf(first.of), words, fields)}`;
    return [loadTable(pairs, fields, { title: plain(title, 200), words })];
  });
}

/**
 * @param {Pair[]} pairs at least two
 * @param {(keyof Theirs['load'])[]} fields
 * @param {{ title: string, words: Words }} context
 */
function loadTable(pairs, fields, { title, words }) {
  const { columns: heads, rate, milliseconds, multiple, conclusions, quotient, range } = words;
  const best = pairs.reduce((a, b) => (middle(b.theirs) > middle(a.theirs) ? b : a));
  const loadOf = (/** @type {Pair} */ { of }) => plain(fieldsText(conditionsOf(of), fields, words));
  const hereOf = (/** @type {Pair} */ { of }) =>
    of.summary?.clientBound || best.of.summary?.clientBound ? undefined : quotientOf(of, best.of);
  const figure = (/** @type {string} */ head, /** @type {(pair: Pair) => string} */ cell) =>
    column(pairs, head, cell);
  const latencies = pairs.some(({ theirs }) => theirs.p50Ms !== undefined)
    ? [
        figure(heads.published('p50 ms'), ({ theirs }) => ifKnown(theirs.p50Ms, milliseconds)),
        figure(heads.here, ({ of }) => ifKnown(of.summary?.latencyMs?.p50, milliseconds)),
        figure(heads.published('p95 ms'), ({ theirs }) => ifKnown(theirs.p95Ms, milliseconds)),
        figure(heads.here, ({ of }) => ifKnown(of.summary?.latencyMs?.p95, milliseconds)),
      ]
    : [];
  return table(
    [
      names(pairs, heads.load, loadOf),
      figure(heads.published(heads.rate), ({ theirs }) => range([theirs.throughput].flat().map(rate))),
      figure(heads.here, ({ of }) => rate(of.summary?.throughput ?? Number.NaN)),
      figure(heads.published(heads.to(loadOf(best))), ({ theirs }) =>
        range(spanOf(theirs, best.theirs).map(multiple)),
      ),
      figure(heads.here, (pair) => {
        const here = hereOf(pair);
        if (pair === best) return multiple(1);
        return here
          ? quotient(here)
          : multiple((pair.of.summary?.throughput ?? 0) / (best.of.summary?.throughput ?? 0));
      }),
      names(pairs, heads.conclusion, (pair) =>
        pair === best
          ? ''
          : conclusions[conclusionOf(middle(pair.theirs) / middle(best.theirs), hereOf(pair))],
      ),
      ...latencies,
    ],
    { title },
  );
}

/** @param {Pick<Theirs, 'throughput'>} theirs @returns {number} of a range its geometric middle */
export function middle({ throughput }) {
  const [low, high] = [throughput].flat();
  return Math.sqrt((low ?? 0) * (high ?? low ?? 0));
}

/**
 * @param {Pick<Theirs, 'throughput'>} one
 * @param {Pick<Theirs, 'throughput'>} best
 * @returns {number[]} the least and the most that their quotient can be, once where they are equal
 */
export function spanOf(one, best) {
  if (one === best) return [1];
  const [ones, bests] = [[one.throughput].flat(), [best.throughput].flat()];
  const [low, high] = [Math.min(...ones) / Math.max(...bests), Math.max(...ones) / Math.min(...bests)];
  return low === high ? [low] : [low, high];
}
