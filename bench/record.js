/**
 * How often reports raise a false alarm, and how soon they find what was planted: whole commands, again and
 * again.
 *
 *     npm run record -- --here 20 makes twenty more reports on this machine; --only "fastify wrk": of cases
 *       that begin so
 *     npm run record -- --here 20 --follow and what is unsure again, with the budget that the report advises
 *     npm run record -- --table      prints what all reports show
 *
 * --rows FILE: where reports are kept, one a line; --machine NAME: what to call this kind of machine.
 */

import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { arch, availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { least } from 'd3-array';
import { git } from '../scripts/system/git.js';
import { readJsonLines } from './json-lines.js';
import { startBusy } from './record/busy.js';
import { CASES, NEIGHBOURS, ORDINARY, nameOf } from './record/cases.js';
import { makeReport } from './record/one-report.js';
import { makePlanted } from './record/planted-repository.js';
import { makePlantedShop } from './record/planted-shop.js';
import { adviceText, casesTable, machinesTable } from './record/tables.js';

/** @import { Case } from './record/cases.js' */
/** @import { Row } from './record/one-report.js' */

/**
 * Unchanged servers are measured so many times as often, but for first minutes: it takes many reports to show
 * that false alarms are rare.
 */
const UNCHANGED_WEIGHT = 4;

const { values } = parseArgs({
  options: {
    here: { type: 'string' },
    only: { type: 'string', multiple: true },
    follow: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    rows: { type: 'string', default: fileURLToPath(new URL('record/rows.jsonl', import.meta.url)) },
    machine: { type: 'string', default: `${availableParallelism()} cores, ${cpus()[0]?.model}, ${arch()}` },
  },
});
const { rows: file, machine } = values;

if (values.here) await makeReports(Number(values.here));
if (values.table) {
  const rows = readRows();
  console.log([machinesTable, casesTable, adviceText].map((show) => show(rows)).join('\n\n'));
}

/** @param {number} count Continues where an earlier command stopped. */
async function makeReports(count) {
  const work = mkdtempSync(join(tmpdir(), 'perf-record-'));
  /** By key, each made once. @type {Map<string, Awaited<ReturnType<typeof makeRepository>>>} */
  const repositories = new Map();
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isStopped = true));
  try {
    for (let made = 0; made < count && !isStopped; made++) {
      const each = nextCase();
      const key = keyOf(each);
      const repository = repositories.get(key) ?? (await makeRepository(join(work, key), each));
      repositories.set(key, repository);
      const row = await report(repository, each);
      if (values.follow && row.advised) {
        const { verdict } = await report(repository, { ...each, budget: 60 * row.advised.minutes });
        row.advised.verdict = verdict;
      }
      appendFileSync(file, `${JSON.stringify(row)}\n`);
      console.error(
        `${row.name}: ${row.verdict} after ${row.seconds.toFixed(0)} s, ${row.changePct.toFixed(1)} %`,
      );
    }
  } catch (error) {
    // Ctrl+C reaches the command that is measuring, too.
    if (!isStopped) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** @returns {Case} the one with the fewest reports on this kind of machine */
function nextCase() {
  const { only } = values;
  const cases = only
    ? CASES.filter((each) => only.some((beginning) => nameOf(each).startsWith(beginning)))
    : ORDINARY;
  const made = readRows().filter((row) => row.machine === machine);
  const next = least(
    cases,
    (each) =>
      made.filter(({ name }) => name === nameOf(each)).length /
      (each.planted === 0 && !each.short ? UNCHANGED_WEIGHT : 1),
  );
  if (next === undefined) throw new Error(`no case begins with ${only}: ${CASES.map(nameOf).join(', ')}`);
  return next;
}

/**
 * The same for cases that one repository serves; an unchanged one needs no measuring of what to plant.
 * @type {(each: Case) => string}
 */
function keyOf({ server, routes = '', beside = [], what, planted }) {
  return [planted === 0 ? 'unchanged' : (what ?? 'request'), server, routes, ...beside].join('-');
}

/**
 * @param {string} folder
 * @param {Case} each
 */
async function makeRepository(folder, each) {
  mkdirSync(folder);
  const shares = CASES.filter((other) => keyOf(other) === keyOf(each)).map(({ planted }) => planted);
  const distinct = [...new Set(shares)];
  const servers = /** @type {const} */ ([each.server, ...(each.beside ?? [])]);
  const [base = '', ...heads] = each.routes
    ? await makePlantedShop(folder, each.server, distinct)
    : await makePlanted(folder, [...servers], distinct, each.what);
  return { folder, base, heads: new Map(distinct.map((share, place) => [share, heads[place] ?? ''])) };
}

/** @type {(repository: Awaited<ReturnType<typeof makeRepository>>, each: Case) => Promise<Row>} */
async function report({ folder, base, heads }, each) {
  await git(folder, ['checkout', '--quiet', heads.get(each.planted) ?? '']);
  const busy = each.busy ? startBusy(NEIGHBOURS[each.busy]) : undefined;
  return makeReport(folder, each, { base, machine }).finally(() => busy?.stop());
}

/** @returns {Row[]} */
function readRows() {
  return existsSync(file) ? readJsonLines(file) : [];
}
