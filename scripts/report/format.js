/** Numbers as readers see them. What a stranger's run file gives instead of a number is shown as missing. */

const MISSING = '–';

/** @param {number} value requests a second @returns {string} */
export function rate(value) {
  return figure(value, { maximumFractionDigits: value < 100 ? 1 : 0 });
}

/** @param {number} value @returns {string} */
export function count(value) {
  return figure(value, { maximumFractionDigits: 0 });
}

/** @param {number} ms milliseconds @returns {string} digits that mean something */
export function milliseconds(ms) {
  if (ms > 0 && ms < 0.1) return figure(ms, { maximumSignificantDigits: 2 });
  return figure(ms, { maximumFractionDigits: ms < 10 ? 2 : ms < 100 ? 1 : 0 });
}

/** @param {number} us microseconds @returns {string} */
export function microseconds(us) {
  return figure(us, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** @param {number} seconds @returns {string} "90 s", "12 min", "1 h 5 min" */
export function duration(seconds) {
  if (seconds < 120) return `${figure(seconds, { maximumFractionDigits: seconds < 10 ? 1 : 0 })} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** @param {number} bytes @returns {string} in MB of 10^6 bytes, the one prefix of its column */
export function megabytes(bytes) {
  const mb = Number.isFinite(bytes) ? bytes / 1e6 : Number.NaN;
  if (mb > 0 && mb < 0.1) return figure(mb, { maximumSignificantDigits: 2 });
  return figure(mb, { maximumFractionDigits: mb < 10 ? 1 : 0 });
}

/** @param {number} ratio @returns {string} "4.9x", "0.17x" */
export function times(ratio) {
  const digits =
    ratio < 0.995 ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return `${figure(ratio, digits)}x`;
}

/** @param {number} share 1 is the whole @returns {string} unsigned */
export function portion(share) {
  const pct = share * 100;
  return `${figure(pct, pct < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 })} %`;
}

/** @param {number} pct @returns {string} signed, one decimal */
export function percent(pct) {
  const text = unsigned(Math.abs(pct));
  // A value that rounds to nothing has no sign.
  return /[1-9]/.test(text) ? `${pct < 0 ? '−' : '+'}${text}` : text;
}

/** @param {number} pct not negative @returns {string} one decimal */
export function unsigned(pct) {
  return `${figure(pct, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} %`;
}

/** Nobody reads more into a change than this, in percent: too few boots said anything at all. */
const WIDEST = 999;

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

/** @param {[number, number]} interval in percent @returns {string} */
export function interval([low, high]) {
  const upper = high > WIDEST ? `over ${percent(WIDEST)}` : percent(high);
  return `${percent(low).replace(' %', '')} to ${upper}`;
}

/**
 * @param {number} number
 * @param {string} noun
 * @returns {string} "1 round", "2 rounds"
 */
export function some(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/**
 * @param {number} value
 * @param {Intl.NumberFormatOptions} digits
 */
function figure(value, digits) {
  return Number.isFinite(value) ? value.toLocaleString('en-US', digits) : MISSING;
}
