/** When other programs work: bursts, and pauses that are longer the less of the time they work. */

/**
 * @typedef {object} Bursts
 * @property {number} share of the time that is in bursts
 * @property {readonly [shortest: number, longest: number]} lengths in seconds: as many up to the double of
 *   one as to its half
 */

/**
 * @param {Bursts} bursts
 * @param {() => number} random
 * @returns {Generator<[from: number, to: number], never>} in seconds, without an end
 */
export function* drawBursts({ share, lengths: [shortest, longest] }, random) {
  const length = () => shortest * (longest / shortest) ** random();
  for (let from = 0; ;) {
    const to = from + length();
    yield [from, to];
    from = to + (length() * (1 - share)) / share;
  }
}
