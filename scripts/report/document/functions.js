/**
 * Which functions of a server that got slower changed: by coverage, and by their cost in a profile.
 * @import { CaseComparison, FunctionChange, Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 * @import { Block } from './blocks.js'
 * @import { Context } from './document.js'
 */

import { sum } from 'd3-array';
import { COMMIT, link, plain } from '../text/inline.js';
import { column, names, table, text } from './blocks.js';
import { placesText } from './touched-answer.js';

/** More functions would not explain the slowdown better. */
const MOST = 8;
/** In percent of a request: less is as good as nothing. */
export const NOTHING = 0.05;

/** @type {(context: Context) => Block[]} */
export function functionBlocks(context) {
  const { run, comparison, words, nameOf } = context;
  return (comparison?.cases ?? []).flatMap((compared) => {
    const { id, functions = [], blamed, sources } = compared;
    const source = { revision: run.revision, sources };
    const left = functions.length - MOST;
    const [first] = functions;
    const costOf = (/** @type {FunctionChange} */ { name, file, effectPct }) =>
      [name, file, words.percent(effectPct)].join();
    // The table's first row already names a function that costs as much without what it calls.
    const isFirst = first && blamed && costOf(first) === costOf(blamed);
    const change = blamed && `${words.percent(blamed.effectPct)} (${words.interval(blamed.ciPct)})`;
    const executed = executedText(compared, context);
    const shown = functions.slice(0, MOST);
    const { effectPct = 0 } = compared.metrics.find(({ metric }) => metric === 'cpuPerRequest') ?? {};
    // Code after an await has lost its callers, and small changes are no rows.
    const all = sum(shown, (row) => row.effectPct);
    const explained = Math.max(0, Math.min(all, effectPct));
    const share = shown.length > 0 && effectPct > 0 ? words.functions.share(explained, effectPct) : '';
    return [
      ...(executed ? [text(executed)] : []),
      ...(change && !isFirst
        ? [text(words.functions.blamed(functionName(blamed, words), linkedPlace(blamed, source), change))]
        : []),
      ...(functions.length > 0
        ? [text(words.functions.about(nameOf(id))), functionTable(shown, source, words)]
        : []),
      ...(share ? [text(share)] : []),
      ...(left > 0 ? [text(words.more(left))] : []),
    ];
  });
}

/**
 * Seen before the first load, for a slower case; for a control, what the others execute.
 * @type {(of: CaseComparison, context: Context) => string}
 */
function executedText({ id, verdict, role, blamed }, { run, comparison, words, nameOf }) {
  const measured = run.cases.find((runCase) => runCase.id === id);
  const own = (comparison?.touched?.routes ?? []).filter(({ server }) => server === measured?.server);
  const { why, functions = [] } = own.find(({ route }) => route === measured?.route) ?? {};
  const executed = role ? own.flatMap((route) => route.functions) : functions;
  const places = placesText(executed, words);
  if ((verdict !== 'regressed' && !blamed) || !places) return '';
  const say = role
    ? words.functions.elsewhere
    : why === 'calls'
      ? words.touched.calls
      : words.functions.executed;
  return `${nameOf(id)}: ${say(places)}.`;
}

/**
 * Where the head's files are; sources: see CaseComparison.
 * @typedef {{ revision: Run['revision'] | undefined, sources: string | undefined }} Source
 */

/** @type {(rows: FunctionChange[], source: Source, words: Words) => Block} */
function functionTable(rows, source, words) {
  const { functions: phrases, columns, percent, interval, portion } = words;
  const { heads } = phrases;
  const partText = (/** @type {number} */ pct, /** @type {string} */ nothing) =>
    pct < NOTHING ? nothing : portion(pct / 100);
  const changes = rows.map(({ effectPct }) => percent(effectPct));
  const widest = Math.max(...changes.map(({ length }) => length));
  const lines = rows.map((change, row) => {
    const where = [placeText(change), change.name].filter(Boolean).join(' ') || phrases.unnamed;
    return `${changes[row]?.padStart(widest)}  ${plain(where, 200)}`;
  });
  return table(
    [
      names(rows, heads.name, (change) => functionName(change, words)),
      column(rows, heads.change, ({ effectPct, ciPct }) => `${percent(effectPct)} (${interval(ciPct)})`),
      names(rows, heads.place, (change) => linkedPlace(change, source)),
      column(rows, columns.base, ({ basePct }) => partText(basePct, phrases.added)),
      column(rows, columns.head, ({ headPct }) => partText(headPct, phrases.gone)),
    ],
    { lines },
  );
}

/** @type {(change: FunctionChange, words: Words) => string} */
function functionName({ name }, words) {
  return plain(name || words.functions.unnamed, 80);
}

/** Links to a measured file of the commit. @type {(change: FunctionChange, source: Source) => string} */
function linkedPlace(change, { revision, sources }) {
  const { sha = '', site, dirty } = revision ?? {};
  const { file, line } = change;
  const isKnown = site !== undefined && !dirty && COMMIT.test(sha) && sources !== undefined;
  const isOwn = line > 0 && !/^(node:|node_modules\/|\.\.)/.test(file);
  const path = plain([sources, file].filter(Boolean).join('/'));
  return link(
    plain(placeText(change), 120),
    isKnown && isOwn
      ? `${site}/blob/${sha}/${path.split('/').map(encodeURIComponent).join('/')}#L${line}`
      : undefined,
  );
}

/** Returns "src/orders.js:6". @type {(frame: { file: string, line: number }) => string} */
export function placeText({ file, line }) {
  return line > 0 && file ? `${file}:${line}` : file;
}
