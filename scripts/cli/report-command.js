/**
 * @import { Run } from '../types.js'
 * @import { Results } from '../session/results.js'
 */

import { basename, dirname, resolve } from 'node:path';
import { UserError } from '../model/errors.js';
import { harmlessJson } from '../system/sanitize.js';
import { isFolder } from '../system/folder.js';
import { oneOf } from '../model/units.js';
import { renderBenchmarkAction } from '../report/render/benchmark-action.js';
import { renderHtml } from '../report/page/page.js';
import { answerMarkdown, renderReport } from '../report/render/markdown.js';
import { readResults } from '../session/results.js';
import { readComparison } from '../store/run-file.js';
import { trendsOf } from '../history/trend.js';
import { trendAnswer } from '../report/document/trend-answer.js';
import { renderTrendPage } from '../report/page/trend-page.js';
import { readHistory, whyUnusable } from '../history/past-runs.js';
import { siteOf, tryGit } from '../system/git.js';
import { remoteOf, withBranch } from '../history/branch.js';

/** @type {Record<string, (run: Run, options: Omit<Results, 'run'>) => string>} */
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
  const asked = String(values.format ?? (values.json ? 'json' : 'md'));
  const format = oneOf(asked, Object.keys(FORMATS), '--format');
  const place = resolve(io.cwd, file);
  const isResults = isFolder(place);
  const dir = isResults ? place : dirname(place);
  const { run, ...compared } = await readResults(dir, isResults ? undefined : basename(place));
  if (typeof values.comparison === 'string')
    compared.comparison = await readComparison(resolve(io.cwd, values.comparison));
  io.stdout.write(/** @type {(typeof FORMATS)[string]} */ (FORMATS[format])(run, compared));
  return 0;
}

/** @type {Record<string, typeof renderTrendPage>} */
const TREND_FORMATS = {
  md: (...trends) => answerMarkdown(trendAnswer(...trends)),
  html: renderTrendPage,
  json: (trends) => harmlessJson(trends),
};

/**
 * @type {(name: string, io: import('../main.js').Io) => ReturnType<typeof readHistory>}
 * @throws {UserError} where no branch can have that name, or there is no remote
 */
async function readBranch(name, { cwd, env }) {
  const isName = (await tryGit(cwd, 'check-ref-format', '--branch', name)) !== undefined;
  const remote = isName ? await remoteOf(cwd).catch(() => undefined) : undefined;
  if (remote === undefined)
    throw new UserError(
      `--history ${name}: there is no folder ${name} and no branch ${name}; name the folder that perf-action baseline save writes, like baselines, or a branch of the remote origin`,
    );
  return withBranch({ branch: name, remote, env }, readHistory);
}

/** @type {import('../verbs.js').Command} */
async function history({ values, positionals }, io) {
  const { history: place, json, format = json ? 'json' : 'md', ...others } = values;
  if (positionals.length > 0 || others.comparison !== undefined)
    throw new UserError('report --history: takes stored runs alone; remove the run file and --comparison');
  const render = TREND_FORMATS[oneOf(String(format), Object.keys(TREND_FORMATS), '--format')];
  const name = String(place);
  const isLocal = isFolder(resolve(io.cwd, name));
  const { past, runs, broken } = isLocal
    ? await readHistory(resolve(io.cwd, name))
    : await readBranch(name, io);
  for (const line of broken) io.stderr.write(`perf-action: skipped: ${line}\n`);
  const why = whyUnusable(runs);
  if (past.length === 0)
    throw new UserError(
      `--history ${name}: ${why ?? `${isLocal ? 'no stored run in this folder' : `there is no folder ${name}, and no stored run in a branch ${name}`}; perf-action baseline save stores one`}`,
    );
  if (why) io.stderr.write(`perf-action: left out: ${why}\n`);
  const site = await siteOf(io.cwd);
  io.stdout.write(render?.(trendsOf(past), { runs, site }) ?? '');
  return 0;
}
