/**
 * What coverage knows of services of twenty routes, and what runs make of that: each kind of change is
 * planted.
 *
 *     npm run bench:touched -- --names                 which routes are called touched, after each change
 *     npm run bench:touched -- --found --tries 20      5 % more CPU within a budget of 90 s, or --budget 5m
 *     npm run bench:touched -- --control --tries 10    20 % more on routes whose code is the same
 *     npm run bench:touched -- --unchanged --tries 20  runs of a changed comment
 *     npm run bench:touched -- --before --tries 5      decided routes, with and without controls
 *
 * --only express,nest: of these services; --change comment: of the changes that are called so. Exits with 1
 * where a route is called touched that is not, or the reverse.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { max, median } from 'd3-array';
import { perfAction } from './perf-action.js';
import { COMMENT, REPOSITORY } from './touched/changes.js';
import { makeKnown, makeShop } from './touched/repository.js';
import { calibratedGlobals, calibratedSlower, isChange, runAgainst } from './touched/runs.js';
import { SHOPS } from './touched/shops.js';

/** @import { CaseComparison, Touched } from '../scripts/types.js' */
/** @import { Change } from './touched/changes.js' */
/** @import { Subject } from './touched/repository.js' */

const KNOWN = `${REPOSITORY.name} of bench:repositories`;
/** Of CPU. */
const SHARE = 0.05;

const { values: options } = parseArgs({
  options: {
    names: { type: 'boolean', default: false },
    found: { type: 'boolean', default: false },
    control: { type: 'boolean', default: false },
    unchanged: { type: 'boolean', default: false },
    before: { type: 'boolean', default: false },
    tries: { type: 'string', default: '1' },
    budget: { type: 'string', default: '90s' },
    only: { type: 'string' },
    change: { type: 'string', default: '' },
  },
});
const tries = Number(options.tries);
const scratch = mkdtempSync(join(tmpdir(), 'perf-touched-'));
try {
  if (options.names) await printNames();
  if (options.found) await printFound();
  if (options.control) await printControls();
  if (options.unchanged) await printUnchanged();
  if (options.before) await printBefore();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** @param {string[]} cells */
function printRow(cells) {
  console.log(`| ${cells.join(' | ')} |`);
}

/** Ends with a line below it. @param {string[]} cells */
function printHead(cells) {
  printRow(cells);
  printRow(cells.map(() => '---'));
}

/** Those that are asked for, each made when it is its turn. @param {string[]} all */
async function* subjects(all) {
  const names = options.only?.split(',') ?? all;
  for (const name of names) {
    const own = mkdtempSync(join(scratch, 'service-'));
    yield { name, subject: name === KNOWN ? await makeKnown(own) : makeShop(own, name) };
    rmSync(own, { recursive: true });
  }
}

async function printNames() {
  printHead(['service', 'change', 'touched', 'reasons', 'wrong']);
  for await (const { name, subject } of subjects([...SHOPS, KNOWN]))
    for (const change of subject.changes.filter((each) => each.name.includes(options.change))) {
      subject.plant(change);
      const asked = ['plan', '--against', 'HEAD~1', '--touched', '--json'];
      const { touched } = JSON.parse(await perfAction(subject.top, asked));
      const wrong = wrongIn(touched, change);
      if (wrong) process.exitCode = 1;
      printRow([name, change.name, countOf(touched), reasonsOf(touched).join(', '), wrong]);
    }
}

/** @param {Touched} touched */
function countOf({ routes }) {
  const called = routes.filter(({ touched }) => touched);
  return called.length === 1 ? (called[0]?.route ?? '') : `${called.length} of ${routes.length}`;
}

/** @param {Touched} touched */
function reasonsOf({ reasons }) {
  return [...new Set(reasons.map(({ why }) => why))];
}

/**
 * Empty if it is as planted.
 * @type {(touched: Touched, change: Change) => string}
 */
function wrongIn(touched, { touched: expected, why = [] }) {
  const called = touched.routes.flatMap((each) => (each.touched ? each.route : []));
  const missed = expected.filter((route) => !called.includes(route));
  const others = called.filter((route) => !expected.includes(route));
  const isNamed = why.length === 0 || reasonsOf(touched).some((reason) => why.includes(reason));
  return [
    ...(missed.length > 0 ? [`not touched: ${missed.join(', ')}`] : []),
    ...(others.length > 0 ? [`touched: ${others.join(', ')}`] : []),
    ...(isNamed ? [] : [`not named: ${why.join(', ')}`]),
    ...touched.reasons.flatMap(({ message = '' }) => (message ? [message] : [])),
  ].join('; ');
}

/** As one text. @type {(cases: CaseComparison[]) => string} */
function idsOf(cases) {
  return cases.map(({ id, verdict }) => `${id} ${verdict}`).join(', ');
}

async function printFound() {
  printHead([
    ...['service', 'change', 'found', 'all together', 'decided', 'function named', 'others called changed'],
    'median s',
  ]);
  for await (const { name, subject } of subjects(SHOPS)) {
    const { service, middleware } = await calibratedSlower(subject, SHARE);
    for (const change of [service, middleware].filter((each) => each.name.includes(options.change))) {
      subject.plant(change);
      const runs = await runsOf(subject, ['--budget', options.budget]);
      const ofRoutes = runs.map(({ comparison, head }) => {
        const { cases } = comparison;
        const isTogether = comparison.together?.verdict === 'regressed';
        const ids = head.cases.flatMap(({ id, route }) => (change.touched.includes(route) ? id : []));
        return {
          isTogether,
          planted: cases.filter(({ id }) => ids.includes(id)),
          others: cases.filter(({ id }) => !ids.includes(id)),
        };
      });
      const found = ofRoutes.filter(
        ({ planted, isTogether }) => isTogether || planted.some(({ verdict }) => verdict === 'regressed'),
      );
      const together = ofRoutes.filter(({ isTogether }) => isTogether).length;
      const named = found.filter(({ planted }) => planted.some(({ functions = [] }) => functions.length > 0));
      printRow([
        ...[
          name,
          change.name,
          `${found.length} of ${tries}`,
          `${together} of ${tries}`,
          runs.map(({ comparison: { cases } }) => cases.filter(isDecided).length).join(', '),
          `${named.length} of ${found.length}`,
        ],
        idsOf(ofRoutes.flatMap(({ others }) => others.filter(isChange))),
        secondsOf(runs),
      ]);
    }
  }
}

async function printControls() {
  printHead(['service', 'change', 'found', 'promoted', 'regressed', 'median s']);
  for await (const { name, subject } of subjects(SHOPS)) {
    const globals = await calibratedGlobals(subject);
    for (const change of globals.filter((each) => each.name.includes(options.change))) {
      subject.plant(change);
      const runs = await runsOf(subject, []);
      const controls = runs.map(({ comparison: { cases } }) =>
        cases.filter(({ role }) => role === 'control'),
      );
      const countsOf = (/** @type {(compared: CaseComparison) => boolean} */ is) =>
        controls.map((all) => all.filter(is).length);
      const regressed = countsOf(({ verdict }) => verdict === 'regressed');
      printRow([
        ...[name, change.name, `${regressed.filter(Boolean).length} of ${tries}`],
        ...[countsOf(({ promoted = false }) => promoted).join(', '), regressed.join(', '), secondsOf(runs)],
      ]);
    }
  }
}

async function printUnchanged() {
  printHead([
    ...['service', 'runs', 'alarms', 'promoted', 'coverage s', 'median s', 'longest s'],
    ...['median width', 'widest'],
  ]);
  for await (const { name, subject } of subjects(SHOPS)) {
    subject.plant(COMMENT);
    const runs = await runsOf(subject, []);
    const cases = runs.flatMap(({ comparison }) => comparison.cases);
    const widths = cases.flatMap(({ metrics }) =>
      metrics.flatMap(({ metric, ciPct }) =>
        metric === 'cpuPerRequest' && ciPct ? ciPct[1] - ciPct[0] : [],
      ),
    );
    printRow([
      ...[
        name,
        String(tries),
        idsOf(cases.filter(isChange)),
        idsOf(cases.filter(({ promoted }) => promoted)),
      ],
      String(median(runs, ({ head }) => head.touched?.seconds)),
      ...[secondsOf(runs), max(runs, ({ seconds }) => seconds)?.toFixed(0) ?? ''],
      ...[median(widths), max(widths)].map((width) => (width === undefined ? '' : `${width.toFixed(1)} %`)),
    ]);
  }
}

async function printBefore() {
  printHead(['service', 'measured', 'the slower route', 'routes that are decided', 'median s']);
  for await (const { name, subject } of subjects(SHOPS)) {
    const { service } = await calibratedSlower(subject, SHARE);
    subject.plant(service);
    for (const [way, more] of /** @type {[string, string[]][]} */ ([
      ['every route in full', ['--no-controls']],
      ['with controls', []],
    ])) {
      const runs = await runsOf(subject, more);
      printRow([
        ...[name, way, runs.map(({ comparison }) => comparison.cases[0]?.verdict).join(', ')],
        runs.map(({ comparison: { cases } }) => cases.filter(isDecided).length).join(', '),
        secondsOf(runs),
      ]);
    }
  }
}

/** @type {(compared: CaseComparison) => boolean} */
function isDecided({ verdict }) {
  return !['unsure', 'failed'].includes(verdict);
}

/** @type {(subject: Subject, more: string[]) => Promise<Awaited<ReturnType<typeof runAgainst>>[]>} */
async function runsOf({ top }, more) {
  const runs = [];
  for (let made = 0; made < tries; made++) {
    runs.push(await runAgainst(top, more));
    console.error(`${top}: ${runs.at(-1)?.comparison.verdict} after ${runs.at(-1)?.seconds.toFixed(0)} s`);
  }
  return runs;
}

/** @param {{ seconds: number }[]} runs */
function secondsOf(runs) {
  return median(runs, ({ seconds }) => seconds)?.toFixed(0) ?? '';
}
