import { resolve } from 'node:path';
import { harmlessJson } from '../../system/sanitize.js';
import { postResults } from './post.js';

/** @type {import('../../verbs.js').Command} */
export async function comment({ values }, io) {
  const dir = resolve(io.cwd, String(values.dir ?? 'perf-results'));
  const posted = await postResults({ dir, key: String(values.key ?? 'perf'), env: io.env });
  const text = 'url' in posted ? posted.url : `no comment posted: ${posted.denied}`;
  io.stdout.write(values.json ? harmlessJson(posted) : `${text}\n`);
  return 0;
}
