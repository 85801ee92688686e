/**
 * The verdict in words, and how far it can be believed.
 * @import { CaseComparison, Comparison, Run } from '../types.js'
 */

import { isSkipped, SKIPPED } from '../store/skipped.js';
import { isOfTime, labelWithin } from './change.js';
import { escaped } from './escape.js';
import { nameOf } from './facts.js';
import { interval, isTooWide, percent } from './format.js';
import { storedText } from './stored.js';

/** What the sides of a run are labelled. */
const SIDES = new Set(['base', 'head']);
/** More names than this are counted. */
const NAMES = 3;

/**
 * @param {Run} run
 * @param {Comparison | undefined} comparison
 * @returns {string}
 */
export function headline(run, comparison) {
  if (isSkipped(run)) return `⚪ Skipped: ${escaped(skippedWhy(run), 200)}`;
  if (!comparison) return run.title ? `Measured: ${escaped(run.title, 120)}` : 'Measured';
  const { verdict, cases, against } = comparison;
  const compared = cases.filter(({ only }) => !only);
  if (against === 'same' && verdict !== 'failed') return floorHeadline(run, compared);
  if (verdict === 'same') return '🟢 No change';
  if (verdict === 'improved')
    return `🟢 ${capital(changed(run, compared, 'improved') || 'faster than the base')}`;
  const worse = changed(run, compared, 'regressed');
  if (verdict === 'regressed') return `🔴 ${capital(worse || 'slower than the base')}`;
  const told = listed(
    run,
    cases.filter((of) => of.verdict === verdict && (verdict === 'failed' || !of.only)),
  );
  if (verdict === 'failed')
    return `🔴 Something could not be measured${told && `: ${told}`}${worse && `; ${worse}`}`;
  return `🟡 Unsure${told && ` about ${told}`}: the measurement cannot exclude a change`;
}

/** @param {Run} run */
function skippedWhy({ warnings = [] }) {
  return warnings.find(({ code }) => code === SKIPPED)?.message ?? '';
}

/**
 * A server against itself: nothing can have changed, only the noise is in question.
 * @param {Run} run
 * @param {CaseComparison[]} cases
 */
function floorHeadline(run, cases) {
  const apart = cases.filter(({ verdict }) => verdict === 'regressed' || verdict === 'improved');
  if (apart.length > 0) return `🔴 A false alarm: ${listed(run, apart)}, measured against itself, differs`;
  const wide = cases.filter(({ verdict }) => verdict === 'unsure');
  return wide.length > 0
    ? `🟡 The noise floor is above the margin: ${listed(run, wide)}`
    : '🟢 The noise floor is below the margin';
}

/**
 * @param {Comparison} comparison
 * @returns {string[]} what was compared with what, the run's own noise, and the promise: a sentence each
 */
export function trust({ base, method, against, reference, promise }) {
  const other = baseText(base);
  const compared = {
    'side-by-side':
      against === 'same'
        ? 'The same server was measured against itself, in the same rounds: whatever differs is noise.'
        : `Compared with ${against === undefined ? other : refText(base, against)}; both sides were measured in the same rounds.`,
    stored: `Compared with ${base.runs === undefined ? other : `${base.runs} stored runs, up to ${other}`}, measured on the same kind of machine; ${reference ? 'effects are relative to the reference, and ' : ''}the intervals include how much unchanged runs vary.`,
    'other-machine': `The base, ${other}, was measured on another kind of machine and decides nothing here.`,
  };
  return [
    compared[method],
    ...storedText(base.stored),
    ...(reference ? [gaugeText(reference)] : []),
    `${escaped(promise)}.`,
  ];
}

/** @param {NonNullable<Comparison['reference']>} reference */
function gaugeText({ effectPct, ciPct }) {
  if (isTooWide(ciPct)) {
    return `The reference, which no change touched, was too noisy to use.`;
  }
  return `The reference, which no change touched, moved by ${percent(effectPct)} (${interval(ciPct)}).`;
}

/**
 * @param {Run} run
 * @param {CaseComparison[]} cases
 * @param {'regressed' | 'improved'} verdict
 * @returns {string} empty where nothing has this verdict
 */
function changed(run, cases, verdict) {
  const alike = cases.filter((of) => of.verdict === verdict);
  const ofSpeed = alike.filter((of) => changesOf(of, verdict).some(isOfTime));
  const others = alike.filter((of) => !ofSpeed.includes(of));
  const labels = new Set(others.flatMap((of) => changesOf(of, verdict)).map(labelWithin));
  const [speed, quality] = verdict === 'regressed' ? ['slower', 'worse'] : ['faster', 'better'];
  return [
    ofSpeed.length > 0 && `${speed} than the base: ${listed(run, ofSpeed)}`,
    others.length > 0 &&
      `${quality} than the base: ${listed(run, others)}${labels.size > 0 ? ` (${[...labels].join(', ')})` : ''}`,
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
 */
function listed(run, cases) {
  if (cases.length > NAMES) return `${cases.length} cases`;
  return cases.map(({ id }) => escaped(nameOf(run, id), 120)).join(', ');
}

/** @param {Comparison['base']} base a run that was stored */
function baseText({ label, sha, ref, startedAt }) {
  const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/.exec(startedAt ?? '');
  const when = time ? `${time[1]} ${time[2]} UTC` : escaped(startedAt ?? 'an unknown time');
  // Which side of its own run it was says nothing here.
  const name = label === undefined || SIDES.has(label) ? '' : `"${escaped(label, 80)}" `;
  const place = [ref && escaped(ref, 80), commitText(sha)].filter(Boolean).join(', ');
  return `the run ${name}of ${when}${place && ` (${place})`}`;
}

/**
 * @param {Comparison['base']} base
 * @param {string} against the name it was asked for by, which may be the commit's own
 * @returns {string} as Markdown
 */
export function refText({ sha }, against) {
  const commit = commitText(sha);
  if (commit && sha?.startsWith(against)) return commit;
  const name = against === 'base' ? 'the base' : escaped(against, 80);
  return commit ? `${name} (${commit})` : name;
}

/** @param {string | undefined} sha */
function commitText(sha) {
  return sha === undefined ? '' : `commit ${escaped(sha.slice(0, 10))}`;
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
