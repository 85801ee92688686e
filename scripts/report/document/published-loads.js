/**
 * What others published of one server under several loads, beside what was measured here: every load against the one that was
 * fastest there.
 * @import { Published, Run, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { markdownTable } from 'markdown-table';
import { conditionsOf } from '../../model/dimensions.js';
import { conclusionOf, quotientOf } from '../../judge/ratio.js';
import { escaped } from '../render/escape.js';
import { ifKnown } from '../text/format.js';
import { alikeBut, fieldsText, loadText } from '../text/load.js';

/** @typedef {NonNullable<Published['loads']>[number]} Theirs */
/** @typedef {{ theirs: Theirs, of: RunCase }} Pair */

/**
 * @param {Run} run
 * @param {Theirs[]} loads
 * @param {Words} words
 * @returns {string[]} a heading and a table for each server, route and rest of the load
 */
export function renderLoads({ cases }, loads, words) {
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
    const title = `${serverName} ${route}, ${loadText(conditionsOf(first.of), words, { without: fields })}`;
    return [`**${escaped(title, 200)}**`, renderTable(pairs, fields, words)];
  });
}

/**
 * @param {Pair[]} pairs at least two
 * @param {(keyof Theirs['load'])[]} fields
 * @param {Words} words
 */
function renderTable(pairs, fields, words) {
  const { columns: heads, rate, milliseconds, multiple, conclusions, quotient, range } = words;
  const best = pairs.reduce((a, b) => (middle(b.theirs) > middle(a.theirs) ? b : a));
  const base = escaped(fieldsText(conditionsOf(best.of), fields, words));
  const hereOf = (/** @type {Pair} */ { of }) =>
    of.summary?.clientBound || best.of.summary?.clientBound ? undefined : quotientOf(of, best.of);
  /** @type {[string, (pair: Pair) => string][]} */
  const columns = [
    [heads.load, ({ of }) => escaped(fieldsText(conditionsOf(of), fields, words))],
    [heads.published(heads.rate), ({ theirs }) => range([theirs.throughput].flat().map(rate))],
    [heads.here, ({ of }) => rate(of.summary?.throughput ?? Number.NaN)],
    [heads.published(heads.to(base)), ({ theirs }) => range(spanOf(theirs, best.theirs).map(multiple))],
    [
      heads.here,
      (pair) => {
        const here = hereOf(pair);
        if (pair === best) return multiple(1);
        return here
          ? quotient(here)
          : multiple((pair.of.summary?.throughput ?? 0) / (best.of.summary?.throughput ?? 0));
      },
    ],
    [
      heads.conclusion,
      (pair) =>
        pair === best
          ? ''
          : conclusions[conclusionOf(middle(pair.theirs) / middle(best.theirs), hereOf(pair))],
    ],
    ...(pairs.some(({ theirs }) => theirs.p50Ms !== undefined)
      ? /** @type {[string, (pair: Pair) => string][]} */ ([
          [heads.published('p50 ms'), ({ theirs }) => ifKnown(theirs.p50Ms, milliseconds)],
          [heads.here, ({ of }) => ifKnown(of.summary?.latencyMs?.p50, milliseconds)],
          [heads.published('p95 ms'), ({ theirs }) => ifKnown(theirs.p95Ms, milliseconds)],
          [heads.here, ({ of }) => ifKnown(of.summary?.latencyMs?.p95, milliseconds)],
        ])
      : []),
  ];
  return markdownTable(
    [columns.map(([name]) => name), ...pairs.map((pair) => columns.map(([, text]) => text(pair)))],
    { align: columns.map(([name]) => ([heads.load, heads.conclusion].includes(name) ? 'l' : 'r')) },
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
