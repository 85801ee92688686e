/** The composite action's edge: `node scripts/github/action.js plan|run|comment|gate`. */

import { runProgram } from '../system/run-program.js';

await runProgram(async () => {
  const { runStep } = await import('./action/run-step.js');
  await runStep(process.argv[2] ?? '', process.argv[3]);
});
