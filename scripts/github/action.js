/** The composite action's edge: `node scripts/github/action.js plan|run|comment|gate`. */

import { runProgram } from '../system/program.js';

await runProgram(async () => {
  const { runStep } = await import('./action/step.js');
  await runStep(process.argv[2] ?? '', process.argv[3]);
});
