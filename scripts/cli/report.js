/** @import { Comparison, Run } from '../types.js' */

import { basename, dirname, resolve } from 'node:path';
import { UserError } from '../model/errors.js';
import { harmlessJson } from '../system/sanitize.js';
import { isFolder } from '../system/folder.js';
import { oneOf } from '../model/units.js';
import { renderBenchmarkAction } from '../report/benchmark-action.js';
import { renderHtml } from '../report/page/page.js';
import { renderReport } from '../report/render/markdown.js';
import { readResults } from '../session/results.js';
import { readComparison } from '../store/comparison-file.js';
import { history } from './history.js';

/** @type {Record<string, (run: Run, options: { comparison?: Comparison, base?: Run | undefined }) => string>} */
const FORMATS = {
  md: renderReport,
  html: renderHtml,
  json: (run, { comparison }) => harmlessJson({ run, comparison }),
  'benchmark-action': (run) => harmlessJson(renderBenchmarkAction(run)),
};

/** @type {import('../verbs.js').Command} */
export async function report({ values, positionals }, io) {
  const [file, ...more] = positionals;
  if (values.history !== undefined) return history({ values, positionals }, io);
  if (file === undefined || more.length > 0)
    throw new UserError(
      'report needs one run file or result folder, or stored runs: perf-action report RUN|FOLDER | --history FOLDER|BRANCH',
    );
  const format = oneOf(
    String(values.format ?? (values.json ? 'json' : 'md')),
    Object.keys(FORMATS),
    '--format',
  );
  const place = resolve(io.cwd, file);
  const isResults = isFolder(place);
  const dir = isResults ? place : dirname(place);
  const { run, ...compared } = await readResults(dir, isResults ? undefined : basename(place));
  if (typeof values.comparison === 'string')
    compared.comparison = await readComparison(resolve(io.cwd, values.comparison));
  io.stdout.write(/** @type {(typeof FORMATS)[string]} */ (FORMATS[format])(run, compared));
  return 0;
}
