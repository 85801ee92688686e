/**
 * Published figures of the same experiment beside those measured here.
 * @import { Published, Run, RunCase } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block } from './blocks.js'
 */

import { greatest, group } from 'd3-array';
import { alikeBut } from '../../judge/case-groups.js';
import { conclusionOf, quotientOf } from '../../judge/ratio.js';
import { conditionsOf } from '../../model/dimensions.js';
import { plain } from '../text/inline.js';
import { fieldsText, loadText } from '../text/load-words.js';
import { column, names, table, text } from './blocks.js';
import { tablesOf } from './table-rows.js';

/** Requests per second, or from and to. @typedef {{ throughput: number | [number, number] }} Figure */
/** @typedef {{ name: string, published: Figure, runCase: RunCase }} Pair */
/** Ratios are to the base. @typedef {{ title: string, pairs: Pair[], base: Pair | undefined }} Group */

/** Returns nothing where the run has no published figures. @type {(run: Run, words: Words) => Block[]} */
export function publishedBlocks(run, words) {
  // A run file of another program may leave out any of it.
  /** @type {Partial<Published>} */
  const { servers = {}, loads = [], conditions, source } = run.published ?? {};
  const groups = [...groupsOfServers(run, servers, words), ...groupsOfLoads(run, loads, words)];
  const isTitled = groups.length > 1 || loads.length > 0;
  const { columns: heads, rate, range } = words;
  const blocks = groups.flatMap(({ title, pairs, base }) => [
    table(
      [
        names(pairs, heads.server, ({ name }) => name),
        column(pairs, heads.published(heads.rate), ({ published }) =>
          range([published.throughput].flat().map(rate)),
        ),
        column(pairs, heads.here, ({ runCase }) => rate(runCase.summary?.throughput ?? Number.NaN)),
      ],
      isTitled ? { title } : {},
    ),
    ...conclusion({ pairs, base }, words),
  ]);
  if (blocks.length === 0 || !conditions) return blocks;
  const origin = source === undefined ? '' : ` (${plain(source)})`;
  return [...blocks, text(words.tables.published(plain(conditions), origin))];
}

/** @type {(run: Run, servers: NonNullable<Published['servers']>, words: Words) => Group[]} */
function groupsOfServers(run, servers, words) {
  return tablesOf(run, undefined, words).flatMap(({ title, rows, yardstick }) => {
    const pairs = rows.flatMap(({ runCase }) => {
      const { server, serverName, route } = runCase;
      const published = servers[`${server} ${route}`] ?? servers[server];
      return published ? [{ name: plain(serverName, 120), published, runCase }] : [];
    });
    const base = pairs.find(({ runCase }) => runCase === yardstick);
    return pairs.length > 0 ? [{ title: plain(title), pairs, base }] : [];
  });
}

/**
 * Groups a server's loads, by route and rest of the load: ratios are to what was published as fastest.
 * @type {(run: Run, loads: NonNullable<Published['loads']>, words: Words) => Group[]}
 */
function groupsOfLoads({ cases }, loads, words) {
  const fields = /** @type {(keyof (typeof loads)[number]['load'])[]} */ (Object.keys(loads[0]?.load ?? {}));
  const [field] = fields;
  if (!field) return [];
  return alikeBut(cases, field).flatMap((alike) => {
    const pairs = loads.flatMap((published) => {
      const isIts = (/** @type {RunCase} */ runCase) =>
        fields.every((name) => conditionsOf(runCase)[name] === published.load[name]);
      const runCase = alike.find((candidate) => candidate.summary && isIts(candidate));
      const name = runCase && plain(fieldsText(conditionsOf(runCase), fields, words));
      return runCase && name ? [{ name, published, runCase }] : [];
    });
    const base = greatest(pairs, ({ published }) => middle(published));
    if (!base || pairs.length < 2) return [];
    const { serverName, route } = base.runCase;
    const rest = loadText(conditionsOf(base.runCase), words, fields);
    return [{ title: plain(`${serverName} ${route}, ${rest}`, 200), pairs, base }];
  });
}

/** Says which published ratios hold here. @type {(which: Omit<Group, 'title'>, words: Words) => Block[]} */
function conclusion({ pairs, base }, { tables, conclusions, list }) {
  if (!base || pairs.length < 2) return [];
  const others = pairs.filter((pair) => pair !== base);
  const found = group(others, ({ published, runCase }) => {
    const isLimited = runCase.summary?.clientBound || base.runCase.summary?.clientBound;
    const here = isLimited ? undefined : quotientOf(runCase, base.runCase);
    return conclusionOf(middle(published) / middle(base.published), here);
  });
  const texts = Object.entries(conclusions).flatMap(([id, label]) => {
    const those = found.get(/** @type {keyof typeof conclusions} */ (id));
    return those ? [`${label} ${list(those.map(({ name }) => name))}`] : [];
  });
  return [text(tables.ratios(base.name, texts.join('; ')))];
}

/** The geometric middle of a range. @type {(published: Figure) => number} */
function middle({ throughput }) {
  const [low = 0, high = low] = [throughput].flat();
  return Math.sqrt(low * high);
}
