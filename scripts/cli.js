#!/usr/bin/env node
/** Entry point. It loads main.js only after the limit on open files is checked. */

import { runProgram } from './system/run-program.js';

await runProgram(async () => {
  const { runMain } = await import('./main.js');
  await runMain();
});
