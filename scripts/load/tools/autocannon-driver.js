/**
 * autocannon in a process of its own that outlives its windows: what it costs to load is paid once, not by every window.
 * It is told one window at a time over the channel to its parent, and ends with it.
 */

import { createRequire } from 'node:module';
import { Int32Histogram } from 'hdr-histogram-js';

const autocannon = createRequire(import.meta.url)('autocannon');

process.on('message', async (/** @type {{ workers?: number }} */ options) => {
  // Its workers have histograms of their own, of which it tells only the percentiles.
  const latencies = options.workers === undefined ? new Int32Histogram(1, 2, 3) : undefined;
  if (latencies) latencies.autoResize = true;
  try {
    const result = await autocannon({ ...options, ...(latencies && { histograms: { latencies } }) });
    process.send?.({ result: { ...result, ...(latencies && { latencies: recorded(latencies) }) } });
  } catch (error) {
    process.send?.({ error: /** @type {Error} */ (error).message });
  }
});
process.on('disconnect', () => process.exit());

/**
 * @param {Int32Histogram} histogram of milliseconds
 * @returns {import('../../types.js').Latencies}
 */
function recorded(histogram) {
  /** @type {import('../../types.js').Latencies} */
  const found = { us: [], counts: [] };
  for (let index = 0; index <= histogram.countsArrayIndex(histogram.maxValue); index++) {
    found.us.push(histogram.valueFromIndex(index) * 1000);
    found.counts.push(histogram.getCountAtIndex(index));
  }
  return found;
}
