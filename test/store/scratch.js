/** Folders of a test file's own, removed when it ends. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

const SCRATCH = mkdtempSync(join(tmpdir(), 'perf-store-'));
after(() => rmSync(SCRATCH, { recursive: true, force: true }));

/** @returns {string} a new one, empty */
export const scratch = () => mkdtempSync(join(SCRATCH, 'x-'));
