#!/usr/bin/env node
/** The command line's edge. */

import { runProgram } from './system/program.js';

await runProgram(async () => {
  const { runMain } = await import('./main.js');
  await runMain();
});
