/**
 * `perf-action comment`: posts or updates the pull-request comment from a result folder.
 * @import { Arguments } from '../../verbs.js'
 * @import { Io } from '../../main.js'
 */

import { resolve } from 'node:path';
import { postResults } from './post.js';

/** @param {Arguments} args @param {Io} io @returns {Promise<number>} */
export async function comment({ values }, io) {
  const dir = resolve(io.cwd, String(values.dir ?? 'perf-results'));
  const posted = await postResults({ dir, key: String(values.key ?? 'perf'), env: io.env });
  io.stdout.write('url' in posted ? `${posted.url}\n` : `no comment posted: ${posted.denied}\n`);
  return 0;
}
