/**
 * The verdict in words, and how far it can be believed.
 * @import { CaseComparison, Comparison, Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { isSkipped, SKIPPED } from '../../store/skipped.js';
import { decides } from '../../samples/figures.js';
import { isOfTime, labelOf } from '../text/change.js';
import { escaped, shortSha } from '../render/escape.js';
import { nameOf } from './table-rows.js';
import { isTooWide } from '../text/format.js';
import { storedText } from './baseline-notes.js';

/** What the sides of a run are labelled. */
const SIDES = new Set(['base', 'head']);
/** More names than this are counted. */
const NAMES = 3;

/**
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @param {Words} words
 * @returns {string}
 */
export function headline(run, comparison, words) {
  const told = wholeHeadline(run, comparison, words);
  const lost = run.warnings?.find(({ code }) => code === 'shards-missing');
  return lost ? words.headline.incomplete(told, lost) : told;
}

/**
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @param {Words} words
 * @returns {string}
 */
function wholeHeadline(run, comparison, words) {
  const { headline: told } = words;
  if (isSkipped(run)) return told.skipped(skippedWhy(run, words));
  if (!comparison) return told.measured(run.title && escaped(run.title, 120));
  const { verdict, cases, against } = comparison;
  const compared = cases.filter(({ only }) => !only);
  if (against === 'self' && verdict !== 'failed') return floorHeadline(run, compared, words);
  if (verdict === 'same' && compared.length === 0) return told.uncompared(listed(run, cases, words));
  if (verdict === 'same') return told.same(marginOf(compared));
  const changes = (/** @type {'regressed' | 'improved'} */ of) =>
    changed(run, compared, { verdict: of, words });
  if (verdict === 'improved') return told.improved(changes('improved'));
  if (verdict === 'regressed') return told.regressed(changes('regressed'));
  const names = listed(
    run,
    cases.filter((of) => of.verdict === verdict && (verdict === 'failed' || !of.only)),
    words,
  );
  return verdict === 'failed' ? told.failed(names, changes('regressed')) : told.unsure(names);
}

/**
 * @param {CaseComparison[]} cases
 * @returns {number | undefined} in percent, the widest margin of what decided
 */
function marginOf(cases) {
  const margins = cases.flatMap(({ metrics }) =>
    metrics.filter(decides).map(({ marginPct = 0 }) => marginPct),
  );
  return margins.length > 0 ? Math.max(...margins) : undefined;
}

/**
 * @param {Run} run
 * @param {Words} words
 * @returns {string} as Markdown
 */
function skippedWhy({ warnings = [] }, words) {
  const warning = warnings.find(({ code }) => code === SKIPPED) ?? { code: '' };
  const why = words.warning(warning);
  const isOurs = warning.message === undefined && /^[0-9a-f]{7,64}$/.test(String(warning.since));
  return isOurs ? why : escaped(why, 200);
}

/**
 * A server against itself: nothing can have changed, only the noise is in question.
 * @param {Run} run
 * @param {CaseComparison[]} cases
 * @param {Words} words
 */
function floorHeadline(run, cases, words) {
  const { headline: told } = words;
  const apart = cases.filter(({ verdict }) => verdict === 'regressed' || verdict === 'improved');
  if (apart.length > 0) return told.falseAlarm(listed(run, apart, words));
  const wide = cases.filter(({ verdict }) => verdict === 'unsure');
  return wide.length > 0 ? told.aboveMargin(listed(run, wide, words)) : told.belowMargin;
}

/**
 * @param {Comparison} comparison
 * @param {Words} words
 * @returns {string[]} what was compared with what, the run's own noise, and the promise: a sentence each
 */
export function trust({ base, method, against, reference, promise }, words) {
  const { trust: told } = words;
  const other = baseText(base, words);
  const compared = {
    'side-by-side':
      against === 'self'
        ? told.itself
        : told.sideBySide(against === undefined ? other : refText(base, against, words)),
    stored: told.stored(other, { runs: base.runs, reference: reference !== undefined }),
    'other-machine': told.otherMachine(other),
  };
  return [
    compared[method],
    ...storedText(base.stored, words),
    ...(reference ? [referenceText(reference, words)] : []),
    escaped(told.promise(promise)),
  ];
}

/**
 * @param {NonNullable<Comparison['reference']>} reference
 * @param {Words} words
 */
function referenceText({ effectPct, ciPct }, { trust: told }) {
  return isTooWide(ciPct) ? told.noisyReference : told.reference(effectPct, ciPct);
}

/**
 * @param {Run} run
 * @param {CaseComparison[]} cases
 * @param {{ verdict: 'regressed' | 'improved', words: Words }} of
 * @returns {string} empty where nothing has this verdict
 */
function changed(run, cases, { verdict, words }) {
  const { headline: told } = words;
  const alike = cases.filter((of) => of.verdict === verdict);
  const ofSpeed = alike.filter((of) => changesOf(of, verdict).some(isOfTime));
  const others = alike.filter((of) => !ofSpeed.includes(of));
  const labels = new Set(
    others.flatMap((of) => changesOf(of, verdict)).map((change) => words.within(labelOf(change, words))),
  );
  const [speed, quality] = verdict === 'regressed' ? [told.slower, told.worse] : [told.faster, told.better];
  return [
    ofSpeed.length > 0 && `${speed}: ${listed(run, ofSpeed, words)}`,
    others.length > 0 &&
      `${quality}: ${listed(run, others, words)}${labels.size > 0 ? ` (${words.list([...labels])})` : ''}`,
  ]
    .filter(Boolean)
    .join('; ');
}

/**
 * @param {CaseComparison} of
 * @param {string} verdict
 */
function changesOf({ metrics }, verdict) {
  return metrics.filter((change) => change.verdict === verdict);
}

/**
 * @param {Run} run
 * @param {CaseComparison[]} cases
 * @param {Words} words
 */
function listed(run, cases, words) {
  if (cases.length > NAMES) return words.headline.cases(cases.length);
  return words.list(cases.map(({ id }) => escaped(nameOf(run, id, words), 120)));
}

/**
 * @param {Comparison['base']} base a run that was stored
 * @param {Words} words
 */
function baseText({ label, sha, ref, startedAt }, words) {
  const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/.exec(startedAt ?? '');
  const when = time ? `${time[1]} ${time[2]} UTC` : escaped(startedAt ?? words.trust.unknownTime);
  // Which side of its own run it was says nothing here.
  const name = label === undefined || SIDES.has(label) ? '' : escaped(label, 80);
  const place = [ref && escaped(ref, 80), commitText(sha, words)].filter(Boolean).join(', ');
  return words.trust.run({ name, when, place });
}

/**
 * @param {Comparison['base']} base
 * @param {string} against the name it was asked for by, which may be the commit's own
 * @param {Words} words
 * @returns {string} as Markdown
 */
export function refText({ sha }, against, words) {
  const commit = commitText(sha, words);
  if (commit && sha?.startsWith(against)) return commit;
  const name = against === 'base' ? words.trust.theBase : escaped(against, 80);
  return commit ? `${name} (${commit})` : name;
}

/**
 * @param {string | undefined} sha
 * @param {Words} words
 */
function commitText(sha, words) {
  return sha === undefined ? '' : words.trust.commit(shortSha(sha));
}
