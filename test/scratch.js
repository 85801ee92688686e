import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of all tests of a file, which run in a process of their own. */
const TOP = realpathSync(mkdtempSync(join(tmpdir(), 'perf-test-')));
process.once('exit', () => rmSync(TOP, { recursive: true, force: true }));

/** @returns {string} a new folder, removed after the file's tests */
export const scratchFolder = () => mkdtempSync(join(TOP, 'x-'));
