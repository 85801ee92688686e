/**
 * Numbers as readers of a language see them. What a stranger's run file gives instead of a number is shown as
 * missing.
 * @import { Quotient } from '../../judge/ratio.js'
 */

export const MISSING = '–';
/** Larger changes, in percent, are shown as "over": few starts cannot tell them apart. */
const WIDEST = 999;

/** The confidence of an interval that names none, in percent. */
export const USUAL = 95;

/** Packages that changed are named up to this many. */
export const MOST_PACKAGES = 8;

/** Words a value that is known. @type {<T>(value: T | undefined, text: (value: T) => string) => string} */
export function ifKnown(value, text) {
  return value === undefined ? '' : text(value);
}

/** The first, and how many more. @type {<T>(all: T[], most: number, more: (left: number) => T) => T[]} */
export function firstOf(all, most, more) {
  return all.length > most ? [...all.slice(0, most), more(all.length - most)] : all;
}

/**
 * @typedef {object} Forms
 * @property {string} to between the ends of an interval
 * @property {(bound: string) => string} over
 * @property {(interval: string, level: string) => string} at an interval with its confidence
 * @property {[s: string, min: string, h: string]} units of durations
 * @property {[off: string, on: string]} switches
 */

/**
 * @param {string} locale BCP 47
 * @param {Forms} forms
 */
export function numbersIn(locale, { to, over, at, units: [s, min, h], switches }) {
  /** Making one takes far longer than using it. @type {Map<string, Intl.NumberFormat>} */
  const formats = new Map();
  /** @type {(value: number, decimals?: number, options?: Intl.NumberFormatOptions) => string} */
  const figure = (value, maximumFractionDigits = 0, options = {}) => {
    if (!Number.isFinite(value)) return MISSING;
    const digits = { maximumFractionDigits, ...options };
    const key = JSON.stringify(digits);
    const format = formats.get(key) ?? new Intl.NumberFormat(locale, digits);
    formats.set(key, format);
    return format.format(value).replace('-', '−');
  };
  const fixed = (/** @type {number} */ value, /** @type {number} */ digits) =>
    figure(value, digits, { minimumFractionDigits: digits });
  const significant = (/** @type {number} */ value, /** @type {number} */ digits) =>
    figure(value, 0, { maximumSignificantDigits: digits });
  const small = (/** @type {number} */ value, /** @type {number} */ decimals) =>
    value > 0 && value < 0.1 ? significant(value, 2) : figure(value, decimals);
  const precise = (/** @type {number} */ factor) => significant(factor, 3);
  /** @param {number} pct not negative */
  const unsigned = (pct) => `${fixed(pct, 1)} %`;
  /** Returns a signed figure, unless it rounds to nothing. @type {(pct: number) => string} */
  const percent = (pct) => {
    const text = unsigned(Math.abs(pct));
    return /[1-9]/.test(text) ? `${pct < 0 ? '−' : '+'}${text}` : text;
  };
  /** @param {number} pct */
  const bounded = (pct) => (pct > WIDEST ? over(percent(WIDEST)) : percent(pct));
  /** For a title, without a sign; a loss is never rounded up to all. @param {number} pct */
  const size = (pct) => {
    const shown = Math.min(Math.abs(pct), pct > -100 && pct < 0 ? 99 : WIDEST);
    const text = `${figure(shown, shown < 10 ? 1 : 0)} %`;
    return pct > WIDEST ? over(text) : text;
  };
  /**
   * Returns "−9.5 to +5.0 %", or "−79.0 to +27.0 % at 99.8 %" where the confidence is not the usual one; all
   * in percent.
   * @type {(ends: [number, number], level?: number) => string}
   */
  const interval = ([low, high], level = USUAL) => {
    const text = `${percent(low).replace(' %', '')}${to}${bounded(high)}`;
    // It is never rounded up to certainty.
    const wide = Math.floor(10 * level) / 10;
    return wide > USUAL ? at(text, `${figure(wide, 1)} %`) : text;
  };
  /**
   * Returns " (0.84 to 0.9)".
   * @type {(level: Partial<Quotient> | undefined, format: (value: number) => string) => string}
   */
  const ends = (level, format) =>
    level?.low === undefined || level.high === undefined
      ? ''
      : ` (${format(level.low)}${to}${format(level.high)})`;
  const pctOf = (/** @type {number} */ factor) => 100 * (factor - 1);
  return {
    count: (/** @type {number} */ value) => figure(value),
    list: (/** @type {string[]} */ items) => items.join(', '),
    /** Requests a second. */
    rate: (/** @type {number} */ value) => figure(value, value < 100 ? 1 : 0),
    /** Writes a value of a load. @type {(value: string | number | boolean) => string} */
    setting: (value) => {
      if (typeof value === 'boolean') return switches[Number(value)] ?? '';
      return typeof value === 'number' ? figure(value, 3) : value;
    },
    about: (/** @type {number} */ value) => significant(value, 2),
    /** Of something that is counted: "43", "2.5". */
    amount: (/** @type {number} */ value) => figure(value, 2),
    microseconds: (/** @type {number} */ us) => fixed(us, 1),
    milliseconds: (/** @type {number} */ ms) => small(ms, ms < 10 ? 2 : ms < 100 ? 1 : 0),
    cores: (/** @type {number} */ used) => fixed(used, 2),
    /** In MB of 10^6 bytes. @param {number} bytes */
    megabytes: (bytes) => small(Number.isFinite(bytes) ? bytes / 1e6 : Number.NaN, bytes < 1e7 ? 1 : 0),
    fineMegabytes: (/** @type {number} */ bytes) => fixed(bytes / 1e6, 2),
    /** As beside an axis: "29k". */
    compact: (/** @type {number} */ value) =>
      figure(value, 0, { notation: 'compact', maximumSignificantDigits: 3 }),
    /** With its sign, as beside an axis. */
    signed: (/** @type {number} */ value) => figure(value, 2, { signDisplay: 'exceptZero' }),
    /** 0.999 as "99.9". */
    percentile: (/** @type {number} */ share) => figure(100 * share, 3),
    /** Returns percent; a share of 1 is the whole. @type {(share: number) => string} */
    portion: (share) =>
      `${share < 0.01 ? significant(100 * share, 2) : figure(100 * share, share < 0.1 ? 1 : 0)} %`,

    /** Returns "90 s", "12 min", "1 h 5 min". @type {(seconds: number) => string} */
    duration: (seconds) => {
      if (seconds < 120) return `${figure(seconds, seconds < 10 ? 1 : 0)}${s}`;
      const minutes = Math.round(seconds / 60);
      return minutes < 120 ? `${minutes}${min}` : `${Math.floor(minutes / 60)}${h} ${minutes % 60}${min}`;
    },

    precise,
    unsigned,
    /** A standard deviation in percent. @param {number} pct */
    noise: (pct) => `±${unsigned(pct)}`,
    percent,
    bounded,
    size,
    /** For a title: "+85 %". @param {number} pct */
    rough: (pct) => (pct > WIDEST ? over(`+${WIDEST} %`) : `${pct < 0 ? '−' : '+'}${size(pct)}`),
    interval,
    ends,
    /** "0.784x" */
    multiple: (/** @type {number} */ ratio) => `${precise(ratio)}x`,
    /** The ends may be equal. @type {(both: (string | number)[]) => string} */
    range: (both) => [...new Set(both)].join(to),
    /** Returns "+3.1 % (−0.4 to +6.8 %)". @type {(factor: Quotient | number) => string} */
    gain: (factor) =>
      typeof factor === 'number'
        ? percent(pctOf(factor))
        : `${percent(pctOf(factor.value))} (${interval([pctOf(factor.low), pctOf(factor.high)])})`,
  };
}

/**
 * An interval, in percent, that excludes neither half nor double says nothing: its ends are the luck of a few
 * starts.
 * @type {(interval: [number, number]) => boolean}
 */
export function isTooWide([low, high]) {
  return low <= -50 && high >= 100;
}
