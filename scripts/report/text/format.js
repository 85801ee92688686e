/** Numbers as readers of a language see them. What a stranger's run file gives instead of a number is shown as missing. */

const MISSING = '–';

/**
 * @param {number | undefined} value
 * @param {(value: number) => string} text
 * @returns {string} nothing where there is nothing to tell
 */
export function ifKnown(value, text) {
  return value === undefined ? '' : text(value);
}

/** @param {string} locale BCP 47 */
export function numbersIn(locale) {
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
  const rules = new Intl.PluralRules(locale);
  const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

  /** @param {number} pct not negative @returns {string} one decimal */
  const unsigned = (pct) => `${figure(pct, oneDecimal)} %`;

  return {
    figure,

    /** @param {number} value @returns {string} */
    count: (value) => figure(value),

    /** @param {number} value requests a second @returns {string} */
    rate: (value) => figure(value, { maximumFractionDigits: value < 100 ? 1 : 0 }),

    /** @param {number} value @returns {string} two digits */
    about: (value) => figure(value, { maximumSignificantDigits: 2 }),

    /** @param {number} ms milliseconds @returns {string} digits that mean something */
    milliseconds: (ms) =>
      figure(
        ms,
        ms > 0 && ms < 0.1
          ? { maximumSignificantDigits: 2 }
          : { maximumFractionDigits: ms < 10 ? 2 : ms < 100 ? 1 : 0 },
      ),

    /** @param {number} us microseconds @returns {string} */
    microseconds: (us) => figure(us, oneDecimal),

    /** @param {number} used cores of CPU @returns {string} */
    cores: (used) => figure(used, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),

    /** @param {number} bytes @returns {string} in MB of 10^6 bytes, the one prefix of its column */
    megabytes: (bytes) => {
      const mb = Number.isFinite(bytes) ? bytes / 1e6 : Number.NaN;
      if (mb > 0 && mb < 0.1) return figure(mb, { maximumSignificantDigits: 2 });
      return figure(mb, { maximumFractionDigits: mb < 10 ? 1 : 0 });
    },

    /** @param {number} seconds @returns {string} "90 s", "12 min", "1 h 5 min" */
    duration: (seconds) => {
      if (seconds < 120) return `${figure(seconds, { maximumFractionDigits: seconds < 10 ? 1 : 0 })} s`;
      const minutes = Math.round(seconds / 60);
      return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    },

    /** @param {number} ratio @returns {string} three digits: "0.784x" */
    multiple: (ratio) => `${figure(ratio, { maximumSignificantDigits: 3 })}x`,

    /** @param {number} share 1 is the whole @returns {string} unsigned */
    portion: (share) => {
      const pct = share * 100;
      return `${figure(pct, pct < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 })} %`;
    },

    unsigned,

    /** @param {number} pct @returns {string} signed, one decimal */
    percent: (pct) => {
      const text = unsigned(Math.abs(pct));
      // A value that rounds to nothing has no sign.
      return /[1-9]/.test(text) ? `${pct < 0 ? '−' : '+'}${text}` : text;
    },

    /** @param {number} value @returns {string} short, as beside an axis: "29k" */
    compact: (value) => figure(value, { notation: 'compact', maximumSignificantDigits: 3 }),

    /** @param {number} value @returns {string} with its sign, as beside an axis */
    signed: (value) =>
      `${value < 0 ? '−' : value > 0 ? '+' : ''}${figure(Math.abs(value), { maximumFractionDigits: 2 })}`,

    /** @param {number} factor @returns {string} three digits */
    precise: (factor) => figure(factor, { maximumSignificantDigits: 3 }),

    /** @param {number} share 0 to 1 @returns {string} "99.9" */
    percentile: (share) => figure(100 * share, { maximumFractionDigits: 3 }),

    /** @param {string[]} items @returns {string} "a, b, c" */
    list: (items) => items.join(', '),

    /**
     * @param {number} number
     * @param {Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }} forms
     * @returns {string} "1 round", "2 rounds"
     */
    some: (number, forms) => `${figure(number)} ${forms[rules.select(number)] ?? forms.other}`,
  };
}

/** Nobody reads more into a change than this, in percent: too few boots said anything at all. */
export const WIDEST = 999;

/** In percent: half, and the double. */
const [HALF, DOUBLE] = [-50, 100];

/**
 * Where neither half nor double is excluded, the ends are the luck of a few boots: who reads one of them as a finding is
 * misled. An interval that is wide to one side only still says to which.
 * @param {[number, number]} interval in percent
 * @returns {boolean} whether it tells nothing
 */
export function isTooWide([low, high]) {
  return low <= HALF && high >= DOUBLE;
}
