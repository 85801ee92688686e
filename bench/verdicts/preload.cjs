/** Preloaded into a server: makes its start take EXTRA_START_MS longer. */

'use strict';

const end = performance.now() + Number(process.env.EXTRA_START_MS);
while (performance.now() < end);
