/**
 * Servers under a setting with several values, such as connections, as curves.
 * @import { Published, Run, RunCase } from '../../types.js'
 * @import { Dimension } from '../../model/dimensions.js'
 * @import { Line } from '../charts/over-settings.js'
 * @import { Words } from '../text/words.js'
 */

import { extent, groups, max, mean } from 'd3-array';
import { alikeBut, differing } from '../../judge/case-groups.js';
import { conditionsOf, DIMENSIONS } from '../../model/dimensions.js';
import { levelOf } from '../../samples/case-figures.js';
import { figure as figureRow, LEADING } from '../../samples/figures.js';
import { drawSteps } from '../charts/over-settings.js';
import { formatsOf, headingOf } from '../text/change-words.js';
import { fieldsText } from '../text/load-words.js';
import { legend } from './markup.js';

/** Two values are a pair, and the eye tells no more lines apart. */
const [LEAST_STEPS, MOST_LINES] = [3, 6];
/** What more connections bring, and what they cost. */
const DRAWN = [LEADING.id, 'p99', 'cpuPerRequest'];

/**
 * Cases that differ in one setting alone, the lowest value first.
 * @typedef {{ row: Dimension, first: RunCase, rungs: { value: number, runCase: RunCase }[] }} Ladder
 */

/**
 * The first setting with several numbers has one for each server, route and rest of the load.
 * @type {(run: Run) => Ladder[]}
 */
export function laddersOf({ cases }) {
  const measured = cases.filter(({ summary, reference }) => summary && !reference);
  const bySetting = DIMENSIONS.map((/** @type {Dimension} */ row) =>
    alikeBut(measured, row.field).flatMap((alike) => {
      const rungs = alike
        .map((runCase) => ({ value: Number(conditionsOf(runCase)[row.field]), runCase }))
        .toSorted((a, b) => a.value - b.value);
      const [first] = alike;
      const isLadder = rungs.length >= LEAST_STEPS && rungs.every(({ value }) => value > 0);
      return first && isLadder ? { row, first, rungs } : [];
    }),
  );
  return bySetting.find((ladders) => ladders.length > 0) ?? [];
}

/** Each route has a row of charts. @type {(ladders: Ladder[], run: Run, words: Words) => string} */
export function renderLadders(ladders, run, words) {
  const byRoute = groups(ladders, ({ first }) => first.route);
  const rows = byRoute.map(([route, own]) =>
    renderRoute(own.slice(0, MOST_LINES), byRoute.length > 1 ? `: ${route}` : '', { run, words }),
  );
  return rows.join('');
}

/** @type {(ladders: Ladder[], about: string, context: { run: Run, words: Words }) => string} */
function renderRoute(ladders, about, { run, words }) {
  const [{ row } = { row: DIMENSIONS[0] }] = ladders;
  const rest = differing(ladders.map(({ first }) => conditionsOf(first))).filter(
    (field) => field !== row.field,
  );
  const ends = extent(ladders.flatMap(({ rungs }) => rungs.map(({ value }) => value)));
  const drawn = DRAWN.map((id) => {
    const figure = figureRow(id);
    const { format } = formatsOf(figure.unit, words);
    const own = ladders.map(({ first, rungs }, nth) => ({
      kind: `s${nth}`,
      name: [first.serverName, fieldsText(conditionsOf(first), rest, words)].filter(Boolean).join(', '),
      steps: rungs.flatMap(({ value, runCase }) => {
        const level = levelOf(runCase, id);
        const text = `${words.condition(row, [value])}: ${format(level?.value ?? 0)}${words.ends(level, format)}`;
        return level ? { ...level, x: value, y: level.value, title: text } : [];
      }),
    }));
    if (own.every(({ steps }) => steps.length === 0)) return '';
    const series = [...own, ...(id === LEADING.id ? publishedLine(own, run, { row, words }) : [])];
    const axis = words.condition(row, [ends.join(' … ')]);
    const chart = { title: `${headingOf(figure, words)}${about}`, axis, unit: figure.unit, series };
    return `<div><figure>${drawSteps(chart, words)}${series.length > 1 ? legend(series) : ''}</figure></div>`;
  });
  return `<div class="charts">${drawn.join('')}</div>`;
}

/**
 * Machines differ, so the shapes of curves are compared: the published one is drawn as high as the first one.
 * Returns none where nothing was published about this setting alone.
 * @type {(lines: Line[], run: Run, context: { row: Dimension, words: Words }) => Line[]}
 */
function publishedLine([here], { published }, { row, words }) {
  /** @type {Partial<Published>} */
  const { loads = [] } = published ?? {};
  const steps = loads.flatMap(({ load, throughput }) => {
    const x = Number(/** @type {Record<string, unknown>} */ (load)[row.field]);
    const ends = [throughput].flat();
    const title = `${words.condition(row, [x])}: ${words.range(ends.map(words.rate))}`;
    return Object.keys(load).length === 1 && x > 0 ? { x, y: mean(ends) ?? 0, title } : [];
  });
  const [highest, ownHighest] = [steps, here?.steps ?? []].map((each) => max(each, ({ y }) => y) ?? 0);
  if (!highest || !ownHighest || steps.length < 2) return [];
  const name = words.page.charts.published(words.rate(highest));
  return [
    { kind: 'aside', name, steps: steps.map((step) => ({ ...step, y: (step.y * ownHighest) / highest })) },
  ];
}
