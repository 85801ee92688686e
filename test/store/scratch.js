/** Folders of a test file's own, removed when it ends. */

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../scratch.js';

const SCRATCH = scratchFolder();

/** @returns {string} a new one, empty */
export const scratch = () => mkdtempSync(join(SCRATCH, 'x-'));
