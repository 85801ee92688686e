import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of all tests of a file, which run in a process of their own. */
const TOP = realpathSync(mkdtempSync(join(tmpdir(), 'perf-test-')));
// Other users, as whom some programs run, reach a folder in it that lets them.
chmodSync(TOP, 0o711);
process.once('exit', () => rmSync(TOP, { recursive: true, force: true }));

/** @returns {string} a new folder, removed after the file's tests */
export const scratchFolder = () => mkdtempSync(join(TOP, 'x-'));
