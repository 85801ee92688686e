/** Works on several items at a time, while nothing is measured. */

/**
 * @template T
 * @param {T[]} items
 * @param {number} limit how many at a time
 * @param {(item: T) => Promise<void>} work
 * @returns {Promise<void>} when all have ended, even if one throws
 */
export async function inParallel(items, limit, work) {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: limit }, worker));
  const broken = ended.find(({ status }) => status === 'rejected');
  if (broken?.status === 'rejected') throw broken.reason;
}
