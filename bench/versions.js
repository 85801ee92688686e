/**
 * Published pairs of versions that changed speed, and others that did not: each is one `perf-action run
 * --against PACKAGE@FROM` in a repository whose app has the version TO.
 *
 *     npm run bench:versions -- [--only koa] [--rounds 1] [--out pairs.jsonl] --out: pairs that it has are
 *       not measured again
 */

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { stringify } from 'yaml';
import { changeText } from '../scripts/report/text/change-words.js';
import { wordsIn } from '../scripts/report/text/words.js';
import { initRepository } from './copy-repository.js';
import { readJsonLines } from './json-lines.js';
import { perfAction } from './perf-action.js';
import { APPS, PAIRS } from './versions/pairs.js';

/** @import { Comparison, MetricComparison } from '../scripts/types.js' */
/** @import { Pair } from './versions/pairs.js' */

/**
 * seconds: of the whole command.
 * @typedef {{ pair: string, verdict: string, changes: (MetricComparison | undefined)[], seconds: number }}
 *   Row
 */

const LOCK = 'install --package-lock-only --save-exact --ignore-scripts --no-audit --no-fund'.split(' ');
const METRICS = ['cpuPerRequest', 'throughput'];
const AS_PUBLISHED = { faster: 'improved', slower: 'regressed', same: 'same' };

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, rounds: { type: 'string' }, out: { type: 'string' } },
});
const words = wordsIn();
const pairs = PAIRS.filter((pair) => nameOf(pair).includes(values.only));
const rows = readRows();
for (const pair of pairs) {
  if (rows.has(nameOf(pair))) continue;
  const row = await measure(pair);
  rows.set(row.pair, row);
  if (values.out) appendFileSync(values.out, `${JSON.stringify(row)}\n`);
  process.stderr.write(`${cellsOf(pair).join(' | ')}\n`);
}
console.log(
  markdownTable(
    [['versions', 'known as', 'verdict', 'CPU per request', 'throughput', 'seconds'], ...pairs.map(cellsOf)],
    { align: ['l', 'l', 'l', 'r', 'r', 'r'] },
  ),
);

/** @param {Pair} pair */
function nameOf({ name, from, to }) {
  return `${name} ${from} → ${to}`;
}

/** @returns {Map<string, Row>} what an earlier call measured */
function readRows() {
  if (!values.out || !existsSync(values.out)) return new Map();
  return new Map(readJsonLines(values.out).map((row) => [row.pair, row]));
}

/** @type {(pair: Pair) => Promise<Row>} */
async function measure(pair) {
  const folder = mkdtempSync(join(tmpdir(), 'perf-versions-'));
  try {
    writeRepository(folder, pair);
    const startedAt = performance.now();
    const rounds = values.rounds ? ['--rounds', values.rounds] : [];
    const against = ['--against', `${pair.name}@${pair.from}`];
    // 3 where a side could not be measured; comparison.json says so.
    await perfAction(folder, ['run', '--fail-on', 'never', '--no-explain', ...against, ...rounds]).catch(
      (error) => {
        if (error.code !== 3) throw error;
      },
    );
    const seconds = (performance.now() - startedAt) / 1000;
    const { cases } = /** @type {Comparison} */ (
      JSON.parse(readFileSync(join(folder, 'perf-results', 'comparison.json'), 'utf8'))
    );
    const [compared] = cases;
    const changes = METRICS.map((id) => compared?.metrics.find(({ metric }) => metric === id));
    return { pair: nameOf(pair), verdict: compared?.verdict ?? 'failed', changes, seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder gets the pair's app, with its newer version
 * @param {Pair} pair
 */
function writeRepository(folder, { name, to, app }) {
  const { packages, code, route } = /** @type {import('./versions/pairs.js').App} */ (APPS[app]);
  const isNode = name === 'node';
  const server = { id: 'app', folder: './app', install: 'npm ci', start: 'node server.js', routes: [route] };
  const config = { reference: 'off', servers: [{ ...server, ...(isNode && { node: to }) }] };
  const cwd = join(folder, 'app');
  mkdirSync(cwd);
  writeFileSync(join(folder, '.gitignore'), 'node_modules\nperf-results\n');
  writeFileSync(join(folder, 'perf.yml'), stringify(config));
  writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(cwd, 'server.js'), `const { PORT, HOST } = process.env;\n${code}\n`);
  execFileSync('npm', [...LOCK, ...(isNode ? [] : [`${name}@${to}`]), ...packages], { cwd, stdio: 'pipe' });
  initRepository(folder);
}

/**
 * @param {Pair} pair
 * @returns {string[]} of its row in the table
 */
function cellsOf(pair) {
  const { expected, says, source } = pair;
  const row = rows.get(nameOf(pair));
  if (!row) return [];
  const verdict = row.verdict === AS_PUBLISHED[expected] ? row.verdict : `**${row.verdict}**`;
  const changes = row.changes.map((change) => (change ? changeText(change, words) : '–'));
  return [nameOf(pair), `[${expected}](${source}): ${says}`, verdict, ...changes, row.seconds.toFixed(0)];
}
