/** Folders for the time of some work. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder is removed after the work. @type {<T>(work: (folder: string) => Promise<T>) => Promise<T>} */
export async function withScratch(work) {
  const folder = await mkdtemp(join(tmpdir(), 'perf-action-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
