/**
 * Reads `run.json` of the working directory as the job that comments does: exit code 2, and one line where it
 * is refused.
 */

import { BOUNDS } from '../scripts/github/comment/artifact.js';
import { readRun } from '../scripts/store/run-file.js';

await readRun('run.json', BOUNDS).catch(({ message }) => console.error(message));
process.exitCode = 2;
