/**
 * autocannon in a process of its own that outlives its windows: what it costs to load is paid once, not by every window.
 * It is told one window at a time over the channel to its parent, and ends with it.
 */

import { createRequire } from 'node:module';

const autocannon = createRequire(import.meta.url)('autocannon');

process.on('message', async (/** @type {object} */ options) => {
  try {
    process.send?.({ result: await autocannon(options) });
  } catch (error) {
    process.send?.({ error: /** @type {Error} */ (error).message });
  }
});
process.on('disconnect', () => process.exit());
