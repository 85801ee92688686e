/**
 * mulberry32 by Tommy Ettinger (public domain): 32 bits of state are enough to shuffle some hundred cases.
 * @param {number} seed a whole number below 2^32
 * @returns {() => number} the next number, from 0 to below 1; the same sequence on every machine
 */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
