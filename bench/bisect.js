/**
 * How often `bisect` names the commit that got slower, and how long it takes: Fastify in a separate
 * repository, where one of sixteen commits costs 5 % more CPU a request. `npm run bench:bisect -- --tries
 * 10`.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { tryGit } from '../scripts/system/git.js';
import { perfAction } from './perf-action.js';
import { makePlanted } from './record/planted-repository.js';

/** @import { Bisection } from '../scripts/types.js' */

const { values } = parseArgs({ options: { tries: { type: 'string', default: '10' } } });
const COMMITS = 16;
const MORE = 0.05;

/**
 * @param {string} folder
 * @param {number} slow which commit after the first costs more, with all that follow
 * @returns {Promise<string[]>} the row of one try
 */
async function search(folder, slow) {
  await makePlanted(
    folder,
    ['fastify'],
    Array.from({ length: COMMITS }, (_, place) => (place + 1 < slow ? 0 : MORE)),
  );
  const startedAt = performance.now();
  // 3 where it found none.
  await perfAction(folder, ['bisect', `HEAD~${COMMITS}`, 'HEAD']).catch((error) => {
    if (error.code !== 3) throw error;
  });
  const minutes = (performance.now() - startedAt) / 60_000;
  const { outcome, steps } = /** @type {Bisection} */ (
    JSON.parse(readFileSync(join(folder, 'perf-results', 'bisection.json'), 'utf8'))
  );
  const named = outcome && 'commit' in outcome ? outcome.commit : undefined;
  const planted = await tryGit(folder, 'rev-parse', `HEAD~${COMMITS - slow}`);
  const lines = steps.map(
    ({ subject, verdict, change }) => `${subject} ${verdict} ${JSON.stringify(change?.ciPct)}`,
  );
  process.stderr.write(`commit ${slow + 1} planted, ${minutes.toFixed(1)} min: ${lines.join(', ')}\n`);
  return [
    `commit ${slow + 1}`,
    outcome?.code ?? 'none',
    named === undefined ? '' : named === planted ? 'yes' : 'no',
    String(steps.length),
    minutes.toFixed(1),
  ];
}

const rows = [];
for (let i = 0; i < Number(values.tries); i++) {
  const folder = mkdtempSync(join(tmpdir(), 'perf-bisect-'));
  // All places take turns, so that early and late ones are tried equally.
  const slow = 1 + ((7 * i) % COMMITS);
  rows.push(await search(folder, slow).finally(() => rmSync(folder, { recursive: true, force: true })));
}
console.log(
  markdownTable([['planted', 'outcome', 'names it', 'comparisons', 'minutes'], ...rows], {
    align: ['l', 'l', 'l', 'r', 'r'],
  }),
);
