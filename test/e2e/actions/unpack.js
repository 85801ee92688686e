/** Reads what a job left. */

import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/**
 * @param {string | undefined} file an artifact's zip file
 * @returns {Promise<Record<string, string>>} texts by name
 */
export async function unpack(file) {
  if (file === undefined) throw new Error('there is no such artifact');
  const opened = await fromBufferPromise(readFileSync(file));
  /** @type {Record<string, string>} */
  const texts = {};
  for await (const entry of opened.eachEntry())
    texts[entry.fileName] = String(await buffer(await opened.openReadStreamPromise(entry)));
  return texts;
}
