import { resolve } from 'node:path';
import { postResults } from './post.js';

/** @type {import('../../verbs.js').Command} */
export async function comment({ values }, io) {
  const dir = resolve(io.cwd, String(values.dir ?? 'perf-results'));
  const posted = await postResults({ dir, key: String(values.key ?? 'perf'), env: io.env });
  io.stdout.write('url' in posted ? `${posted.url}\n` : `no comment posted: ${posted.denied}\n`);
  return 0;
}
