/**
 * In a comparison with a commit, no change decides what it is judged by: the base's rules apply, and stricter
 * ones of the head where the base has none.
 * @import { FailOn, LimitRule, Loosened, MetricId } from '../types.js'
 * @import { Rules } from './rules.js'
 */

import { isDeepStrictEqual } from 'node:util';
import { defined } from '../model/defined.js';
import { ANSWER, marginOf, metric } from '../samples/figures.js';
import { limitAmount } from './limits.js';

/** @type {FailOn[]} */
const LOOSE_FIRST = ['never', 'regressed', 'unsure'];

/** @type {(gate: FailOn, than: FailOn) => boolean} */
const isLooserGate = (gate, than) => LOOSE_FIRST.indexOf(gate) < LOOSE_FIRST.indexOf(than);
const isLooserMargin = (/** @type {number} */ margin, /** @type {number} */ than) => margin > than;

/**
 * @param {Rules} head
 * @param {Rules & { written: Partial<Rules> }} base written: those that its perf.yml or a flag sets
 * @returns {{ rules: Rules, looser: Loosened[] }} looser: where the head asks for less
 */
export function rulesWithBase(head, base) {
  const { written } = base;
  const isLooser = isLooserGate(head.failOn, base.failOn);
  const gateOf = (/** @type {Rules} */ { gates: own, failOn }, /** @type {MetricId} */ id) =>
    own?.[id] ?? (id !== ANSWER && metric(id).judged.gate ? failOn : 'never');
  const gates = ofFigures('gates', { head, base, isLooser: isLooserGate, valueOf: gateOf });
  const margins = ofFigures('margins', { head, base, isLooser: isLooserMargin, valueOf: marginOf });
  const limits = [...(base.limits ?? []), ...(head.limits ?? []).filter((rule) => !twinOf(rule, base))];
  return {
    rules: {
      failOn: written.failOn ?? (isLooser ? base.failOn : head.failOn),
      margin: written.margin ?? Math.min(base.margin, head.margin),
      gates: gates.all,
      margins: margins.all,
      limits: limits.length > 0 ? limits : undefined,
    },
    looser: [
      ...(isLooser ? [{ setting: 'failOn', base: base.failOn, head: head.failOn }] : []),
      ...(isLooserMargin(head.margin, base.margin)
        ? [{ setting: 'margin', base: percent(base.margin), head: percent(head.margin) }]
        : []),
      ...gates.looser,
      ...margins.looser,
      ...looserLimits(head, base),
    ],
  };
}

/**
 * @template {'gates' | 'margins'} K
 * @template {FailOn & number | FailOn | number} V
 * @param {K} key
 * @param {{ head: Rules, base: Rules, isLooser: (value: any, than: any) => boolean,
 *   valueOf: (rules: Rules, id: MetricId) => V }} sides valueOf: a figure may have none of its own
 * @returns {{ all: Rules[K], looser: Loosened[] }} all: undefined where there are none
 */
function ofFigures(key, { head, base, isLooser, valueOf }) {
  const ids = Object.keys({ ...base[key], ...head[key] });
  const looser = ids.filter((id) => isLooser(valueOf(head, id), valueOf(base, id)));
  const all = ids.flatMap((id) => {
    const value = base[key]?.[id] ?? (looser.includes(id) ? undefined : head[key]?.[id]);
    return value === undefined ? [] : [[id, value]];
  });
  const text = (/** @type {V} */ value) => (typeof value === 'number' ? percent(value) : String(value));
  return {
    all: all.length > 0 ? Object.fromEntries(all) : undefined,
    looser: looser.map((id) => ({
      setting: `${key}.${id}`,
      base: text(valueOf(base, id)),
      head: text(valueOf(head, id)),
    })),
  };
}

/** @type {(head: Rules, base: Rules) => Loosened[]} */
function looserLimits(head, base) {
  return (base.limits ?? []).flatMap((rule) => {
    const own = twinOf(rule, head);
    const isMost = metric(rule.metric).better === 'less';
    const isKept = own && (isMost ? own.bound <= rule.bound : own.bound >= rule.bound);
    if (isKept) return [];
    const { rate, server, route } = rule;
    const where = [rate !== undefined && `at ${rate}/s`, server, route].filter(Boolean);
    const amount = (/** @type {LimitRule} */ { bound }) => limitAmount(rule.metric, bound);
    const setting = [`limits.${rule.metric}`, ...where].join(' ');
    return [defined({ setting, base: amount(rule), head: own && amount(own) })];
  });
}

/** Its cases and figure are the same. @type {(rule: LimitRule, rules: Rules) => LimitRule | undefined} */
function twinOf({ bound: _, ...subject }, { limits = [] }) {
  return limits.find(({ bound: __, ...other }) => isDeepStrictEqual(other, subject));
}

/** @param {number} share */
function percent(share) {
  return `${Number((share * 100).toPrecision(6))}%`;
}
