/** A repeatable shuffle: the same seed gives the same order on every machine. */

/**
 * Fisher-Yates in Durstenfeld's form (CACM algorithm 235, 1964): every order is equally likely.
 * @template T
 * @param {readonly T[]} items
 * @param {() => number} random from 0 up to, but not including, 1
 * @returns {T[]} a new list
 */
export function shuffle(items, random) {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1));
    [mixed[last], mixed[chosen]] = [/** @type {T} */ (mixed[chosen]), /** @type {T} */ (mixed[last])];
  }
  return mixed;
}

/**
 * mulberry32 by Tommy Ettinger (public domain): 32 bits of state, ample for shuffling some hundred cases.
 * @param {number} seed a whole number below 2^32
 * @returns {() => number} the next number, from 0 up to, but not including, 1
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
