/**
 * Numbers as readers of a language see them. What a stranger's run file gives instead of a number is shown as missing.
 * @import { Quotient } from '../../judge/ratio.js'
 */

const MISSING = '–';
/** Larger changes, in percent, are shown as "over": few starts cannot tell them apart. */
const WIDEST = 999;
const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const TWO_DECIMALS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

/** Packages that changed are named up to this many. */
export const MOST_PACKAGES = 8;

/** @template T @param {T | undefined} value @param {(value: T) => string} text @returns {string} */
export function ifKnown(value, text) {
  return value === undefined ? '' : text(value);
}

/**
 * @param {string} locale BCP 47
 * @param {{ to: string, over: (bound: string) => string, units: [s: string, min: string, h: string], switches: [off: string, on: string] }} forms
 *   to: between the ends of an interval; units: of durations
 */
export function numbersIn(locale, { to, over, units: [s, min, h], switches }) {
  /** Making one takes far longer than using it. @type {Map<string, Intl.NumberFormat>} */
  const formats = new Map();
  /** @type {(value: number, digits?: Intl.NumberFormatOptions) => string} */
  const figure = (value, digits = { maximumFractionDigits: 0 }) => {
    if (!Number.isFinite(value)) return MISSING;
    const key = JSON.stringify(digits);
    const format = formats.get(key) ?? new Intl.NumberFormat(locale, digits);
    formats.set(key, format);
    return format.format(value).replace('-', '−');
  };
  const count = (/** @type {number} */ value) => figure(value);
  const list = (/** @type {string[]} */ items) => items.join(', ');
  /** @param {number} factor @returns {string} three digits */
  const precise = (factor) => figure(factor, { maximumSignificantDigits: 3 });
  /** @param {number} pct not negative */
  const unsigned = (pct) => `${figure(pct, ONE_DECIMAL)} %`;
  /** @param {number} pct @returns {string} signed, unless it rounds to nothing */
  const percent = (pct) => {
    const text = unsigned(Math.abs(pct));
    return /[1-9]/.test(text) ? `${pct < 0 ? '−' : '+'}${text}` : text;
  };
  /** @param {number} pct */
  const bounded = (pct) => (pct > WIDEST ? over(percent(WIDEST)) : percent(pct));
  /** @param {[number, number]} ends in percent @returns {string} "−9.5 to +5.0 %" */
  const interval = ([low, high]) => `${percent(low).replace(' %', '')}${to}${bounded(high)}`;
  /** @type {(level: Partial<Quotient> | undefined, format: (value: number) => string) => string} " (0.84 to 0.9)" */
  const ends = (level, format) =>
    level?.low === undefined || level.high === undefined
      ? ''
      : ` (${format(level.low)}${to}${format(level.high)})`;
  const pctOf = (/** @type {number} */ factor) => 100 * (factor - 1);

  return {
    count,
    list,
    precise,
    unsigned,
    percent,
    bounded,
    interval,
    ends,
    /** "0.87x (0.84 to 0.9)" */
    quotient: (/** @type {Quotient} */ quotient) => `${precise(quotient.value)}x${ends(quotient, precise)}`,

    /** @param {(string | number)[]} both ends, which may be equal @returns {string} */
    range: (both) => [...new Set(both)].join(to),

    /** @param {Quotient | number} factor @returns {string} "+3.1 % (−0.4 to +6.8 %)" */
    gain: (factor) =>
      typeof factor === 'number'
        ? percent(pctOf(factor))
        : `${percent(pctOf(factor.value))} (${interval([pctOf(factor.low), pctOf(factor.high)])})`,

    /** Requests a second. */
    rate: (/** @type {number} */ value) => figure(value, { maximumFractionDigits: value < 100 ? 1 : 0 }),
    /** Of a load. @param {string | number | boolean} value @returns {string} */
    setting: (value) => {
      if (typeof value === 'boolean') return switches[Number(value)] ?? '';
      return typeof value === 'number' ? figure(value, { maximumFractionDigits: 3 }) : value;
    },
    /** Two digits. */
    about: (/** @type {number} */ value) => figure(value, { maximumSignificantDigits: 2 }),
    /** "0.784x" */
    multiple: (/** @type {number} */ ratio) => `${precise(ratio)}x`,
    microseconds: (/** @type {number} */ us) => figure(us, ONE_DECIMAL),
    cores: (/** @type {number} */ used) => figure(used, TWO_DECIMALS),
    /** As beside an axis: "29k". */
    compact: (/** @type {number} */ value) =>
      figure(value, { notation: 'compact', maximumSignificantDigits: 3 }),
    /** With its sign, as beside an axis. */
    signed: (/** @type {number} */ value) =>
      figure(value, { signDisplay: 'exceptZero', maximumFractionDigits: 2 }),
    /** Of a share: "99.9". */
    percentile: (/** @type {number} */ share) => figure(100 * share, { maximumFractionDigits: 3 }),

    /** @param {number} ms @returns {string} */
    milliseconds: (ms) => {
      if (ms > 0 && ms < 0.1) return figure(ms, { maximumSignificantDigits: 2 });
      return figure(ms, { maximumFractionDigits: ms < 10 ? 2 : ms < 100 ? 1 : 0 });
    },

    /** @param {number} bytes @returns {string} in MB of 10^6 bytes */
    megabytes: (bytes) => {
      const mb = Number.isFinite(bytes) ? bytes / 1e6 : Number.NaN;
      if (mb > 0 && mb < 0.1) return figure(mb, { maximumSignificantDigits: 2 });
      return figure(mb, { maximumFractionDigits: mb < 10 ? 1 : 0 });
    },
    /** The same with two decimal places. */
    fineMegabytes: (/** @type {number} */ bytes) => figure(bytes / 1e6, TWO_DECIMALS),

    /** @param {number} seconds @returns {string} "90 s", "12 min", "1 h 5 min" */
    duration: (seconds) => {
      if (seconds < 120) return `${figure(seconds, { maximumFractionDigits: seconds < 10 ? 1 : 0 })}${s}`;
      const minutes = Math.round(seconds / 60);
      return minutes < 120 ? `${minutes}${min}` : `${Math.floor(minutes / 60)}${h} ${minutes % 60}${min}`;
    },

    /** @param {number} share 1 is the whole @returns {string} in percent */
    portion: (share) => {
      const pct = share * 100;
      return `${figure(pct, pct < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: pct < 10 ? 1 : 0 })} %`;
    },
  };
}

/**
 * An interval that excludes neither half nor double says nothing: its ends are the luck of a few starts.
 * @param {[number, number]} interval in percent @returns {boolean}
 */
export function isTooWide([low, high]) {
  return low <= -50 && high >= 100;
}
