import { basename, dirname, resolve } from 'node:path';
import { UserError } from '../model/errors.js';
import { mergeRuns } from '../store/merge.js';
import { readRun, writeRun } from '../store/run-file.js';
import { harmlessJson } from '../system/sanitize.js';

/** @type {import('../verbs.js').Command} */
export async function merge({ values, positionals }, io) {
  if (positionals.length === 0 || typeof values.out !== 'string') {
    throw new UserError('merge needs run files and --out: perf-action merge RUN... --out FILE');
  }
  const runs = await Promise.all(positionals.map((file) => readRun(resolve(io.cwd, file))));
  const out = resolve(io.cwd, values.out);
  await writeRun(dirname(out), mergeRuns(runs), basename(out));
  const joined = { file: values.out, shards: runs.length };
  io.stdout.write(values.json ? harmlessJson(joined) : `${joined.file}: ${joined.shards} shards joined\n`);
  return 0;
}
